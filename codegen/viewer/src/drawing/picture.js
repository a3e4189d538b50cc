// The content of the picture: the decoded pose, its source, the poses before and after, and the path of the root.

import * as THREE from "three";
import { ERROR_COLOURS, shadeOf } from "./colours.js";
import { HOLDS_CURVES } from "../playing/curves.js";
import { Anatomy, Figure } from "./figure.js";
import { Framing } from "./framing.js";
import { ONE_Q20 } from "../playing/runtime.js";
import { StickFigure } from "./stick_figure.js";
import { Targets } from "./targets.js";

const MATRIX = 12;
const DECODED = 0x2a78c8;
const GHOST = 0xe07b00;
const ONION = [-15, -10, -5, 5, 10, 15]; // frames
const MAGNIFIED = 10;
const ONE_Q24 = 1 << 24;
const AROUND = 1.6; // a character of the graph, of the space that its first clip takes
const APART = 0.7; // of the character's height, between neighbouring characters
const MOST_PATH = 2000; // points
const SHELL_M = 0.03;

const LEAST_HEIGHT = 0.05; // metres, of a skeleton that is a point

/** Returns the centre and the height of the character in a pose, with its joints and its mesh. */
export function sizeOf(matrices, parents, mesh) {
    const figure = new Figure(new Anatomy(parents, parents.map(() => [1, 1, 1]), 1, 0, mesh), { colour: 0, opacity: 1, mesh: true });
    figure.show(matrices, ONE_Q20);
    const box = new THREE.Box3();
    for (const matrix of figure.matrices.filter((_, joint) => parents[joint] !== HOLDS_CURVES)) box.expandByPoint(new THREE.Vector3().setFromMatrixPosition(matrix));
    for (const skin of figure.skins) {
        skin.skeleton.update();
        skin.computeBoundingBox();
        box.union(skin.boundingBox);
    }
    const extent = box.getSize(new THREE.Vector3());
    const height = Math.max(extent.x, extent.y, extent.z, LEAST_HEIGHT);
    return { centre: box.getCenter(new THREE.Vector3()).toArray(), height };
}

