// The runtime's stream (codegen/viewer/streaming.c), which reads the tiers of a bank.

import { BankError, textOf } from "./runtime.js";

export const WHOLE_POOL = 0;
const COUNTS = ["reads", "readBytes", "failures", "arrived", "dropped", "givenUp"]; // osc_stream_counts

export class Stream {
    /** stage: any stage of the bank. places: the offset of each tier on the medium, in bytes. */
    constructor(runtime, stage, places) {
        this.exports = runtime.exports;
        this.stage = stage;
        this.places = this.exports.reserve(4 * places.length);
        this.words(this.places, places.length).set(places);
    }

    words(address, count) {
        return new Int32Array(this.exports.memory.buffer, address, count);
    }

    /** Starts, or restarts from the base, with a pool of this size. Throws BankError. */
    begin(poolBytes) {
        const error = this.exports.stream(this.stage.handle, this.places, poolBytes);
        if (error < 0) throw new BankError(textOf(error));
    }

    /** Requests the data that the stage plays, and those up to this many frames ahead. */
    follow(aheadFrames) {
        this.exports.follow(this.stage.handle, aheadFrames);
    }

    /** Requests a clip that begins in this many seconds. Returns the number of its missing chunks. */
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

    /** Returns the chunks that were given up since the last call. */
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
