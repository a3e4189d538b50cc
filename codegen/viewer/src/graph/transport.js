// Play, pause, steps and the recording of the graph, with their keys.

import { byId, counted, html } from "../elements.js";
import { readScript, scriptText } from "./script.js";

const SPEEDS = [0.1, 0.25, 0.5, 1];
const BACK_S = 1;

/** Saves a text as a file. */
function download(name, text) {
    const address = URL.createObjectURL(new Blob([text], { type: "application/toml" }));
    html("a", { href: address, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
}

export class Transport {
    /** say: shows a message, or none. */
    constructor(graph, session, name, say) {
        Object.assign(this, { session, speed: 1 });
        this.button = byId("graph-play");
        this.time = byId("graph-time");
        this.facts = byId("graph-recorded");
        const play = () => (session.playing ? session.pause() : this.start());
        const step = (by) => {
            if (by < 0) session.goTo(session.tick + by);
            else {
                session.pause();
                for (let i = 0; i < by; i++) session.step();
            }
        };
        const ticksOf = (seconds) => Math.round((seconds * 1e6) / session.tickUs);
        const restart = () => session.restart();
        const replay = () => session.replay();
        this.button.addEventListener("click", play);
        byId("graph-restart").addEventListener("click", restart);
        byId("graph-back").addEventListener("click", () => step(-ticksOf(BACK_S)));
        byId("graph-step-back").addEventListener("click", () => step(-1));
        byId("graph-step").addEventListener("click", () => step(1));
        byId("graph-replay").addEventListener("click", replay);
        byId("graph-clear").addEventListener("click", () => {
            session.forget(graph.tick_us);
            session.playing = true;
        });
        byId("graph-save").addEventListener("click", () =>
            download(`${name}_script.toml`, scriptText(graph, session.recording())),
        );
        this.readFiles(graph, say);
        const speed = byId("graph-speed");
        speed.append(...SPEEDS.map((value) => html("option", { value, selected: value === 1 }, `${value}×`)));
        speed.addEventListener("change", () => (this.speed = Number(speed.value)));
        this.keys = {
            " ": play,
            ArrowLeft: (event) => step(event.shiftKey ? -10 : -1),
            ArrowRight: (event) => step(event.shiftKey ? 10 : 1),
            Backspace: () => step(-ticksOf(BACK_S)),
            Home: restart,
        };
    }

    /** Plays scripts that the person chooses. */
    readFiles(graph, say) {
        const file = byId("graph-file");
        byId("graph-load").addEventListener("click", () => file.click());
        file.addEventListener("change", async () => {
            const [chosen] = file.files;
            if (!chosen) return;
            try {
                this.session.replay(readScript(graph, await chosen.text()));
                say("");
            } catch (problem) {
                say(`${chosen.name}: ${problem.message}`);
            }
            file.value = "";
        });
    }

    start() {
        this.session.playing = true;
    }

    /** Shows the time, and what is recorded. */
    show() {
        const { session } = this;
        const shows = session.playing ? "pause" : "play";
        if (this.button.dataset.shows !== shows) {
            this.button.dataset.shows = shows;
            this.button.setAttribute("aria-label", session.playing ? "Pause the graph" : "Play the graph");
        }
        this.time.textContent = `${session.seconds.toFixed(2)} s`;
        const total = (session.length * session.tickUs) / 1e6;
        const plays = session.tick < session.length ? "plays the recording" : "records";
        this.facts.textContent = `${plays}: ${total.toFixed(1)} s, ${counted(session.inputs.size)} inputs · pose ${session.now.hash}`;
    }
}
