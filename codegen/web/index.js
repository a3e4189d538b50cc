// SPDX-License-Identifier: MIT
// Plays banks of Ossicle: index.d.ts documents every function, README.md shows how to use them.

const ONE_Q11 = 1 << 11;
const ONE_Q15 = 1 << 15;
const ONE_Q16 = 1 << 16;
const MOST_SPEED = 32767;
const MOST_STEP_US = 0x7fffffff; // OSC_MAX_STEP_US
const LOOPS_FOREVER = 0xffffffff; // OSC_LOOPS_FOREVER
const LOOPS_AS_MADE = 0; // OSC_LOOPS_AS_MADE
const TAG_NAMES = 0x454d414e; // OSC_TAG_NAMES
const HEADER_WORDS = 5;
const NO_MEMORY = -10; // OSC_ERROR_MEMORY

export const LOCAL_FLOATS = 10;
export const MATRIX_FLOATS = 16;
export const HASH_START = 2166136261; // OSC_HASH_START

// By the numbers of runtime/ossicle.h.
const ERRORS = {
    "-1": ["OSC_ERROR_ALIGNMENT", "its size is not a multiple of four"],
    "-2": ["OSC_ERROR_SIZE", "it is shorter or longer than its header states"],
    "-3": ["OSC_ERROR_MAGIC", "it is not an Ossicle bank"],
    "-4": ["OSC_ERROR_FORMAT", "it has another bank format: encode it again with the version of this package"],
    "-5": ["OSC_ERROR_CRC", "it is damaged: its checksum differs"],
    "-6": ["OSC_ERROR_SECTION", "a section is missing, misplaced or unknown"],
    "-7": ["OSC_ERROR_SKELETON", "its skeleton contradicts itself"],
    "-8": ["OSC_ERROR_CLIP", "a clip contradicts itself"],
    [NO_MEMORY]: ["OSC_ERROR_MEMORY", "there is not enough memory for it"],
    "-13": ["OSC_ERROR_CODEC", "it was encoded with --preset or a codec for comparisons, which this package lacks"],
};

export class OssicleError extends Error {
    constructor(code, message) {
        super(message);
        this.name = "OssicleError";
        this.code = code;
    }
}

function refuse(subject, status) {
    const [code, reason] = ERRORS[status] ?? ["OSC_ERROR", `error ${status}`];
    throw new OssicleError(code, `${subject} cannot be used: ${reason}`);
}

let compiled = null; // a promise of the module

async function compile(source) {
    if (source instanceof WebAssembly.Module) return source;
    if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return WebAssembly.compile(source);
    if (source.protocol === "file:") {
        const { readFile } = await import(/* webpackIgnore: true */ /* @vite-ignore */ "node:fs/promises");
        return WebAssembly.compile(await readFile(source));
    }
    const response = await fetch(source);
    if (!response.ok) throw new OssicleError("OSC_ERROR_READ", `${source}: status ${response.status}`);
    return WebAssembly.compile(await response.arrayBuffer());
}

/** Compiles the runtime: from its file beside this one, or from `source`. */
export function loadRuntime(source = new URL("./ossicle.wasm", import.meta.url)) {
    compiled = compile(source instanceof URL || typeof source !== "string" ? source : new URL(source));
    compiled.catch(() => (compiled = null)); // the next call tries again
    return compiled.then(() => {});
}

/** Opens a bank. */
export async function openBank(bytes) {
    if (!(bytes instanceof ArrayBuffer || ArrayBuffer.isView(bytes)))
        throw new TypeError("openBank takes an ArrayBuffer, or a view of one");
    const content = ArrayBuffer.isView(bytes)
        ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
        : new Uint8Array(bytes);
    if (compiled === null) await loadRuntime();
    const { exports } = await WebAssembly.instantiate(await compiled, {});
    const address = exports.reserve(content.length + 4);
    if (address === 0) refuse("the bank", NO_MEMORY);
    new Uint8Array(exports.memory.buffer, address, content.length).set(content);
    const status = exports.open(address, content.length);
    if (status !== 0) refuse("the bank", status);
    return new Bank(exports, content);
}

/** Returns 32-bit FNV-1a over the UTF-8 bytes of a name, as osc_name_hash. */
function hashOf(name) {
    let hash = HASH_START;
    for (const byte of new TextEncoder().encode(name)) hash = Math.imul(hash ^ byte, 16777619);
    return hash >>> 0;
}

