"""The parts that all bank readers share: their exception, sections, words and bits."""
from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass

from ..base.format import number
from ..base.problem import Problem

RICE_ESCAPE = number("RICE_ESCAPE")


class BankProblem(Problem):
    """An invalid bank; str() is one line: the file, the problem, the remedy."""


@dataclass(frozen=True)
class Section:
    """An entry of the section table: offset from the start of the bank and size, in words."""

    tag: str
    offset: int
    words: int
    required: bool

    def cut(self, bank_words: tuple[int, ...]) -> tuple[int, ...]:
        """Returns the words of the section."""
        return bank_words[self.offset:self.offset + self.words]


@dataclass(frozen=True)
class Track:
    """An animated sub-track of a clip. packing: the components that the codec stores; most: of each component, the most
    coefficients of a segment, if the frames are sums of coefficients."""

    subtrack: int
    packing: int
    most: tuple[int, ...] = ()


def unpack_words(data: bytes) -> tuple[int, ...]:
    """Unpacks little-endian unsigned words. The length of `data` must be a multiple of four."""
    return struct.unpack(f"<{len(data) // 4}I", data)


def popcount(mask: int) -> int:
    """Returns the number of bits that are set."""
    return bin(mask).count("1")


class BitReader:
    """Reads a stream of words, least significant bit first. Like the runtime it never reads beyond the end: it repeats
    the last two words, so that there must be at least two."""

    def __init__(self, words: Sequence[int], position: int = 0):
        self._words = words
        self._last = len(words) - 2
        self.position = position

    def peek(self) -> int:
        """Returns the next 32 bits without consuming them."""
        index = min(self.position >> 5, self._last)
        pair = self._words[index] | self._words[index + 1] << 32
        return pair >> (self.position & 31) & 0xFFFFFFFF

    def take(self, count: int) -> int:
        """Reads the next 1..32 bits as an unsigned number."""
        position = self.position
        self.position = position + count
        index = min(position >> 5, self._last)
        pair = self._words[index] | self._words[index + 1] << 32
        return pair >> (position & 31) & (1 << count) - 1

    def take_unary(self, most: int) -> int:
        """Reads ones up to a zero and returns their number. No zero follows `most` ones."""
        ones = 0
        while ones < most and self.take(1):
            ones += 1
        return ones

    def take_rice_unsigned(self, k: int) -> int:
        """Reads a Rice code with parameter k = 0..14: ones, a zero and k bits, or an escape."""
        value = self.peek()
        ones = min((~value & value + 1).bit_length() - 1, RICE_ESCAPE)
        if ones == RICE_ESCAPE:
            self.position += RICE_ESCAPE
            return self.take(32)
        self.position += ones + 1 + k
        return ones << k | value >> ones + 1 & (1 << k) - 1

    def take_rice(self, k: int) -> int:
        """Reads the Rice code of a signed number."""
        value = self.take_rice_unsigned(k)
        return value >> 1 ^ -(value & 1)

    def take_near(self, previous: int, count: int) -> int:
        """Reads a number as near_number does."""
        value, bits = near_number(self.peek(), previous, count)
        self.position += bits
        return value


def near_number(word: int, previous: int, count: int) -> tuple[int, int]:
    """Reads a number of `count` bits, with short codes for `previous` and its neighbours, from the low end of `word`.
    Returns the number and the bits that it takes."""
    if not word & 1:
        return previous, 1
    if not word & 2:
        return previous + (1 if word & 4 else -1) & (1 << count) - 1, 3
    return word >> 2 & (1 << count) - 1, 2 + count
