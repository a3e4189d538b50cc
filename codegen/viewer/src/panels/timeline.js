// The timeline: the largest error of every frame with the tolerance, the error of every joint as a map, jumps and
// restart points, and the present position.

import { ERROR_COLOURS, shadeOf, STEPS } from "../drawing/colours.js";
import { byId } from "../elements.js";

const CURVE = 46; // pixels, the height of the curve
const MARKS = 12;
const MOST = 1.5; // tolerances at the top of the curve

export function showTimeline(page, state) {
    const canvas = byId("timeline");
    const context = canvas.getContext("2d");
    const label = byId("timeline-text");
    const map = document.createElement("canvas");
    const style = getComputedStyle(document.documentElement);
    const colour = (name) => style.getPropertyValue(name).trim();
    let errors = null; // steps [sample][joint]

    const shown = () => page.clipIn(state.get("bank"), state.get("clip"));
    const xOf = (frame) => (frame / Math.max(shown().frames - 1, 1)) * canvas.clientWidth;

    /** Draws the map of a clip: a pixel for each joint and sample. */
    function readErrors() {
        const clip = shown();
        errors = page.errorsOf(clip)?.steps ?? null;
        if (!errors) return;
        const joints = page.joints.length;
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

    function drawCurve(width) {
        const joints = page.joints.length;
        const samples = errors.length / joints;
        const yOf = (step) => CURVE - Math.min(step / STEPS / MOST, 1) * CURVE;
        context.fillStyle = colour("--accent-soft");
        context.strokeStyle = colour("--accent");
        context.beginPath();
        context.moveTo(0, CURVE);
        for (let sample = 0; sample < samples; sample++) {
            let most = 0;
            for (let joint = 0; joint < joints; joint++) most = Math.max(most, errors[sample * joints + joint]);
            context.lineTo((sample / Math.max(samples - 1, 1)) * width, yOf(most));
            if (samples === 1) context.lineTo(width, yOf(most));
        }
        context.lineTo(width, CURVE);
        context.fill();
        context.stroke();
        context.strokeStyle = colour("--bad");
        context.setLineDash([4, 3]);
        context.beginPath();
        context.moveTo(0, yOf(STEPS));
        context.lineTo(width, yOf(STEPS));
        context.stroke();
        context.setLineDash([]);
    }

    function drawMarks(clip, top) {
        context.fillStyle = colour("--muted");
        for (let frame = clip.restart; frame < clip.frames - 1; frame += clip.restart)
            context.fillRect(xOf(frame) - 0.5, top + MARKS / 2, 1, MARKS / 2);
        context.fillStyle = colour("--bad");
        for (const [frame] of clip.breaks) {
            context.beginPath();
            context.moveTo(xOf(frame), top + MARKS);
            context.lineTo(xOf(frame) - 4, top + 2);
            context.lineTo(xOf(frame) + 4, top + 2);
            context.fill();
        }
    }

    function draw() {
        const { clientWidth: width, clientHeight: height } = canvas;
        const ratio = window.devicePixelRatio || 1;
        if (width === 0) return;
        canvas.width = width * ratio;
        canvas.height = height * ratio;
        context.setTransform(ratio, 0, 0, ratio, 0, 0);
        const clip = shown();
        if (!clip) return;
        if (errors) {
            drawCurve(width);
            context.imageSmoothingEnabled = false;
            context.drawImage(map, 0, CURVE + MARKS, width, height - CURVE - MARKS);
        }
        drawMarks(clip, CURVE);
        const joint = state.get("joint");
        if (errors && joint !== null) {
            const row = (height - CURVE - MARKS) / page.joints.length;
            context.strokeStyle = colour("--text");
            context.strokeRect(0.5, CURVE + MARKS + joint * row, width - 1, Math.max(row, 2));
        }
        context.fillStyle = colour("--text");
        context.fillRect(xOf(state.get("frame")) - 1, 0, 2, height);
    }

    /** Returns the joint of the map at a height, or null above it. */
    function jointAt(y) {
        const inside = y - CURVE - MARKS;
        if (inside < 0 || !errors) return null;
        const row = (canvas.clientHeight - CURVE - MARKS) / page.joints.length;
        return Math.min(Math.floor(inside / row), page.joints.length - 1);
    }

    function goTo(event) {
        const box = canvas.getBoundingClientRect();
        const last = shown().frames - 1;
        const frame = Math.round(((event.clientX - box.left) / box.width) * 2 * last) / 2;
        const joint = jointAt(event.clientY - box.top);
        state.set({ frame: Math.min(Math.max(frame, 0), last), playing: false, ...(joint === null ? {} : { joint }) });
    }
    canvas.addEventListener("pointerdown", (event) => {
        canvas.setPointerCapture(event.pointerId);
        goTo(event);
    });
    canvas.addEventListener("pointermove", (event) => {
        if (event.buttons) goTo(event);
        const joint = jointAt(event.clientY - canvas.getBoundingClientRect().top);
        canvas.title = joint === null ? "" : page.joints[joint].name;
    });

    const describe = () => {
        const clip = shown();
        const { joint, frame } = state.values;
        if (!clip) return;
        const parts = [];
        if (errors) {
            const sample = Math.round(2 * frame);
            const { limited, units_mm, largest_mm, joint: worst, sample: at } = page.errorsOf(clip);
            const tolerance = limited ? `tolerance ${units_mm[worst].toPrecision(3)} mm` : "no tolerance";
            parts.push(
                `largest error ${largest_mm.toFixed(4)} mm at ${page.joints[worst].name}, frame ${at / 2}; ${tolerance}`,
            );
            if (joint !== null) {
                const step = errors[sample * page.joints.length + joint];
                parts.push(`${page.joints[joint].name} here: ${page.errorText(clip, joint, step)}`);
            }
        }
        parts.push(`${clip.breaks.length} jumps`);
        label.textContent = parts.join(" · ");
    };

    state.watch(["clip", "bank", "versions"], () => {
        readErrors();
        draw();
    });
    state.watch(["frame", "joint"], draw);
    state.watch(["clip", "bank", "joint", "playing", "versions"], describe);
    state.watch(["frame"], ({ playing }) => playing || describe());
    new ResizeObserver(draw).observe(canvas);
}
