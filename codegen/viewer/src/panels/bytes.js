// The use of a bank's bytes: a treemap, by clips or by joints, and the cost of every joint.

import { bar, breakable, byId, bytesText, counted, html, svg } from "../elements.js";
import { fitting } from "../text.js";
import { squarified } from "./treemap.js";

const KINDS = ["rotation", "translation", "scale"];
const PARTS = ["header", "keys", "values"];
const MOST_CELLS = 120;
const LABEL = { height: 17, size: 12, edge: 5 }; // pixels


const branch = (name, children) => {
    const kept = children.filter((child) => child.value > 0);
    return { name, children: kept, value: kept.reduce((sum, child) => sum + child.value, 0) };
};
/** Merges the smallest children of a node that has too many to distinguish. */
function gathered(node) {
    if (node.children.length <= MOST_CELLS) return node.children;
    const ordered = [...node.children].sort((a, b) => b.value - a.value);
    const rest = ordered.slice(MOST_CELLS - 1);
    return [...ordered.slice(0, MOST_CELLS - 1), branch(`${counted(rest.length)} others`, rest)];
}

const leaf = (name, value) => ({ name, value, children: [] });
/** Marks a node that has no tracks of clips. */
const rest = (node) => ({ ...node, rest: true, children: node.children.map(rest) });
const partsOf = (track) => PARTS.map((part, i) => leaf(part, track[2 + i]));
const trackOf = (track) => branch(KINDS[track[1]], partsOf(track));

function grouped(tracks, key) {
    const groups = new Map();
    for (const track of tracks) groups.set(track[key], [...(groups.get(track[key]) ?? []), track]);
    return groups;
}

/** Clip > joint > track > part. */
function treeByClip(page, bank) {
    const clips = bank.bits.clips.map((bits, index) =>
        branch(bank.clips[index].name, [
            rest(leaf("directory entry and name", bits.entry)),
            rest(leaf("shared by its tracks", bits.shared)),
            ...[...grouped(bits.tracks, 0)].map(([joint, tracks]) =>
                branch(page.joints[joint].name, tracks.map(trackOf)),
            ),
        ]),
    );
    const skeleton = page.joints.map((joint, index) =>
        branch(
            joint.name,
            ["bind pose", "skinning matrix", "name"].map((part, i) => leaf(part, bank.bits.joints[index][i])),
        ),
    );
    return branch(bank.name, [...clips, rest(branch("skeleton", skeleton)), ...restOf(bank)]);
}

/** Joint > clip > track > part. */
function treeByJoint(page, bank) {
    const clipsOf = page.joints.map(() => []);
    bank.bits.clips.forEach((bits, index) => {
        for (const [joint, tracks] of grouped(bits.tracks, 0))
            clipsOf[joint].push(branch(bank.clips[index].name, tracks.map(trackOf)));
    });
    const joints = page.joints.map((joint, index) =>
        branch(joint.name, [
            ...["bind pose", "skinning matrix", "name"].map((part, i) => rest(leaf(part, bank.bits.joints[index][i]))),
            ...clipsOf[index],
        ]),
    );
    const clips = bank.bits.clips.map((bits, index) => leaf(bank.clips[index].name, bits.entry + bits.shared));
    return branch(bank.name, [...joints, rest(branch("clips, besides their tracks", clips)), ...restOf(bank)]);
}

const restOf = (bank) => [
    rest(leaf("header", bank.bits.header)),
    ...Object.entries(bank.bits.other).map(([tag, value]) => rest(leaf(`rest of ${tag}`, value))),
];

