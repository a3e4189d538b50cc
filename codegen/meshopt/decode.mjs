// Decodes buffer views of EXT_meshopt_compression with meshoptimizer's decoder, which is WebAssembly, for
// ossicle/importers/gltf/meshopt.py: node decode.mjs DECODER.mjs
//
// A request on the standard input is the size of its JSON as a word, the JSON { count, stride, mode, filter, size },
// and as many bytes as `size` says. The answer on the standard output is two words, 1 or 0 for an error and the size
// of what follows: the decoded bytes, or a message. It ends when the input does.
import { readSync, writeSync } from "node:fs";
import { pathToFileURL } from "node:url";

const { MeshoptDecoder } = await import(pathToFileURL(process.argv[2]));
await MeshoptDecoder.ready;

function read(size) {
    const bytes = Buffer.alloc(size);
    for (let done = 0; done < size;) {
        const more = readSync(0, bytes, done, size - done, null);
        if (more === 0) process.exit(0);
        done += more;
    }
    return bytes;
}

function write(bytes) {
    for (let done = 0; done < bytes.length;) done += writeSync(1, bytes, done);
}

function answer(good, bytes) {
    const head = Buffer.alloc(8);
    head.writeUInt32LE(good, 0);
    head.writeUInt32LE(bytes.length, 4);
    write(head);
    write(bytes);
}

for (;;) {
    const { count, stride, mode, filter, size } = JSON.parse(read(read(4).readUInt32LE()));
    const source = read(size);
    try {
        const decoded = new Uint8Array(count * stride);
        MeshoptDecoder.decodeGltfBuffer(decoded, count, stride, source, mode, filter);
        answer(1, decoded);
    } catch (error) {
        answer(0, Buffer.from(String(error.message)));
    }
}
