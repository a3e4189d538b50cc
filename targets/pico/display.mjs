// A display with an ST7789 on SPI 0 of the RP2040: what it was sent becomes pictures.
import { writeFileSync } from "node:fs";
import { deflateSync } from "node:zlib";

const COMMAND_PIN = 16;
const SIZE = 240; // pixels in each direction
const PICTURE_ROWS = [40, 200]; // those that pictures are made of
const RESET = 0x01, WAKE = 0x11, INVERT = 0x21, SHOW = 0x29, COLUMNS = 0x2a, ROWS = 0x2b, PIXELS = 0x2c, FORMAT = 0x3a;
const RGB565 = 0x55;

export class Display {
    // complain: is called with what no display would understand.
    constructor(machine, complain) {
        this.complain = complain;
        this.pixels = new Uint16Array(SIZE * SIZE);
        this.seconds = 0; // that the bus was busy
        this.pictures = 0;
        this.bytes = [];
        this.awake = this.shown = false;
        this.format = this.command = 0;
        const spi = machine.spi[0];
        spi.onTransmit = (value) => {
            const bits = spi.dataBits;
            this.seconds += bits / spi.clockFrequency;
            const isData = (machine.sio.gpioValue >> COMMAND_PIN) & 1;
            for (let shift = bits - 8; shift >= 0; shift -= 8)
                isData ? this.take((value >> shift) & 0xff) : this.begin((value >> shift) & 0xff);
            spi.completeTransmit(0);
        };
    }

    begin(command) {
        this.command = command;
        this.bytes = [];
        if (command === RESET) this.awake = this.shown = false;
        else if (command === WAKE) this.awake = true;
        else if (command === SHOW) this.shown = this.awake;
        else if (command === PIXELS) {
            if (!this.awake || this.format !== RGB565 || !this.columns || !this.rows)
                this.complain("pixels for a display that is not set up");
            this.at = 0;
            this.pictures++;
        } else if (![INVERT, COLUMNS, ROWS, FORMAT].includes(command))
            this.complain(`unknown command ${command.toString(16)}`);
    }

    take(byte) {
        this.bytes.push(byte);
        if (this.command === FORMAT) this.format = byte;
        else if (this.command === PIXELS) this.pixel();
        else if (this.bytes.length === 4) this.range();
    }

    range() {
        const [a, b, c, d] = this.bytes;
        const [first, last] = [(a << 8) | b, (c << 8) | d];
        if (first > last || last >= SIZE) this.complain(`a window from ${first} to ${last}`);
        if (this.command === COLUMNS) this.columns = [first, last];
        else if (this.command === ROWS) this.rows = [first, last];
    }

    pixel() {
        if (this.bytes.length < 2) return;
        const [high, low] = this.bytes;
        this.bytes = [];
        const width = this.columns[1] - this.columns[0] + 1;
        const row = this.rows[0] + Math.floor(this.at / width);
        if (row > this.rows[1]) this.complain("more pixels than the window has");
        this.pixels[row * SIZE + this.columns[0] + (this.at % width)] = (high << 8) | low;
        this.at++;
    }

    // What it was sent, as JSON.
    report() {
        return `${JSON.stringify({ pictures: this.pictures, bus_seconds: this.seconds })}\n`;
    }

    // What is seen, as a PNG.
    save(path) {
        const [top, bottom] = PICTURE_ROWS;
        const lines = Buffer.alloc((bottom - top) * (1 + 3 * SIZE));
        for (let y = top, to = 0; y < bottom; y++) {
            lines[to++] = 0;
            for (let x = 0; x < SIZE; x++) {
                const pixel = this.shown ? this.pixels[y * SIZE + x] : 0;
                for (const [shift, most] of [[11, 31], [5, 63], [0, 31]])
                    lines[to++] = Math.round((((pixel >> shift) & most) * 255) / most);
            }
        }
        const head = Buffer.alloc(13);
        head.writeUInt32BE(SIZE, 0);
        head.writeUInt32BE(bottom - top, 4);
        head.set([8, 2, 0, 0, 0], 8); // of 8 bits, red, green and blue
        writeFileSync(path, Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), chunk("IHDR", head),
            chunk("IDAT", deflateSync(lines)), chunk("IEND", Buffer.alloc(0))]));
    }
}

// CRC-32 as PNG has it.
function crc32(bytes) {
    let crc = 0xffffffff;
    for (const byte of bytes) {
        crc ^= byte;
        for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
    }
    return ~crc >>> 0;
}

function chunk(name, content) {
    const whole = Buffer.alloc(12 + content.length);
    whole.writeUInt32BE(content.length, 0);
    whole.write(name, 4, "latin1");
    whole.set(content, 8);
    whole.writeUInt32BE(crc32(whole.subarray(4, 8 + content.length)), 8 + content.length);
    return whole;
}
