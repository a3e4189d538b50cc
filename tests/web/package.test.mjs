// Tests of the npm package on the bank of the demo character: node --test package.test.mjs, with the addresses of the
// package and the bank in PACKAGE and BANK.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const ossicle = await import(process.env.PACKAGE);
const { openBank, LOCAL_FLOATS, MATRIX_FLOATS, OssicleError } = ossicle;
const bytes = readFileSync(process.env.BANK);
const bank = await openBank(bytes);
const floats = () => new Float32Array(MATRIX_FLOATS * bank.joints.length);
const playing = (clip, options) => bank.createPlayer().play(clip, options);
const fails = (code) => (error) => error instanceof OssicleError && error.code === code;

test("a damaged bank is refused", async () => {
    const damaged = Uint8Array.from(bytes);
    damaged[damaged.length - 9] ^= 1;
    await assert.rejects(openBank(damaged), fails("OSC_ERROR_CRC"));
    await assert.rejects(openBank(bytes.subarray(0, 99)), fails("OSC_ERROR_SIZE"));
    await assert.rejects(openBank(new ArrayBuffer(64)), fails("OSC_ERROR_MAGIC"));
    await assert.rejects(openBank("hero.ossb"), TypeError);
});

test("views and buffers open alike", async () => {
    const shifted = new Uint8Array(bytes.length + 1);
    shifted.set(bytes, 1);
    const opened = await openBank(shifted.subarray(1));
    assert.deepEqual(opened.clips, bank.clips);
    assert.deepEqual((await openBank(shifted.slice(1).buffer)).joints, bank.joints);
});

test("clips are found by name and number", () => {
    assert.equal(bank.findClip("Walk"), bank.clips.findIndex(({ name }) => name === "Walk"));
    assert.equal(bank.findClip(1), 1);
    for (const wrong of ["walk", -1, bank.clips.length, 0.5, null])
        assert.throws(() => bank.findClip(wrong), fails("OSC_ERROR_NOT_FOUND"));
});

test("time moves a player as the sum of its steps", () => {
    const { seconds, framesPerSecond } = bank.clips[bank.findClip("Walk")];
    const [steps, jump, sought] = [0, 1, 2].map(() => playing("Walk", { loops: Infinity }));
    for (let i = 0; i < 60; i++) steps.advance(1 / 60);
    jump.advance(1);
    assert.equal(steps.frame, jump.frame);
    assert.equal(steps.hash(), jump.hash());
    sought.seek(seconds / 2);
    assert.ok(Math.abs(sought.frame - (seconds / 2) * framesPerSecond) <= 1 / 2048);
    assert.ok(Math.abs(sought.seconds - seconds / 2) < 1e-3);
    sought.seek(1e9);
    assert.equal(sought.seconds, seconds);
});

test("a clip ends, turns back, and changes its speed", () => {
    const [once, backward] = [playing("Walk", { loops: 1 }), playing("Walk", { loops: 1, speed: -2 })];
    const { seconds, frames } = once.clip;
    once.advance(2 * seconds);
    assert.ok(once.finished);
    assert.equal(once.frame, frames - 1);
    assert.equal(backward.frame, frames - 1);
    backward.setSpeed(-1);
    backward.advance(seconds / 2);
    assert.ok(!backward.finished && Math.abs(backward.seconds - seconds / 2) < 1e-3);
    backward.advance(seconds);
    assert.ok(backward.finished && backward.frame === 0);
});

test("players do not share anything, also when memory grows", () => {
    const first = playing("Walk");
    first.seekFrame(3.5);
    const [hash, model] = [first.hash(), first.writeModel(floats())];
    const others = Array.from({ length: 200 }, () => playing("Run"));
    for (const other of others) other.writeModel(floats());
    assert.equal(first.hash(), hash);
    assert.deepEqual(first.writeModel(floats()), model);
    const array = new Float32Array(MATRIX_FLOATS * bank.joints.length + 7);
    assert.deepEqual(first.writeModel(array, 7).subarray(7), model);
    assert.deepEqual(array.subarray(0, 7), new Float32Array(7));
});

test("the memory of a player is used again", () => {
    const [before, kept] = [playing("Walk"), playing("Walk")];
    before.dispose();
    before.dispose();
    const after = playing("Run");
    after.seekFrame(4);
    assert.notEqual(after.hash(), kept.hash());
    assert.throws(() => before.hash(), fails("DISPOSED"));
    assert.throws(() => before.play("Walk"), fails("DISPOSED"));
    const another = bank.createPlayer();
    assert.throws(() => another.hash(), fails("NOT_PLAYING"));
    assert.equal(another.clip, null);
});

