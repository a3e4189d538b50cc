// Several banks of the same clips: their figures, and a plot of error against bytes whose points can be played.

import { byId, counted, html, svg } from "../elements.js";

const PLOT = { width: 360, height: 240, left: 58, right: 14, top: 14, bottom: 38 };

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

/** Returns the least and the largest number, or only one if they are equal. */
const extremes = (numbers) => [...new Set([Math.min(...numbers), Math.max(...numbers)])];

/** Returns a logarithmic scale from least..most to from..to. */
function scaleOf(values, from, to) {
    const [least, most] = [Math.min(...values) / 1.3, Math.max(...values) * 1.3].map(Math.log);
    return (value) => from + ((Math.log(value) - least) / (most - least || 1)) * (to - from);
}

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
                            bank.name,
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
        if (points.length === 0) return plot.replaceChildren();
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
            ...extremes(points.map(({ bytes }) => bytes)).map((bytes) =>
                svg(
                    "text",
                    { class: "detail", x: xOf(bytes), y: bottom + 15, "text-anchor": "middle" },
                    counted(bytes),
                ),
            ),
            ...extremes(points.map(({ error }) => error)).map((error) =>
                svg(
                    "text",
                    { class: "detail", x: PLOT.left - 6, y: yOf(error) + 4, "text-anchor": "end" },
                    rounded(error),
                ),
            ),
            ...points.map(({ bank, index, bytes, error }) =>
                svg(
                    "circle",
                    {
                        class: index === chosen ? "point chosen" : "point",
                        cx: xOf(bytes),
                        cy: yOf(error),
                        r: index === chosen ? 7 : 5,
                        tabindex: 0,
                        role: "button",
                        "aria-label": `${bank.name}: ${counted(bytes)} bytes, ${rounded(error)} mm`,
                        onclick: () => choose(index),
                        onpointerenter: () => choose(index),
                        onkeydown: (event) => event.key === "Enter" && choose(index),
                    },
                    svg("title", {}, `${bank.name}: ${counted(bytes)} B, ${rounded(error)} mm`),
                ),
            ),
        );
    }

    scope.addEventListener("change", draw);
    state.watch(["bank", "clip"], draw);
}
