// The joints with the largest errors in the current clip.

import { STEPS } from "../drawing/colours.js";
import { bar, breakable, byId, html } from "../elements.js";

/** Returns the text of a panel that has no errors to show. */
const noErrors = (clip) =>
    clip
        ? "Without its source, the errors of this bank are unknown: name the source files with --source."
        : "This bank lacks the clip.";

export function showErrors(page, state) {
    const rows = byId("joint-errors");
    const empty = byId("no-source");
    let buttons = [];
    state.watch(["clip", "bank", "versions"], () => {
        const clip = page.clipIn(state.get("bank"), state.get("clip"));
        const has = Boolean(clip?.errors);
        empty.textContent = has ? "" : noErrors(clip);
        rows.parentElement.hidden = !has;
        if (!has) return rows.replaceChildren();
        const errors = page.errorsOf(clip).steps;
        const joints = page.joints.length;
        const worst = page.joints.map((joint, index) => ({ joint, index, step: 0, sample: 0 }));
        errors.forEach((step, at) => {
            const row = worst[at % joints];
            if (step > row.step) Object.assign(row, { step, sample: Math.floor(at / joints) });
        });
        worst.sort((a, b) => b.step - a.step);
        buttons = worst.map(({ joint, index, sample }) => {
            const choose = () => state.set({ joint: index, frame: sample / 2, playing: false });
            return html("button", { onclick: choose, "data-joint": index }, ...breakable(joint.name));
        });
        rows.replaceChildren(
            ...worst.map(({ index, step, sample }, row) =>
                html(
                    "tr",
                    {},
                    html("th", { scope: "row" }, buttons[row]),
                    html("td", { class: step > STEPS ? "bad" : null }, page.errorText(clip, index, step)),
                    html("td", {}, bar(step / STEPS)),
                    html("td", {}, String(sample / 2)),
                ),
            ),
        );
    });
    state.watch(["joint", "clip", "bank", "versions"], ({ joint }) => {
        for (const button of buttons) button.setAttribute("aria-pressed", String(Number(button.dataset.joint) === joint));
    });
}
