// The parameters of the graph: sliders, switches, choices, and buttons for triggers, with keys.

import { html } from "../elements.js";

const ONE_Q16 = 1 << 16;
const ONE_Q20 = 1 << 20;
const REACH_M = 5; // of the sliders of points
const RESERVED = "bmd"; // keys of the page (panels/transport.js)
const DIGITS = 2;

const shown = (value) => String(Number((value / ONE_Q16).toFixed(DIGITS)));

/** Returns a key for each trigger and flag: a letter of its name that no other one has, or null. */
function keysOf(parameters) {
    const taken = new Set(RESERVED);
    return parameters.map(({ name, kind }) => {
        if (kind !== "trigger" && kind !== "flag") return null;
        const key = [...name.toLowerCase()].find((letter) => /[a-z0-9]/.test(letter) && !taken.has(letter)) ?? null;
        taken.add(key);
        return key;
    });
}

function number(parameter, write, slewed) {
    const { name, least, most, unit, slew_us } = parameter;
    const output = html("output");
    const units = unit ? ` ${unit}` : "";
    const input = html("input", {
        type: "range",
        min: least / ONE_Q16,
        max: most / ONE_Q16,
        step: "any",
        "aria-label": `${name}${units}`,
        oninput: () => {
            write(Math.round(Number(input.value) * ONE_Q16));
            tell();
        },
    });
    const follower = html("span", { class: "follower", hidden: slew_us === 0 });
    const range = html("span", { class: "range" }, `${shown(least)} to ${shown(most)}${units}`);
    const tell = () => (output.textContent = `${shown(Number(input.value) * ONE_Q16)}${units}`);
    return {
        element: html(
            "label",
            { class: "number" },
            html("span", {}, name),
            output,
            html("span", { class: "track" }, input, follower),
            range,
        ),
        show: (value) => {
            if (Math.round(Number(input.value) * ONE_Q16) !== value) input.value = value / ONE_Q16;
            tell();
            if (slew_us > 0) follower.style.setProperty("--share", (slewed() - least) / (most - least));
        },
    };
}

function flag({ name }, write, key) {
    const input = html("input", { type: "checkbox", role: "switch", onchange: () => write(Number(input.checked)) });
    return {
        element: html("label", { class: "flag" }, input, html("span", {}, name), keyCap(key)),
        show: (value) => (input.checked = value !== 0),
        press: () => input.click(),
    };
}

function choice({ name, values }, write) {
    const options = values.map((value, index) => html("option", { value: index }, value));
    const input = html("select", { onchange: () => write(Number(input.value)) }, ...options);
    return {
        element: html("label", { class: "choice" }, html("span", {}, name), input),
        show: (value) => (input.value = value),
    };
}

function trigger({ name }, write, key) {
    const element = html("button", { class: "trigger", onclick: () => write(1) }, name, keyCap(key));
    return {
        element,
        show: (_, pending) => element.classList.toggle("pending", pending),
        press: () => write(1),
    };
}

function point({ name, world }, write) {
    const output = html("output");
    const inputs = ["x", "y", "z"].map((axis) =>
        html("input", {
            type: "range",
            min: -REACH_M,
            max: REACH_M,
            step: "any",
            "aria-label": `${name}, ${axis}, metres`,
            oninput: () => {
                write(inputs.map((input) => Math.round(Number(input.value) * ONE_Q20)));
                tell();
            },
        }),
    );
    const tell = () =>
        (output.textContent = `${inputs.map(({ value }) => Number(value).toFixed(DIGITS)).join(", ")} m`);
    return {
        element: html(
            "div",
            { class: "target", role: "group", "aria-label": name },
            html("span", {}, name),
            output,
            ...inputs,
            html("span", { class: "range" }, `x, y, z in ${world ? "the world" : "model space"}`),
        ),
        show: (value) => {
            inputs.forEach((input, axis) => {
                if (Math.round(Number(input.value) * ONE_Q20) !== value[axis]) input.value = value[axis] / ONE_Q20;
            });
            tell();
        },
    };
}

const keyCap = (key) => (key === null ? "" : html("kbd", {}, key.toUpperCase()));

const MAKERS = { number, flag, choice, trigger, point };
const ORDER = ["trigger", "number", "choice", "flag", "point"];

export class Controls {
    constructor(place, graph, session) {
        this.session = session;
        const keys = keysOf(graph.parameters);
        this.controls = graph.parameters.map((parameter, at) => {
            const write = (value) => session.write(at, value);
            const extra = parameter.kind === "number" ? () => session.character.slewed(at) : keys[at];
            return MAKERS[parameter.kind](parameter, write, extra);
        });
        this.keys = new Map(keys.flatMap((key, at) => (key === null ? [] : [[key, this.controls[at].press]])));
        for (const kind of ORDER) {
            const elements = this.controls
                .filter((_, at) => graph.parameters[at].kind === kind)
                .map(({ element }) => element);
            if (elements.length > 0) place.append(html("div", { class: `${kind}s` }, ...elements));
        }
    }

    /** Shows the values of the last tick. */
    show() {
        const pending = this.session.character.pending();
        this.controls.forEach(({ show }, at) => show(this.session.valueOf(at), pending[at] ?? false));
    }
}
