"""Assembles the sections of a bank, and adds sections to a bank."""
from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Iterator, Mapping

from ..base.format import number
from .words import unpack_words

HEADER_WORDS = number("HEADER_WORDS")
CRC_WORD = number("HEADER_CRC")
SECTION_ENTRY_WORDS = number("SECTION_ENTRY_WORDS")
SECTION_ENTRY_BYTES = 4 * SECTION_ENTRY_WORDS
REQUIRED = number("SECTION_REQUIRED")


def words_bytes(words: Iterable[int]) -> bytes:
    """Packs words into little-endian bytes."""
    listed = list(words)
    return struct.pack(f"<{len(listed)}I", *listed)


def assembled(head: tuple[int, ...], sections: Iterable[tuple[int, bool, bytes]]) -> bytes:
    """Returns the bank with these sections (tag, whether it is required, content). head: the words of the header before
    the size."""
    parts = list(sections)
    offset, table = HEADER_WORDS + SECTION_ENTRY_WORDS * len(parts), []
    for tag, required, content in parts:
        table += [tag, offset | (REQUIRED if required else 0), len(content) // 4]
        offset += len(content) // 4
    first = words_bytes([*head, 4 * offset])
    rest = words_bytes([len(parts), *table]) + b"".join(content for _, _, content in parts)
    return first + words_bytes([zlib.crc32(rest, zlib.crc32(first))]) + rest


def _section_table(bank: bytes) -> Iterator[tuple[int, int, int]]:
    """Yields the tag, place and size of each section of a valid bank."""
    words = unpack_words(bank[:4 * (HEADER_WORDS + SECTION_ENTRY_WORDS * unpack_words(bank[16:20])[0])])
    for first in range(HEADER_WORDS, len(words), SECTION_ENTRY_WORDS):
        yield words[first], words[first + 1], words[first + 2]


def has_section(bank: bytes, tag: str) -> bool:
    """Returns whether a valid bank has a section."""
    return any(found == _tag_word(tag) for found, _, _ in _section_table(bank))


def _tag_word(tag: str) -> int:
    return int.from_bytes(tag.encode("latin-1"), "little")


def with_sections(bank: bytes, added: Mapping[str, bytes]) -> bytes:
    """Appends optional sections to a valid bank."""
    if not added:
        return bank
    own = []
    for tag, place, size in _section_table(bank):
        at = 4 * (place & ~REQUIRED)
        own.append((tag, bool(place & REQUIRED), bank[at:at + 4 * size]))
    return assembled(unpack_words(bank[:4 * CRC_WORD - 4]), [
        *own, *((_tag_word(tag), False, content) for tag, content in added.items())])
