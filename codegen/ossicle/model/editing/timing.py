"""Cuts, speeds up and reverses clips."""
from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ...base.arrays import Array
from ...base.option_values import MAX_RATE
from ..clip import Clip, ImportProblem
from ..events import retimed_events
from ..key_rate import sampling_rate
from ..sampling import ChangedCurve, resampled

_SAME_TIME = 1e-5  # seconds; keys nearer to the ends of a cut coincide with them
_NO_TIME = 1e-6  # seconds; more than the rounding of key times, less than the distance of keys


@dataclass(frozen=True)
class Timing:
    """The part of a clip to use, and its speed. start_s, end_s: seconds in the file, None for its beginning and end;
    speed: seconds of the file per second; reverse: whether it plays backwards."""

    start_s: float | None = None
    end_s: float | None = None
    speed: float = 1.0
    reverse: bool = False


@dataclass(frozen=True, eq=False)
class TimedCurve(ChangedCurve):
    """A part of a curve, at another speed or backwards (see clip.Curve)."""

    start: float
    end: float
    speed: float
    reverse: bool

    @property
    def linear(self) -> bool:
        return self.curve.linear

    @cached_property
    def times(self) -> Array:
        inside = self._seconds(self.curve.times)
        return np.concatenate([[0.0], inside, [(self.end - self.start) / self.speed]])

    @cached_property
    def halves(self) -> Array:
        return np.union1d(self._seconds(self.curve.halves), (self.times[:-1] + self.times[1:]) / 2.0)

    def _seconds(self, inner: Array) -> Array:
        """Converts times of the inner curve between the ends, to ascending seconds."""
        inside = inner[(inner > self.start + _SAME_TIME) & (inner < self.end - _SAME_TIME)]
        return (self.end - inside)[::-1] / self.speed if self.reverse else (inside - self.start) / self.speed

    def _inner(self, seconds: Array, early: float) -> tuple[Array, float]:
        """Returns the times of the inner curve, and how early its tracks jump: late if it plays backwards."""
        passed = np.minimum(seconds * self.speed, self.end - self.start)
        if self.reverse:
            return self.end - passed, -max(early * self.speed, _NO_TIME)
        return self.start + passed, early * self.speed

    def at(self, seconds: Array, early: float = 0.0) -> Array:
        return self.curve.at(*self._inner(seconds, early))

    def sampled(self, seconds: Array, early: float) -> tuple[Array, Array]:
        return self.curve.sampled(*self._inner(seconds, early))

    def reordered(self, order: Array) -> TimedCurve:
        return replace(self, curve=self.curve.reordered(order))


def retimed(clip: Clip, timing: Timing) -> Clip:
    """Cuts a clip at whole frames and changes its speed. Raises ImportProblem if nothing remains."""
    if timing == Timing():
        return clip
    last = len(clip.frames) - 1
    duration = last / clip.rate if clip.curve is None else float(clip.curve.times[-1])
    first, end = (_frame(at, clip, duration) for at in (timing.start_s or 0.0, timing.end_s))
    if first >= end and last > 0:
        raise ImportProblem(f"from {first / clip.rate:g} s to {end / clip.rate:g} s the clip is empty, because it "
                            f"lasts {duration:g} s; correct from or to")
    begin_s, end_s = (min(frame / clip.rate, duration) for frame in (first, end))
    events = retimed_events(clip.events, begin_s, end_s, timing.speed, timing.reverse)
    actor = clip.actor and clip.actor.timed(first, end, timing.speed, timing.reverse)
    if clip.curve is None:
        frames, steps = clip.frames[first:end + 1], clip.steps[first:end + 1]
        if timing.reverse:
            frames, steps = frames[::-1], np.roll(steps[::-1], 1, axis=0)
        return replace(clip, rate=clip.rate * timing.speed, frames=frames, events=events,
                       actor=actor, steps=steps & (np.arange(len(steps)) > 0)[:, None, None])
    curve = TimedCurve(clip.curve, begin_s, end_s, timing.speed, timing.reverse)
    rate = sampling_rate(curve.times, min(clip.rate * timing.speed, MAX_RATE)) if clip.follows_curve else clip.rate
    return replace(resampled(clip, curve, rate), follows_curve=clip.follows_curve, events=events, actor=actor)


def _frame(seconds: float | None, clip: Clip, duration: float) -> int:
    """Returns the frame nearest to a time, or the last one for None. Raises ImportProblem."""
    if seconds is None:
        return len(clip.frames) - 1
    if seconds > duration + 0.5 / clip.rate:
        raise ImportProblem(f"{seconds:g} s is beyond its end at {duration:g} s; correct from or to")
    return min(round(seconds * clip.rate), len(clip.frames) - 1)
