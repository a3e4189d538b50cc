// The device's runtime, compiled to WebAssembly (codegen/viewer/player.c).

export const ONE_Q20 = 1 << 20;
export const ONE_Q11 = 1 << 11;
const HASH_START = 2166136261; // OSC_HASH_START
const MATRIX_WORDS = 12;
const NO_MEMORY = -10; // OSC_ERROR_MEMORY
const BUSY_MS = 12; // of work, between pauses

// By the numbers of runtime/ossicle.h.
const ERRORS = {
    "-1": "it is not aligned",
    "-2": "it is shorter or longer than its header says",
    "-3": "it is no Ossicle bank",
    "-4": "it has another bank format",
    "-5": "it is damaged: its CRC differs",
    "-6": "a section is missing, misplaced or unknown",
    "-7": "its skeleton contradicts itself",
    "-8": "a clip contradicts itself",
    "-10": "there is not enough memory for it",
};

export class BankError extends Error {}

/** Returns the text of an error of the runtime. */
export const textOf = (error) => ERRORS[error] ?? `the runtime refuses it (error ${error})`;

/** One bank with a player of its own. */
class Stage {
    constructor(exports, handle, jointCount) {
        this.exports = exports;
        this.handle = handle;
        this.jointCount = jointCount;
        this.clip = -1;
        this.overs = new Map(); // of additive clips, the address of the reference pose
    }

    /** Returns the model matrices of a clip at a position in frames: Q20, row-major 3x4, valid until the next call. */
    pose(clip, frame) {
        if (clip !== this.clip) {
            this.exports.start(this.handle, clip);
            this.exports.add_to(this.handle, this.overs.get(clip) ?? 0);
            this.clip = clip;
        }
        const address = this.exports.pose(this.handle, Math.round(frame * ONE_Q11));
        return new Int32Array(this.exports.memory.buffer, address, MATRIX_WORDS * this.jointCount);
    }

    /** Plays this bank, in all of its stages, with only the first tiers; 0 for none. */
    keepTiers(count) {
        this.exports.keep_tiers(this.handle, count);
    }

    /** Returns a number that changes when tiers come or go. */
    changes() {
        return this.exports.changes(this.handle);
    }

    /** Returns the finest present tier of a clip at a frame; 0: the base. */
    tierAt(clip, frame) {
        return this.exports.tier_at(this.handle, clip, frame);
    }

    /** Returns the finest tier that all frames of a clip have. */
    leastTier(clip, frames) {
        let least = Infinity;
        for (let frame = 0; frame < frames && least > 0; frame++) least = Math.min(least, this.tierAt(clip, frame));
        return least;
    }

    /** Returns the largest error of a clip at a frame, in metres, Q20. */
    quality(clip, frame) {
        return this.exports.quality(this.handle, clip, frame);
    }

    /** Continues the hash of all poses over those of a clip. */
    hash(hash, clip) {
        this.clip = -1;
        return this.exports.hash(this.handle, hash, clip) >>> 0;
    }
}

/** The module, which holds any number of stages. */
export class Runtime {
    /** medium: the source of streamed tiers. */
    static async load(bytes, medium) {
        const { instance } = await WebAssembly.instantiate(bytes, { medium: medium.imports });
        medium.memory = instance.exports.memory;
        return new Runtime(instance.exports);
    }

    constructor(exports) {
        this.exports = exports;
    }

    /** Copies bytes, such as a bank, into the module and returns their address, for opening stages. */
    place(bank) {
        const address = this.exports.reserve(bank.length);
        if (address === 0) throw new BankError(textOf(NO_MEMORY));
        new Uint8Array(this.exports.memory.buffer, address, bank.length).set(bank);
        return { address, bytes: bank.length };
    }

    /** Opens a placed bank. Throws BankError if the runtime refuses it. */
    open(placed, jointCount) {
        return this.stage(jointCount, (error) => this.exports.open(placed.address, placed.bytes, error));
    }

    /** Returns another stage of the same bank, which always has the same tiers. Throws BankError. */
    beside(stage) {
        const made = this.stage(stage.jointCount, (error) => this.exports.beside(stage.handle, error));
        made.overs = stage.overs;
        return made;
    }

    stage(jointCount, make) {
        const error = this.exports.reserve(4);
        const handle = error && make(error);
        if (!handle) {
            const code = error ? new Int32Array(this.exports.memory.buffer, error, 1)[0] : NO_MEMORY;
            throw new BankError(textOf(code));
        }
        return new Stage(this.exports, handle, jointCount);
    }
}

/** Returns the hash of all poses of a bank as hexadecimal text. Pauses between clips, so that the page remains
 * responsive. */
export async function hashOf(stage, clipCount, onProgress) {
    let hash = HASH_START;
    let since = performance.now();
    for (let clip = 0; clip < clipCount; clip++) {
        hash = stage.hash(hash, clip);
        if (performance.now() - since < BUSY_MS) continue;
        onProgress((clip + 1) / clipCount);
        await new Promise((resume) => setTimeout(resume));
        since = performance.now();
    }
    return hash.toString(16).padStart(8, "0");
}