export function showBytes(page, state) {
    const picture = byId("treemap");
    const trail = byId("trail");
    const table = byId("joint-costs");
    let root = null;
    let path = [];

    const here = () => path.reduce((node, name) => gathered(node).find((child) => child.name === name) ?? node, root);

    function drawTrail() {
        const steps = [root.name, ...path];
        trail.replaceChildren(
            ...steps.map((name, depth) =>
                html(
                    "button",
                    { disabled: depth === steps.length - 1, onclick: () => open(path.slice(0, depth)) },
                    name,
                ),
            ),
            html("span", { class: "detail" }, bytesText(here().value)),
        );
    }

    function cell({ item, x, y, width, height }, index, whole) {
        const share = ((100 * item.value) / whole).toFixed(1);
        const text = `${item.name}: ${bytesText(item.value)}, ${share} %`;
        const room = width - 2 * LABEL.edge;
        const name = fitting(item.name, room, LABEL.size);
        const bytes = bytesText(item.value);
        const lines = name === "" ? [] : fitting(bytes, room, LABEL.size) === bytes ? [name, bytes] : [name];
        const enter = () => item.children.length && open([...path, item.name]);
        return svg(
            "g",
            {
                class: `cell${item.children.length ? " opens" : ""}${item.rest ? " rest" : ""}`,
                role: item.children.length ? "button" : "img",
                tabindex: index === 0 ? 0 : -1,
                onclick: enter,
                onkeydown: (event) => move(event, enter),
            },
            svg("title", {}, text),
            svg("rect", {
                x,
                y,
                width: Math.max(width - 1, 0.5),
                height: Math.max(height - 1, 0.5),
            }),
            ...lines
                .slice(0, Math.floor(height / LABEL.height))
                .map((line, row) => svg("text", { x: x + LABEL.edge, y: y + 13 + 15 * row, "aria-hidden": "true" }, line)),
        );
    }

    /** Enter zooms in, Backspace zooms out, arrows move to the neighbours. */
    function move(event, enter) {
        const cell = event.currentTarget;
        const next = {
            ArrowRight: cell.nextSibling,
            ArrowDown: cell.nextSibling,
            ArrowLeft: cell.previousSibling,
            ArrowUp: cell.previousSibling,
        }[event.key];
        if (next) next.focus();
        else if (event.key === "Enter" || event.key === " ") enter();
        else if (event.key === "Backspace") open(path.slice(0, -1));
        else return;
        event.preventDefault();
        event.stopPropagation();
    }

    function draw() {
        const { clientWidth: width, clientHeight: height } = picture;
        if (!root || width === 0) return;
        const node = here();
        picture.setAttribute("viewBox", `0 0 ${width} ${height}`);
        picture.replaceChildren(
            ...squarified(gathered(node), width, height).map((place, index) => cell(place, index, node.value)),
        );
        drawTrail();
    }

    function open(next) {
        path = next;
        draw();
        if (picture.contains(document.activeElement)) return;
        if (byId("panel-bytes").contains(document.activeElement) || document.activeElement === document.body)
            picture.firstChild?.focus();
    }

    function drawTable(bank) {
        const costs = page.joints.map((joint, index) => {
            const tracks = bank.bits.clips.flatMap((clip) => clip.tracks.filter((track) => track[0] === index));
            const bits = [...bank.bits.joints[index], ...tracks.flatMap((track) => track.slice(2))].reduce(
                (a, b) => a + b,
                0,
            );
            return { joint, index, bits, tracks: tracks.length };
        });
        const whole = 8 * bank.bytes;
        const idle = costs.filter(({ joint }) => joint.idle);
        const idleBits = idle.reduce((sum, { bits }) => sum + bits, 0);
        byId("drops").textContent = idle.length
            ? `${idle.length} joints carry no vertex and no mesh, nor do joints below them. They take ${bytesText(idleBits)}, ` +
              `${((100 * idleBits) / whole).toFixed(1)} % of the bank. ossicle encode --drop unweighted leaves them out.`
            : "";
        table.replaceChildren(
            ...costs
                .sort((a, b) => b.bits - a.bits)
                .map(({ joint, index, bits, tracks }) =>
                    html(
                        "tr",
                        { class: joint.idle ? "idle" : null },
                        html(
                            "th",
                            { scope: "row" },
                            html("button", { onclick: () => state.set({ joint: index }) }, ...breakable(joint.name)),
                            joint.idle ? html("span", { class: "detail" }, " carries nothing") : "",
                        ),
                        html("td", {}, bytesText(bits)),
                        html("td", {}, bar(bits / costs[0].bits)),
                        html("td", {}, `${((100 * bits) / whole).toFixed(1)} %`),
                        html("td", {}, counted(tracks)),
                    ),
                ),
        );
    }

    const order = byId("bytes-order");
    const refresh = () => {
        const bank = page.banks[state.get("bank")];
        root = order.value === "joints" ? treeByJoint(page, bank) : treeByClip(page, bank);
        path = [];
        byId("bytes-sum").textContent = `${bytesText(root.value)} of ${bytesText(8 * bank.bytes)}`;
        draw();
        drawTable(bank);
    };
    order.addEventListener("change", refresh);
    state.watch(["bank"], refresh);
    new ResizeObserver(draw).observe(picture);
}
