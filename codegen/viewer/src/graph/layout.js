// Places the states and transitions of a machine on a plane, by dagre.

import { Graph, layout } from "@dagrejs/dagre";

const NODE = { least: 74, height: 26, line: 15, pad: 10 };
const LABEL = { most: 19, line: 13 }; // characters of a line, its height
const MOST_LABELS = 40; // beyond these, conditions are in the list alone
const MOST_SOURCES = 4; // of a transition, beyond which its lines begin at one point

const measuring = document.createElement("canvas").getContext("2d");

function widthOf(text, font) {
    measuring.font = font;
    return measuring.measureText(text).width;
}

/** Breaks a text into lines at spaces. */
export function linesOf(text, most = LABEL.most) {
    const lines = [];
    for (const word of text.split(" ")) {
        const last = lines.at(-1);
        if (last !== undefined && last.length + 1 + word.length <= most) lines[lines.length - 1] = `${last} ${word}`;
        else lines.push(word);
    }
    return lines;
}

/** Returns the lines of a state below its name: its clips, unless it has only one of the same name. */
function clipsOf({ name, clips }) {
    const own = name.slice(name.lastIndexOf(".") + 1).toLowerCase();
    return clips.length === 1 && clips[0].toLowerCase() === own ? [] : clips;
}

/** Returns the groups of a machine, each with the innermost group around it. */
function groupsOf({ groups }, { first, count }) {
    const within = groups.filter((group) => group.first >= first && group.first < first + count);
    return within.map((group) => ({ ...group, parent: innermost(within, group.name) }));
}

/** Returns the name of the innermost group around a state or group, or null. */
function innermost(groups, name) {
    const around = groups.filter((group) => name.startsWith(`${group.name}.`));
    return around.sort((a, b) => b.name.length - a.name.length)[0]?.name ?? null;
}

/** Returns {width, height, nodes, crowds, groups, edges} in pixels. nodes: {state, x, y, width, height, clips, short},
 * where x and y are the middle; crowds: many states that one transition leaves; edges: {transition, from, to, points,
 * lines, x, y}, where from is null for a crowd. fonts: {name, detail} of the page. */
export function layoutOf(graph, machine, fonts) {
    const plan = new Graph({ multigraph: true, compound: true });
    plan.setGraph({ rankdir: "TB", nodesep: 14, ranksep: 34, edgesep: 10, marginx: 8, marginy: 8 });
    const groups = groupsOf(graph, machine);
    for (const { name, parent } of groups) {
        plan.setNode(`group ${name}`, {});
        if (parent !== null) plan.setParent(`group ${name}`, `group ${parent}`);
    }
    for (let state = machine.first; state < machine.first + machine.count; state++) {
        const { name } = graph.states[state];
        const clips = clipsOf(graph.states[state]);
        const short = name.slice(name.lastIndexOf(".") + 1);
        const width = Math.max(
            NODE.least,
            widthOf(short, fonts.name) + 2 * NODE.pad,
            ...clips.map((clip) => widthOf(clip, fonts.detail) + 2 * NODE.pad + (clips.length > 1 ? 34 : 0)),
        );
        plan.setNode(String(state), { state, clips, short, width, height: NODE.height + clips.length * NODE.line });
        const around = innermost(groups, name);
        if (around !== null) plan.setParent(String(state), `group ${around}`);
    }
    addEdges(plan, graph, machine, fonts);
    layout(plan);
    const { width, height } = plan.graph();
    const nodes = plan.nodes().map((name) => ({ name, ...plan.node(name) }));
    return {
        width,
        height,
        nodes: nodes.filter(({ state }) => state !== undefined),
        crowds: nodes.filter(({ sources }) => sources !== undefined),
        groups: nodes
            .filter(({ name }) => name.startsWith("group "))
            .map((node) => ({ ...node, title: node.name.slice("group ".length) })),
        edges: plan.edges().map((edge) => plan.edge(edge)),
    };
}

/** Adds a line for each state that a transition leaves, or one for all of them if these are many. Only the first one
 * has its condition. */
function addEdges(plan, graph, machine, fonts) {
    const inside = (state) => state >= machine.first && state < machine.first + machine.count;
    const labelled = graph.transitions.filter(({ to }) => inside(to)).length <= MOST_LABELS;
    graph.transitions.forEach(({ from, to, when }, transition) => {
        const sources = from.filter(inside);
        const many = sources.length > MOST_SOURCES;
        if (many) {
            const short = `${sources.length} states`;
            const width = widthOf(short, fonts.detail) + 2 * NODE.pad;
            plan.setNode(`many ${transition}`, { sources, short, width, height: NODE.height - 6 });
        }
        (many ? [null] : sources).forEach((source, index) => {
            const lines = labelled && index === 0 && when ? linesOf(when) : [];
            const width = Math.max(1, ...lines.map((line) => widthOf(line, fonts.detail) + 8));
            const height = Math.max(1, lines.length * LABEL.line);
            const edge = { transition, from: source, to, lines, width, height, labelpos: "c" };
            plan.setEdge(many ? `many ${transition}` : String(source), String(to), edge, String(transition));
        });
    });
}
