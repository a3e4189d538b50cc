"""Samples curves at whole frames of a rate and between the frames."""
from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from ..base.arrays import Array
from . import rotations
from .clip import ROTATION, TRACK_KINDS, Clip, Curve, frame_count
from .key_rate import JITTER
from .samples import stored


def sample(name: str, curve: Curve, rate: float, joint_frames: int, source: str,
           follows_curve: bool = True) -> Clip:
    """Samples a curve at a rate, from time 0 to the end of the animation. joint_frames: the part of the memory limit
    that earlier clips of the file used. Raises ImportProblem."""
    duration = curve.times[-1]
    ticks = np.arange(frame_count(duration, rate, curve.joints, joint_frames)) / rate
    ticks[-1] = max(ticks[-1], duration)
    frames, steps = curve.sampled(ticks, JITTER / rate)
    return Clip(name, rate, stored(frames), steps, source, curve, follows_curve)


def resampled(clip: Clip, curve: Curve, rate: float) -> Clip:
    """Returns a clip with the frames of another curve or rate, otherwise unchanged. Raises ImportProblem."""
    result = sample(clip.name, curve, rate, 0, clip.source)
    return replace(clip, rate=rate, frames=result.frames, steps=result.steps, curve=curve, follows_curve=True,
                   contacts=tuple(contact.at_rate(rate / clip.rate) for contact in clip.contacts))


@dataclass(frozen=True, eq=False)
class ChangedCurve:
    """The base of curves that change another curve but keep its keys (see clip.Curve)."""

    curve: Curve

    @property
    def joints(self) -> int:
        return self.curve.joints

    @property
    def times(self) -> Array:
        return self.curve.times

    @property
    def halves(self) -> Array:
        return self.curve.halves


@dataclass(frozen=True, eq=False)
class OrderedCurve(ChangedCurve):
    """The base of curves with other joints than the inner one. order: the number of each joint of the result, among all
    that could be in it."""

    order: Array

    @property
    def joints(self) -> int:
        return len(self.order)

    def reordered(self, order: Array) -> Self:
        return replace(self, order=self.order[order])


@dataclass(frozen=True, eq=False)
class FrameCurve:
    """The frames of a file without interpolation, with shortest arcs and lines between them (see clip.Curve). frames:
    float64 [F, J, 10]."""

    frames: Array
    frame_seconds: float
    linear: bool = True

    @property
    def joints(self) -> int:
        return self.frames.shape[1]

    @property
    def times(self) -> Array:
        return np.arange(len(self.frames)) * self.frame_seconds

    @property
    def halves(self) -> Array:
        return (np.arange(len(self.frames) - 1) + 0.5) * self.frame_seconds

    def reordered(self, order: Array) -> FrameCurve:
        return replace(self, frames=self.frames[:, order])

    def at(self, seconds: Array, early: float = 0.0) -> Array:
        return self.sampled(seconds, early)[0]

    def sampled(self, seconds: Array, early: float) -> tuple[Array, Array]:
        last = len(self.frames) - 1
        at = np.minimum(seconds / self.frame_seconds, last)
        left = np.minimum(at.astype(int), max(last - 1, 0))
        right = np.minimum(left + 1, last)
        u = (at - left)[:, None]
        result = self.frames[left] * (1.0 - u[..., None]) + self.frames[right] * u[..., None]
        result[..., ROTATION] = rotations.slerp(
            self.frames[left][..., ROTATION], self.frames[right][..., ROTATION], u)
        return result, np.zeros((*result.shape[:2], len(TRACK_KINDS)), bool)
