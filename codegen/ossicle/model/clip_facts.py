"""Facts about a clip of a source file for `ossicle clips`: its length, motion and loop."""
from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..base.arrays import Array
from .clip import ROTATION, SCALE, TRANSLATION, Clip, Skeleton
from .key_rate import key_rate
from .loops import MOVED, Gap, largest_gap_m, loop_gap


@dataclass(frozen=True)
class ClipFacts:
    """Facts about a clip. fps: the rate of its keys, or None. loops: yes if the loop is closed within the tolerance,
    close if `loop = "close"` can close it, otherwise no. in_place_mm: the gap of the loop without the travel.
    travel_mm: the displacement, along x, y (up) and z, of the topmost joint with a moving translation; travel_joint:
    this joint."""

    name: str
    file: str
    seconds: float
    fps: float | None
    loops: str
    gap_mm: float
    gap_joint: str
    in_place_mm: float
    moving_joints: list[str]
    joints: int
    travel_mm: list[float]
    travel_joint: str | None


def clip_facts(clip: Clip, skeleton: Skeleton, tolerance_m: float, shell_m: float) -> ClipFacts:
    """Returns the facts of a clip. tolerance_m: the largest gap of a closed loop; shell_m: the
    distance from joints at which gaps are measured."""
    frames, names = clip.frames, skeleton.names
    changes = _changes(frames)
    joint, travel = travel_of(clip)
    still = clip
    if joint is not None:
        ends = frames.copy()
        ends[-1, joint, TRANSLATION] = ends[0, joint, TRANSLATION]
        still = replace(clip, frames=ends)
    gap = loop_gap(clip, skeleton, shell_m)
    return ClipFacts(
        clip.name, clip.source, _seconds(clip), _rate(clip), _loops(clip, gap, skeleton, tolerance_m),
        _mm(gap.metres), names[gap.joint], _mm(loop_gap(still, skeleton, shell_m).metres),
        [name for name, change in zip(names, changes) if change > MOVED], len(names),
        [_mm(metres) for metres in travel.tolist()], None if joint is None else names[joint])


def travel_of(clip: Clip) -> tuple[int | None, Array]:
    """Returns the topmost joint with a moving translation, or None, and its displacement [3] from start to end."""
    frames = clip.frames
    moving = np.flatnonzero(np.ptp(frames[..., TRANSLATION], axis=0).max(axis=1) > MOVED)
    if not len(moving):
        return None, np.zeros(3)
    return int(moving[0]), frames[-1, moving[0], TRANSLATION] - frames[0, moving[0], TRANSLATION]


def _mm(metres: float) -> float:
    return round(metres * 1e3, 6)


def _changes(frames: Array) -> Array:
    """Returns the largest difference [J] of each joint's transform from that in the first frame."""
    difference = np.abs(frames - frames[0])
    negated = np.abs(frames[..., ROTATION] + frames[0, :, ROTATION]).max(axis=-1)
    turned = np.minimum(difference[..., ROTATION].max(axis=-1), negated)  # a quaternion equals its negative
    moved = np.maximum(difference[..., TRANSLATION].max(axis=-1), difference[..., SCALE].max(axis=-1))
    return np.maximum(turned, moved).max(axis=0)


def _seconds(clip: Clip) -> float:
    return float(clip.curve.times[-1]) if clip.curve is not None else (len(clip.frames) - 1) / clip.rate


def _rate(clip: Clip) -> float | None:
    return clip.rate if clip.curve is None else key_rate(clip.curve.times)


def _loops(clip: Clip, gap: Gap, skeleton: Skeleton, tolerance_m: float) -> str:
    if len(clip.frames) == 1 or gap.metres <= tolerance_m:
        return "yes"
    return "close" if gap.metres <= largest_gap_m(skeleton) else "no"
