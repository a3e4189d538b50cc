"""The section ROOT: how clips that play in place move over the ground (SPEC.md section 20)."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..base.format import number
from ..model.trajectory.displacement import UNITS, Trajectory
from ..model.trajectory.components import COMPONENTS
from .assembling import words_bytes
from .clips import ONE_Q11, Clip
from .words import BankProblem, Section

TAG = "ROOT"
_ENTRY = number("TRAJECTORY_WORDS")
_CLIP_SHIFT = number("TRAJECTORY_CLIP_SHIFT")
_SHIFTS = (number("TRAJECTORY_SHIFT_SHIFT"), number("TRAJECTORY_YAW_SHIFT_SHIFT"))
_SHIFT_MASK = number("TRAJECTORY_SHIFT_MASK")
_RESERVED = number("TRAJECTORY_RESERVED_MASK")
_SEGMENTS = number("TRAJECTORY_SEGMENTS_MASK")
_HAS_START = number("TRAJECTORY_HAS_START")
_WIDE = number("TRAJECTORY_WIDE")
_MULTIPLE_SHIFT = number("TRAJECTORY_MULTIPLE_SHIFT")
_MORE_KEYS = number("TRAJECTORY_MORE_KEYS")


@dataclass(frozen=True)
class ClipTrajectory:
    """What a bank says about a clip's trajectory: its components, where it ends as seen from its start, where that is
    in the source (metres, turns), and the number of segments of its spline."""

    components: tuple[str, ...]
    end: tuple[float, ...]
    start: tuple[float, ...]
    segments: int
    size_bytes: int


def inverse_of(end_q11: int) -> int:
    """The number by which a reader divides by the length of a clip."""
    return ((1 << 62) - 1) // (end_q11 << 31 - end_q11.bit_length())


def _fits(multiple: int, frames: int) -> bool:
    return 1 <= multiple <= 255 and frames > 1 and (frames - 1) % multiple == 0


def pack_trajectories(clips: Mapping[int, tuple[Trajectory, int]]) -> bytes:
    """Returns the content of the section for clips by their numbers, each with its number of frames in the bank."""
    place = 1 + _ENTRY * len(clips)
    entries: list[int] = []
    numbers: list[int] = []
    for clip in sorted(clips):
        one, frames = clips[clip]
        multiple, rest = divmod(frames - 1, one.frames - 1)
        assert rest == 0 and 1 <= multiple <= 255, (frames, one.frames)
        parts = np.flatnonzero(one.chosen).tolist()
        has_start = bool(one.start.any())
        wide = bool((np.abs(one.keys) > 127).any())
        entries += [sum(1 << part for part in parts) | one.shifts[0] << _SHIFTS[0] | one.shifts[1] << _SHIFTS[1]
                    | clip << _CLIP_SHIFT, one.segments | has_start * _HAS_START | wide * _WIDE
                    | multiple << _MULTIPLE_SHIFT, inverse_of((one.frames - 1) * ONE_Q11), place + len(numbers)]
        for values in (one.end, one.start)[:1 + has_start]:
            numbers += [int(values[part]) & 0xFFFFFFFF for part in parts]
        keys = one.keys[:, parts].astype("<i2" if wide else "i1").tobytes()
        numbers += np.frombuffer(keys + bytes(-len(keys) % 4), "<u4").tolist()
    return words_bytes([len(clips), *entries, *numbers])


def parse_trajectories(section: Section | None, words: tuple[int, ...], clips: Sequence[Clip]) \
        -> dict[int, ClipTrajectory]:
    """Reads and checks the section: the trajectories by the numbers of their clips. Raises BankProblem."""
    if section is None:
        return {}
    cut = section.cut(words)
    count = cut[0] if cut else -1
    if not 0 <= count <= 0xFFFF or 1 + _ENTRY * count > len(cut):
        raise BankProblem(f"the section {TAG} of {len(cut)} words does not hold the trajectories that it counts; "
                          "encode the bank again")
    found: dict[int, ClipTrajectory] = {}
    least = 0
    for first in range(1, 1 + _ENTRY * count, _ENTRY):
        form, counts, _, place = cut[first:first + _ENTRY]
        clip, parts = form >> _CLIP_SHIFT, [part for part in range(len(COMPONENTS)) if form >> part & 1]
        segments = counts & _SEGMENTS
        keys = (segments + _MORE_KEYS) * len(parts) if segments else 0
        starts = 2 if counts & _HAS_START else 1
        size = len(parts) * starts + (-(-keys // 2) if counts & _WIDE else -(-keys // 4))
        if not least <= clip < len(clips) or not parts or form & _RESERVED or \
                not _fits(counts >> _MULTIPLE_SHIFT, clips[clip].frame_count) or place + size > len(cut):
            raise BankProblem(f"the section {TAG} contradicts itself for clip {clip}; encode the bank again")
        values = [word - (word >> 31 << 32) for word in cut[place:place + starts * len(parts)]]
        metres = [value / UNITS[part] for value, part in zip(values, parts * 2)]
        start = metres[len(parts):] or [0.0] * len(parts)
        found[clip] = ClipTrajectory(tuple(COMPONENTS[part] for part in parts), tuple(metres[:len(parts)]),
                                     tuple(start), segments, 4 * (_ENTRY + size))
        least = clip + 1
    return found


def trajectories_section(clips: Sequence[tuple[Trajectory | None, int]]) -> dict[str, bytes]:
    """Returns the section by its tag; nothing if no clip has a trajectory. clips: each with its frames in the bank."""
    coded = {number: (trajectory, frames) for number, (trajectory, frames) in enumerate(clips)
             if trajectory is not None}
    return {TAG: pack_trajectories(coded)} if coded else {}
