"""What the parts of the bank reader share: its exception, sections, words and bits."""
from __future__ import annotations

import struct
from dataclasses import dataclass

_MAX_MESSAGE_CHARACTERS = 600


class BankProblem(Exception):
    """A bank that cannot be used; str() is one line: file, what is wrong, remedy."""


def one_line(message: str) -> str:
    """The message without line breaks or unprintable characters, cut in the middle if endless."""
    line = "".join(c if c.isprintable() else " " for c in message)
    half = _MAX_MESSAGE_CHARACTERS // 2
    return line if len(line) <= 2 * half else f"{line[:half]} ... {line[-half:]}"


@dataclass(frozen=True)
class Section:
    """One entry of the section table: offset and size in words from the start of the bank."""

    tag: str
    offset: int
    words: int
    required: bool

    def cut(self, bank_words: tuple[int, ...]) -> tuple[int, ...]:
        """The section's own words."""
        return bank_words[self.offset:self.offset + self.words]


def unpack_words(data: bytes) -> tuple[int, ...]:
    """Little-endian unsigned words; the length of `data` is a multiple of four."""
    return struct.unpack(f"<{len(data) // 4}I", data)


def popcount(mask: int) -> int:
    """The number of set bits."""
    return bin(mask).count("1")


class BitReader:
    """Reads a stream of words, least significant bit first. As in the runtime it cannot leave
    them: past the end it repeats the last two words, of which there are at least as many."""

    def __init__(self, words: tuple[int, ...]):
        self._words = words
        self.position = 0

    def take(self, count: int) -> int:
        """The next 1..32 bits as an unsigned number."""
        index = min(self.position >> 5, len(self._words) - 2)
        pair = self._words[index] | self._words[index + 1] << 32
        value = pair >> (self.position & 31) & ((1 << count) - 1)
        self.position += count
        return value
