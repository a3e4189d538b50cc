// The skeletons from which clips were retargeted.

import { undoDifferences } from "../data.js";

const AXES = 3;
const SIDES = 2; // left and right

export class Actor {
    /** description: from codegen/ossicle/view/actor.py. array: of the page. */
    constructor(description, array) {
        const { parents, feet, rate, frames, steps } = description;
        Object.assign(this, { parents, feet, rate, frames, steps });
        this.series = undoDifferences(array(description.positions, Uint8Array), frames); // [3 * joint + axis][frame]
        this.standing = array(description.stands, Uint8Array);
        this.slides = array(description.slides_mm, Float32Array);
        this.positions = new Float32Array(AXES * parents.length);
    }

    /** Returns the frame at a time, with a fraction, at most the last. */
    frameAt(seconds) {
        return Math.min(seconds * this.rate, this.frames - 1);
    }

    /** Returns the positions of the joints in metres, valid until the next call. */
    at(seconds) {
        const frame = this.frameAt(seconds);
        const left = Math.floor(frame);
        const right = Math.min(left + 1, this.frames - 1);
        for (let i = 0; i < this.positions.length; i++) {
            const [a, b] = [left, right].map((there) => this.series[i * this.frames + there]);
            this.positions[i] = (a + (b - a) * (frame - left)) / this.steps;
        }
        return this.positions;
    }

    /** Returns whether a foot stands: 0 is the left one, 1 the right one. */
    stands(frame, side) {
        return this.standing[SIDES * frame + side] === 1;
    }

    /** Returns how far the character's standing foot has slid, in millimetres. */
    slide(frame, side) {
        return this.slides[SIDES * frame + side];
    }
}
