// Streams the tiers of the first bank while it plays: requests, present tiers, and failures.

import { byId, counted, html } from "../elements.js";
import { ONE_Q20 } from "../playing/runtime.js";
import { Stream, WHOLE_POOL } from "../playing/stream.js";

const POOLS = [8192, 16384, 65536]; // bytes
const AHEAD_S = 1; // of the clip that plays, to request ahead of its position
const NEXT_S = 1; // the clips of the list are requested as if each began this long after the previous one
const PAUSE_S = 0.2; // between passes over the list; requests expire unless repeated
const REASONS = { "-5": "damaged", "-10": "larger than the pool", "-11": "the server did not give it" };

export class Streaming {
    /** say: shows a message, or none. */
    constructor(page, state, say) {
        Object.assign(this, { page, state, say });
        this.bank = page.banks[0];
        const { files, places } = this.bank.stream;
        this.bytes = files.reduce((sum, { bytes }) => sum + bytes, 0);
        this.isReachable = location.protocol !== "file:";
        this.stream = new Stream(page.runtime, this.bank.stage, places);
        page.medium.onEnd = () => this.stream.update(0); // begins the next read without waiting for a frame
        this.waiting = [];
        this.sinceList = PAUSE_S;
        this.begin(WHOLE_POOL);
        if (!this.isReachable)
            say("This page plays the base alone: finer tiers come from a web server, such as ossicle view --stream.");
    }

    /** Starts, or restarts from the base, with a pool of this size. */
    begin(poolBytes) {
        this.stream.begin(poolBytes);
        this.forget();
    }

    /** Reads again the chunks that did not arrive. */
    retry() {
        this.stream.retry();
        this.forget();
    }

    forget() {
        this.missing = null; // until the next pass over the list
        this.faults = [];
        this.say("");
    }

    /** Advances the stream, after the picture was drawn. */
    step(seconds) {
        if (!this.isReachable) return;
        const { bank, clip, reverse, speed } = this.state.values;
        const ahead = AHEAD_S * speed * this.page.clips[clip].rate;
        if (bank === 0) this.stream.follow(Math.round(reverse ? -ahead : ahead));
        this.sinceList += seconds;
        const looks = this.sinceList >= PAUSE_S;
        if (looks) this.wantList(clip);
        this.stream.update(seconds);
        this.tellFaults();
        this.tellWhoWaits();
        if (looks) this.state.set({ looks: this.state.get("looks") + 1 });
    }

    /** Requests the clips of the list, beginning with the one that plays. */
    wantList(first) {
        const count = this.page.clips.length;
        this.sinceList = 0;
        this.missing = 0;
        for (let i = 0; i < count; i++) this.missing += this.stream.want((first + i) % count, (i + 1) * NEXT_S);
    }

    tellFaults() {
        const found = this.stream.faults();
        if (found.length === 0) return;
        this.faults.push(...found);
        const reasons = [...new Set(this.faults.map(({ error }) => REASONS[error] ?? `error ${error}`))].join(", ");
        const clips = [...new Set(this.faults.map(({ clip }) => this.page.clips[clip].name))].join(", ");
        this.say(`Some of the tiers did not arrive (${reasons}). These clips play on, coarser: ${clips}`);
    }

    /** Returns whether every tier is present. */
    isComplete() {
        return this.missing === 0 && this.faults.length === 0;
    }

    /** Resolves as soon as every tier is present. */
    arrived() {
        return new Promise((resolve) => this.waiting.push(resolve));
    }

    tellWhoWaits() {
        if (this.waiting.length === 0 || !this.isComplete()) return;
        for (const resolve of this.waiting.splice(0)) resolve();
    }
}

/** Returns the text for the present tiers of a clip. */
function stateOf(streaming, clip) {
    const tier = streaming.bank.stage.leastTier(clip, streaming.page.clips[clip].frames);
    return `${tier ? `tier ${tier}` : "base"}${streaming.stream.isArriving(clip) ? ", loading" : ""}`;
}

function textOf(streaming, { clip, frame }) {
    const { stage, tiers } = streaming.bank;
    const tier = stage.tierAt(clip, Math.floor(frame));
    const { dropped } = streaming.stream.counts();
    return [
        tier ? `tier ${tier} of ${tiers}` : "base",
        `at most ${((1000 * stage.quality(clip, Math.floor(frame))) / ONE_Q20).toFixed(2)} mm off`,
        `${counted(streaming.page.medium.received)} bytes received, of ${counted(streaming.bytes)} in tiers`,
        `${counted(dropped)} chunks dropped`,
    ].join(" · ");
}

/** Shows the choice of a pool, the state of each clip in the list, and a line about the clip that plays. */
export function showStreaming(page, state, streaming) {
    const pool = byId("pool");
    const retry = byId("retry");
    const line = byId("stream-text");
    const marks = page.clips.map((_, clip) => byId(`clip-${clip}`).querySelector(".tier"));
    pool.parentElement.hidden = false;
    line.hidden = false;
    pool.append(
        html("option", { value: WHOLE_POOL }, "all"),
        ...POOLS.map((bytes) => html("option", { value: bytes }, `${bytes / 1024} KiB`)),
    );
    pool.addEventListener("change", () => streaming.begin(Number(pool.value)));
    retry.addEventListener("click", () => streaming.retry());
    state.watch(["clip", "frame", "looks", "versions"], (values) => {
        const text = textOf(streaming, values);
        if (line.textContent !== text) line.textContent = text;
    });
    state.watch(["looks"], () => {
        retry.hidden = streaming.faults.length === 0;
        marks.forEach((mark, clip) => (mark.textContent = stateOf(streaming, clip)));
    });
}
