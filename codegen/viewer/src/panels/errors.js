// The joints with the largest errors in the current clip.

import { STEPS } from "../drawing/colours.js";
import { byId, html } from "../elements.js";

export function showErrors(page, state) {
    const rows = byId("joint-errors");
    state.watch(["clip", "bank", "versions"], () => {
        const clip = page.clipIn(state.get("bank"), state.get("clip"));
        byId("no-source").hidden = Boolean(clip?.errors);
        if (!clip?.errors) return rows.replaceChildren();
        const errors = page.errorsOf(clip).steps;
        const joints = page.joints.length;
        const worst = page.joints.map((joint, index) => ({ joint, index, step: 0, sample: 0 }));
        errors.forEach((step, at) => {
            const row = worst[at % joints];
            if (step > row.step) Object.assign(row, { step, sample: Math.floor(at / joints) });
        });
        rows.replaceChildren(
            ...worst
                .sort((a, b) => b.step - a.step)
                .map(({ joint, index, step, sample }) =>
                    html(
                        "tr",
                        {},
                        html(
                            "th",
                            { scope: "row" },
                            html(
                                "button",
                                { onclick: () => state.set({ joint: index, frame: sample / 2, playing: false }) },
                                joint.name,
                            ),
                        ),
                        html("td", {}, page.errorText(clip, index, step)),
                        html(
                            "td",
                            {},
                            html("meter", { min: 0, max: 2, high: 1, value: step / STEPS, "aria-hidden": "true" }),
                        ),
                        html("td", {}, `frame ${sample / 2}`),
                    ),
                ),
        );
    });
}
