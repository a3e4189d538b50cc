// The medium of tiers: files next to the page, read by HTTP range requests. The runtime's osc_medium requests one read
// at a time (codegen/viewer/streaming.c).

const [OK, BUSY, FAILED] = [0, 1, -11]; // OSC_OK, OSC_MEDIUM_BUSY, OSC_ERROR_READ
const PARTIAL = 206;

export class HttpMedium {
    /** files: [{url, at, bytes}], where `at` is the offset of a file on the medium. */
    constructor(files) {
        this.files = files;
        this.memory = null; // of the module, once it is loaded
        this.reading = null;
        this.onEnd = () => {}; // of a read
        this.received = 0; // bytes
        this.imports = {
            start: (offset, destination, bytes) => this.start(offset, destination, bytes),
            poll: () => this.poll(),
            cancel: () => this.cancel(),
        };
    }

    start(offset, destination, bytes) {
        const file = this.files.findLast(({ at }) => at <= offset);
        const controller = new AbortController();
        const read = { controller, destination, content: null, status: BUSY };
        this.reading = read;
        rangeOf(file.url, offset - file.at, bytes, controller.signal)
            .then(
                (content) => Object.assign(read, { content, status: OK }),
                () => (read.status = FAILED),
            )
            .then(() => read === this.reading && this.onEnd());
        return OK;
    }

    /** Copies the data that have arrived: only here, because a cancelled read must not write any more. */
    poll() {
        const { content, status, destination } = this.reading;
        if (status === OK) {
            new Uint8Array(this.memory.buffer, destination, content.length).set(content);
            this.received += content.length;
        }
        return status;
    }

    cancel() {
        this.reading.controller.abort();
        this.reading = null;
    }
}

/** Returns a range of a file. Rejects any other response. */
async function rangeOf(url, first, bytes, signal) {
    const response = await fetch(url, { headers: { Range: `bytes=${first}-${first + bytes - 1}` }, signal });
    if (!response.ok) throw new Error(`status ${response.status}`);
    const content = new Uint8Array(await response.arrayBuffer());
    // A server without range requests sends the whole file.
    const range = response.status === PARTIAL ? content : content.subarray(first, first + bytes);
    if (range.length !== bytes) throw new Error(`${range.length} bytes instead of ${bytes}`);
    return range;
}
