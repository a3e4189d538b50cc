// Runs a program for the target `wasm`: node run.mjs PROGRAM. Text goes to standard output, the
// program's exit code becomes node's.
import { readFileSync, writeSync } from "node:fs";

class Exit {
    constructor(code) {
        this.code = code;
    }
}

let memory;

function write(address) {
    const bytes = new Uint8Array(memory.buffer, address);
    writeSync(1, bytes.subarray(0, bytes.indexOf(0)));
}

function exit(code) {
    throw new Exit(code);
}

const { instance } = await WebAssembly.instantiate(readFileSync(process.argv[2]), {
    hal: { write, exit },
});
memory = instance.exports.memory;
try {
    instance.exports.run();
} catch (end) {
    if (!(end instanceof Exit)) throw end;
    process.exitCode = end.code;
}