export class Picture {
    constructor(page, state, scene, mesh) {
        Object.assign(this, { page, state, scene });
        const shell = Math.min(SHELL_M, scene.size.height / 12);
        this.anatomy = new Anatomy(page.parents, page.metres, scene.size.height, shell, mesh);
        this.decoded = new Figure(this.anatomy, { colour: DECODED, opacity: 1, mesh: true });
        this.ghost = new Figure(this.anatomy, { colour: GHOST, opacity: 0.45, mesh: true });
        this.onions = null;
        this.actor = null; // of the current clip
        this.path = new THREE.Line(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ color: DECODED }));
        this.path.frustumCulled = false;
        scene.scene.add(this.decoded.group, this.ghost.group, this.path);
        const parameters = page.contents.graph?.parameters ?? [];
        this.targets = new Targets(scene.scene, this.decoded.group, parameters, scene.size.height);
        this.apart = new Float64Array(MATRIX * page.joints.length);
        this.colours = ERROR_COLOURS.map(([r, g, b]) =>
            new THREE.Color().setRGB(r / 255, g / 255, b / 255, THREE.SRGBColorSpace),
        );
        this.root = Math.max(page.parents.indexOf(-1), 0);
        this.framing = new Framing(page.parents, mesh, this.root);
        state.watch(["clip", "bank", "follow", "tab"], () => this.frame());
        state.watch(["clip", "bank", "path", "versions", "tab"], () => this.drawPath());
        state.watch(["clip"], ({ clip }) => this.chooseActor(page.actorOf(clip)));
        state.watch(["bones", "mesh", "shells", "heat"], (values) => {
            this.decoded.dress(values);
            this.ghost.dress({ ...values, heat: false });
        });
        state.watch(["device"], ({ device }) => {
            scene.device.visible = device;
            scene.device.canvas.parentElement.hidden = !device;
        });
    }

    /** Draws the pose of the present position. */
    update() {
        const { clip, bank, frame, source, heat, follow } = this.state.values;
        const index = this.page.places[bank][clip];
        this.decoded.group.visible = index >= 0;
        if (index < 0) return;
        const at = this.page.frameIn(bank, clip, frame);
        const matrices = this.page.banks[bank].stage.pose(index, at);
        if (follow) this.follow(matrices);
        this.showSource(clip, frame, source, matrices);
        this.showActor(frame / this.page.clips[clip].rate);
        this.decoded.show(source === "difference" ? this.apart : matrices, source === "difference" ? 1 : ONE_Q20);
        this.decoded.paint(heat ? this.heatOf(bank, clip, at) : null);
        this.showOnions(bank, index, at);
    }

    /** Draws the pose of a character of the graph, its place (x, y, z in Q20, and the yaw in Q24, in turns) and its
     * points. */
    showCharacter(matrices, [x, y, z, yaw], valueOf) {
        const { group } = this.decoded;
        group.visible = true;
        group.position.set(x, y, z).divideScalar(ONE_Q20);
        group.rotation.y = (yaw / ONE_Q24) * 2 * Math.PI;
        const [across, along] = [group.position.x, group.position.z];
        this.scene.followTo(across + this.centre.x, this.centre.y, along + this.centre.z);
        this.scene.layFloor(across, along);
        this.targets.show(valueOf);
        this.decoded.show(matrices, ONE_Q20);
        this.decoded.paint(null);
    }

    /** Prepares for clips, or for a character of the graph. */
    clear() {
        this.decoded.group.rotation.y = 0;
        this.targets.visible = this.state.get("tab") === "graph";
        this.scene.layFloor(0, 0);
        if (this.actor) this.actor.group.visible = false;
        for (const figure of [this.ghost, ...(this.onions ?? []).map((onion) => onion.figure)])
            figure.group.visible = false;
    }

    /** Makes the camera show the whole clip. */
    frame() {
        this.clear();
        const { clip, bank, follow, tab } = this.state.values;
        if (tab === "graph") return this.frameCharacter();
        const index = this.page.places[bank][clip];
        if (index < 0) return;
        const { stage, clips } = this.page.banks[bank];
        const { centre, radius } = this.framing.of(stage, index, clips[index].frames, follow);
        this.scene.show(radius);
        this.centre = centre;
        if (!follow) this.scene.followTo(...centre);
    }

    /** Makes the camera show a character of the graph, which moves about. */
    frameCharacter() {
        const [{ stage, clips }] = this.page.banks;
        const { graph } = this.page.contents;
        const name = graph.states[graph.machines[0].start].clips[0];
        const index = Math.max(clips.findIndex((clip) => clip.name === name), 0);
        const { centre, radius } = this.framing.of(stage, index, clips[index].frames, true);
        this.scene.show(radius * AROUND);
        this.centre = centre;
    }

    follow(matrices) {
        const at = MATRIX * this.root;
        const [x, z] = [3, 11].map((i) => matrices[at + i] / ONE_Q20);
        this.scene.followTo(x + this.centre.x, this.centre.y, z + this.centre.z);
    }

    showSource(clip, frame, mode, matrices) {
        const source = mode === "off" ? null : this.page.sourceOf(clip);
        const apart = source && mode === "beside" ? (APART / 2) * this.scene.size.height : 0;
        this.scene.sideways(this.decoded.group.position, -apart);
        this.scene.sideways(this.ghost.group.position, apart);
        this.ghost.group.visible = source !== null;
        if (!source) {
            if (mode === "difference")
                for (let i = 0; i < this.apart.length; i++) this.apart[i] = matrices[i] / ONE_Q20;
            return;
        }
        const wanted = source.pose(frame);
        this.ghost.show(wanted, 1);
        this.ghost.outline(mode !== "beside");
        for (let i = 0; i < this.apart.length; i++)
            this.apart[i] = wanted[i] + MAGNIFIED * (matrices[i] / ONE_Q20 - wanted[i]);
    }

    /** Prepares the figure of a clip's actor, which may be null. */
    chooseActor(actor) {
        if (this.actor) {
            this.scene.scene.remove(this.actor.group);
            this.actor.dispose();
        }
        this.actor = actor && new StickFigure(actor, this.scene.size.height);
        if (actor) this.scene.scene.add(this.actor.group);
    }

    showActor(seconds) {
        if (!this.actor) return;
        const mode = this.state.get("actor");
        const { group } = this.actor;
        group.visible = mode !== "off";
        this.scene.sideways(group.position, mode === "beside" ? -APART * this.scene.size.height : 0);
        group.position.add(this.decoded.group.position);
        this.actor.show(seconds);
    }

    /** Returns the colour of each joint by its error, or null without errors. */
    heatOf(bank, clip, frame) {
        const there = this.page.clipIn(bank, clip);
        const errors = this.page.errorsOf(there);
        if (!errors) return null;
        const first = Math.round(2 * frame) * this.page.joints.length;
        return this.page.joints.map((_, joint) => this.colours[shadeOf(errors.steps[first + joint])]);
    }

    showOnions(bank, index, frame) {
        const shown = this.state.get("onion");
        if (shown && !this.onions) {
            this.onions = ONION.map((offset) => {
                const figure = new Figure(this.anatomy, {
                    colour: DECODED,
                    opacity: 0.5 - Math.abs(offset) / 40,
                    mesh: false,
                });
                figure.dress({ bones: true, shells: false, mesh: false, heat: false });
                this.scene.scene.add(figure.group);
                return { offset, figure, stages: new Map() };
            });
        }
        const last = this.page.banks[bank].clips[index].frames - 1;
        for (const { offset, figure, stages } of this.onions ?? []) {
            const at = frame + offset;
            figure.group.visible = shown && at >= 0 && at <= last;
            if (!figure.group.visible) continue;
            if (!stages.has(bank)) stages.set(bank, this.page.stage(this.page.banks[bank]));
            figure.show(stages.get(bank).pose(index, at), ONE_Q20);
        }
    }

    /** Draws the path of the root through the clip. */
    drawPath() {
        const { clip, bank, path, tab } = this.state.values;
        const index = this.page.places[bank][clip];
        this.path.visible = path && index >= 0 && tab !== "graph";
        if (!this.path.visible) return;
        const last = this.page.banks[bank].clips[index].frames - 1;
        const step = Math.max(1, last / MOST_PATH);
        const stage = this.page.banks[bank].stage;
        const points = [];
        for (let frame = 0; frame <= last; frame += step) {
            const matrices = stage.pose(index, frame);
            points.push(...[3, 7, 11].map((i) => matrices[MATRIX * this.root + i] / ONE_Q20));
        }
        this.path.geometry.dispose();
        this.path.geometry = new THREE.BufferGeometry();
        this.path.geometry.setAttribute("position", new THREE.Float32BufferAttribute(points, 3));
    }
}
