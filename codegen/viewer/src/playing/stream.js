// The runtime's stream (codegen/viewer/streaming.c), which brings the tiers of one bank.

import { BankError, textOf } from "./runtime.js";

export const WHOLE_POOL = 0;
const COUNTS = ["reads", "readBytes", "failures", "arrived", "dropped", "givenUp"]; // osc_stream_counts

export class Stream {
    /** stage: one of the bank. places: where each tier begins on the medium, in bytes. */
    constructor(runtime, stage, places) {
        this.exports = runtime.exports;
        this.stage = stage;
        this.places = this.exports.reserve(4 * places.length);
        this.words(this.places, places.length).set(places);
    }

    words(address, count) {
        return new Int32Array(this.exports.memory.buffer, address, count);
    }

    /** Begins, or begins again from the base, with a pool of this size. Throws BankError. */
    begin(poolBytes) {
        const error = this.exports.stream(this.stage.handle, this.places, poolBytes);
        if (error < 0) throw new BankError(textOf(error));
    }

    /** Wants what the stage plays, and what follows so many frames ahead. */
    follow(aheadFrames) {
        this.exports.follow(this.stage.handle, aheadFrames);
    }

    /** Wants a clip that begins so many seconds from now. Returns how many of its chunks are missing. */
    want(clip, seconds) {
        return this.exports.want(this.stage.handle, clip, Math.round(seconds * 1e6));
    }

    update(seconds) {
        this.exports.update(Math.round(seconds * 1e6));
    }

    isArriving(clip) {
        return this.exports.is_arriving(clip) !== 0;
    }

    counts() {
        const numbers = this.words(this.exports.counts(), COUNTS.length);
        return Object.fromEntries(COUNTS.map((name, index) => [name, numbers[index]]));
    }

    /** The chunks that were given up since this was last asked. */
    faults() {
        const found = [];
        for (let at; (at = this.exports.next_fault()) !== 0; ) {
            const [tier, clip, block, error] = this.words(at, 4);
            found.push({ tier, clip, block, error });
        }
        return found;
    }

    retry() {
        this.exports.retry();
    }
}
