// The data of the page: banks, clips, sources, and the stages that play them.

import { STEPS } from "./drawing/colours.js";
import { HOLDS_CURVES } from "./playing/curves.js";
import { HttpMedium } from "./playing/medium.js";
import { Runtime } from "./playing/runtime.js";
import { Actor } from "./playing/actor.js";
import { SourceClip } from "./playing/source.js";

const KINDS = ["rotation", "translation", "scale"];

export class Page {
    /** data: from readData. module: the bytes of the runtime. Throws BankError for a bank that does not open. */
    static async open(data, module) {
        const page = new Page(data);
        page.medium = new HttpMedium(page.banks[0].stream?.files ?? []);
        page.runtime = await Runtime.load(module, page.medium);
        for (const bank of page.banks) {
            bank.placed = page.runtime.place(page.array(bank.data, Uint8Array));
            bank.stage = page.opened(bank);
        }
        page.placeOvers();
        return page;
    }

    constructor({ contents, array }) {
        this.contents = contents;
        this.array = array;
        this.name = contents.name;
        this.joints = contents.joints;
        this.banks = contents.banks;
        this.sources = contents.sources;
        this.parents = contents.joints.map(({ parent, curves }) => (curves ? HOLDS_CURVES : parent));
        this.metres = contents.joints.map(({ metre }) => metre);
        this.clips = contents.banks[0].clips.map((clip) => ({ ...clip, seconds: (clip.frames - 1) / clip.rate }));
        this.actors = contents.actors.map((actor) => actor && new Actor(actor, array));
        this.read = new Map();
        this.playing = new Map(); // of each clip: its bank, its index there, and its errors as played
        for (const bank of this.banks) bank.clips.forEach((clip, index) => this.playing.set(clip, { bank, index }));
        // of each bank, the index of each clip of the first one, or -1
        this.places = contents.banks.map((bank) => {
            const byName = new Map(bank.clips.map(({ name }, index) => [name, index]));
            return this.clips.map(({ name }) => byName.get(name) ?? -1);
        });
    }

    /** Sets the references of all additive clips that have a source. */
    placeOvers() {
        this.sources.forEach(({ over }, clip) => {
            if (over === null) return;
            const { address } = this.runtime.place(this.array(over, Uint8Array));
            this.banks.forEach(({ stage }, bank) => stage.overs.set(this.places[bank][clip], address));
        });
    }

    /** Returns another stage of a bank, so that the first continues undisturbed. */
    stage(bank) {
        return this.runtime.beside(bank.stage);
    }

    /** Opens a bank of the page, independent of the tiers of other stages. */
    opened(bank) {
        return this.runtime.open(bank.placed, this.joints.length);
    }

    /** Plays all banks with only their first tiers. */
    keepTiers(count) {
        for (const bank of this.banks) bank.stage.keepTiers(count);
    }

    /** Returns a clip in a bank, or null. */
    clipIn(bank, clip) {
        return this.banks[bank].clips[this.places[bank][clip]] ?? null;
    }

    /** Returns the position in a bank's clip, in frames, for a position in the first bank's. */
    frameIn(bank, clip, frame) {
        const there = this.clipIn(bank, clip);
        return there ? Math.min((frame * there.rate) / this.clips[clip].rate, there.frames - 1) : 0;
    }

    /** Returns the errors of a clip of a bank with its present tiers, or null without errors: the largest, and `steps`
     * [sample][joint]. If blocks of the clip play in several tiers, the largest is that of the coarsest tier. */
    errorsOf(clip) {
        if (!clip?.errors) return null;
        const playing = this.playing.get(clip);
        const changes = playing.bank.stage.changes();
        if (playing.changes !== changes) {
            playing.changes = changes;
            playing.errors = { ...clip.errors, ...this.errorsNow(clip, playing) };
        }
        return playing.errors;
    }

    errorsNow(clip, { bank, index }) {
        const finest = this.array(clip.errors.map, Uint8Array);
        const levels = clip.coarser.map((errors) => errors && { ...errors, steps: this.array(errors.map, Uint8Array) });
        if (levels.every((errors) => errors === null)) return { steps: finest };
        const steps = new Uint16Array(finest);
        let least = Infinity;
        for (let frame = 0; frame < clip.frames; frame++) {
            const tier = bank.stage.tierAt(index, frame);
            least = Math.min(least, tier);
            const coarser = levels[tier];
            if (!coarser) continue;
            const first = 2 * frame * this.joints.length;
            const end = Math.min(first + 2 * this.joints.length, steps.length);
            for (let i = first; i < end; i++) steps[i] = coarser.steps[i] * coarser.factor;
        }
        const { largest_mm, sample, joint } = levels[least] ?? clip.errors;
        return { largest_mm, sample, joint, steps };
    }

    /** Formats an error of a joint; steps end at twice the tolerance. */
    errorText(clip, joint, step) {
        const error = (step / STEPS) * clip.errors.units_mm[joint];
        const text = this.joints[joint].curves ? (error / 1000).toFixed(4) : `${error.toFixed(2)} mm`;
        return step === 255 ? `at least ${text}` : text;
    }

    /** Returns the skeleton from which a clip was retargeted, or null. */
    actorOf(clip) {
        return this.actors[clip] ?? null;
    }

    /** Returns the source of a clip, or null. */
    sourceOf(clip) {
        const source = this.sources[clip];
        if (!source) return null;
        if (!this.read.has(clip)) {
            const { frames, breaks } = this.clips[clip];
            const jumps = new Set(
                breaks.map(([frame, joint, kind]) => (frame * this.joints.length + joint) * 3 + KINDS.indexOf(kind)),
            );
            const bytes = this.array(source.frames, Uint8Array);
            this.read.set(clip, new SourceClip(bytes, frames, this.parents, jumps));
        }
        return this.read.get(clip);
    }
}
