// Draws an actor: its bones, and its feet, which are red while they stand.

import * as THREE from "three";

const BONES = 0x2f9e5b;
const STANDS = new THREE.Color(0xd03b3b);
const SWINGS = new THREE.Color(BONES);
const FOOT_SIZE = 0.02; // of the character's height

export class StickFigure {
    constructor(actor, height) {
        this.actor = actor;
        this.bones = actor.parents.flatMap((parent, joint) => (parent < 0 ? [] : [[parent, joint]]));
        this.ends = new Float32Array(6 * this.bones.length);
        const geometry = new THREE.BufferGeometry();
        geometry.setAttribute("position", new THREE.BufferAttribute(this.ends, 3));
        this.lines = new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({ color: BONES, depthTest: false }));
        this.feet = actor.feet.map(
            () =>
                new THREE.Mesh(
                    new THREE.SphereGeometry(FOOT_SIZE * height, 12, 8),
                    new THREE.MeshBasicMaterial({ depthTest: false }),
                ),
        );
        this.group = new THREE.Group();
        this.group.add(this.lines, ...this.feet);
        for (const part of this.group.children) Object.assign(part, { frustumCulled: false, renderOrder: 1 });
    }

    /** Shows the pose at a time. */
    show(seconds) {
        const places = this.actor.at(seconds);
        this.bones.forEach((ends, bone) =>
            ends.forEach((joint, end) =>
                this.ends.set(places.subarray(3 * joint, 3 * joint + 3), 6 * bone + 3 * end),
            ),
        );
        this.lines.geometry.attributes.position.needsUpdate = true;
        const frame = Math.round(this.actor.frameAt(seconds));
        this.feet.forEach((ball, side) => {
            ball.position.fromArray(places, 3 * this.actor.feet[side]);
            ball.material.color.copy(this.actor.stands(frame, side) ? STANDS : SWINGS);
        });
    }

    /** Releases its geometry and materials. */
    dispose() {
        for (const part of this.group.children) {
            part.geometry.dispose();
            part.material.dispose();
        }
    }
}
