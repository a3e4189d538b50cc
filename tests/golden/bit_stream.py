"""Shared by the reference's codecs: refuses banks, and reads bits as in SPEC.md section 3.1."""
from __future__ import annotations

from collections.abc import Sequence

from fixed import uwrap

ERRORS = {"SIZE": -2, "MAGIC": -3, "FORMAT": -4, "CRC": -5, "SECTION": -6, "SKELETON": -7, "CLIP": -8}


class BankError(Exception):
    """A bank that a reader must refuse; `code` is the OSC_ERROR_ value."""

    def __init__(self, kind: str, reason: str) -> None:
        super().__init__(f"{kind}: {reason}")
        self.code = ERRORS[kind]


def require(condition: bool, kind: str, reason: str) -> None:
    """Raises BankError unless the condition holds."""
    if not condition:
        raise BankError(kind, reason)


def signed(code: int) -> int:
    """The signed number of an unsigned Rice code."""
    return -((code + 1) // 2) if code % 2 else code // 2


class Stream:
    """Reads bits as section 3.1 says, past the end too."""

    def __init__(self, words: Sequence[int], position: int) -> None:
        self.words = words
        self.position = position

    def peek(self) -> int:
        """V(p)."""
        i = min(self.position >> 5, len(self.words) - 2)
        return uwrap((self.words[i + 1] << 32 | self.words[i]) >> (self.position % 32))

    def take(self, count: int) -> int:
        """An unsigned number of 1..32 bits."""
        value = self.peek() % (1 << count)
        self.position = uwrap(self.position + count)
        return value

    def take_signed(self, count: int) -> int:
        """A two's complement number of 1..32 bits."""
        value = self.take(count)
        return value - (1 << count) if value >> (count - 1) else value

    def take_unary(self, most: int) -> int:
        """The number of ones before a zero, in one look; after `most` ones there is no zero."""
        value, ones = self.peek(), 0
        while ones < most and value >> ones & 1:
            ones += 1
        self.position = uwrap(self.position + ones + (ones < most))
        return ones

    def take_rice(self, k: int) -> int:
        """A Rice code of a signed number."""
        return signed(self.take_rice_unsigned(k))

    def take_rice_unsigned(self, k: int) -> int:
        """A Rice code."""
        text = f"{self.peek():032b}"[::-1]
        ones = len(text) - len(text.lstrip("1"))
        if ones >= 15:
            self.position = uwrap(self.position + 15)
            code = self.take(32)
        else:
            code = (ones << k) + int("0" + text[ones + 1:ones + 1 + k][::-1], 2)
            self.position = uwrap(self.position + ones + 1 + k)
        return code
