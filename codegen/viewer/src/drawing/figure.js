// Draws a pose: bones, joints with their shells, and the mesh.

import * as THREE from "three";
import { HOLDS_CURVES } from "../playing/curves.js";

const MATRIX = 12;
const BONE_SIZE = 0.012; // of the character's height

/** Copies a row-major 3x4 matrix to a Matrix4. */
function copyMatrix(matrix, values, at, unit) {
    const e = matrix.elements;
    for (let row = 0; row < 3; row++)
        for (let column = 0; column < 4; column++) e[4 * column + row] = values[at + 4 * row + column] / unit;
    e[3] = e[7] = e[11] = 0;
    e[15] = 1;
}

/** The data that all figures of a character share. */
export class Anatomy {
    /** parents: of each joint, -1 for roots, HOLDS_CURVES. metres: of each joint, the length of a metre of model space
     * at the bind pose along its axes. height: of the character, in metres. mesh: of the page's data, or null. */
    constructor(parents, metres, height, shell, mesh) {
        this.parents = parents;
        this.metres = metres.map((along) => new THREE.Vector3(...along));
        this.height = height;
        this.shell = shell;
        this.mesh = mesh;
        this.bones = parents.flatMap((parent, joint) => (parent < 0 ? [] : [[parent, joint]]));
    }
}

export class Figure {
    /** style: {colour, opacity, mesh: whether it has one}. */
    constructor(anatomy, style) {
        this.anatomy = anatomy;
        this.group = new THREE.Group();
        this.matrices = anatomy.parents.map(() => new THREE.Matrix4());
        this.translucent = style.opacity < 1;
        const look = { color: style.colour, opacity: style.opacity, transparent: this.translucent, depthTest: false };

        this.linePlaces = new Float32Array(6 * anatomy.bones.length);
        const lines = new THREE.BufferGeometry();
        lines.setAttribute("position", new THREE.BufferAttribute(this.linePlaces, 3));
        this.lines = new THREE.LineSegments(lines, new THREE.LineBasicMaterial(look));

        const ball = new THREE.IcosahedronGeometry(BONE_SIZE * anatomy.height, 1);
        this.joints = new THREE.InstancedMesh(ball, new THREE.MeshBasicMaterial(look), anatomy.parents.length);
        this.joints.setColorAt(0, new THREE.Color(1, 1, 1)); // allocates the colours
        const shell = new THREE.SphereGeometry(anatomy.shell, 12, 8);
        const veil = new THREE.MeshBasicMaterial({
            ...look,
            opacity: 0.18 * style.opacity,
            transparent: true,
            depthWrite: false,
        });
        this.shells = new THREE.InstancedMesh(shell, veil, anatomy.parents.length);
        this.skins = anatomy.mesh && style.mesh ? this.skinsOf(anatomy.mesh, style) : [];
        this.group.add(...this.skins, this.lines, this.joints, this.shells);
        for (const part of this.group.children) part.frustumCulled = false;
        this.lines.renderOrder = 1;
        this.joints.renderOrder = 2;
        this.painted = null;
    }

    /** Creates the mesh. Its bones are the matrices of the pose, not nodes of the scene. */
    skinsOf(mesh, style) {
        this.boneNodes = this.matrices.map((matrix) => {
            const bone = new THREE.Bone();
            bone.matrixAutoUpdate = bone.matrixWorldAutoUpdate = false;
            bone.matrixWorld = matrix;
            return bone;
        });
        const skeleton = new THREE.Skeleton(this.boneNodes, mesh.inverses);
        return mesh.surfaces.map(({ geometry, material, morphs }) => {
            const own = material.clone();
            if (this.translucent)
                Object.assign(own, {
                    transparent: true,
                    opacity: style.opacity * own.opacity,
                    alphaTest: style.opacity * own.alphaTest, // alpha is smaller, too
                    depthWrite: false,
                    color: new THREE.Color(style.colour),
                });
            const skin = new THREE.SkinnedMesh(geometry, own);
            skin.bindMode = THREE.DetachedBindMode; // the group may be moved away from its bones
            skin.bind(skeleton, new THREE.Matrix4());
            skin.userData.morphs = morphs;
            return skin;
        });
    }

    /** Shows a pose: row-major 3x4 matrices, in which `unit` is a metre. */
    show(values, unit) {
        const { parents, bones, metres } = this.anatomy;
        const ball = new THREE.Matrix4();
        for (let joint = 0; joint < parents.length; joint++) {
            if (parents[joint] === HOLDS_CURVES) this.matrices[joint].makeScale(0, 0, 0);
            else copyMatrix(this.matrices[joint], values, MATRIX * joint, unit);
            ball.copy(this.matrices[joint]).scale(metres[joint]);
            this.joints.setMatrixAt(joint, ball);
            this.shells.setMatrixAt(joint, ball);
        }
        bones.forEach(([parent, joint], bone) => {
            for (let axis = 0; axis < 3; axis++) {
                this.linePlaces[6 * bone + axis] = values[MATRIX * parent + 4 * axis + 3] / unit;
                this.linePlaces[6 * bone + 3 + axis] = values[MATRIX * joint + 4 * axis + 3] / unit;
            }
        });
        for (const skin of this.skins)
            skin.userData.morphs.forEach(({ joint, axis }, target) => {
                skin.morphTargetInfluences[target] = values[MATRIX * joint + 4 * axis + 3] / unit;
            });
        this.lines.geometry.attributes.position.needsUpdate = true;
        this.joints.instanceMatrix.needsUpdate = this.shells.instanceMatrix.needsUpdate = true;
    }

    /** Paints the joints: colours [J], or null for the figure's own. */
    paint(colours) {
        if (!colours && !this.painted) return;
        this.painted = colours;
        const white = new THREE.Color(1, 1, 1);
        for (let joint = 0; joint < this.anatomy.parents.length; joint++)
            this.joints.setColorAt(joint, colours ? colours[joint] : white);
        this.joints.instanceColor.needsUpdate = true;
        this.joints.material.color.set(colours ? 0xffffff : this.lines.material.color);
    }

    /** Draws the mesh filled, or only its edges, so that the scene behind it is visible. */
    outline(yes) {
        for (const skin of this.skins) skin.material.wireframe = yes;
    }

    /** Shows or hides its parts. heat: the joints have the colours of their errors. */
    dress({ bones, shells, mesh, heat }) {
        for (const skin of this.skins) skin.visible = mesh;
        this.lines.visible = bones || !mesh || this.skins.length === 0;
        this.joints.visible = this.lines.visible || heat;
        this.shells.visible = shells;
    }
}
