// pico_run PROGRAM [FOLDER [PICTURES]]: runs a program for the Raspberry Pi Pico, an .elf or a .uf2,
// in rp2040js. What it writes to UART 0 goes to standard output, its exit code becomes node's.
// Faults end it with code 99. Pictures that the program keeps go to FOLDER, the last one as last.png,
// and what the display was sent as display.json. With PICTURES it ends after that many on the
// display, unless it ends earlier.
import { readFileSync, writeFileSync, writeSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

import { Display } from "./display.mjs";
import { FLASH, loadProgram, startRom } from "./load.mjs";

const FAULT = 99;
const MISTAKE = 2;
const SEMIHOSTING = 0xbeab; // bkpt 0xab
const EXIT_EXTENDED = 0x20;
const KEEP_PICTURE = 0x100; // debug.h

class End {
    constructor(code, text = "") {
        this.code = code;
        this.text = text;
    }
}

// What the processor calls a hard fault.
function fault(text) {
    throw new End(FAULT, `fault: exception 03: ${text}\n`);
}

function openMachine() {
    const installed = new URL("../../build/pico/", import.meta.url);
    const { RP2040 } = createRequire(installed)("rp2040js");
    const machine = new RP2040();
    const complain = (part, text) => fault(`${part}: ${text}`);
    machine.logger = { debug() {}, info() {}, warn: complain, error: complain };
    return machine;
}

// The processor faults; the emulator would read or write something.
function refuseUnaligned(machine) {
    for (const [name, mask] of [["readUint32", 3], ["readUint16", 1], ["writeUint32", 3], ["writeUint16", 1]]) {
        const access = machine[name].bind(machine);
        machine[name] = (address, value) => {
            if (address & mask) fault(`${name} at ${(address >>> 0).toString(16)}`);
            return access(address, value);
        };
    }
}

function readText(machine, address) {
    let text = "";
    for (let byte; (byte = machine.readUint8(address++)) !== 0;) text += String.fromCharCode(byte);
    return text;
}

function onBreak(machine, keep) {
    const { core } = machine;
    const at = core.PC - core.breakRewind;
    const opcode = machine.readUint16(at);
    const [operation, block] = core.registers;
    if (opcode === SEMIHOSTING && operation === EXIT_EXTENDED) throw new End(machine.readUint32(block + 4) & 0xff);
    if (opcode !== SEMIHOSTING || operation !== KEEP_PICTURE)
        fault(`instruction ${opcode.toString(16)} at ${at.toString(16)}`);
    keep(readText(machine, block));
}

// Time passes as the program sets the clock of the processor, which SysTick counts.
function run(machine, display, pictures) {
    const { core, clock } = machine;
    while (display.pictures < pictures) clock.tick(core.executeInstruction() * (1e9 / machine.clkSys));
    throw new End(0);
}

function main(program, folder, pictures) {
    const machine = openMachine();
    for (const { address, bytes } of loadProgram(readFileSync(program))) machine.flash.set(bytes, address - FLASH);
    const text = [];
    machine.uart[0].onByte = (byte) => text.push(byte);
    const display = new Display(machine, (message) => fault(`display: ${message}`));
    const save = (name, content) => folder === undefined || writeFileSync(join(folder, name), content);
    machine.onBreak = () => onBreak(machine, (name) => save(`${name}.png`, display.png()));
    startRom(machine);
    refuseUnaligned(machine);
    try {
        run(machine, display, pictures);
    } catch (end) {
        if (!(end instanceof End)) throw end;
        writeSync(1, Buffer.from(text).toString("latin1") + end.text);
        save("last.png", display.png());
        save("display.json", JSON.stringify({ pictures: display.pictures, ...display.sent }));
        return end.code;
    }
}

const [program, folder, pictures = "Infinity", ...more] = process.argv.slice(2);
if (program === undefined || more.length > 0) {
    writeSync(2, "usage: pico_run PROGRAM [FOLDER [PICTURES]]\n");
    process.exitCode = MISTAKE;
} else {
    try {
        process.exitCode = main(program, folder, Number(pictures));
    } catch (problem) {
        writeSync(2, `pico_run: ${program}: ${problem.message}\n`);
        process.exitCode = MISTAKE;
    }
}
