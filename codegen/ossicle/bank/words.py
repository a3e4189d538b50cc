"""What the parts of the bank reader share: its exception, sections, words and bits."""
from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass

from ..base.format import number

_MAX_MESSAGE_CHARACTERS = 600
RICE_ESCAPE = number("RICE_ESCAPE")


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


@dataclass(frozen=True)
class Track:
    """One animated sub-track of a clip; packing says which components of it the codec stores."""

    subtrack: int
    packing: int


def unpack_words(data: bytes) -> tuple[int, ...]:
    """Little-endian unsigned words; the length of `data` is a multiple of four."""
    return struct.unpack(f"<{len(data) // 4}I", data)


def popcount(mask: int) -> int:
    """The number of set bits."""
    return bin(mask).count("1")


class BitReader:
    """Reads a stream of words, least significant bit first. As in the runtime it cannot leave
    them: past the end it repeats the last two words, of which there are at least as many."""

    def __init__(self, words: Sequence[int], position: int = 0):
        self._words = words
        self._last = len(words) - 2
        self.position = position

    def peek(self) -> int:
        """The next 32 bits, without going on."""
        index = min(self.position >> 5, self._last)
        pair = self._words[index] | self._words[index + 1] << 32
        return pair >> (self.position & 31) & 0xFFFFFFFF

    def take(self, count: int) -> int:
        """The next 1..32 bits as an unsigned number."""
        position = self.position
        self.position = position + count
        index = min(position >> 5, self._last)
        pair = self._words[index] | self._words[index + 1] << 32
        return pair >> (position & 31) & (1 << count) - 1

    def take_unary(self, most: int) -> int:
        """The number of ones before a zero; none follows `most` of them."""
        ones = 0
        while ones < most and self.take(1):
            ones += 1
        return ones

    def take_rice_unsigned(self, k: int) -> int:
        """A Rice code with parameter k = 0..14: ones, a zero, k bits, or an escape."""
        value = self.peek()
        ones = min((~value & value + 1).bit_length() - 1, RICE_ESCAPE)
        if ones == RICE_ESCAPE:
            self.position += RICE_ESCAPE
            return self.take(32)
        self.position += ones + 1 + k
        return ones << k | value >> ones + 1 & (1 << k) - 1

    def take_rice(self, k: int) -> int:
        """A Rice code of a signed number."""
        value = self.take_rice_unsigned(k)
        return value >> 1 ^ -(value & 1)

    def take_near(self, previous: int, count: int) -> int:
        """A number of `count` bits that is likely to be `previous` or next to it."""
        value, bits = near_number(self.peek(), previous, count)
        self.position += bits
        return value


def near_number(word: int, previous: int, count: int) -> tuple[int, int]:
    """A number of `count` bits that is likely to be `previous` or next to it, from the low end of
    `word`; and how many bits of that it takes."""
    if not word & 1:
        return previous, 1
    if not word & 2:
        return previous + (1 if word & 4 else -1) & (1 << count) - 1, 3
    return word >> 2 & (1 << count) - 1, 2 + count