/** Returns the names of joints and clips, or null for a bank without them. The runtime does not read this section. */
function namesOf(content, count) {
    const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
    const word = (index) => view.getUint32(4 * index, true);
    for (let entry = HEADER_WORDS; entry < HEADER_WORDS + 3 * word(4); entry += 3)
        if (word(entry) === TAG_NAMES) {
            const offset = 4 * (word(entry + 1) & 0x7fffffff);
            return readNames(content.subarray(offset, offset + 4 * word(entry + 2)), count);
        }
    return null;
}

function readNames(section, count) {
    const names = [];
    let [previous, at] = [[], 8];
    for (let number = 0; number < count; number++) {
        const end = section.indexOf(0, at + 1);
        if (end < 0 || section[at] > previous.length)
            throw new OssicleError("OSC_ERROR_SECTION", `the bank does not contain ${count} names`);
        previous = [...previous.slice(0, section[at]), ...section.subarray(at + 1, end)];
        names.push(new TextDecoder().decode(new Uint8Array(previous)));
        at = end + 1;
    }
    return names;
}

class Bank {
    #exports;

    constructor(exports, content) {
        this.#exports = exports;
        const [joints, clips] = [exports.joint_count(), exports.clip_count()];
        const names = namesOf(content, joints + clips);
        const words = exports.reserve(16);
        if (words === 0) refuse("the bank", NO_MEMORY);
        this.joints = Object.freeze(
            Array.from({ length: joints }, (_, joint) =>
                Object.freeze({ name: names?.[joint] ?? `joint ${joint}`, parent: exports.parent(joint) }),
            ),
        );
        this.clips = Object.freeze(
            Array.from({ length: clips }, (_, clip) => {
                exports.describe(clip, words);
                const [frames, rateQ16, hash, bits] = new Uint32Array(exports.memory.buffer, words, 4);
                const name = names?.[joints + clip] ?? `clip ${clip}`;
                const framesPerSecond = rateQ16 / ONE_Q16;
                const [loop, additive, mirrored] = [1, 2, 4].map((bit) => (bits & bit) !== 0);
                const seconds = (frames - 1) / framesPerSecond;
                return Object.freeze({ name, hash, frames, framesPerSecond, seconds, loop, additive, mirrored });
            }),
        );
        this.hasSkin = exports.has_skin() !== 0;
    }

    /** Returns the number of a clip, by its name or number. */
    findClip(clip) {
        if (typeof clip === "number" && Number.isInteger(clip) && clip >= 0 && clip < this.clips.length) return clip;
        const hash = typeof clip === "string" ? hashOf(clip) : -1;
        const found = this.clips.findIndex((entry) => entry.hash === hash);
        if (found >= 0) return found;
        const known = this.clips.map(({ name }) => name).join(", ");
        throw new OssicleError("OSC_ERROR_NOT_FOUND", `the bank has no clip ${JSON.stringify(clip)}; known: ${known}`);
    }

    createPlayer() {
        const address = this.#exports.create();
        if (address === 0) refuse("another player", NO_MEMORY);
        return new Player(this, this.#exports, address);
    }
}

/** Throws RangeError unless least <= value <= most. */
function check(name, value, least, most) {
    if (!(value >= least && value <= most)) throw new RangeError(`${name} is ${value}, not ${least} to ${most}`);
}

class Player {
    #exports;
    #address; // 0 once it is disposed of
    #locals; // views of the module's memory, until that grows
    #matrices;
    #clip = -1;
    #rest = 0; // microseconds that advance has not used, -0.5 to 0.5

    constructor(bank, exports, address) {
        this.bank = bank;
        this.#exports = exports;
        this.#address = address;
        this.#view();
    }

