// Starts the page: reads its data, opens the banks, and draws.

import runtime from "player.wasm";
import { showBanks } from "./panels/banks.js";
import { showBytes } from "./panels/bytes.js";
import { followChanges } from "./changes.js";
import { showClips } from "./panels/clips.js";
import { readData } from "./data.js";
import { byId, counted, html } from "./elements.js";
import { showErrors } from "./panels/errors.js";
import { showFeet } from "./panels/feet.js";
import { GraphTab } from "./graph/tab.js";
import { readMesh } from "./drawing/mesh.js";
import { Page } from "./page.js";
import { Picture, sizeOf } from "./drawing/picture.js";
import { hashOf } from "./playing/runtime.js";
import { Scene } from "./drawing/scene.js";
import { State } from "./state.js";
import { showStreaming, Streaming } from "./panels/streaming.js";
import { showTabs } from "./panels/tabs.js";
import { showTimeline } from "./panels/timeline.js";
import { advance, showTransport } from "./panels/transport.js";

const MOST_SHELLS = 100; // drawn by default
const FIRST_TAB = "errors";
const LONGEST_STEP = 0.25; // seconds: after a pause of the browser, the clip continues where it stopped

function say(problem) {
    const message = byId("message");
    message.textContent = problem;
    message.hidden = problem === "";
}

/** Reads the state after # in the address, so that a reopened page shows the same. */
function remembered(page) {
    const address = new URLSearchParams(location.hash.slice(1));
    const clip = page.clips.findIndex(({ name }) => name === address.get("clip"));
    const frame = Number(address.get("frame"));
    return {
        clip: Math.max(clip, 0),
        frame: clip >= 0 && frame >= 0 && frame <= page.clips[clip].frames - 1 ? frame : 0,
        playing: !address.has("paused"),
        tab: address.get("tab"),
    };
}

function remember(page, state) {
    state.watch(["clip", "playing", "tab"], ({ clip, frame, playing, tab }) => {
        const address = new URLSearchParams({
            clip: page.clips[clip].name,
            ...(tab === FIRST_TAB ? {} : { tab }),
            ...(playing ? {} : { frame: frame.toFixed(2), paused: "" }),
        });
        history.replaceState(null, "", `#${address}`);
    });
}

function showFacts(page, state) {
    document.title = `${page.name} · Ossicle`;
    byId("title").textContent = page.name;
    state.watch(["bank"], ({ bank }) => {
        const { name, bytes, clips } = page.banks[bank];
        byId("facts").textContent =
            `${bank ? `${name}: ` : ""}${counted(bytes)} bytes · ${counted(clips.length)} clips · ${counted(page.joints.length)} joints`;
    });
}

/** Shows a choice of streaming tiers, if the page contains any. */
function showTiers(page, state) {
    const most = Math.max(...page.banks.map(({ stream, tiers }) => (stream ? 0 : tiers)));
    const choice = byId("tiers");
    choice.parentElement.hidden = most === 0;
    for (let count = most; count >= 0; count--)
        choice.append(
            html("option", { value: count }, count === most ? "all" : count === 0 ? "none" : `first ${count}`),
        );
    choice.addEventListener("change", () => state.set({ tiers: Number(choice.value) }));
    if (most > 0) state.watch(["tiers"], ({ tiers }) => page.keepTiers(tiers ?? most));
}

/** Returns the hash of a streamed bank, after all of its tiers have arrived. */
async function streamedHash(page, streaming, onProgress) {
    const { clips, stage } = page.banks[0];
    const second = page.stage(page.banks[0]);
    for (;;) {
        await streaming.arrived();
        const before = stage.changes();
        const hash = await hashOf(second, clips.length, onProgress);
        if (stage.changes() === before) return hash; // otherwise tiers have been dropped
    }
}

