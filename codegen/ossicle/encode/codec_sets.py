"""The codecs of a bank: each takes flash for its code and memory for its state, and so the smallest bank is seldom the
cheapest one. All sets of codecs are tried, and each bank is measured. Long clips are tried with a codec only if a
sample of them does not rule it out."""
from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from ..base.codec import CODECS, CodecCosts

if TYPE_CHECKING:
    from .native import BankSize

GOALS = ("flash", "bank", "ram", "cycles")  # what is to be least, the default first

# Small machines have 8 to 100 times as much flash as memory. A player of moderate size finds room on most of them;
# each further byte of it counts as so many bytes of flash.
MODERATE_RAM_BYTES = 16 << 10
FLASH_PER_RAM = 16

LONG_FRAMES = 1 << 13  # longer clips are sampled first
SAMPLE_LOG2 = 10  # the frames of a part, so many that headers do not count
SAMPLES = 4  # parts of a clip, evenly spaced
SURE = 0.95  # the assumption: a sample overestimates a clip by at most 5 %


def ram_cost(player_bytes: int) -> int:
    """The bytes of flash that a player's memory counts as."""
    return FLASH_PER_RAM * max(player_bytes - MODERATE_RAM_BYTES, 0)


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

    @property
    def cost(self) -> int:
        """Flash, and what memory beyond a moderate size is worth in flash."""
        return self.flash_bytes + ram_cost(self.player_bytes)


_KEYS: Mapping[str, Callable[[CodecChoice], tuple[int, int]]] = {
    "flash": lambda choice: (choice.cost, choice.bank_bytes),
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


def measured(clips: Sequence[tuple[str, int]], bank_bytes: int, size: BankSize, costs: CodecCosts) -> CodecChoice:
    """Returns what a bank costs. clips: the codec and the number of frames of each."""
    codecs = tuple(sorted({codec for codec, _ in clips}, key=CODECS.index))
    rows = sum(frames * costs.row.get(codec, 0.0) for codec, frames in clips)
    return CodecChoice(codecs, bank_bytes, code_bytes(codecs, costs), size.player_bytes,
                       round(rows / max(sum(frames for _, frames in clips), 1) * size.subtracks))


def best_first(choices: Sequence[CodecChoice], goal: str, max_ram_bytes: int | None) -> list[CodecChoice]:
    """The choices in the order of the goal, one of GOALS; those with too much RAM are last."""
    def key(choice: CodecChoice) -> tuple[bool, int, int]:
        too_much = max_ram_bytes is not None and choice.player_bytes > max_ram_bytes
        return (too_much, *_KEYS[goal](choice))
    return sorted(choices, key=key)


def worth_a_try(growth: Mapping[tuple[str, ...], int], share: float, used: Sequence[str],
                costs: CodecCosts) -> bool:
    """Whether another set of codecs than that in use may take less flash, if the other clips grow
    like those tried so far. growth: the bytes by which these grow with each set; share: their
    share of all clips, above 0, up to 1."""
    now = code_bytes(used, costs)
    return any(grown < share * (now - code_bytes(codecs, costs))
               for codecs, grown in growth.items() if set(codecs) != set(used))


def is_ruled_out(bytes_now: int, sample: int, sample_now: int, saved: int) -> bool:
    """Tells if another codec surely costs a clip more than it saves. bytes_now: of the clip as it is; sample,
    sample_now: the bytes of the same parts of it with the other codec and with the present one; saved: what the other
    codec saves at most, in code and memory."""
    return SURE * sample / sample_now * bytes_now > bytes_now + saved
