// Play, pause, steps, speed, direction: the clock of the page, its buttons and its keys.

import { byId, html } from "../elements.js";
import { CAMERAS } from "../drawing/scene.js";

const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4];

/** Advances the time of a state by real seconds. */
export function advance(state, clip, seconds) {
    const { playing, speed, reverse, loop, frame } = state.values;
    const last = clip.frames - 1;
    if (!playing || last === 0) return;
    let next = frame + seconds * clip.rate * speed * (reverse ? -1 : 1);
    if (next < 0 || next > last) {
        if (!loop) return state.set({ frame: reverse ? 0 : last, playing: false });
        next = ((next % last) + last) % last;
    }
    state.set({ frame: next });
}

export function showTransport(page, state, scene, clips) {
    const bar = byId("transport");
    const scrub = byId("scrub");
    const play = byId("play");
    const time = byId("time");
    const speed = byId("speed");
    const camera = byId("camera");
    const clipOf = () => page.clips[state.get("clip")];
    const last = () => clipOf().frames - 1;

    const goTo = (frame) => state.set({ frame: Math.min(Math.max(frame, 0), last()), playing: false });
    const step = (by) => goTo(Math.round(state.get("frame")) + by);
    const toggle = (name) => state.set({ [name]: !state.get(name) });
    const start = () => {
        const { playing, reverse, frame } = state.values;
        const ended = reverse ? frame <= 0 : frame >= last();
        state.set({ playing: !playing, ...(!playing && ended ? { frame: reverse ? last() : 0 } : {}) });
    };

    speed.append(...SPEEDS.map((value) => html("option", { value, selected: value === 1 }, `${value}×`)));
    camera.append(...Object.entries(CAMERAS).map(([name, { label }]) => html("option", { value: name }, label)));
    play.addEventListener("click", start);
    byId("back").addEventListener("click", () => step(-1));
    byId("forward").addEventListener("click", () => step(1));
    scrub.addEventListener("input", () => goTo(Number(scrub.value)));
    speed.addEventListener("change", () => state.set({ speed: Number(speed.value) }));
    camera.addEventListener("change", () => scene.lookFrom(camera.value));
    for (const button of document.querySelectorAll("[data-toggle]")) {
        const name = button.dataset.toggle;
        button.addEventListener("click", () => toggle(name));
        state.watch([name], (values) => button.setAttribute("aria-pressed", String(values[name])));
    }
    const source = byId("source");
    source.addEventListener("change", () => state.set({ source: source.value }));
    state.watch(["source"], (values) => (source.value = values.source));
    source.disabled = page.sources.length === 0;
    if (source.disabled) source.title = "Name the source files with --source";
    document.querySelector("[data-toggle=heat]").disabled = source.disabled;
    const actor = byId("actor");
    actor.parentElement.hidden = !page.actors.some(Boolean);
    actor.addEventListener("change", () => state.set({ actor: actor.value }));
    state.watch(["actor"], (values) => (actor.value = values.actor));

    state.watch(["playing"], ({ playing }) => {
        play.dataset.shows = playing ? "pause" : "play";
        play.setAttribute("aria-label", playing ? "Pause" : "Play");
    });
    state.watch(["clip", "bank"], () => (scrub.max = last()));
    state.watch(["clip", "bank", "frame"], ({ frame }) => {
        const clip = clipOf();
        scrub.value = frame;
        const text = `${frame.toFixed(1)} of ${last()} · ${(frame / clip.rate).toFixed(2)} s`;
        time.textContent = text;
        scrub.setAttribute("aria-valuetext", `frame ${text}`);
    });

    const keys = {
        " ": start,
        ArrowLeft: (event) => step(event.shiftKey ? -10 : -1),
        ArrowRight: (event) => step(event.shiftKey ? 10 : 1),
        Home: () => goTo(0),
        End: () => goTo(last()),
        ArrowUp: () => clips.step(-1),
        ArrowDown: () => clips.step(1),
        l: () => toggle("loop"),
        r: () => toggle("reverse"),
        o: () => toggle("onion"),
        p: () => toggle("path"),
        m: () => toggle("mesh"),
        b: () => toggle("bones"),
        h: () => toggle("heat"),
        d: () => toggle("device"),
        "/": () => byId("search").focus(),
        "?": () => byId("help").showModal(),
    };
    Object.keys(CAMERAS).forEach((name, index) => {
        keys[index + 1] = () => {
            camera.value = name;
            scene.lookFrom(name);
        };
    });
    window.addEventListener("keydown", (event) => {
        const typing = event.target.matches("input[type=search], select") || event.target.closest("dialog");
        const pressing = event.key === " " && event.target.matches("button, a, [role=tab], summary");
        if (typing || pressing || event.ctrlKey || event.metaKey || event.altKey) return;
        const act = keys[event.key];
        if (!act) return;
        event.preventDefault();
        act(event);
    });
    byId("help-button").addEventListener("click", () => byId("help").showModal());
    bar.hidden = false;
}
