"""The words of programs/random_words.h, and their hash."""
from __future__ import annotations

from collections.abc import Iterable, Iterator

import target_support  # noqa: F401  (finds the reference's folder)
import fixed

EXTREMES = (-1 << 31, (1 << 31) - 1, -1, 0, 1, 1 << 19, -(1 << 19), 1 << 20)


def random_words() -> Iterator[int]:
    """All words, from the first on."""
    state = 1
    while True:
        state = (state * 1664525 + 1013904223) & fixed.MASK
        yield state ^ state >> 15


def value(random: int, kind: int) -> int:
    """next_value of that word."""
    if kind == 2:
        return EXTREMES[random >> 7 & 7]
    return fixed.wrap(random) >> 11 if kind == 1 else fixed.wrap(random)


class Hash:
    """Results of the programs for words, a few at a time."""

    def __init__(self) -> None:
        self.value = 2166136261

    def add(self, words: Iterable[int]) -> None:
        for word in words:
            self.value = ((self.value ^ fixed.uwrap(word)) * 16777619) & fixed.MASK
