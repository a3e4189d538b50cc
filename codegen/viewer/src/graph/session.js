// The time of a character: its ticks, and what the player did before each. All of it is recorded since the start, and
// plays again after going back, until the player does something else.

const KEPT_S = 10; // to which the character can go back

export const emptyInput = () => ({ set: new Map(), go: null, overUs: 0, place: null });

/** Returns the place of each parameter among the values of a step: points have three. */
function placesOf(parameters) {
    let next = 0;
    return parameters.map(({ kind }) => {
        const place = next;
        next += kind === "point" ? 3 : 1;
        return place;
    });
}

export class Session {
    constructor(character, graph) {
        Object.assign(this, { character, graph });
        this.places = placesOf(graph.parameters);
        this.playing = true;
        this.forget(graph.tick_us);
    }

    /** Returns to the start, without a recording. seed: of random choices. */
    forget(tickUs, seed = 0) {
        Object.assign(this, { tickUs, seed });
        this.character.restart(seed);
        this.initial = this.character.save();
        this.kept = Math.round((KEPT_S * 1e6) / tickUs);
        this.inputs = new Map(); // by tick
        this.length = 0; // of the recording, in ticks
        this.restart();
    }

    /** Returns to the start. */
    restart() {
        this.character.restore(this.initial);
        this.values = Int32Array.from(
            this.graph.parameters.flatMap(({ kind, default: first }) => (kind === "point" ? [0, 0, 0] : first)),
        );
        this.moments = new Map(); // by tick: the state before it, the values in it, and the result
        this.tick = 0; // how many have passed
        this.left = 0; // microseconds that are not a whole tick
        this.ends = null; // the tick at which a replay pauses
        this.step();
    }

    /** Returns what happened in the last tick. */
    get now() {
        return this.moments.get(this.tick - 1).result;
    }

    get seconds() {
        return (this.tick * this.tickUs) / 1e6;
    }

    /** Plays a recording from the start: {tickUs, seed, ticks, inputs}; without one, what was recorded. */
    replay(recording = null) {
        if (recording) {
            this.forget(recording.tickUs, recording.seed);
            this.inputs = recording.inputs;
            this.length = recording.ticks;
        }
        this.restart();
        this.ends = this.length;
        this.playing = this.tick < this.length;
    }

    /** Returns the value of a parameter in the last tick: an integer, or x, y and z of a point. */
    valueOf(parameter) {
        const at = this.places[parameter];
        const isPoint = this.graph.parameters[parameter].kind === "point";
        return isPoint ? Array.from(this.values.subarray(at, at + 3)) : this.values[at];
    }

    /** Returns what has been recorded. */
    recording() {
        return { tickUs: this.tickUs, seed: this.seed, ticks: this.length, inputs: this.inputs };
    }

    step() {
        const { character, tick } = this;
        const before = character.save();
        const input = this.inputs.get(tick);
        if (input) this.apply(input);
        const result = character.step(this.values, this.tickUs);
        this.moments.set(tick, { before, values: this.values.slice(), result, input });
        this.moments.delete(tick - this.kept);
        this.values.fill(0, 0, this.graph.triggers);
        this.tick++;
        this.length = Math.max(this.length, this.tick);
    }

    apply({ set, go, overUs, place }) {
        for (const [parameter, value] of set) this.values.set([value].flat(), this.places[parameter]);
        if (go !== null) this.character.go(go, overUs);
        if (place !== null) this.character.appear(place);
    }

    /** Lets time pass while the session plays. */
    advance(seconds) {
        if (!this.playing) return;
        this.left += seconds * 1e6;
        while (this.playing && this.left >= this.tickUs) {
            this.left -= this.tickUs;
            this.step();
            if (this.tick === this.ends) this.pause();
        }
    }

    pause() {
        this.playing = false;
        this.left = 0;
        this.ends = null;
    }

    /** Goes to the end of a tick of the last ten seconds, or to the nearest one, and pauses. */
    goTo(tick) {
        this.pause();
        const known = [...this.moments.keys()];
        const wanted = Math.min(Math.max(tick - 1, Math.min(...known)), Math.max(...known));
        const { before, values } = this.moments.get(wanted);
        this.character.restore(before);
        this.values.set(values);
        this.tick = wanted;
        this.step();
    }

    /** Returns the input of the next tick. What was recorded after now is forgotten. */
    next() {
        if (this.tick < this.length) {
            for (const map of [this.inputs, this.moments])
                for (const tick of map.keys()) if (tick >= this.tick) map.delete(tick);
            this.length = this.tick;
        }
        this.ends = null;
        if (!this.inputs.has(this.tick)) this.inputs.set(this.tick, emptyInput());
        return this.inputs.get(this.tick);
    }

    /** Writes a parameter before the next tick: an integer, or x, y and z of a point. */
    write(parameter, value) {
        this.next().set.set(parameter, value);
    }

    /** Enters a state at the beginning of the next tick. */
    go(state, overUs) {
        Object.assign(this.next(), { go: state, overUs });
    }
}
