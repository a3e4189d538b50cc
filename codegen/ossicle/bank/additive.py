"""Additive clips in a bank: the section OVER, which says what they are added to (SPEC.md section 2.7), and what their
poses mean."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from .assembling import words_bytes
from .clips import ONE_Q11, Clip
from .names import pack_names, read_names
from .words import BankProblem, Section

if TYPE_CHECKING:
    from .file import Bank

TAG = "OVER"
_ENTRY_WORDS = 2
_PARTS = ((0, slice(0, 4), (0.0, 0.0, 0.0, 1.0)), (1, slice(4, 7), 0.0), (2, slice(7, 10), 1.0))


@dataclass(frozen=True)
class Over:
    """What an additive clip is added to. clip: a name, which need not be in the bank, or empty for the bind pose;
    position_q11: where in it."""

    clip: str
    position_q11: int

    @property
    def text(self) -> str:
        """What tools and generated code say of the clip."""
        return f"additive over {self.clip}, frame {self.position_q11 / ONE_Q11:g}" if self.clip else \
            "additive over the bind pose"


def over_section(clips: Mapping[int, Over]) -> dict[str, bytes]:
    """Returns the section by its tag; nothing without additive clips. clips: by their numbers."""
    if not clips:
        return {}
    listed = [(number, clips[number]) for number in sorted(clips)]
    words = [len(listed), *(word for number, over in listed for word in (number, over.position_q11))]
    body = words_bytes(words) + pack_names([over.clip for _, over in listed])
    return {TAG: body + bytes(-len(body) % 4)}


def parse_over(section: Section | None, words: tuple[int, ...], clips: Sequence[Clip]) -> dict[int, Over]:
    """Reads and checks the section. Raises BankProblem."""
    if section is None:
        return {}
    cut = section.cut(words)
    count = cut[0] if cut else -1
    first = 1 + _ENTRY_WORDS * count
    if not 0 <= count <= len(clips) or first > len(cut):
        raise BankProblem(f"the section {TAG} of {len(cut)} words does not hold the clips that it counts; encode the "
                          "bank again")
    numbers, positions = cut[1:first:_ENTRY_WORDS], cut[2:first:_ENTRY_WORDS]
    if list(numbers) != [number for number, clip in enumerate(clips) if clip.additive]:
        raise BankProblem(f"the section {TAG} does not list the additive clips; encode the bank again")
    names = read_names(words_bytes(cut), 4 * first, count, TAG, lambda at: f"what clip {numbers[at]} is added to")
    return {number: Over(name, position) for number, name, position in zip(numbers, names, positions)}


def text_of(bank: Bank, clip: int) -> str | None:
    """What an additive clip of a bank is added to, as far as the bank says so; None for other clips."""
    if not bank.clips[clip].additive:
        return None
    return bank.over[clip].text if clip in bank.over else "additive"


def taking_part(bank: Bank, clip: int, transforms: np.ndarray) -> np.ndarray:
    """Returns the transforms [N, J, 10] of a clip as the runtime plays it, those of an additive clip as osc_mix_add
    takes them: without a sub-track, a joint of it makes no difference, whatever its pose has."""
    if not bank.clips[clip].additive:
        return transforms
    result = transforms.copy()
    for joint, has in enumerate(bank.joints):
        for kind, part, nothing in _PARTS:
            if not has.subtracks[kind]:
                result[:, joint, part] = nothing
    return result
