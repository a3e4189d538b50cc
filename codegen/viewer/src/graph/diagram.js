// Draws the states and transitions of a machine, and lights those that are active.

import { svg } from "../elements.js";
import { layoutOf } from "./layout.js";

const LIT_US = 500000; // how long a transition is lit after it was taken
const LINE = 15; // pixels, of a clip in a state
const TOP = 17; // of the name
const BAR = 28; // of a weight
const GO_US = 200000;
const LEAST_SCALE = 0.75; // below which the diagram scrolls instead

let markers = 0;

/** Returns a smooth path through points. */
function pathOf(points) {
    const [first, ...rest] = points;
    let path = `M${first.x},${first.y}`;
    for (let i = 0; i < rest.length - 1; i++) {
        const [at, next] = [rest[i], rest[i + 1]];
        const end = i === rest.length - 2 ? next : { x: (at.x + next.x) / 2, y: (at.y + next.y) / 2 };
        path += `Q${at.x},${at.y} ${end.x},${end.y}`;
    }
    return rest.length === 1 ? `${path}L${rest[0].x},${rest[0].y}` : path;
}

/** Describes a transition in a line. */
export function transitionText(graph, transition) {
    const { to, when, cut, over_us } = graph.transitions[transition];
    return `${when || "at once"} → ${graph.states[to].name}${cut ? ", cut" : `, over ${over_us / 1e6} s`}`;
}

export class Diagram {
    /** number: of the machine. onGo: called with a state that the player chooses, and a duration in microseconds. */
    constructor(graph, number, fonts, onGo) {
        this.graph = graph;
        this.number = number;
        const plan = layoutOf(graph, graph.machines[number], fonts);
        this.marker = `arrow-${markers++}`;
        this.nodes = new Map(plan.nodes.map((node) => [node.state, this.drawState(node, onGo)]));
        this.edges = plan.edges.map((edge) => ({ ...edge, ...this.drawEdge(edge) }));
        this.lit = [];
        this.element = svg(
            "svg",
            {
                class: "diagram",
                role: "group",
                "aria-label": graph.machines[number].name || "States and transitions",
                viewBox: `0 0 ${plan.width} ${plan.height}`,
                style: `width: ${plan.width}px; min-width: min(100%, ${plan.width * LEAST_SCALE}px); max-width: max(100%, ${plan.width * LEAST_SCALE}px)`,
            },
            svg("defs", {}, this.arrow("arrow"), this.arrow("arrow lit")),
            ...plan.groups.map((group) => this.drawGroup(group)),
            ...plan.crowds.map((crowd) => this.drawCrowd(crowd)),
            ...this.edges.map(({ path }) => path),
            ...this.edges.map(({ label }) => label),
            ...[...this.nodes.values()].map(({ element }) => element),
        );
    }

    arrow(kind) {
        const id = `${this.marker}${kind === "arrow" ? "" : "-lit"}`;
        const marker = { id, class: kind, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7 };
        return svg(
            "marker",
            { ...marker, orient: "auto", markerUnits: "userSpaceOnUse" },
            svg("path", { d: "M0,0.5L8,4L0,7.5z" }),
        );
    }

    drawGroup({ x, y, width, height, title }) {
        const [left, top] = [x - width / 2, y - height / 2];
        return svg(
            "g",
            { class: "group" },
            svg("rect", { x: left, y: top, width, height, rx: 8 }),
            svg("text", { x: left + 8, y: top + 14 }, title),
        );
    }

    /** Draws the beginning of a transition that leaves many states. */
    drawCrowd({ x, y, width, height, sources, short }) {
        const names = sources.map((state) => this.graph.states[state].name).join(", ");
        return svg(
            "g",
            { class: "crowd" },
            svg("title", {}, names),
            svg("rect", { x: x - width / 2, y: y - height / 2, width, height, rx: height / 2 }),
            svg("text", { x, y: y + 4, "text-anchor": "middle" }, short),
        );
    }

