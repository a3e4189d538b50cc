// The last ten seconds: the states of each machine, events, and what the player did. A click goes to a moment.

import { eventText } from "./events.js";

const ROW = 22; // pixels
const MARKS = 18; // of events and inputs
const SPAN_S = 10;
const HUES = 8;

export class Strip {
    constructor(canvas, graph, session) {
        Object.assign(this, { canvas, graph, session });
        this.context = canvas.getContext("2d");
        this.style = getComputedStyle(document.documentElement);
        canvas.style.height = `${ROW * graph.machines.length + 2 * MARKS}px`;
        const go = (event) => session.goTo(this.tickAt(event.clientX));
        canvas.addEventListener("pointerdown", (event) => {
            canvas.setPointerCapture(event.pointerId);
            go(event);
        });
        canvas.addEventListener("pointermove", (event) => event.buttons && go(event));
    }

    colour(name) {
        return this.style.getPropertyValue(name).trim();
    }

    /** Returns the ticks at the ends of the strip. */
    range() {
        const ticks = [...this.session.moments.keys()];
        const last = Math.max(...ticks) + 1;
        const span = Math.round((SPAN_S * 1e6) / this.session.tickUs);
        return { first: Math.max(last - span, 0), span };
    }

    tickAt(clientX) {
        const box = this.canvas.getBoundingClientRect();
        const { first, span } = this.range();
        return first + Math.round(((clientX - box.left) / box.width) * span);
    }

    draw() {
        const { canvas, context, session } = this;
        const { clientWidth: width, clientHeight: height } = canvas;
        if (width === 0) return;
        const ratio = window.devicePixelRatio || 1;
        canvas.width = width * ratio;
        canvas.height = height * ratio;
        context.setTransform(ratio, 0, 0, ratio, 0, 0);
        context.font = `11px ${this.style.fontFamily}`;
        context.textBaseline = "middle";
        const { first, span } = this.range();
        const xOf = (tick) => ((tick - first) / span) * width;
        this.drawSeconds(first, span, xOf, height);
        const ticks = [...session.moments.keys()].sort((a, b) => a - b);
        this.graph.machines.forEach((_, machine) => this.drawStates(ticks, machine, xOf));
        this.drawMarks(ticks, xOf);
        context.fillStyle = this.colour("--text");
        context.fillRect(xOf(session.tick) - 1, 0, 2, height);
    }

    drawSeconds(first, span, xOf, height) {
        const perSecond = 1e6 / this.session.tickUs;
        this.context.fillStyle = this.colour("--line");
        for (let second = Math.ceil(first / perSecond); second <= (first + span) / perSecond; second++)
            this.context.fillRect(xOf(second * perSecond), 0, 1, height);
    }

    /** Draws the states of a machine as bars with their names. */
    drawStates(ticks, machine, xOf) {
        const { context, graph, session } = this;
        const stateIn = (tick) => session.moments.get(tick).result.machines[machine].state;
        for (let at = 0; at < ticks.length;) {
            const state = stateIn(ticks[at]);
            let end = at;
            while (end < ticks.length && stateIn(ticks[end]) === state) end++;
            const [left, right] = [xOf(ticks[at]), xOf(ticks[end - 1] + 1)];
            const { name, clips } = graph.states[state];
            const plays = clips.length > 0; // states of layers may play nothing
            context.fillStyle = this.colour(`--state-${state % HUES}`);
            if (plays) context.fillRect(left, ROW * machine + 1, Math.max(right - left - 1, 1), ROW - 2);
            if (context.measureText(name).width + 8 < right - left) {
                context.fillStyle = this.colour(plays ? "--text" : "--muted");
                context.fillText(name, Math.max(left, 0) + 4, ROW * machine + ROW / 2);
            }
            at = end;
        }
    }

    /** Draws events, and below them what the player did, with the names that fit. */
    drawMarks(ticks, xOf) {
        const { context, graph, session } = this;
        const top = ROW * graph.machines.length;
        const rows = [[], []];
        for (const tick of ticks) {
            const { result, input } = session.moments.get(tick);
            const x = xOf(tick + 0.5);
            for (const event of result.events) rows[0].push({ x, text: eventText(graph, event) });
            const written = [...(input?.set.keys() ?? [])].map((parameter) => graph.parameters[parameter].name);
            if (input && input.go !== null) written.push("go");
            if (written.length > 0) rows[1].push({ x, text: written.join(", ") });
        }
        rows.forEach((marks, row) => {
            context.fillStyle = this.colour(row === 0 ? "--muted" : "--accent");
            marks.forEach(({ x, text }, at) => {
                context.fillRect(x - 1, top + MARKS * row + 3, 2, MARKS - 6);
                const room = (marks[at + 1]?.x ?? Infinity) - x - 8;
                if (context.measureText(text).width < room)
                    context.fillText(text, x + 4, top + MARKS * row + MARKS / 2);
            });
        });
    }
}
