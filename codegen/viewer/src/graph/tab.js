// The tab of the graph: plays the character, and shows its states, parameters and events.

import { byId, html } from "../elements.js";
import { Character } from "./character.js";
import { Controls } from "./controls.js";
import { Diagram, transitionText } from "./diagram.js";
import { showEvents } from "./events.js";
import { Session } from "./session.js";
import { Strip } from "./strip.js";
import { Transport } from "./transport.js";

const SHARED = ["m", "b", "d", "?", "1", "2", "3", "4", "5"]; // keys of the page that the tab leaves alone

function fontsOf(element) {
    const { fontFamily } = getComputedStyle(element);
    return { name: `600 13px ${fontFamily}`, detail: `11px ${fontFamily}` };
}

export class GraphTab {
    /** say: shows a message, or none. Throws BankError. */
    constructor(page, state, say) {
        const { graph } = page.contents;
        Object.assign(this, { page, state, graph });
        this.character = new Character(page.runtime, page.banks[0].placed, graph, page.joints.length);
        this.session = new Session(this.character, graph);
        this.transport = new Transport(graph, this.session, page.name, say);
        this.controls = new Controls(byId("graph-parameters"), graph, this.session);
        this.strip = new Strip(byId("graph-strip"), graph, this.session);
        const fonts = fontsOf(document.body);
        const go = (target, overUs) => this.session.go(target, overUs);
        this.diagrams = graph.machines.map((_, number) => new Diagram(graph, number, fonts, go));
        this.weights = graph.machines.map(() => html("meter", { max: 1, "aria-label": "weight of the layer" }));
        byId("graph-diagrams").append(
            ...graph.machines.map((machine, number) =>
                html(
                    "figure",
                    {},
                    ...(machine.name ? [this.caption(machine, number)] : []),
                    html("div", {}, this.diagrams[number].element),
                ),
            ),
        );
        this.shown = null; // the moment
        window.addEventListener("keydown", (event) => this.press(event), { capture: true });
        new ResizeObserver(() => this.strip.draw()).observe(byId("graph-strip"));
    }

    caption({ name, while: condition }, number) {
        const text = condition ? `while ${condition}` : "";
        return html(
            "figcaption",
            {},
            html("b", {}, name),
            this.weights[number],
            html("span", { class: "detail" }, text),
        );
    }

    get active() {
        return this.state.get("tab") === "graph";
    }

    press(event) {
        if (!this.active || event.ctrlKey || event.metaKey || event.altKey) return;
        const { target, key } = event;
        if (target.closest("dialog") || SHARED.includes(key) || key === "Tab") return;
        const own = target.matches("button, [role=tab], input, select, [role=button]");
        if (own && (key === " " || key === "Enter" || key.startsWith("Arrow") || key === "Home" || key === "End"))
            return event.stopPropagation();
        const act = this.controls.keys.get(key.toLowerCase()) ?? this.transport.keys[key];
        event.stopPropagation();
        if (!act || target.matches("select")) return;
        event.preventDefault();
        if (!event.repeat || key.startsWith("Arrow")) act(event);
    }

    /** Lets time pass, and shows the last tick. */
    update(seconds) {
        this.session.advance(seconds * this.transport.speed);
        this.transport.show();
        const moment = this.session.moments.get(this.session.tick - 1);
        if (moment === this.shown) return;
        this.shown = moment;
        this.controls.show();
        this.showMachines();
        this.strip.draw();
        showEvents(byId("graph-events"), this.graph, this.session);
        performance.mark("graph-shown");
    }

    showMachines() {
        const { moments, tick, now } = this.session;
        this.diagrams.forEach((diagram, number) =>
            diagram.show(now.machines[number], this.sourceOf(number, moments, tick)),
        );
        this.weights.forEach((meter, number) => (meter.value = now.machines[number].weight));
        const states = now.machines.map(({ state }) => state).join();
        if (states === this.listed) return;
        this.listed = states;
        byId("graph-ways").replaceChildren(...now.machines.map(({ state }) => this.waysOf(state)));
    }

    /** Returns the state that a machine was in before the present one, or null if that is too long ago. */
    sourceOf(number, moments, tick) {
        const { state } = this.session.now.machines[number];
        for (let before = tick - 2; moments.has(before); before--) {
            const other = moments.get(before).result.machines[number].state;
            if (other !== state) return other;
        }
        return null;
    }

    /** Lists the transitions of a state in their order. */
    waysOf(state) {
        const { transitions } = this.graph;
        const ways = transitions.map((_, at) => at).filter((at) => transitions[at].from.includes(state));
        return html("ol", {}, ...ways.map((at) => html("li", {}, transitionText(this.graph, at))));
    }
}