    drawState({ state, x, y, width, height, clips, short }, onGo) {
        const [left, top] = [x - width / 2, y - height / 2];
        const { name } = this.graph.states[state];
        const blends = this.graph.states[state].clips.length > 1;
        const bars = blends
            ? clips.map((_, clip) =>
                  svg("rect", {
                      class: "weight",
                      x: left + width - BAR - 8,
                      y: top + TOP + 6 + LINE * clip,
                      width: 0,
                      height: 7,
                  }),
              )
            : [];
        const enter = () => onGo(state, GO_US);
        const element = svg(
            "g",
            {
                class: "state",
                tabindex: 0,
                role: "button",
                "data-state": name,
                onclick: enter,
                onkeydown: (event) => event.key === "Enter" && enter(),
            },
            svg("title", {}, `Enter ${name}`),
            svg("rect", { class: "box", x: left, y: top, width, height, rx: 6 }),
            svg("text", { class: "name", x, y: top + TOP, "text-anchor": "middle", "aria-hidden": "true" }, short),
            ...clips.map((clip, at) =>
                svg(
                    "text",
                    {
                        class: "clip",
                        x: blends ? left + 10 : x,
                        y: top + TOP + 13 + LINE * at,
                        "text-anchor": blends ? "start" : "middle",
                        "aria-hidden": "true",
                    },
                    clip,
                ),
            ),
            ...bars.map((bar) =>
                svg("rect", {
                    class: "whole",
                    x: bar.getAttribute("x"),
                    y: bar.getAttribute("y"),
                    width: BAR,
                    height: 7,
                }),
            ),
            ...bars,
        );
        return { element, bars, plan: { x, y } };
    }

    /** Scrolls to a place, if the diagram is larger than its frame. */
    reveal({ x, y }) {
        const frame = this.element.parentElement;
        if (!frame || frame.clientWidth === 0) return;
        const scale = this.element.clientWidth / this.element.viewBox.baseVal.width;
        frame.scrollTo({
            left: x * scale - frame.clientWidth / 2,
            top: y * scale - frame.clientHeight / 2,
            behavior: "smooth",
        });
    }

    drawEdge({ transition, from, points, lines, x, y }) {
        const source = from === null ? "" : `${this.graph.states[from].name}: `;
        const title = source + transitionText(this.graph, transition);
        const path = svg(
            "path",
            { class: "transition", d: pathOf(points), "marker-end": `url(#${this.marker})` },
            svg("title", {}, title),
        );
        const label = svg(
            "text",
            { class: "condition", x, y: y - (lines.length - 1) * 6.5 + 4, "text-anchor": "middle" },
            svg("title", {}, title),
            ...lines.map((line, at) => svg("tspan", { x, dy: at === 0 ? 0 : 13 }, line)),
        );
        return { path, label };
    }

    /** Lights the state of the machine, the weights of its clips, and the transition that it came by. from: the state
     * before, or null. */
    show({ state, us, taken, weights }, from) {
        if (this.state !== state) {
            this.nodes.get(this.state)?.element.classList.remove("active");
            const { element, plan } = this.nodes.get(state);
            element.classList.add("active");
            this.state = state;
            this.reveal(plan);
        }
        this.nodes.get(state).bars.forEach((bar, clip) => bar.setAttribute("width", (BAR * weights[clip]).toFixed(1)));
        const isLit = (edge) =>
            us < LIT_US && edge.transition === taken && (from === null || edge.from === null || edge.from === from);
        const lit = us < LIT_US && taken !== null ? this.edges.filter(isLit) : [];
        for (const edge of this.lit) if (!lit.includes(edge)) this.light(edge, false);
        for (const edge of lit) if (!this.lit.includes(edge)) this.light(edge, true);
        this.lit = lit;
    }

    light({ path, label }, on) {
        for (const part of [path, label]) part.classList.toggle("lit", on);
        path.setAttribute("marker-end", `url(#${this.marker}${on ? "-lit" : ""})`);
    }
}
