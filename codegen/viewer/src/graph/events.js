// The events of the graph, as text and as a list of the last ones.

import { html } from "../elements.js";

const PHASE = 3; // OSC_GRAPH_EVENT_PHASE
const LATE = 4; // OSC_GRAPH_EVENT_LATE
const CUT = 8; // OSC_GRAPH_EVENT_CUT
const PHASES = ["", " begins", " ends"]; // by osc_event_phase
const MOST = 8; // in the list

/** Describes an event as `ossicle play` does. */
export function eventText(graph, { name, what }) {
    return graph.events[name] + PHASES[what & PHASE] + (what & LATE ? " late" : "") + (what & CUT ? " cut" : "");
}

/** Shows the last events of the moments up to now, the newest first. */
export function showEvents(list, graph, session) {
    const found = [];
    for (let tick = session.tick - 1; found.length < MOST && session.moments.has(tick); tick--) {
        const seconds = (((tick + 1) * session.tickUs) / 1e6).toFixed(2);
        const { events } = session.moments.get(tick).result;
        for (const event of [...events].reverse())
            found.push(`${seconds} s  ${eventText(graph, event)}  (${graph.states[event.state].name})`);
    }
    const texts = found.slice(0, MOST);
    if (texts.join() === list.dataset.shown) return;
    list.dataset.shown = texts.join();
    list.replaceChildren(...texts.map((text) => html("li", {}, text)));
}
