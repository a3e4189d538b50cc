"""The codecs of a bank: each takes flash for its code, and so the smallest bank is seldom the cheapest
one. All sets of codecs are tried, and each bank is measured."""
from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from ..bank.file import Bank
from ..base.codec import CodecCosts

GOALS = ("flash", "bank", "ram", "cycles")  # what is to be least, the default first


@dataclass(frozen=True)
class CodecChoice:
    """A set of codecs, and what the bank costs with it. codecs: those that its clips have;
    bank_bytes, code_bytes: flash for the bank, and for the code of these codecs; player_bytes: RAM;
    row: about the instructions for the next row, on average over all clips."""

    codecs: tuple[str, ...]
    bank_bytes: int
    code_bytes: int
    player_bytes: int
    row: int

    @property
    def flash_bytes(self) -> int:
        return self.bank_bytes + self.code_bytes


_KEYS: Mapping[str, Callable[[CodecChoice], tuple[int, int]]] = {
    "flash": lambda choice: (choice.flash_bytes, choice.bank_bytes),
    "bank": lambda choice: (choice.bank_bytes, choice.flash_bytes),
    "ram": lambda choice: (choice.player_bytes, choice.flash_bytes),
    "cycles": lambda choice: (choice.row, choice.flash_bytes),
}


def subsets(codecs: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """All sets of at least one of the codecs, the largest first."""
    for count in range(len(codecs), 0, -1):
        yield from combinations(codecs, count)


def code_bytes(codecs: Sequence[str], costs: CodecCosts) -> int:
    """The flash that the code of these codecs takes."""
    return sum(costs.flash_bytes.get(codec, 0) for codec in set(codecs))


def measured(bank: Bank, costs: CodecCosts) -> CodecChoice:
    """What a bank costs with the codecs that its clips have."""
    frames = sum(clip.frame_count for clip in bank.clips)
    rows = sum(clip.frame_count * costs.row.get(clip.codec, 0.0) for clip in bank.clips)
    return CodecChoice(bank.codecs, bank.size_bytes, code_bytes(bank.codecs, costs),
                       bank.player_bytes, round(rows / max(frames, 1) * len(bank.subtracks)))


def best_first(choices: Sequence[CodecChoice], goal: str, max_ram_bytes: int | None) -> list[CodecChoice]:
    """The choices in the order of the goal, one of GOALS; those with too much RAM are last."""
    def key(choice: CodecChoice) -> tuple[bool, int, int]:
        too_much = max_ram_bytes is not None and choice.player_bytes > max_ram_bytes
        return (too_much, *_KEYS[goal](choice))
    return sorted(choices, key=key)


def worth_a_try(growth: Mapping[tuple[str, ...], int], share: float, used: Sequence[str],
                costs: CodecCosts) -> bool:
    """Whether another set of codecs than that in use may take less flash, if the other clips grow
    like those tried so far. growth: the bytes by which these grow with each set; share: how many of
    all clips they are, above 0, up to 1."""
    now = code_bytes(used, costs)
    return any(grown < share * (now - code_bytes(codecs, costs))
               for codecs, grown in growth.items() if set(codecs) != set(used))
