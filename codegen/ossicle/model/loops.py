"""Measures the gap between the end and the beginning of a loop, and closes it.

The beginning moves by half of the gap towards the end, the end by half of it towards the beginning, and the poses
between by a fraction that changes linearly. Both sides of the seam keep the speeds of the file.
"""
from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..base.arrays import Array
from ..base.curve_names import real_count
from . import rotations
from .bind_size import bind_size
from .blocks import blocks
from .clip import ROTATION, SCALE, TRANSLATION, Clip, Skeleton
from .sampling import ChangedCurve
from .shell import shell_errors

# The largest gap that is closed by default, as a fraction of the character's size: 5 cm for people, in any unit.
LARGEST_SHARE = 0.03
_ROUNDING = 1e-12  # of quaternions
MOVED = 1e-5  # the smallest change that counts as motion: of a quaternion, a scale, in metres
_PARTS = (ROTATION, TRANSLATION, SCALE)  # as TRACK_KINDS


@dataclass(frozen=True)
class Gap:
    """The largest distance of a joint at the end of a clip from its position at the beginning, and that joint."""

    metres: float
    joint: int


@dataclass(frozen=True)
class Closing:
    """A loop that was closed. moved_m: the largest change of its poses."""

    gap: Gap
    moved_m: float


def loop_gap(clip: Clip, skeleton: Skeleton, shell_m: float) -> Gap:
    """Returns the gap of a clip, measured like encoding errors at points this far from joints, without curves."""
    real = real_count(skeleton.names)
    errors = shell_errors(skeleton.parents[:real], clip.frames[:1, :real], clip.frames[-1:, :real], shell_m,
                          skeleton.bind[:real])[0]
    return Gap(float(errors.max()), int(np.argmax(errors)))


def moves_at_all(clip: Clip) -> bool:
    """Returns whether a clip moves."""
    return any(np.abs(clip.frames[block] - clip.frames[0]).max() > MOVED
               for block in blocks(len(clip.frames), clip.frames.shape[1]))


def largest_gap_m(skeleton: Skeleton) -> float:
    """Returns the largest gap that is closed unless the user sets another limit."""
    return LARGEST_SHARE * max(bind_size(skeleton))


@dataclass(frozen=True, eq=False)
class Spread:
    """The correction that closes a loop. first, last: the local transforms [J, 10] on both sides of the gap; stepping:
    bool [J, 3], the tracks that jump, which keep their values until the end."""

    first: Array
    last: Array
    stepping: Array

    def apply(self, transforms: Array, share: Array) -> Array:
        """Returns corrected transforms [N, J, 10]. share: [N], the fraction of the clip before each, 0 to 1."""
        result = transforms.copy()
        gap = self.first - self.last
        linear = slice(TRANSLATION.start, SCALE.stop)
        result[..., linear] += (share - 0.5)[:, None, None] * gap[:, linear]
        half = self._half_rotation()
        undone = half * (-1.0, -1.0, -1.0, 1.0)
        rotated = np.flatnonzero(np.any(half[:, :3] != 0.0, axis=1))
        if len(rotated):
            correction = rotations.slerp(undone[rotated], half[rotated], share[:, None])
            result[:, rotated, ROTATION] = rotations.multiply(transforms[:, rotated, ROTATION], correction)
        for kind, part in enumerate(_PARTS):
            joints = np.flatnonzero(self.stepping[:, kind])
            ended = (share >= 1.0)[:, None, None]
            result[:, joints, part] = np.where(ended, self.first[joints, part], transforms[:, joints, part])
        return result

    def _half_rotation(self) -> Array:
        """Returns half of the rotation [J, 4] from the last pose to the first, in each joint's own frame."""
        undone = self.last[:, ROTATION] * (-1.0, -1.0, -1.0, 1.0)
        rotation = rotations.multiply(undone, self.first[:, ROTATION])
        rotation = np.where(rotation[:, 3:] < 0.0, -rotation, rotation)
        rotation[np.abs(rotation[:, :3]).max(axis=1) < _ROUNDING] = (0.0, 0.0, 0.0, 1.0)
        return rotations.normalise(rotation + (0.0, 0.0, 0.0, 1.0))


@dataclass(frozen=True, eq=False)
class ClosedCurve(ChangedCurve):
    """The curve of a clip whose loop was closed (see clip.Curve)."""

    spread: Spread

    @property
    def linear(self) -> bool:
        return False

    def share(self, seconds: Array) -> Array:
        """Returns the fraction of the clip before each of these times."""
        return np.minimum(seconds / self.times[-1], 1.0)

    def at(self, seconds: Array, early: float = 0.0) -> Array:
        return self.spread.apply(self.curve.at(seconds, early), self.share(seconds))

    def sampled(self, seconds: Array, early: float) -> tuple[Array, Array]:
        frames, steps = self.curve.sampled(seconds, early)
        steps[self.share(seconds) >= 1.0] |= self.spread.stepping
        return self.spread.apply(frames, self.share(seconds)), steps

    def reordered(self, order: Array) -> ClosedCurve:
        spread = Spread(self.spread.first[order], self.spread.last[order], self.spread.stepping[order])
        return replace(self, curve=self.curve.reordered(order), spread=spread)


def closed(clip: Clip) -> Clip:
    """Returns a clip whose last pose equals the first one."""
    spread = Spread(clip.frames[0], clip.frames[-1], clip.steps.any(axis=0))
    last = len(clip.frames) - 1
    steps = clip.steps.copy()
    steps[-1] |= spread.stepping
    frames = spread.apply(clip.frames, np.arange(last + 1) / last)
    if clip.curve is None:
        return replace(clip, frames=frames, steps=steps)
    curve = ClosedCurve(clip.curve, spread)
    ticks = np.arange(last + 1) / clip.rate
    ticks[-1] = max(ticks[-1], curve.times[-1])
    return replace(clip, frames=spread.apply(clip.frames, curve.share(ticks)), steps=steps, curve=curve)
