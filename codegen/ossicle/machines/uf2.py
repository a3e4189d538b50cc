"""Writes UF2, the file format of the RP2040's boot loader drive: blocks of 256 bytes of flash with their addresses.

As a program, `python3 uf2.py PROGRAM FILE`: games of `ossicle init` have a copy, which needs no other file."""
from __future__ import annotations

import struct
import sys
from pathlib import Path

FAMILY_RP2040 = 0xE48BFF56
BLOCK_BYTES = 512
PAYLOAD_BYTES = 256  # a page of flash
_FIRST, _SECOND, _LAST = 0x0A324655, 0x9E5D5157, 0x0AB16F30
_HAS_FAMILY = 0x2000
_ELF = struct.Struct("<16s2HI3I I6H")
_SEGMENT = struct.Struct("<8I")
_LOADED = 1


def uf2_of(program: Path) -> bytes:
    """Returns the file for a linked program. Raises ValueError if it is not a 32-bit little-endian ELF file with a
    loadable segment."""
    pages = _pages(_segments(program))
    return b"".join(_block(number, len(pages), address, pages[address])
                    for number, address in enumerate(sorted(pages)))


def _segments(program: Path) -> list[tuple[int, bytes]]:
    """Returns the addresses and bytes of the segments in flash."""
    image = program.read_bytes()
    if not image.startswith(b"\x7fELF\x01\x01"):
        raise ValueError(f"{program}: not a 32-bit little-endian ELF file")
    header = _ELF.unpack_from(image)
    table, size, count = header[5], header[9], header[10]
    found = []
    for at in range(table, table + size * count, size):
        kind, offset, _, address, length, *_ = _SEGMENT.unpack_from(image, at)
        if kind == _LOADED and length:
            found.append((address, image[offset:offset + length]))
    if not found:
        raise ValueError(f"{program}: has no loadable segment")
    return found


def _pages(segments: list[tuple[int, bytes]]) -> dict[int, bytearray]:
    """Returns pages of flash by address, filled with 0 outside segments."""
    pages: dict[int, bytearray] = {}
    for address, content in segments:
        for at, byte in enumerate(content, address):
            page = pages.setdefault(at - at % PAYLOAD_BYTES, bytearray(PAYLOAD_BYTES))
            page[at % PAYLOAD_BYTES] = byte
    return pages


def _block(number: int, count: int, address: int, payload: bytes) -> bytes:
    head = struct.pack("<8I", _FIRST, _SECOND, _HAS_FAMILY, address, PAYLOAD_BYTES, number, count, FAMILY_RP2040)
    return (head + payload).ljust(BLOCK_BYTES - 4, b"\0") + struct.pack("<I", _LAST)


if __name__ == "__main__":
    Path(sys.argv[2]).write_bytes(uf2_of(Path(sys.argv[1])))
