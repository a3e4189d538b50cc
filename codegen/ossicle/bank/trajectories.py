"""The section ROOT: the root motion of clips that play in place (SPEC.md section 20)."""
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
    """The trajectory of a clip. end: relative to the start; start: in the source; both in metres and turns; segments:
    of its spline."""

    components: tuple[str, ...]
    end: tuple[float, ...]
    start: tuple[float, ...]
    segments: int
    size_bytes: int


def inverse_of(end_q11: int) -> int:
    """Returns the reciprocal with which a reader divides by the length of a clip."""
    return ((1 << 62) - 1) // (end_q11 << 31 - end_q11.bit_length())


def _fits(multiple: int, frames: int) -> bool:
    return 1 <= multiple <= 255 and frames > 1 and (frames - 1) % multiple == 0


def pack_trajectories(clips: Mapping[int, tuple[Trajectory, int]]) -> bytes:
    """Returns the content of the section. clips: trajectory and number of frames in the bank, by number of the clip."""
    offset = 1 + _ENTRY * len(clips)
    entries: list[int] = []
    numbers: list[int] = []
    for clip in sorted(clips):
        entry, frames = clips[clip]
        multiple, rest = divmod(frames - 1, entry.frames - 1)
        assert rest == 0 and 1 <= multiple <= 255, (frames, entry.frames)
        parts = np.flatnonzero(entry.chosen).tolist()
        has_start = bool(entry.start.any())
        wide = bool((np.abs(entry.keys) > 127).any())
        entries += [sum(1 << part for part in parts) | entry.shifts[0] << _SHIFTS[0] | entry.shifts[1] << _SHIFTS[1]
                    | clip << _CLIP_SHIFT, entry.segments | has_start * _HAS_START | wide * _WIDE
                    | multiple << _MULTIPLE_SHIFT, inverse_of((entry.frames - 1) * ONE_Q11), offset + len(numbers)]
        for values in (entry.end, entry.start)[:1 + has_start]:
            numbers += [int(values[part]) & 0xFFFFFFFF for part in parts]
        keys = entry.keys[:, parts].astype("<i2" if wide else "i1").tobytes()
        numbers += np.frombuffer(keys + bytes(-len(keys) % 4), "<u4").tolist()
    return words_bytes([len(clips), *entries, *numbers])


def parse_trajectories(section: Section | None, words: tuple[int, ...], clips: Sequence[Clip]) \
        -> dict[int, ClipTrajectory]:
    """Reads and checks the section. Returns the trajectories by number of the clip. Raises BankProblem."""
    if section is None:
        return {}
    cut = section.cut(words)
    count = cut[0] if cut else -1
    if not 0 <= count <= 0xFFFF or 1 + _ENTRY * count > len(cut):
        raise BankProblem(f"the section {TAG} of {len(cut)} words does not match its number of trajectories; encode "
                          "the bank again")
    found: dict[int, ClipTrajectory] = {}
    least = 0
    for first in range(1, 1 + _ENTRY * count, _ENTRY):
        flags, counts, _, offset = cut[first:first + _ENTRY]
        clip, parts = flags >> _CLIP_SHIFT, [part for part in range(len(COMPONENTS)) if flags >> part & 1]
        segments = counts & _SEGMENTS
        keys = (segments + _MORE_KEYS) * len(parts) if segments else 0
        starts = 2 if counts & _HAS_START else 1
        size = len(parts) * starts + (-(-keys // 2) if counts & _WIDE else -(-keys // 4))
        if not least <= clip < len(clips) or not parts or flags & _RESERVED or \
                not _fits(counts >> _MULTIPLE_SHIFT, clips[clip].frame_count) or offset + size > len(cut):
            raise BankProblem(f"the section {TAG} is inconsistent for clip {clip}; encode the bank again")
        values = [word - (word >> 31 << 32) for word in cut[offset:offset + starts * len(parts)]]
        metres = [value / UNITS[part] for value, part in zip(values, parts * 2)]
        start = metres[len(parts):] or [0.0] * len(parts)
        found[clip] = ClipTrajectory(tuple(COMPONENTS[part] for part in parts), tuple(metres[:len(parts)]),
                                     tuple(start), segments, 4 * (_ENTRY + size))
        least = clip + 1
    return found


def trajectories_section(clips: Sequence[tuple[Trajectory | None, int]]) -> dict[str, bytes]:
    """Returns the section by its tag, or nothing if no clip has a trajectory. clips: trajectory and number of frames in
    the bank."""
    coded = {number: (trajectory, frames) for number, (trajectory, frames) in enumerate(clips)
             if trajectory is not None}
    return {TAG: pack_trajectories(coded)} if coded else {}
