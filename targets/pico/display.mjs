// A display with the controller ST7789 on SPI 0 of the Pico: it takes the commands that
// targets/pico/screen.c sends, and as long for each word as the clock of the bus says.
import { deflateSync } from "node:zlib";

const SELECT = 17;
const DATA_OR_COMMAND = 16;
const BUTTONS = [12, 13, 14, 15];
const [WIDTH, HEIGHT] = [320, 240];
const RGB565 = 0x55;
const LANDSCAPE = 0x70;

export class Display {
    // refuse: is called with what a display would not understand.
    constructor(machine, refuse) {
        this.refuse = refuse;
        this.pixels = new Uint16Array(WIDTH * HEIGHT);
        this.window = { left: 0, right: WIDTH - 1, top: 0, bottom: HEIGHT - 1 };
        this.command = 0;
        this.bytes = [];
        this.place = 0;
        this.awake = this.on = false;
        this.pictures = 0;
        this.sent = { bytes: 0, busNs: 0 }; // since it is on
        for (const button of BUTTONS) machine.gpio[button].setInputValue(true);
        this.listen(machine);
    }

    listen(machine) {
        const bus = machine.spi[0];
        const end = machine.clock.createAlarm(() => bus.completeTransmit(0));
        bus.onTransmit = (word) => {
            const bits = bus.dataBits;
            const lasts = (bits * 1e9) / bus.clockFrequency;
            end.schedule(lasts);
            if (machine.gpio[SELECT].value !== 0) return;
            const isData = machine.gpio[DATA_OR_COMMAND].value === 1;
            if (bits === 16) this.take(word >> 8, isData);
            this.take(word & 0xff, isData);
            this.sent.bytes += bits / 8;
            this.sent.busNs += lasts;
        };
    }

    take(byte, isData) {
        if (!isData) this.begin(byte);
        else if (this.command === 0x2c) this.takePixel(byte);
        else {
            this.bytes.push(byte);
            this.takeValue();
        }
    }

    begin(command) {
        this.command = command;
        this.bytes = [];
        if (command === 0x11) this.awake = true;
        else if (command === 0x29) {
            this.on = true;
            this.sent = { bytes: 0, busNs: 0 };
        } else if (command === 0x2c) {
            if (!this.awake || this.format !== RGB565 || this.direction !== LANDSCAPE)
                this.refuse("pixels before the display is ready for them");
            this.place = 0;
        } else if (![0x21, 0x2a, 0x2b, 0x36, 0x3a].includes(command)) this.refuse(`command ${command.toString(16)}`);
    }

    takeValue() {
        const [a, b, c, d] = this.bytes;
        if (this.command === 0x3a) this.format = a;
        else if (this.command === 0x36) this.direction = a;
        else if (this.bytes.length === 4) {
            const [from, to] = [(a << 8) | b, (c << 8) | d];
            if (this.command === 0x2a) Object.assign(this.window, { left: from, right: to });
            else Object.assign(this.window, { top: from, bottom: to });
            if (from > to || this.window.right >= WIDTH || this.window.bottom >= HEIGHT)
                this.refuse(`a window from ${from} to ${to}`);
        }
    }

    get size() {
        const { left, right, top, bottom } = this.window;
        return [right - left + 1, bottom - top + 1];
    }

    takePixel(byte) {
        this.bytes.push(byte);
        if (this.bytes.length < 2) return;
        const [width, height] = this.size;
        const [row, column] = [Math.floor(this.place / width), this.place % width];
        this.pixels[(this.window.top + row) * WIDTH + this.window.left + column] = (this.bytes[0] << 8) | byte;
        this.bytes = [];
        this.place = (this.place + 1) % (width * height);
        if (this.place === 0 && this.on) this.pictures++;
    }

    // What is seen in the window that was written last, as a PNG file.
    png() {
        const [width, height] = this.size;
        const lines = Buffer.alloc(height * (1 + 3 * width));
        for (let y = 0, at = 0; y < height; y++) {
            at++; // no filter
            for (let x = 0; x < width; x++) {
                const pixel = this.on ? this.pixels[(this.window.top + y) * WIDTH + this.window.left + x] : 0;
                const [red, green, blue] = [pixel >> 11, (pixel >> 5) & 63, pixel & 31];
                lines[at++] = (red << 3) | (red >> 2);
                lines[at++] = (green << 2) | (green >> 4);
                lines[at++] = (blue << 3) | (blue >> 2);
            }
        }
        const header = Buffer.from([0, 0, width >> 8, width & 255, 0, 0, height >> 8, height & 255, 8, 2, 0, 0, 0]);
        return Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), chunk("IHDR", header),
                              chunk("IDAT", deflateSync(lines)), chunk("IEND", Buffer.alloc(0))]);
    }
}

function chunk(name, content) {
    const body = Buffer.concat([Buffer.from(name), content]);
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(content.length);
    check.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, check]);
}

function crc32(bytes) {
    let crc = -1;
    for (const byte of bytes) {
        crc ^= byte;
        for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
    }
    return ~crc >>> 0;
}
