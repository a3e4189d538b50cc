// Measures the npm package: node bench_wasm.mjs PACKAGE REPETITIONS BANK... Prints for each bank the milliseconds for
// all frames of all clips, as key rows, as local transforms in floats and as model matrices in floats: the sum over the clips
// of the least time.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [address, repetitions, ...banks] = process.argv.slice(2);
const { openBank, MATRIX_FLOATS } = await import(pathToFileURL(address));

function least(player, clip, write) {
    let found = Infinity;
    for (let repetition = 0; repetition < repetitions; repetition++) {
        const start = performance.now();
        player.play(clip);
        for (let frame = 0; frame < player.clip.frames; frame++) {
            player.seekFrame(frame);
            write();
        }
        found = Math.min(found, performance.now() - start);
    }
    return found;
}

for (const path of banks) {
    const bank = await openBank(readFileSync(path));
    const player = bank.createPlayer();
    const out = new Float32Array(MATRIX_FLOATS * bank.joints.length);
    const times = [() => {}, () => player.writeLocal(out), () => player.writeModel(out)].map((write) =>
        bank.clips.reduce((sum, _, clip) => sum + least(player, clip, write), 0),
    );
    const poses = bank.clips.reduce((sum, { frames }) => sum + frames, 0);
    console.log(JSON.stringify({ poses, rows_ms: times[0], local_ms: times[1], model_ms: times[2] }));
}
