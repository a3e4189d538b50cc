// The list of clips, with a search.

import { byId, counted, html } from "../elements.js";

export function showClips(page, state) {
    const list = byId("clips");
    const search = byId("search");
    const count = byId("clip-count");
    const items = page.clips.map((clip, index) =>
        html(
            "li",
            {
                role: "option",
                id: `clip-${index}`,
                "aria-selected": "false",
                onclick: () => state.set({ clip: index }),
            },
            html("span", { class: "name" }, clip.name),
            html(
                "span",
                { class: "detail" },
                `${clip.seconds.toFixed(2)} s${clip.additive ? `, ${clip.additive}` : ""}`,
                html("span", { class: "tier" }),
                html("span", {}, `${counted(clip.bytes)} B`),
            ),
        ),
    );
    list.append(...items);

    const filter = () => {
        const wanted = search.value.trim().toLowerCase();
        let shown = 0;
        page.clips.forEach((clip, index) => {
            items[index].hidden = !clip.name.toLowerCase().includes(wanted);
            shown += !items[index].hidden;
        });
        count.textContent =
            shown === items.length ? `${counted(shown)} clips` : `${counted(shown)} of ${counted(items.length)} clips`;
    };
    search.addEventListener("input", filter);
    filter();

    /** Selects the next or previous visible clip. */
    const step = (by) => {
        for (let next = state.get("clip") + by; next >= 0 && next < items.length; next += by) {
            if (!items[next].hidden) return state.set({ clip: next });
        }
    };
    list.addEventListener("keydown", (event) => {
        const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
        if (!by) return;
        event.preventDefault();
        event.stopPropagation();
        step(by);
    });

    let chosen = null;
    state.watch(["clip"], ({ clip }) => {
        chosen?.setAttribute("aria-selected", "false");
        chosen = items[clip];
        chosen.setAttribute("aria-selected", "true");
        list.setAttribute("aria-activedescendant", chosen.id);
        chosen.scrollIntoView({ block: "nearest" });
    });
    return { step };
}