test("a blend leads from one pose to the other", () => {
    const [walk, run] = [playing("Walk"), playing("Run")];
    walk.seekFrame(5);
    run.seekFrame(2);
    const [from, to, local] = [walk, run, walk].map((player) => player.writeLocal(floats()));
    walk.blend(run, 0);
    assert.deepEqual(walk.writeLocal(floats()), from);
    walk.blend(run, 1);
    walk.writeLocal(local);
    for (let at = 0; at < LOCAL_FLOATS * bank.joints.length; at++)
        assert.ok(Math.abs(Math.abs(local[at]) - Math.abs(to[at])) < 2 ** -12);
    walk.seekFrame(5);
    assert.deepEqual(walk.writeLocal(floats()), from);
    assert.throws(() => walk.blend(walk, 0.5), TypeError);
    assert.throws(() => walk.add(run), TypeError);
});

test("an additive clip is added", async () => {
    const additive = await openBank(readFileSync(process.env.ADDITIVE));
    const [base, wave] = [additive.createPlayer().play("Idle"), additive.createPlayer().play("Wave")];
    assert.ok(wave.clip.additive && !base.clip.additive);
    wave.seekFrame(10);
    const [plain, added] = [0, 1].map(() => new Float32Array(MATRIX_FLOATS * additive.joints.length));
    base.writeLocal(plain);
    base.add(wave, 0);
    assert.deepEqual(base.writeLocal(added), plain);
    base.add(wave);
    assert.notDeepEqual(base.writeLocal(added), plain);
    assert.throws(() => base.blend(wave, 0.5), TypeError);
    assert.throws(() => wave.blend(playing("Walk"), 0.5), TypeError);
});

test("wrong numbers and arrays are refused", () => {
    const player = playing("Walk");
    assert.throws(() => player.advance(-1), RangeError);
    assert.throws(() => player.advance(NaN), RangeError);
    assert.throws(() => player.seek(-1), RangeError);
    assert.throws(() => player.seekFrame(NaN), RangeError);
    assert.throws(() => player.setSpeed(1e9), RangeError);
    assert.throws(() => player.play("Walk", { loops: 0 }), RangeError);
    assert.throws(() => player.play("Walk", { speed: Infinity }), RangeError);
    assert.throws(() => player.blend(playing("Run"), 2), RangeError);
    assert.throws(() => player.writeModel(new Float32Array(3)), RangeError);
    assert.throws(() => player.writeModel(floats(), -1), RangeError);
    assert.throws(() => player.writeModel(floats(), 0.5), RangeError);
    assert.throws(() => player.writeLocal([]), TypeError);
});

test("a bank without inverse bind matrices has no skin", () => {
    assert.ok(!bank.hasSkin);
    assert.throws(() => playing("Walk").writeSkin(floats()), fails("OSC_ERROR_SECTION"));
});

test("the runtime loads from an address, bytes or a module", async () => {
    const module = new URL("./ossicle.wasm", process.env.PACKAGE);
    for (const source of [module, module.href, readFileSync(module), await WebAssembly.compile(readFileSync(module))]) {
        await ossicle.loadRuntime(source);
        assert.equal((await openBank(bytes)).clips.length, bank.clips.length);
    }
    await assert.rejects(ossicle.loadRuntime(new Uint8Array(8)));
    assert.equal((await openBank(bytes)).clips.length, bank.clips.length); // loads it again
});

test("types are declared for everything, and for nothing else", () => {
    const types = readFileSync(new URL("./index.d.ts", process.env.PACKAGE), "utf8");
    const exported = [...types.matchAll(/^export (?:const|class|function) (\w+)/gm)].map(([, name]) => name);
    assert.deepEqual(exported.sort(), Object.keys(ossicle).sort());
    const player = playing("Walk");
    for (const [name, object] of [["Bank", bank], ["Player", player], ["Clip", bank.clips[0]], ["Joint", bank.joints[0]]]) {
        const body = types.match(new RegExp(`^export interface ${name} \\{\n(.*?)^\\}`, "ms"))[1];
        const declared = [...body.matchAll(/^    (?:readonly )?(\w+)[(:?]/gm)].map(([, member]) => member);
        const own = [...Object.keys(object), ...Object.getOwnPropertyNames(Object.getPrototypeOf(object))];
        const members = name === "Clip" || name === "Joint" ? Object.keys(object) : own;
        assert.deepEqual(declared.sort(), members.filter((member) => member !== "constructor").sort());
    }
});
