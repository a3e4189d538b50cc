// The tabs of the panel, with the keys that screen readers expect.

import { byId } from "../elements.js";

/** state: `tab` becomes the name of the chosen one. */
export function showTabs(state) {
    const tabs = [...document.querySelectorAll("[role=tab]:not([hidden])")];
    const nameOf = (tab) => tab.id.slice("tab-".length);
    const choose = (chosen, focus) => {
        for (const tab of tabs) {
            tab.setAttribute("aria-selected", String(tab === chosen));
            tab.tabIndex = tab === chosen ? 0 : -1;
            byId(tab.getAttribute("aria-controls")).hidden = tab !== chosen;
        }
        state.set({ tab: nameOf(chosen) });
        if (focus) chosen.focus();
    };
    tabs.forEach((tab, index) => {
        tab.addEventListener("click", () => choose(tab));
        tab.addEventListener("keydown", (event) => {
            const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
            if (!by) return;
            event.preventDefault();
            event.stopPropagation();
            choose(tabs[(index + by + tabs.length) % tabs.length], true);
        });
    });
    choose(tabs.find((tab) => nameOf(tab) === state.get("tab")) ?? tabs[0]);
}
