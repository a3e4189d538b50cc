"""Writes the file of a program for the Nintendo DS: a header, and the memory of both processors."""
from __future__ import annotations

import struct

HEADER_BYTES = 0x200
LOGO_BYTES = 156
ARM7_ORIGIN = 0x02380000  # link.ld
_ALIGNED = 0x200
_LOADED = 1
_TITLE, _CODE = b"OSSICLE", b"####"  # the code of homebrew


def crc16(content: bytes) -> int:
    """Returns the CRC-16 of Modbus: polynomial 0x8005 reversed, initial value 0xffff."""
    crc = 0xFFFF
    for byte in content:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0xA001 if crc & 1 else 0)
    return crc


def memories_of(program: bytes) -> tuple[int, bytes, bytes]:
    """Returns the entry of a linked program, and the memory of each processor."""
    entry, headers = struct.unpack_from("<2I", program, 24)
    size, count = struct.unpack_from("<2H", program, 42)
    parts: dict[bool, dict[int, bytes]] = {False: {}, True: {}}
    for number in range(count):
        kind, offset, _, address, file_bytes = struct.unpack_from("<5I", program, headers + number * size)
        if kind == _LOADED and file_bytes:
            parts[address >= ARM7_ORIGIN][address] = program[offset:offset + file_bytes]
    return entry, _joined(parts[False]), _joined(parts[True])


def _joined(parts: dict[int, bytes]) -> bytes:
    start = min(parts)
    content = bytearray()
    for address in sorted(parts):
        content += bytes(address - start - len(content)) + parts[address]
    return bytes(content) + bytes(-len(content) % _ALIGNED)


def nds_file(program: bytes, logo: bytes = b"") -> bytes:
    """Returns the contents of a .nds file. program: a linked ELF file; logo: 156 bytes for the header, which the
    console's loader checks, but those of flash cards do not."""
    entry, main, second = memories_of(program)
    header = bytearray(HEADER_BYTES)
    header[0:len(_TITLE)], header[0x0C:0x10] = _TITLE, _CODE
    header[0xC0:0xC0 + LOGO_BYTES] = logo[:LOGO_BYTES].ljust(LOGO_BYTES, b"\0")
    struct.pack_into("<4I", header, 0x20, HEADER_BYTES, entry, entry, len(main))
    struct.pack_into("<4I", header, 0x30, HEADER_BYTES + len(main), ARM7_ORIGIN, ARM7_ORIGIN, len(second))
    whole = bytes(header) + main + second
    header[0x14] = max(0, (len(whole) - 1).bit_length() - 17)  # the size of the card: 128 KiB << n
    struct.pack_into("<2I", header, 0x80, len(whole), HEADER_BYTES)
    struct.pack_into("<H", header, 0x15C, crc16(header[0xC0:0x15C]))
    struct.pack_into("<H", header, 0x15E, crc16(header[:0x15E]))
    return bytes(header) + main + second
