// The clips of the source files: local transforms, blended and composed in floating point.

import { undoDifferences } from "../data.js";
import { ONE_Q20 } from "./runtime.js";

const NUMBERS = 10; // of a transform: rotation x y z w, translation, scale
const MATRIX = 12;

/** out = parent * local, both row-major 3x4; without a parent, local. */
function multiply(out, at, parent, local) {
    for (let row = 0; row < 3; row++) {
        const [a, b, c, d] = out.subarray(parent + 4 * row, parent + 4 * row + 4);
        for (let column = 0; column < 4; column++) {
            out[at + 4 * row + column] =
                a * local[column] + b * local[4 + column] + c * local[8 + column] + (column === 3 ? d : 0);
        }
    }
}

/** Returns the matrix of a local transform, T * R * S, row-major 3x4. */
function matrixOf(out, t) {
    const norm = Math.hypot(t[0], t[1], t[2], t[3]) || 1;
    const [x, y, z, w] = [t[0] / norm, t[1] / norm, t[2] / norm, t[3] / norm];
    out[0] = (1 - 2 * (y * y + z * z)) * t[7];
    out[1] = 2 * (x * y - w * z) * t[8];
    out[2] = 2 * (x * z + w * y) * t[9];
    out[3] = t[4];
    out[4] = 2 * (x * y + w * z) * t[7];
    out[5] = (1 - 2 * (x * x + z * z)) * t[8];
    out[6] = 2 * (y * z - w * x) * t[9];
    out[7] = t[5];
    out[8] = 2 * (x * z - w * y) * t[7];
    out[9] = 2 * (y * z + w * x) * t[8];
    out[10] = (1 - 2 * (x * x + y * y)) * t[9];
    out[11] = t[6];
}

export class SourceClip {
    /** series: Q20 numbers [10 * joint + number][frame]. jumps: a set of frame * joints * 3 + 3 * joint + kind. */
    constructor(bytes, frameCount, parents, jumps) {
        this.series = undoDifferences(bytes, frameCount);
        this.frameCount = frameCount;
        this.parents = parents;
        this.jumps = jumps;
        this.local = new Float64Array(MATRIX);
        this.transform = new Float64Array(NUMBERS);
        this.matrices = new Float64Array(MATRIX * parents.length);
    }

    /** Returns the model matrices at a position in frames, row-major 3x4 in metres, valid until the next call. */
    pose(frame) {
        const left = Math.min(Math.floor(frame), this.frameCount - 1);
        const right = Math.min(left + 1, this.frameCount - 1);
        for (let joint = 0; joint < this.parents.length; joint++) {
            this.blend(joint, left, right, frame - left);
            matrixOf(this.local, this.transform);
            const at = MATRIX * joint;
            if (this.parents[joint] < 0) this.matrices.set(this.local, at);
            else multiply(this.matrices, at, MATRIX * this.parents[joint], this.local);
        }
        return this.matrices;
    }

    /** Blends a joint between two frames, along the shortest arc. Tracks that jump hold the left frame. */
    blend(joint, left, right, fraction) {
        const first = NUMBERS * joint * this.frameCount;
        let dot = 0;
        for (let i = 0; i < 4; i++) {
            const at = first + i * this.frameCount;
            dot += this.series[at + left] * this.series[at + right];
        }
        for (let i = 0; i < NUMBERS; i++) {
            const at = first + i * this.frameCount;
            const kind = i < 4 ? 0 : i < 7 ? 1 : 2;
            const holds = this.jumps.has((right * this.parents.length + joint) * 3 + kind);
            const a = this.series[at + left];
            const b = (holds ? a : this.series[at + right]) * (kind === 0 && dot < 0 && !holds ? -1 : 1);
            this.transform[i] = (a + (b - a) * fraction) / ONE_Q20;
        }
    }
}
