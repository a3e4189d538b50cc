// What the plots over the time of a clip share: a margin for the names of rows, an axis of frames, and a text beside the
// pointer.

import { fitting } from "../text.js";

const MARGIN = { left: 96, right: 12 }; // pixels
const AXIS = 18; // pixels below a plot, for the numbers of frames
const fontOf = (size) => `${size}px system-ui, sans-serif`;
const TYPE = { least: 9, usual: 11 }; // pixels, of labels
const APART = 48; // pixels between numbers of frames, at least
const TIP = 14; // pixels from the pointer to its text

/** Returns multiples of 1, 2 or 5 times a power of ten, from 0 to `last`: at most `most` steps. */
function ticksOf(last, most) {
    let step = 1;
    for (let power = 1; last / step > most; power *= 10)
        step = [power, 2 * power, 5 * power].find((size) => last / size <= most) ?? 10 * power;
    return Array.from({ length: Math.floor(last / step) + 1 }, (_, index) => index * step);
}

export class Plot {
    /** draw: called when the size or the theme of the page changes. */
    constructor(canvas, draw) {
        this.canvas = canvas;
        this.context = canvas.getContext("2d");
        this.tip = canvas.parentElement.querySelector(".tip");
        this.style = getComputedStyle(document.documentElement);
        new ResizeObserver(draw).observe(canvas);
        window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
    }

    colour(name) {
        return this.style.getPropertyValue(name).trim();
    }

    /** The width without margins, and the height without the axis. */
    get width() {
        return this.canvas.clientWidth - MARGIN.left - MARGIN.right;
    }

    get height() {
        return this.canvas.clientHeight - AXIS;
    }

    get left() {
        return MARGIN.left;
    }

    /** Clears the canvas. Returns whether it is visible. */
    begin() {
        const { clientWidth: width, clientHeight: height } = this.canvas;
        if (this.width <= 0) return false;
        const ratio = window.devicePixelRatio || 1;
        this.canvas.width = width * ratio;
        this.canvas.height = height * ratio;
        this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
        this.context.font = fontOf(TYPE.usual);
        this.context.textBaseline = "middle";
        return true;
    }

    /** Returns the x of a share, 0 to 1, of the clip. */
    xOf(share) {
        return MARGIN.left + share * this.width;
    }

    /** Returns the share, 0 to 1, of the clip below a pointer. */
    shareAt(event) {
        const x = event.clientX - this.canvas.getBoundingClientRect().left - MARGIN.left;
        return Math.min(Math.max(x / this.width, 0), 1);
    }

    /** Writes a text in the left margin, shortened to fit. */
    label(text, y, colour = "--muted", size = TYPE.usual) {
        const shown = fitting(text, MARGIN.left - 8, size);
        this.context.font = fontOf(size);
        this.context.fillStyle = this.colour(colour);
        this.context.textAlign = "right";
        this.context.fillText(shown, MARGIN.left - 6, y);
        this.context.font = fontOf(TYPE.usual);
    }

    /** Names rows of a height, from a y on: if they are lower than a line of text, only every second, third, ... row, and
     * always the chosen one. */
    labelRows(names, top, row, chosen) {
        const size = Math.min(Math.max(row, TYPE.least), TYPE.usual);
        const every = Math.ceil(size / row);
        const isFree = (index) => chosen === null || Math.abs(index - chosen) >= every;
        names.forEach((name, index) => {
            if (index !== chosen && (index % every !== 0 || !isFree(index))) return;
            this.label(name, top + (index + 0.5) * row, index === chosen ? "--text" : "--muted", size);
        });
    }

    /** Draws the axis of frames 0 to `last`. */
    drawFrames(last) {
        const { context, height } = this;
        const ticks = last > 0 ? ticksOf(last, Math.max(Math.floor(this.width / APART), 1)) : [0];
        context.fillStyle = this.colour("--edge");
        for (const tick of ticks) context.fillRect(Math.round(this.xOf(tick / Math.max(last, 1))), height, 1, 4);
        context.fillStyle = this.colour("--muted");
        context.textAlign = "center";
        for (const tick of ticks) context.fillText(String(tick), this.xOf(tick / Math.max(last, 1)), height + 11);
        this.label("frame", height + 11);
    }

    /** Draws the line of the present position. */
    drawPosition(share) {
        this.context.fillStyle = this.colour("--text");
        this.context.fillRect(this.xOf(share) - 1, 0, 2, this.height);
    }

    /** Shows what textAt(event) returns beside the pointer, or nothing for "". */
    explain(textAt) {
        const { canvas, tip } = this;
        canvas.addEventListener("pointermove", (event) => {
            const box = canvas.getBoundingClientRect();
            tip.textContent = textAt(event);
            tip.hidden = tip.textContent === "";
            const left = Math.min(event.clientX - box.left + TIP, box.width - tip.offsetWidth);
            tip.style.left = `${Math.max(left, 0)}px`;
            tip.style.top = `${event.clientY - box.top - TIP - tip.offsetHeight}px`;
        });
        canvas.addEventListener("pointerleave", () => (tip.hidden = true));
    }
}
