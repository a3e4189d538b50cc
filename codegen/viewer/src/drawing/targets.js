// The points of a graph, at which a character looks, or for which it reaches: a ball for each.

import * as THREE from "three";
import { ONE_Q20 } from "../playing/runtime.js";

const COLOUR = 0xe07b00;
const RADIUS = 0.03; // of the character's height

export class Targets {
    /** scene, group: what points of the world and of model space belong to. height: of the character, in metres. */
    constructor(scene, group, parameters, height) {
        const ball = new THREE.SphereGeometry(RADIUS * height, 16, 12);
        const material = new THREE.MeshBasicMaterial({ color: COLOUR });
        this.balls = parameters.map(({ kind, world }) => {
            if (kind !== "point") return null;
            const mesh = new THREE.Mesh(ball, material);
            (world ? scene : group).add(mesh);
            return mesh;
        });
    }

    /** valueOf: returns x, y, z of a parameter, Q20. */
    show(valueOf) {
        this.balls.forEach((ball, parameter) => ball?.position.set(...valueOf(parameter)).divideScalar(ONE_Q20));
    }

    set visible(yes) {
        for (const ball of this.balls) if (ball) ball.visible = yes;
    }
}
