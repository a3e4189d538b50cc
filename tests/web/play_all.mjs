// Prints the hash of all poses of a bank, half frames too, and floats of some: node play_all.mjs PACKAGE BANK
import { readFileSync } from "node:fs";

const { openBank, HASH_START, LOCAL_FLOATS, MATRIX_FLOATS } = await import(process.argv[2]);
const bank = await openBank(readFileSync(process.argv[3]));
const player = bank.createPlayer();
let hash = HASH_START;
const poses = [];
for (const [number, { frames }] of bank.clips.entries()) {
    player.play(number);
    for (let half = 0; half < 2 * frames - 1; half++) {
        player.seekFrame(half / 2);
        hash = player.hash(hash);
    }
    player.seekFrame(frames / 3);
    const local = player.writeLocal(new Float32Array(LOCAL_FLOATS * bank.joints.length));
    const model = player.writeModel(new Float32Array(MATRIX_FLOATS * bank.joints.length));
    const skin = bank.hasSkin ? player.writeSkin(new Float32Array(MATRIX_FLOATS * bank.joints.length)) : [];
    poses.push({ position: 2048 * player.frame, local: [...local], model: [...model], skin: [...skin] });
}
console.log(JSON.stringify({ hash, poses, clips: bank.clips, joints: bank.joints }));
