// What lies in the flash of a Raspberry Pi Pico, from an .elf or a .uf2, and what the ROM of the
// RP2040 does with it.
export const FLASH = 0x10000000;
const FLASH_BYTES = 0x200000;
const BOOT2_BYTES = 256;
const BOOT2_RUNS_AT = 0x20041f00;
const RAM = 0x20000000;
const ELF_MAGIC = 0x464c457f;
const ELF_LOADED = 1;
const UF2 = { block: 512, first: 0x0a324655, second: 0x9e5d5157, last: 0x0ab16f30, family: 0xe48bff56 };

// The parts of a program that lie in flash, as {address, bytes}.
export function loadProgram(file) {
    const view = new DataView(file.buffer, file.byteOffset, file.length);
    const magic = file.length < 4 ? 0 : view.getUint32(0, true);
    const parts = magic === ELF_MAGIC ? elfParts(file, view) : magic === UF2.first ? uf2Parts(file, view) : [];
    if (parts.length === 0) throw new Error("not a program for the Raspberry Pi Pico");
    for (const { address, bytes } of parts)
        if (address < FLASH || address + bytes.length > FLASH + FLASH_BYTES)
            throw new Error(`${bytes.length} bytes at ${address.toString(16)} are not in flash`);
    return parts;
}

function elfParts(file, view) {
    const parts = [];
    const [table, size, count] = [view.getUint32(28, true), view.getUint16(42, true), view.getUint16(44, true)];
    for (let at = table; at < table + size * count; at += size) {
        const [offset, address, bytes] = [4, 12, 16].map((field) => view.getUint32(at + field, true));
        if (view.getUint32(at, true) === ELF_LOADED && bytes > 0)
            parts.push({ address, bytes: file.subarray(offset, offset + bytes) });
    }
    return parts;
}

function uf2Parts(file, view) {
    const parts = [];
    const count = file.length / UF2.block;
    for (let number = 0; number < count; number++) {
        const at = number * UF2.block;
        const word = (index) => view.getUint32(at + 4 * index, true);
        const [first, second, , address, bytes, block, blocks, family] = [...Array(8).keys()].map(word);
        if (first !== UF2.first || second !== UF2.second || word(127) !== UF2.last || family !== UF2.family)
            throw new Error(`block ${number} is not a UF2 block for the RP2040`);
        if (block !== number || blocks !== count || bytes !== 256 || address % bytes !== 0)
            throw new Error(`block ${number} says that it is ${block} of ${blocks}, with ${bytes} bytes`);
        parts.push({ address, bytes: file.subarray(at + 32, at + 32 + bytes) });
    }
    return parts;
}

// CRC-32/MPEG-2
export function checksum(bytes) {
    let crc = 0xffffffff;
    for (const byte of bytes) {
        crc ^= byte << 24;
        for (let bit = 0; bit < 8; bit++) crc = crc & 0x80000000 ? (crc << 1) ^ 0x04c11db7 : crc << 1;
    }
    return crc >>> 0;
}

// Copies the second stage of the boot to RAM, compares its checksum and starts it.
export function startRom(machine) {
    const stage = machine.flash.slice(0, BOOT2_BYTES);
    const expected = checksum(stage.subarray(0, BOOT2_BYTES - 4));
    const found = new DataView(stage.buffer).getUint32(BOOT2_BYTES - 4, true);
    if (found !== expected)
        throw new Error(`the checksum of the second stage is ${found.toString(16)} instead of ${expected.toString(16)}`);
    machine.sram.set(stage, BOOT2_RUNS_AT - RAM);
    machine.core.PC = BOOT2_RUNS_AT;
}
