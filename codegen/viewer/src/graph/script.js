// Scripts for `ossicle play` (codegen/ossicle/play/script.py), which are recordings of this page.

import { parse } from "smol-toml";
import { emptyInput } from "./session.js";

const ONE_Q16 = 1 << 16;
const ONE_Q20 = 1 << 20;
const TURN_Q24 = 1 << 24;
const PLACE = ["x", "y", "z", "yaw"];
const AFTER_LAST_US = 1e6; // a script without a length ends so long after its last entry
const DEFAULT_OVER = "200ms";
const MOST_TICKS = 1e6;
const TIME = /^([0-9]*\.?[0-9]+)\s*(s|ms)$/;

const unitOf = (component) => (component === "yaw" ? TURN_Q24 : ONE_Q20);

// ---- writing ----

const seconds = (us) => `"${us / 1e6}s"`;

function valueText({ kind, values }, value) {
    if (kind === "number") return String(value / ONE_Q16);
    if (kind === "point") return `[${value.map((part) => part / ONE_Q20).join(", ")}]`;
    return kind === "choice" ? JSON.stringify(values[value]) : String(value !== 0);
}

function entryText(graph, atUs, { set, go, overUs, place }) {
    const values = [...set].filter(([parameter, value]) => graph.parameters[parameter].kind !== "trigger" || value);
    const parts = [`at = ${seconds(atUs)}`];
    if (values.length > 0) {
        const texts = values.map(
            ([at, value]) => `${graph.parameters[at].name} = ${valueText(graph.parameters[at], value)}`,
        );
        parts.push(`set = { ${texts.join(", ")} }`);
    }
    if (go !== null) parts.push(`go = ${JSON.stringify(graph.states[go].name)}`, `over = ${seconds(overUs)}`);
    if (place !== null)
        parts.push(`appear = { ${PLACE.map((name, at) => `${name} = ${place[at] / unitOf(name)}`).join(", ")} }`);
    return `    { ${parts.join(", ")} },\n`;
}

/** Returns the text of a recording. */
export function scriptText(graph, { tickUs, seed, ticks, inputs }) {
    const entries = [...inputs]
        .sort(([a], [b]) => a - b)
        .map(([tick, input]) => entryText(graph, tick * tickUs, input));
    const start = seed === 0 ? "" : `seed = ${seed}\n`;
    return `tick = "${tickUs / 1000}ms"\nlength = ${seconds(ticks * tickUs)}\n${start}inputs = [\n${entries.join("")}]\n`;
}

// ---- reading ----

function microseconds(value, what) {
    const match = typeof value === "string" && TIME.exec(value);
    const time = match ? Number(match[1]) * (match[2] === "s" ? 1 : 1e-3) : value;
    if (typeof time !== "number" || !(time >= 0)) throw new Error(`${what}: ${value} is no time, such as "0.4s"`);
    return Math.round(time * 1e6);
}

function indexOf(name, names, what) {
    const index = names.indexOf(name);
    if (index < 0) throw new Error(`${what}: ${name} is none of ${names.join(", ")}`);
    return index;
}

const scaled = (value, unit, what) => {
    if (typeof value !== "number") throw new Error(`${what}: ${value} is no number`);
    return Math.floor(value * unit + 0.5);
};

function readValue({ kind, values, name }, value) {
    if (kind === "number") return scaled(value, ONE_Q16, name);
    if (kind === "choice") return indexOf(value, values, name);
    if (kind === "point") {
        if (!Array.isArray(value) || value.length !== 3) throw new Error(`${name}: give x, y and z in metres`);
        return value.map((part) => scaled(part, ONE_Q20, name));
    }
    if (typeof value !== "boolean") throw new Error(`${name}: ${value} is neither true nor false`);
    return Number(value);
}

/** Adds what an entry states to an input. */
function readEntry(graph, entry, input) {
    const names = graph.parameters.map(({ name }) => name);
    for (const [name, value] of Object.entries(entry.set ?? {})) {
        const parameter = indexOf(name, names, "parameters");
        input.set.set(parameter, readValue(graph.parameters[parameter], value));
    }
    if (entry.go !== undefined) {
        input.go = indexOf(
            entry.go,
            graph.states.map(({ name }) => name),
            "states",
        );
        input.overUs = microseconds(entry.over ?? DEFAULT_OVER, "over");
    }
    if (entry.appear !== undefined)
        input.place = PLACE.map((name) => scaled(entry.appear[name] ?? 0, unitOf(name), `appear: ${name}`));
}

/** Returns the recording in a script. Throws an Error that says what is wrong. */
export function readScript(graph, text) {
    const table = parse(text);
    const tickUs = table.tick === undefined ? graph.tick_us : microseconds(table.tick, "tick");
    if (tickUs < 1 || tickUs > graph.longest_us)
        throw new Error(`tick: ${table.tick} is longer than the longest step of the graph, or no time`);
    const entries = (table.inputs ?? []).map((entry) => ({ entry, us: microseconds(entry.at, "at") }));
    const last = Math.max(
        0,
        ...[...entries.map(({ us }) => us), ...(table.expect ?? []).map(({ at }) => microseconds(at, "at"))],
    );
    const length = table.length === undefined ? last + AFTER_LAST_US : microseconds(table.length, "length");
    const ticks = Math.ceil(length / tickUs);
    if (ticks < 1 || ticks > MOST_TICKS) throw new Error(`length: ${ticks} ticks are too few or too many`);
    const seed = table.seed ?? 0;
    if (!Number.isInteger(seed) || seed < 0 || seed > 0xffffffff) throw new Error(`seed: ${seed} is no seed`);
    const inputs = new Map();
    for (const { entry, us } of entries.sort((a, b) => a.us - b.us)) {
        const tick = Math.ceil(us / tickUs);
        if (!inputs.has(tick)) inputs.set(tick, emptyInput());
        readEntry(graph, entry, inputs.get(tick));
    }
    return { tickUs, seed, ticks, inputs };
}
