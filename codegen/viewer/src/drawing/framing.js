// Computes the bounds of a clip, which the camera has to show.

import * as THREE from "three";
import { HOLDS_CURVES } from "../playing/curves.js";
import { ONE_Q20 } from "../playing/runtime.js";

const MATRIX = 12;
const MOST_POSES = 32; // of a clip, for its bounds
const LEAST_RADIUS = 0.05; // metres

/** Returns for each joint the corners of a box, in its own space, around the vertices that move most with it: none
 * without vertices, because control joints may be anywhere. Without a mesh, returns the joint itself. */
function cornersOf(mesh, count) {
    if (!mesh) return Array.from({ length: count }, () => [new THREE.Vector3()]);
    const boxes = Array.from({ length: count }, () => new THREE.Box3());
    const place = new THREE.Vector3();
    const offset = new THREE.Vector3();
    for (const { geometry } of mesh.surfaces) {
        const { position, skinIndex } = geometry.attributes;
        const morphs = geometry.morphAttributes.position ?? [];
        for (let vertex = 0; vertex < position.count; vertex++) {
            const joint = skinIndex.getX(vertex);
            const add = () => boxes[joint].expandByPoint(place.applyMatrix4(mesh.inverses[joint]));
            place.fromBufferAttribute(position, vertex);
            add();
            for (const morph of morphs) {
                place.fromBufferAttribute(position, vertex).add(offset.fromBufferAttribute(morph, vertex));
                add();
            }
        }
    }
    return boxes.map((box) => {
        const { min, max } = box;
        if (box.isEmpty()) return [];
        return [0, 1, 2, 3, 4, 5, 6, 7].map(
            (corner) =>
                new THREE.Vector3(corner & 1 ? max.x : min.x, corner & 2 ? max.y : min.y, corner & 4 ? max.z : min.z),
        );
    });
}

export class Framing {
    /** root: the joint that the camera follows. */
    constructor(parents, mesh, root) {
        this.parents = parents;
        this.root = root;
        this.corners = cornersOf(mesh, parents.length);
    }

    /** Returns {centre, radius} of a sphere around all poses of a clip; with `follow`, relative to the root's position
     * on the ground. */
    of(stage, clip, frames, follow) {
        const box = new THREE.Box3();
        const places = [];
        const matrix = new THREE.Matrix4();
        const place = new THREE.Vector3();
        const poses = Math.min(frames, MOST_POSES);
        for (let pose = 0; pose < poses; pose++) {
            const values = stage.pose(clip, poses > 1 ? (pose * (frames - 1)) / (poses - 1) : 0);
            const [x, z] = follow ? [3, 11].map((i) => values[MATRIX * this.root + i] / ONE_Q20) : [0, 0];
            this.corners.forEach((corners, joint) => {
                if (this.parents[joint] === HOLDS_CURVES) return;
                const rows = Array.from(values.subarray(MATRIX * joint, MATRIX * (joint + 1)), (value) => value / ONE_Q20);
                matrix.set(...rows, 0, 0, 0, 1);
                for (const corner of corners) {
                    place.copy(corner).applyMatrix4(matrix);
                    place.x -= x;
                    place.z -= z;
                    box.expandByPoint(place);
                    places.push(place.x, place.y, place.z);
                }
            });
        }
        const centre = box.getCenter(new THREE.Vector3());
        let radius = LEAST_RADIUS;
        for (let i = 0; i < places.length; i += 3)
            radius = Math.max(radius, place.fromArray(places, i).distanceTo(centre));
        return { centre, radius };
    }
}
