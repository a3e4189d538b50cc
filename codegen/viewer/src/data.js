// Reads the data of the page, which codegen/ossicle/view/container.py writes.

const ALIGNMENT = 8;

/** Returns the bytes of a base64 text. */
function bytesOf(text) {
    const binary = atob(text);
    const bytes = new Uint8Array(binary.length);
    for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
    return bytes;
}

async function inflated(bytes) {
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Returns the JSON of the page and a function that returns the arrays it names. */
export async function readData(text) {
    const bytes = await inflated(bytesOf(text.trim()));
    const size = new DataView(bytes.buffer).getUint32(0, true);
    const contents = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + size)));
    const first = Math.ceil((4 + size) / ALIGNMENT) * ALIGNMENT;

    /** Returns an array of a kind, such as Float32Array, in place. */
    const array = (place, Kind) => new Kind(bytes.buffer, first + place.at, place.bytes / Kind.BYTES_PER_ELEMENT);
    return { contents, array };
}

/** Unpacks the Int32 numbers [N][F] that container.differences packed. */
export function undoDifferences(bytes, frameCount) {
    const count = bytes.length / 4;
    const series = new Int32Array(count);
    for (let i = 0; i < count; i++) {
        const word = bytes[i] | (bytes[count + i] << 8) | (bytes[2 * count + i] << 16) | (bytes[3 * count + i] << 24);
        series[i] = i % frameCount === 0 ? word : (word + series[i - 1]) | 0;
    }
    return series;
}
