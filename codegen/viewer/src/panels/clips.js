// The list of clips, with a search.

import { byId, counted, html } from "../elements.js";

export function showClips(page, state) {
    const list = byId("clips");
    const search = byId("search");
    const count = byId("clip-count");
    const button = byId("clip-button");
    const narrow = window.matchMedia("(max-width: 800px)");
    const expand = (yes) => button.setAttribute("aria-expanded", String(yes));
    /** Scrolls the list to an item. The page itself stays where it is. */
    const reveal = (item) => {
        const [around, place] = [list, item].map((element) => element.getBoundingClientRect());
        if (place.top < around.top) list.scrollTop += place.top - around.top;
        else if (place.bottom > around.bottom) list.scrollTop += place.bottom - around.bottom;
    };
    const choose = (index) => {
        state.set({ clip: index });
        if (!narrow.matches) return;
        expand(false);
        button.focus({ preventScroll: true });
    };
    button.addEventListener("click", () => {
        expand(button.getAttribute("aria-expanded") === "false");
        reveal(items[state.get("clip")]);
    });
    const items = page.clips.map((clip, index) =>
        html(
            "li",
            {
                role: "option",
                id: `clip-${index}`,
                "aria-selected": "false",
                onclick: () => choose(index),
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
        const all = counted(items.length);
        if (shown === items.length) count.textContent = `${all} clips`;
        else count.textContent = shown ? `${counted(shown)} of ${all} clips` : `No name of ${all} clips contains this text.`;
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
        if (event.key === "Enter" && narrow.matches) return choose(state.get("clip"));
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
        byId("clip-name").textContent = `Clip: ${page.clips[clip].name}`;
        reveal(chosen);
    });
    return { step };
}
