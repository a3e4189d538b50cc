// Several banks of the same clips: their figures, and a plot of error against bytes whose points can be played.

import { breakable, byId, counted, html, svg } from "../elements.js";

const PLOT = { width: 320, height: 240, left: 56, right: 14, top: 28, bottom: 38 };
const ROOM = 1.3; // around the points, as a factor
const MOST_TICKS = 6;
const APART = 44; // pixels between numbers of bytes
const NAME = { above: 14, letter: 6 }; // pixels, of the names of points

/** Formats a length with three digits. */
const rounded = (mm) => Number(mm.toPrecision(3)).toLocaleString("en", { maximumFractionDigits: 6 });

/** Returns the bytes and errors of a bank, or of one of its clips. */
function figuresOf(page, bank, clip) {
    const clips = clip === null ? bank.clips : bank.clips.filter(({ name }) => name === page.clips[clip].name);
    const errors = clips.map(({ errors }) => errors?.largest_mm).filter((error) => error !== undefined);
    return {
        bytes: clip === null ? bank.bytes : clips.reduce((sum, { bytes }) => sum + bytes, 0),
        error: errors.length ? Math.max(...errors) : null,
        codecs: [...new Set(clips.map(({ codec }) => codec))].join(", "),
        clips: clips.length,
    };
}

/** Returns the points that no other beats in both bytes and error, by bytes. */
function notSurpassed(points) {
    let least = Infinity;
    return [...points]
        .sort((a, b) => a.bytes - b.bytes || a.error - b.error)
        .filter(({ error }) => error < least && ((least = error), true));
}

/** Returns round numbers within a range of positive ones, evenly on a logarithmic scale, or else its ends. */
function ticksWithin([least, most]) {
    const powers = Array.from({ length: 40 }, (_, index) => 10 ** (index - 15));
    const within = (factors) =>
        powers.flatMap((power) => factors.map((factor) => factor * power)).filter((n) => n >= least && n <= most);
    const choices = [[1], [1, 3], [1, 2, 5], [1, 1.5, 2, 3, 4, 5, 6, 7, 8, 9]].map(within);
    const enough = choices.find(({ length }) => length >= MOST_TICKS / 2) ?? choices.at(-1);
    const every = Math.ceil(enough.length / MOST_TICKS);
    return enough.filter((_, index) => index % every === 0);
}

/** Returns a logarithmic scale from the range of values, with some room, to from..to. */
function scaleOf(values, from, to) {
    const range = [Math.min(...values) / ROOM, Math.max(...values) * ROOM];
    const [least, most] = range.map(Math.log);
    const scale = (value) => from + ((Math.log(value) - least) / (most - least)) * (to - from);
    return Object.assign(scale, { ticks: ticksWithin(range) });
}

/** Leaves out numbers that are too close to the one before. */
function apart(numbers, xOf) {
    let before = -Infinity;
    return numbers.filter((number) => xOf(number) - before >= APART && ((before = xOf(number)), true));
}

/** Returns the name beside a point, if it fits above. */
function nameOf(name, x, y) {
    const half = (name.length * NAME.letter) / 2;
    if (x - half < PLOT.left || x + half > PLOT.width) return [];
    return [svg("text", { class: "name", x, y: y - NAME.above, "text-anchor": "middle", "aria-hidden": "true" }, name)];
}

/** Returns the text instead of a plot of fewer than two banks with errors. */
const textWithoutPlot = (count) =>
    count === 0
        ? "Errors are unknown without the source of the bank: name its files with --source."
        : "This page has one bank. Other banks of the same skeleton appear here with --compare, for example to choose a " +
          "tolerance by its bytes.";

