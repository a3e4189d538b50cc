"""The section OVER: the reference poses of additive clips (SPEC.md section 2.7)."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .assembling import words_bytes
from .clips import ONE_Q11, Clip
from .names import check_end, pack_names, read_names
from .words import BankProblem, Section

TAG = "OVER"
_ENTRY_WORDS = 2


@dataclass(frozen=True)
class Over:
    """The reference pose of an additive clip. clip: the name of the clip that contains it, which need not be in the
    bank, or empty for the bind pose; position_q11: its position in that clip."""

    clip: str
    position_q11: int

    @property
    def text(self) -> str:
        """The description of the clip in messages and generated code."""
        return f"additive over {self.clip}, frame {self.position_q11 / ONE_Q11:g}" if self.clip else \
            "additive over the bind pose"


def over_section(clips: Mapping[int, Over]) -> dict[str, bytes]:
    """Returns the section by its tag, or nothing without additive clips. clips: by number."""
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
        raise BankProblem(f"the section {TAG} of {len(cut)} words does not match its number of clips; encode the bank "
                          "again")
    numbers, positions = cut[1:first:_ENTRY_WORDS], cut[2:first:_ENTRY_WORDS]
    if list(numbers) != [number for number, clip in enumerate(clips) if clip.additive]:
        raise BankProblem(f"the section {TAG} does not list the additive clips; encode the bank again")
    data = words_bytes(cut)
    names, end = read_names(data, 4 * first, count, TAG, lambda at: f"the reference of clip {numbers[at]}")
    check_end(data, end, count, TAG)
    return {number: Over(name, position) for number, name, position in zip(numbers, names, positions)}
