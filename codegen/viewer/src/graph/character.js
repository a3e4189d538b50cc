// A character that the graph of a bank animates, in the runtime (codegen/viewer/character.c).

import { BankError, textOf } from "../playing/runtime.js";

const HEAD_WORDS = 14; // of enc_character_state, before its events
const MEMBERS = 3; // of a blend that play together
const MACHINE_WORDS = 4 + 2 * MEMBERS; // shown_machine
const SLEW_WORDS = 2; // osc_graph_slew, the value first
const MATRIX_WORDS = 12;
const NONE = 0xffff; // OSC_GRAPH_NONE
const NOT_PENDING = 0xffffffff; // OSC_GRAPH_NOT_PENDING
const ONE_Q15 = 32768;

export class Character {
    /** placed: a bank, from Runtime.place. graph: its description. Throws BankError. */
    constructor(runtime, placed, graph, jointCount) {
        Object.assign(this, { exports: runtime.exports, graph, jointCount });
        const error = this.exports.reserve(4);
        const mirror = graph.mirror.length ? this.exports.reserve(4 * graph.mirror.length) : 0;
        if (mirror) this.words(mirror, graph.mirror.length).set(graph.mirror);
        this.handle = this.exports.character(placed.address, placed.bytes, mirror, error);
        if (!this.handle) throw new BankError(textOf(this.words(error, 1)[0]));
        this.values = this.exports.reserve(12 * graph.parameters.length + 4);
        this.place = this.exports.reserve(16);
        this.machine = this.exports.reserve(4 * MACHINE_WORDS);
        this.savedWords = this.exports.character_saved_words(this.handle);
        this.saved = this.exports.reserve(4 * this.savedWords);
    }

    words(address, count) {
        return new Int32Array(this.exports.memory.buffer, address, count);
    }

    unsigned(address, count) {
        return new Uint32Array(this.exports.memory.buffer, address, count);
    }

    /** Begins again, with a seed for random choices. */
    restart(seed) {
        this.exports.character_restart(this.handle, seed);
    }

    /** Advances the character. values: of all parameters, three of a point. Returns what happened, and where the character is: Q20, and the
     * yaw in Q24. */
    step(values, elapsedUs) {
        this.words(this.values, values.length).set(values);
        const address = this.exports.character_step(this.handle, this.values, elapsedUs);
        const [switches, hash] = this.unsigned(address, HEAD_WORDS).subarray(3);
        const head = this.words(address, HEAD_WORDS);
        const events = this.unsigned(address + 4 * HEAD_WORDS, head[HEAD_WORDS - 1]);
        return {
            switches,
            hash: hash.toString(16).padStart(8, "0"),
            place: Array.from(head.subarray(5, 9)),
            events: Array.from(events, (word) => ({
                name: word & 0xffff,
                state: (word >>> 16) & 0xff,
                what: word >>> 24,
            })),
            machines: this.graph.machines.map((_, number) => this.machineNow(number)),
        };
    }

    /** Returns a machine: its state, the microseconds since its entry, the transition that entered it, or null, its weight
     * as a layer, and the weights of the clips of the state. */
    machineNow(number) {
        this.exports.character_machine(this.handle, number, this.machine);
        const [state, us, taken, weight, ...blend] = this.unsigned(this.machine, MACHINE_WORDS);
        const weights = this.graph.states[state].clips.map((_, clip, { length }) => (length === 1 ? 1 : 0));
        if (weights.length > 1)
            for (let i = 0; i < MEMBERS; i++)
                if (blend[MEMBERS + i] > 0) weights[blend[i]] = blend[MEMBERS + i] / ONE_Q15;
        return { state, us, taken: taken === NONE ? null : taken, weight: weight / ONE_Q15, weights };
    }

    /** Returns the model matrices after the last step: Q20, row-major 3x4, valid until the next call. */
    model() {
        return this.words(this.exports.character_model(this.handle), MATRIX_WORDS * this.jointCount);
    }

    /** Returns whether each trigger waits to be taken by a machine. */
    pending() {
        const { waits, triggers } = this.graph;
        const ages = this.unsigned(this.exports.character_ages(this.handle), waits.length);
        const pending = new Array(triggers).fill(false);
        waits.forEach((trigger, wait) => (pending[trigger] ||= ages[wait] !== NOT_PENDING));
        return pending;
    }

    /** Returns the value at which a slewed number is. */
    slewed(parameter) {
        const number = parameter - this.graph.triggers;
        return this.words(this.exports.character_slews(this.handle), SLEW_WORDS * (number + 1))[SLEW_WORDS * number];
    }

    go(state, overUs) {
        this.exports.character_go(this.handle, state, overUs);
    }

    appear(place) {
        this.words(this.place, 4).set(place);
        this.exports.character_appear(this.handle, this.place);
    }

    /** Returns a copy of the state of the character, for `restore`. */
    save() {
        this.exports.character_save(this.handle, this.saved);
        return this.words(this.saved, this.savedWords).slice();
    }

    restore(saved) {
        this.words(this.saved, this.savedWords).set(saved);
        this.exports.character_restore(this.handle, this.saved);
    }
}
