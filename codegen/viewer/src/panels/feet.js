// When the feet of a retargeted clip stand, and how far they slide meanwhile.

import { byId } from "../elements.js";

const FEET = ["left", "right"];
const ROW = 22; // pixels
const MOST_MM = 10; // at the top of a row

export function showFeet(page, state) {
    const canvas = byId("feet");
    const text = byId("feet-text");
    const context = canvas.getContext("2d");
    const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
    const actor = () => page.actorOf(state.get("clip"));

    function drawFoot(shown, side, width) {
        const xOf = (frame) => (frame / Math.max(shown.frames - 1, 1)) * width;
        const ground = ROW * (side + 1) - 1;
        for (let frame = 0; frame < shown.frames; frame++) {
            if (!shown.stands(frame, side)) continue;
            const [x, next] = [xOf(Math.max(frame - 0.5, 0)), xOf(Math.min(frame + 0.5, shown.frames - 1))];
            context.fillStyle = colour("--accent-soft");
            context.fillRect(x, ground - ROW + 3, next - x, ROW - 3);
            const rise = (Math.min(shown.slide(frame, side), MOST_MM) / MOST_MM) * (ROW - 3);
            context.fillStyle = colour("--bad");
            context.fillRect(x, ground - rise, Math.max(next - x, 1), Math.max(rise, 1));
        }
    }

    function draw() {
        const shown = actor();
        const { clientWidth: width, clientHeight: height } = canvas;
        if (!shown || width === 0) return;
        const ratio = window.devicePixelRatio || 1;
        canvas.width = width * ratio;
        canvas.height = height * ratio;
        context.setTransform(ratio, 0, 0, ratio, 0, 0);
        FEET.forEach((_, side) => drawFoot(shown, side, width));
        const { clip, frame } = state.values;
        const there = page.clips[clip];
        context.fillStyle = colour("--text");
        context.fillRect((frame / Math.max(there.frames - 1, 1)) * width - 1, 0, 2, height);
    }

    function describe() {
        const shown = actor();
        canvas.hidden = text.hidden = !shown;
        if (!shown) return;
        text.textContent = FEET.map((name, side) => {
            let [contacts, worst] = [0, 0];
            for (let frame = 0; frame < shown.frames; frame++) {
                if (!shown.stands(frame, side)) continue;
                if (frame === 0 || !shown.stands(frame - 1, side)) contacts++;
                worst = Math.max(worst, shown.slide(frame, side));
            }
            return `${name} foot: stands ${contacts} times, slides ${worst.toFixed(1)} mm at most`;
        }).join(" · ");
    }

    state.watch(["clip"], describe);
    state.watch(["clip", "frame"], draw);
    new ResizeObserver(draw).observe(canvas);
}