export function showBanks(page, state) {
    const plot = byId("rate-distortion");
    const rows = byId("bank-rows");
    const scope = byId("banks-scope");

    function draw() {
        const clip = scope.value === "clip" ? state.get("clip") : null;
        const chosen = state.get("bank");
        const figures = page.banks.map((bank, index) => ({ bank, index, ...figuresOf(page, bank, clip) }));
        const choose = (index) => state.set({ bank: index });
        rows.replaceChildren(
            ...figures.map(({ bank, index, bytes, error, codecs, clips }) =>
                html(
                    "tr",
                    { "aria-current": index === chosen ? "true" : null },
                    html(
                        "th",
                        { scope: "row" },
                        html(
                            "button",
                            { onclick: () => choose(index), "aria-pressed": String(index === chosen) },
                            ...breakable(bank.name),
                        ),
                    ),
                    html("td", {}, clips ? `${counted(bytes)} B` : "no such clip"),
                    html("td", {}, error === null ? "–" : `${rounded(error)} mm`),
                    html("td", {}, codecs),
                ),
            ),
        );
        drawPlot(
            figures.filter(({ bytes, error }) => bytes > 0 && error > 0),
            chosen,
            choose,
        );
    }

    function drawPlot(points, chosen, choose) {
        plot.setAttribute("viewBox", `0 0 ${PLOT.width} ${PLOT.height}`);
        const isPlot = points.length > 1;
        byId("banks-plot").hidden = !isPlot;
        byId("no-plot").textContent = isPlot ? "" : textWithoutPlot(points.length);
        if (!isPlot) return plot.replaceChildren();
        const held = [...plot.querySelectorAll(".point")].indexOf(document.activeElement);
        const xOf = scaleOf(
            points.map(({ bytes }) => bytes),
            PLOT.left,
            PLOT.width - PLOT.right,
        );
        const yOf = scaleOf(
            points.map(({ error }) => error),
            PLOT.height - PLOT.bottom,
            PLOT.top,
        );
        const best = notSurpassed(points);
        const line = best.map(({ bytes, error }) => `${xOf(bytes)},${yOf(error)}`).join(" ");
        const bottom = PLOT.height - PLOT.bottom;
        plot.replaceChildren(
            svg("path", { class: "axis", d: `M${PLOT.left},${PLOT.top}V${bottom}H${PLOT.width - PLOT.right}` }),
            svg("text", { x: PLOT.width / 2, y: PLOT.height - 6, "text-anchor": "middle" }, "bytes"),
            svg(
                "text",
                { x: 12, y: bottom / 2, "text-anchor": "middle", transform: `rotate(-90 12 ${bottom / 2})` },
                "largest error, mm",
            ),
            svg("polyline", { class: "curve", points: line }),
            ...apart(xOf.ticks, xOf).flatMap((bytes) => [
                svg("path", { class: "grid", d: `M${xOf(bytes)},${PLOT.top}V${bottom}` }),
                svg("text", { x: xOf(bytes), y: bottom + 15, "text-anchor": "middle" }, counted(bytes)),
            ]),
            ...yOf.ticks.flatMap((error) => [
                svg("path", { class: "grid", d: `M${PLOT.left},${yOf(error)}H${PLOT.width - PLOT.right}` }),
                svg("text", { x: PLOT.left - 6, y: yOf(error) + 4, "text-anchor": "end" }, rounded(error)),
            ]),
            ...points.map(({ bank, index, bytes, error }) => {
                const [cx, cy] = [xOf(bytes), yOf(error)];
                return svg(
                    "g",
                    {
                        class: index === chosen ? "point chosen" : "point",
                        tabindex: 0,
                        role: "button",
                        "aria-pressed": String(index === chosen),
                        "aria-label": `${bank.name}: ${counted(bytes)} bytes, ${rounded(error)} mm`,
                        onclick: () => choose(index),
                        onkeydown: (event) => {
                            if (event.key !== "Enter" && event.key !== " ") return;
                            event.preventDefault();
                            event.stopPropagation();
                            choose(index);
                        },
                    },
                    svg("title", {}, `${bank.name}: ${counted(bytes)} B, ${rounded(error)} mm`),
                    svg("circle", { class: "reach", cx, cy, r: 14 }),
                    svg("circle", { cx, cy, r: 5 }),
                    svg("circle", { class: "ring", cx, cy, r: 9 }),
                    ...nameOf(bank.name, cx, cy),
                );
            }),
        );
        if (held >= 0) plot.querySelectorAll(".point")[held]?.focus();
    }

    scope.addEventListener("change", draw);
    state.watch(["bank", "clip"], draw);
}
