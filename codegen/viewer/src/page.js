// What the page knows: banks, clips, sources, and the stages that play them.

import { STEPS } from "./colours.js";
import { Runtime } from "./runtime.js";
import { SourceClip } from "./source.js";

const KINDS = ["rotation", "translation", "scale"];

export class Page {
    /** data: what readData returned. module: the bytes of the runtime. Throws BankError for a bank that does not open. */
    static async open(data, module) {
        const page = new Page(data);
        page.runtime = await Runtime.load(module);
        for (const bank of page.banks) {
            bank.placed = page.runtime.place(page.array(bank.data, Uint8Array));
            bank.stage = page.stage(bank);
        }
        return page;
    }

    constructor({ said, array }) {
        this.said = said;
        this.array = array;
        this.name = said.name;
        this.joints = said.joints;
        this.banks = said.banks;
        this.sources = said.sources;
        this.parents = said.joints.map(({ parent }) => parent);
        this.clips = said.banks[0].clips.map((clip) => ({ ...clip, seconds: (clip.frames - 1) / clip.rate }));
        this.opened = new Map();
        // of each bank, the index of each clip of the first one, or -1
        this.places = said.banks.map((bank) => {
            const byName = new Map(bank.clips.map(({ name }, index) => [name, index]));
            return this.clips.map(({ name }) => byName.get(name) ?? -1);
        });
    }

    /** A stage of its own for a bank, so that others play on undisturbed. */
    stage(bank) {
        return this.runtime.open(bank.placed, this.joints.length);
    }

    /** Plays all banks with their first tiers alone. */
    keepTiers(count) {
        for (const bank of this.banks) bank.stage.keepTiers(count);
    }

    /** A clip as one of the banks has it, or null. */
    clipIn(bank, clip) {
        return this.banks[bank].clips[this.places[bank][clip]] ?? null;
    }

    /** The position in a bank's clip, in frames, at a position of the first bank's. */
    frameIn(bank, clip, frame) {
        const there = this.clipIn(bank, clip);
        return there ? Math.min((frame * there.rate) / this.clips[clip].rate, there.frames - 1) : 0;
    }

    /** The errors of a clip: steps [sample][joint]. */
    errorsOf(clip) {
        return this.array(clip.errors.map, Uint8Array);
    }

    /** An error of a joint as text; steps end at twice the tolerance. */
    errorText(clip, joint, step) {
        const text = `${((step / STEPS) * clip.errors.units_mm[joint]).toFixed(2)} mm`;
        return step === 255 ? `at least ${text}` : text;
    }

    /** The source of a clip, or null. */
    sourceOf(clip) {
        const said = this.sources[clip];
        if (!said) return null;
        if (!this.opened.has(clip)) {
            const { frames, breaks } = this.clips[clip];
            const jumps = new Set(
                breaks.map(([frame, joint, kind]) => (frame * this.joints.length + joint) * 3 + KINDS.indexOf(kind)),
            );
            const bytes = this.array(said.frames, Uint8Array);
            this.opened.set(clip, new SourceClip(bytes, frames, this.parents, jumps));
        }
        return this.opened.get(clip);
    }
}
