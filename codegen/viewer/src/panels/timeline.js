// The timeline: the largest error of every frame with the tolerance, the error of every joint as a map, jumps and
// restart points, and the present position.

import { ERROR_COLOURS, shadeOf, STEPS } from "../drawing/colours.js";
import { byId } from "../elements.js";
import { Plot } from "./plot.js";

const CURVE = 46; // pixels, the height of the curve
const MARKS = 12;
const MAP = CURVE + MARKS; // pixels above the map
const MOST = 1.25; // tolerances at the top of the curve

/** Returns an object whose positionOf(joint, frame) returns the position of a joint's error in the canvas, in pixels. */
export function showTimeline(page, state) {
    const canvas = byId("timeline");
    const plot = new Plot(canvas, draw);
    const { context } = plot;
    const label = byId("timeline-text");
    const legend = byId("timeline-legend");
    const map = document.createElement("canvas");
    const joints = page.joints.length;
    const names = page.joints.map(({ name }) => name);
    let errors = null; // steps [sample][joint]

    const shown = () => page.clipIn(state.get("bank"), state.get("clip"));
    const last = () => shown().frames - 1;
    const shareOf = (frame) => frame / Math.max(last(), 1);
    const rowHeight = () => (plot.height - MAP) / joints;

    /** Draws the map of a clip: a pixel for each joint and sample. */
    function readErrors() {
        const clip = shown();
        errors = page.errorsOf(clip)?.steps ?? null;
        if (!errors) return;
        const samples = errors.length / joints;
        map.width = samples;
        map.height = joints;
        const picture = map.getContext("2d").createImageData(samples, joints);
        for (let sample = 0; sample < samples; sample++)
            for (let joint = 0; joint < joints; joint++) {
                const at = 4 * (joint * samples + sample);
                picture.data.set(ERROR_COLOURS[shadeOf(errors[sample * joints + joint])], at);
                picture.data[at + 3] = 255;
            }
        map.getContext("2d").putImageData(picture, 0, 0);
    }

    /** Returns the largest error of a sample, in steps. */
    function mostAt(sample) {
        let most = 0;
        for (let joint = 0; joint < joints; joint++) most = Math.max(most, errors[sample * joints + joint]);
        return most;
    }

    function drawCurve() {
        const samples = errors.length / joints;
        const yOf = (step) => CURVE - Math.min(step / STEPS / MOST, 1) * CURVE;
        const [left, right] = [plot.xOf(0), plot.xOf(1)];
        context.fillStyle = plot.colour("--accent-soft");
        context.strokeStyle = plot.colour("--accent");
        context.beginPath();
        context.moveTo(left, CURVE);
        for (let sample = 0; sample < samples; sample++)
            context.lineTo(plot.xOf(sample / Math.max(samples - 1, 1)), yOf(mostAt(sample)));
        if (samples === 1) context.lineTo(right, yOf(mostAt(0)));
        context.lineTo(right, CURVE);
        context.fill();
        context.stroke();
        context.strokeStyle = plot.colour("--bad");
        context.setLineDash([4, 3]);
        context.beginPath();
        context.moveTo(left, yOf(STEPS));
        context.lineTo(right, yOf(STEPS));
        context.stroke();
        context.setLineDash([]);
        plot.label(toleranceText(), yOf(STEPS));
        plot.label("0", CURVE - 5);
    }

    /** Returns the tolerance if all joints have the same, or else the unit of the curve. */
    function toleranceText() {
        const { limited, units_mm } = shown().errors;
        if (!limited) return "largest";
        return units_mm.every((unit) => unit === units_mm[0]) ? `${units_mm[0].toPrecision(3)} mm` : "tolerance";
    }

    function drawMarks(clip) {
        context.fillStyle = plot.colour("--muted");
        for (let frame = clip.restart; frame < clip.frames - 1; frame += clip.restart)
            context.fillRect(plot.xOf(shareOf(frame)) - 0.5, CURVE + MARKS / 2, 1, MARKS / 2);
        context.fillStyle = plot.colour("--bad");
        for (const [frame] of clip.breaks) {
            const x = plot.xOf(shareOf(frame));
            context.beginPath();
            context.moveTo(x, MAP);
            context.lineTo(x - 4, CURVE + 2);
            context.lineTo(x + 4, CURVE + 2);
            context.fill();
        }
    }

    function drawMap() {
        const joint = state.get("joint");
        context.imageSmoothingEnabled = false;
        context.drawImage(map, plot.left, MAP, plot.width, plot.height - MAP);
        plot.labelRows(names, MAP, rowHeight(), joint);
        if (joint === null) return;
        context.strokeStyle = plot.colour("--text");
        context.strokeRect(plot.left, MAP + joint * rowHeight(), plot.width, Math.max(rowHeight(), 2));
    }

    function draw() {
        if (!plot.begin()) return;
        const clip = shown();
        if (!clip) return;
        if (errors) {
            drawCurve();
            drawMap();
        }
        drawMarks(clip);
        plot.drawFrames(last());
        plot.drawPosition(shareOf(state.get("frame")));
    }

    /** Returns the joint of the map at the height of a pointer, or null above or below it. */
    function jointAt(event) {
        const inside = event.clientY - canvas.getBoundingClientRect().top - MAP;
        const joint = Math.floor(inside / rowHeight());
        return errors && joint >= 0 && joint < joints ? joint : null;
    }

    const frameAt = (event) => Math.round(plot.shareAt(event) * 2 * last()) / 2;

    function goTo(event) {
        if (!shown()) return;
        const joint = jointAt(event);
        state.set({ frame: frameAt(event), playing: false, ...(joint === null ? {} : { joint }) });
    }
    canvas.addEventListener("pointerdown", (event) => {
        canvas.setPointerCapture(event.pointerId);
        goTo(event);
    });
    canvas.addEventListener("pointermove", (event) => event.buttons && goTo(event));
    plot.explain((event) => {
        const clip = shown();
        if (!clip || !errors) return "";
        const frame = frameAt(event);
        const joint = jointAt(event);
        const there = errors.subarray(2 * frame * joints, (2 * frame + 1) * joints);
        const row = joint ?? there.indexOf(mostAt(2 * frame));
        return `${names[row]}, frame ${frame}: ${page.errorText(clip, row, there[row])}`;
    });

    const describe = () => {
        const clip = shown();
        const { joint, frame } = state.values;
        legend.querySelector("[data-mark=jumps]").hidden = !clip?.breaks.length;
        legend.querySelector("[data-mark=restarts]").hidden = !clip || !clip.restart || clip.restart >= last();
        for (const key of legend.querySelectorAll("li:not([data-mark])")) key.hidden = !errors;
        if (!clip) return (label.textContent = "This bank lacks the clip.");
        const parts = [];
        if (errors) {
            const sample = Math.round(2 * frame);
            const { limited, units_mm, largest_mm, joint: worst, sample: at } = page.errorsOf(clip);
            const tolerance = limited ? `tolerance ${units_mm[worst].toPrecision(3)} mm` : "no tolerance";
            parts.push(`largest error ${largest_mm.toFixed(4)} mm at ${names[worst]}, frame ${at / 2}; ${tolerance}`);
            if (joint !== null) {
                const step = errors[sample * joints + joint];
                parts.push(`${names[joint]} here: ${page.errorText(clip, joint, step)}`);
            }
        } else parts.push("no errors without a source");
        parts.push(`${clip.breaks.length} jumps`);
        label.textContent = parts.join(" · ");
    };

    state.watch(["clip", "bank", "versions"], () => {
        readErrors();
        canvas.style.height = errors ? "" : `${MAP + 22}px`;
        draw();
    });
    state.watch(["frame", "joint"], draw);
    state.watch(["clip", "bank", "joint", "playing", "versions"], describe);
    state.watch(["frame"], ({ playing }) => playing || describe());
    return { positionOf: (joint, frame) => ({ x: plot.xOf(shareOf(frame)), y: MAP + (joint + 0.5) * rowHeight() }) };
}