/** Plays each bank in a second player, and compares its hash with that of the computer that wrote the page. */
async function checkHashes(page, streaming) {
    const place = byId("hash");
    const say = (text, result) => Object.assign(place, { textContent: text, className: result });
    const saySame = (text) => say(`${text}, as on the computer that made this page`, "good");
    const isSame = (bank, hash, wanted) => {
        if (bank === page.banks[0]) place.dataset.hash = hash;
        if (hash !== wanted)
            say(`${bank.name}: pose hash ${hash}, but ${wanted} on the computer that made this page`, "bad");
        return hash === wanted;
    };
    for (const [index, bank] of page.banks.entries()) {
        const hash = await hashOf(page.opened(bank), bank.clips.length, (share) =>
            say(`pose hash: ${Math.round((100 * (index + share)) / page.banks.length)} %`, ""),
        );
        if (!isSame(bank, hash, bank.stream?.hash ?? bank.hash)) return;
    }
    const [first] = page.banks;
    const others = page.banks.length > 1 ? ` and those of ${page.banks.length - 1} more banks` : "";
    if (streaming) {
        saySame(`pose hash of the base ${first.stream.hash}${others}`);
        if (!isSame(first, await streamedHash(page, streaming, () => {}), first.hash)) return;
    }
    saySame(`pose hash ${first.hash}${others}`);
}

/** Shows what belongs to the tab of the graph, or else to the clips. */
function showMode(state) {
    state.watch(["tab"], ({ tab }) => {
        document.body.dataset.plays = tab === "graph" ? "graph" : "clips";
        byId("graph-bar").hidden = tab !== "graph";
    });
}

/** Draws each frame of the browser, and measures the time in our own code. */
function run(parts) {
    const { page, state, picture, streaming, graph } = parts;
    const costs = { frames: 0, milliseconds: 0, worst: 0 };
    window.ossicle = { ...parts, costs };
    let before = performance.now();
    const tick = (now) => {
        const seconds = Math.min((now - before) / 1000, LONGEST_STEP);
        before = now;
        const start = performance.now();
        if (graph?.active) {
            graph.update(seconds);
            const { character, session } = graph;
            picture.showCharacter(character.model(), session.now.place, (parameter) => session.valueOf(parameter));
        } else {
            advance(state, page.clips[state.get("clip")], seconds);
            picture.update();
        }
        streaming?.step(seconds);
        state.set({ versions: page.banks[state.get("bank")].stage.changes() });
        const cost = performance.now() - start;
        costs.frames++;
        costs.milliseconds += cost;
        costs.worst = Math.max(costs.worst, cost);
        picture.scene.draw();
        if (costs.frames === 1) performance.mark("first-frame");
        requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
}

async function start() {
    const data = await readData(byId("data").textContent);
    const page = await Page.open(data, runtime);
    if (page.clips.length === 0) throw new Error("the bank has no clips");
    const mesh = await readMesh(page.contents.mesh, page.array);
    const state = new State({
        ...remembered(page),
        bank: 0,
        versions: 0,
        looks: 0,
        joint: null,
        tiers: null,
        speed: 1,
        reverse: false,
        loop: true,
        source: "off",
        actor: page.actors.some(Boolean) ? "beside" : "off",
        heat: false,
        onion: false,
        path: false,
        bones: !mesh,
        mesh: Boolean(mesh),
        shells: !mesh && page.joints.length <= MOST_SHELLS,
        device: false,
        follow: true,
    });
    const scene = new Scene(sizeOf(page.banks[0].stage.pose(0, 0), page.parents, mesh), page.contents.screen);
    document.querySelector("[data-toggle=mesh]").hidden = !mesh;
    const picture = new Picture(page, state, scene, mesh);
    showFacts(page, state);
    showTiers(page, state);
    const graph = page.contents.graph ? new GraphTab(page, state, say) : null;
    byId("tab-graph").hidden = !graph;
    showTabs(state);
    showMode(state);
    const clips = showClips(page, state);
    showTransport(page, state, scene, clips);
    const timeline = showTimeline(page, state);
    showFeet(page, state);
    showErrors(page, state);
    showBytes(page, state);
    showBanks(page, state);
    state.watch(["clip"], ({ clip, frame }) => frame > page.clips[clip].frames - 1 && state.set({ frame: 0 }));
    remember(page, state);
    const streaming = page.banks[0].stream ? new Streaming(page, state, say) : null;
    if (streaming) showStreaming(page, state, streaming);
    run({ page, state, picture, streaming, graph, timeline });
    if (mesh?.unreadable.length > 0)
        say(`This browser cannot read a texture of ${mesh.unreadable.join(", ")}, which is drawn without it.`);
    await checkHashes(page, streaming);
}

followChanges();
start().catch((problem) =>
    say(`This page cannot show its bank: ${problem.message}. Write it again with ossicle view.`),
);
