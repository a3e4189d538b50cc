"""Chooses the codecs of a bank. Each codec takes flash for its code and memory for its state, so the smallest bank is
seldom the cheapest. All sets of codecs are tried, and each bank is measured. A long clip is tried with a codec only if
a sample of the clip does not rule it out."""
from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from ...base.codec import CODECS, CodecCosts

if TYPE_CHECKING:
    from ..native import BankSize

GOALS = ("flash", "bank", "ram", "cycles")  # quantities to minimise, the default first

# Small machines have 8 to 100 times as much flash as memory. A player of moderate size fits on most of them;
# each further byte counts as several bytes of flash.
MODERATE_RAM_BYTES = 16 << 10
FLASH_PER_RAM = 16

LONG_FRAMES = 1 << 13  # longer clips are sampled first
SAMPLE_LOG2 = 10  # the frames of a part, enough for headers not to matter
SAMPLES = 4  # parts of a clip, evenly spaced
DOUBT = 2.0  # the assumption: differences between sets of codecs in some clips predict those in all within this factor
SURE = 0.95  # the assumption: a sample overestimates a clip by at most 5 %


def ram_cost(player_bytes: int) -> int:
    """Returns the bytes of flash as which a player's memory counts."""
    return FLASH_PER_RAM * max(player_bytes - MODERATE_RAM_BYTES, 0)


@dataclass(frozen=True)
class CodecChoice:
    """A set of codecs, and the cost of the bank with it. codecs: those of its clips; bank_bytes, code_bytes: flash for
    the bank, and for the code of these codecs and of a base row; player_bytes: RAM; row: approximate instructions for
    the next row, the mean over all clips."""

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
        """Flash, plus the equivalent in flash of memory beyond a moderate size."""
        return self.flash_bytes + ram_cost(self.player_bytes)


_KEYS: Mapping[str, Callable[[CodecChoice], tuple[int, int]]] = {
    "flash": lambda choice: (choice.cost, choice.bank_bytes),
    "bank": lambda choice: (choice.bank_bytes, choice.flash_bytes),
    "ram": lambda choice: (choice.player_bytes, choice.flash_bytes),
    "cycles": lambda choice: (choice.row, choice.flash_bytes),
}


def subsets(codecs: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yields all sets of at least one of the codecs, the largest first."""
    for count in range(len(codecs), 0, -1):
        yield from combinations(codecs, count)


def code_bytes(codecs: Sequence[str], costs: CodecCosts) -> int:
    """Returns the flash for the code of these codecs."""
    return sum(costs.flash_bytes.get(codec, 0) for codec in set(codecs))


def measured(clips: Sequence[tuple[str, int]], bank_bytes: tuple[int, bool], size: BankSize,
             costs: CodecCosts) -> CodecChoice:
    """Returns the cost of a bank. clips: the codec and the number of frames of each; bank_bytes: of the bank, and
    whether it has a base row."""
    codecs = tuple(sorted({codec for codec, _ in clips}, key=CODECS.index))
    base_row = costs.base_row_bytes if bank_bytes[1] else 0
    rows = sum(frames * costs.row.get(codec, 0.0) for codec, frames in clips)
    return CodecChoice(codecs, bank_bytes[0], code_bytes(codecs, costs) + base_row, size.player_bytes,
                       round(rows / max(sum(frames for _, frames in clips), 1) * size.subtracks))


def best_first(choices: Sequence[CodecChoice], goal: str, max_ram_bytes: int | None) -> list[CodecChoice]:
    """Returns the choices in the order of the goal, one of GOALS; those with too much RAM are last."""
    def key(choice: CodecChoice) -> tuple[bool, int, int]:
        too_much = max_ram_bytes is not None and choice.player_bytes > max_ram_bytes
        return (too_much, *_KEYS[goal](choice))
    return sorted(choices, key=key)


def promising(growth: Mapping[tuple[str, ...], int], share: float, costs: CodecCosts) -> list[tuple[str, ...]]:
    """Returns the sets of codecs that may take the least flash, if the other clips resemble those tried so far. growth:
    the bytes by which these grow with each set; share: their share of all clips, above 0, up to 1."""
    def may_win(codecs: tuple[str, ...], rival: tuple[str, ...]) -> bool:
        grown = (growth[codecs] - growth[rival]) / share
        at_best = grown / DOUBT if grown > 0 else grown * DOUBT
        return at_best + code_bytes(codecs, costs) <= code_bytes(rival, costs)
    return [codecs for codecs in growth if all(may_win(codecs, rival) for rival in growth)]


def is_ruled_out(bytes_now: int, sample: int, sample_now: int, saved: int) -> bool:
    """Returns whether another codec certainly costs a clip more than it saves. bytes_now: of the clip with its present
    codec; sample, sample_now: the bytes of the same parts with the other and the present codec; saved: the most that
    the other codec saves in code and memory."""
    return SURE * sample / sample_now * bytes_now > bytes_now + saved