    #view() {
        const { memory, floats } = this.#exports;
        const [address, joints] = [floats(this.#address), this.bank.joints.length];
        this.#locals = new Float32Array(memory.buffer, address, LOCAL_FLOATS * joints);
        this.#matrices = new Float32Array(memory.buffer, address, MATRIX_FLOATS * joints);
    }

    /** Returns the address of a player that plays a clip. */
    get #playing() {
        if (this.#address === 0) throw new OssicleError("DISPOSED", "this player was disposed of");
        if (this.#clip < 0) throw new OssicleError("NOT_PLAYING", "this player plays no clip yet: call play");
        return this.#address;
    }

    get clip() {
        return this.#clip < 0 ? null : this.bank.clips[this.#clip];
    }

    get seconds() {
        return this.frame / this.clip.framesPerSecond;
    }

    get frame() {
        return this.#exports.position(this.#playing) / ONE_Q11;
    }

    get finished() {
        return this.#exports.finished(this.#playing) !== 0;
    }

    play(clip, { loops, speed = 1 } = {}) {
        const number = this.bank.findClip(clip);
        if (loops !== undefined && loops !== Infinity && !(Number.isInteger(loops) && loops > 0 && loops < LOOPS_FOREVER))
            throw new RangeError(`loops is ${loops}, not a whole number of at least 1 or Infinity`);
        check("speed", speed, -MOST_SPEED, MOST_SPEED);
        if (this.#address === 0) throw new OssicleError("DISPOSED", "this player was disposed of");
        const count = loops === undefined ? LOOPS_AS_MADE : loops === Infinity ? LOOPS_FOREVER : loops;
        this.#clip = number;
        this.#rest = 0;
        this.#exports.play(this.#address, number, count, Math.round(speed * ONE_Q16));
        return this;
    }

    setSpeed(speed) {
        check("speed", speed, -MOST_SPEED, MOST_SPEED);
        this.#exports.set_speed(this.#playing, Math.round(speed * ONE_Q16));
    }

    advance(seconds) {
        check("seconds", seconds, 0, MOST_STEP_US / 1e6);
        const exact = seconds * 1e6 + this.#rest;
        const whole = Math.max(Math.round(exact), 0);
        this.#rest = exact - whole;
        this.#exports.advance(this.#playing, whole);
    }

    seek(seconds) {
        const playing = this.#playing;
        check("seconds", seconds, 0, Infinity);
        this.#seek(playing, seconds * this.clip.framesPerSecond);
    }

    seekFrame(frame) {
        check("frame", frame, 0, Infinity);
        this.#seek(this.#playing, frame);
    }

    #seek(playing, frame) {
        this.#rest = 0;
        this.#exports.seek(playing, Math.round(Math.min(frame, this.clip.frames) * ONE_Q11));
    }

    /** Returns the address of another player of this bank. */
    #other(player, additive) {
        if (!(player instanceof Player) || player.bank !== this.bank || player === this)
            throw new TypeError("the other player is not another player of this bank");
        const playing = player.#playing;
        if (player.clip.additive !== additive)
            throw new TypeError(`${player.clip.name} is ${additive ? "not " : ""}an additive clip: call ${
                additive ? "blend" : "add"}`);
        return playing;
    }

    blend(player, weight) {
        check("weight", weight, 0, 1);
        this.#exports.blend(this.#playing, this.#other(player, false), Math.round(weight * ONE_Q15));
    }

    add(player, weight = 1) {
        check("weight", weight, 0, 1);
        this.#exports.add(this.#playing, this.#other(player, true), Math.round(weight * ONE_Q15));
    }

    /** Throws if the floats of all joints do not fit. Creates the views again if memory has grown. */
    #prepare(out, offset, floatsOfJoint) {
        const count = floatsOfJoint * this.bank.joints.length;
        if (!(out instanceof Float32Array)) throw new TypeError("poses are written into a Float32Array");
        if (!(Number.isInteger(offset) && offset >= 0 && offset + count <= out.length))
            throw new RangeError(`${count} floats from ${offset} do not fit ${out.length}`);
        if (this.#locals.buffer !== this.#exports.memory.buffer) this.#view();
    }

    writeLocal(out, offset = 0) {
        this.#prepare(out, offset, LOCAL_FLOATS);
        this.#exports.read_local(this.#playing);
        out.set(this.#locals, offset);
        return out;
    }

    writeModel(out, offset = 0) {
        this.#prepare(out, offset, MATRIX_FLOATS);
        this.#exports.read_model(this.#playing);
        out.set(this.#matrices, offset);
        return out;
    }

    writeSkin(out, offset = 0) {
        if (!this.bank.hasSkin)
            throw new OssicleError("OSC_ERROR_SECTION", "the bank has no inverse bind matrices: encode it with " +
                "--skin-matrices");
        this.#prepare(out, offset, MATRIX_FLOATS);
        this.#exports.read_skin(this.#playing);
        out.set(this.#matrices, offset);
        return out;
    }

    hash(hash = HASH_START) {
        return this.#exports.hash(this.#playing, hash) >>> 0;
    }

    dispose() {
        if (this.#address !== 0) this.#exports.dispose(this.#address);
        this.#address = 0;
    }
}
