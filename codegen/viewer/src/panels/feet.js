// When the feet of a retargeted clip stand, and how far they slide meanwhile.

import { byId } from "../elements.js";
import { Plot } from "./plot.js";

const FEET = ["left", "right"];
const ROW = 22; // pixels
const MOST_MM = 10; // at the top of a row

export function showFeet(page, state) {
    const canvas = byId("feet");
    const text = byId("feet-text");
    const plot = new Plot(canvas, draw);
    const { context } = plot;
    const actor = () => page.actorOf(state.get("clip"));

    function drawFoot(shown, side) {
        const xOf = (frame) => plot.xOf(frame / Math.max(shown.frames - 1, 1));
        const ground = ROW * (side + 1) - 1;
        for (let frame = 0; frame < shown.frames; frame++) {
            if (!shown.stands(frame, side)) continue;
            const [x, next] = [xOf(Math.max(frame - 0.5, 0)), xOf(Math.min(frame + 0.5, shown.frames - 1))];
            context.fillStyle = plot.colour("--accent-soft");
            context.fillRect(x, ground - ROW + 3, next - x, ROW - 3);
            const rise = (Math.min(shown.slide(frame, side), MOST_MM) / MOST_MM) * (ROW - 3);
            context.fillStyle = plot.colour("--bad");
            context.fillRect(x, ground - rise, Math.max(next - x, 1), Math.max(rise, 1));
        }
        plot.label(`${FEET[side]} foot`, ground - ROW / 2 + 1);
    }

    function draw() {
        const shown = actor();
        if (!shown || !plot.begin()) return;
        FEET.forEach((_, side) => drawFoot(shown, side));
        const { clip, frame } = state.values;
        const last = page.clips[clip].frames - 1;
        plot.drawFrames(last);
        plot.drawPosition(frame / Math.max(last, 1));
    }

    function describe() {
        const shown = actor();
        canvas.parentElement.hidden = text.hidden = !shown;
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

    plot.explain((event) => {
        const shown = actor();
        const side = Math.floor((event.clientY - canvas.getBoundingClientRect().top) / ROW);
        if (!shown || side >= FEET.length) return "";
        const frame = Math.round(plot.shareAt(event) * (shown.frames - 1));
        const seconds = (frame / shown.rate).toFixed(2);
        const slides = shown.stands(frame, side) ? `stands, has slid ${shown.slide(frame, side).toFixed(1)} mm` : "swings";
        return `${FEET[side]} foot, ${seconds} s: ${slides}`;
    });
    state.watch(["clip"], describe);
    state.watch(["clip", "frame"], draw);
}
