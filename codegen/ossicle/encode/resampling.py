"""Chooses the rate at which a clip is encoded, and the times besides its frames at which it is
compared with its source.

A bank holds frames and blends them by shortest arcs and lines. If all keys of a file are frames and
the file blends them in the same way, nothing is lost. Other clips (splines, keys between frames)
are also compared with the file at their own keys and half way between them. They are sampled at a
multiple of their rate if their frames alone would be too inaccurate.
"""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..bank.clips import ONE_Q11
from ..base.option_names import named
from ..model.additive import poses
from ..model.clip import Clip, ImportProblem
from ..model.key_rate import HIGHEST, JITTER, sampling_rate
from ..model.sampling import resampled
from ..model.shell import middles
from . import native

# Metres. Positions that differ by less count as equal. This is half of the margin that the encoder
# leaves for measurements in single precision.
_SAME_M = 2.5e-7
_MULTIPLES = (2, 3, 4, 5, 6, 8, 10, 12, 16, 20)

SHARE = 0.9  # the part of the tolerance that sampling may use up; the rest is for the codec
NEGLIGIBLE = 0.1  # the part of the tolerance below which sampling does not cause the codec to fail
_NEARLY = 2.0  # the error that a lower rate may have, relative to that of the best rate


@dataclass(frozen=True, eq=False)
class Source:
    """A clip at one rate, as the encoder takes it. own_times: the seconds of those keys of its
    curve, and midpoints between keys, that are neither frames nor midpoints between frames. error:
    the distance of its frames, exactly blended, from the curve, in tolerances; 0.0 if they are the
    curve."""

    clip: Clip
    input: native.ClipInput
    own_times: np.ndarray
    error: float = 0.0


def sources(clip: Clip, loop: bool, skeleton: native.Skeleton, wanted: native.EncodeSettings) \
        -> Iterator[Source]:
    """Yields the clip at its own rate or the multiple that it needs, and at further multiples if its frames alone do not
    describe it. If the encoder refuses the clip, the error stays 0, so that encoding the first source reports the
    reason."""
    if clip.multiple > 1:
        clip = resampled(clip, clip.curve, clip.multiple * clip.rate)
    own_times = _own_times(clip, skeleton, wanted.shell_m)
    if clip.curve is None or not clip.follows_curve or (clip.curve.linear and len(own_times) == 0):
        yield Source(clip, native.ClipInput(clip.frames, clip.steps, loop, over=over_of(clip)), own_times)
        return
    yield _with_curve(clip, loop, own_times, skeleton, wanted)
    for multiple in _MULTIPLES:
        if multiple * clip.rate > HIGHEST:
            return
        try:
            finer = resampled(clip, clip.curve, multiple * clip.rate)
        except ImportProblem:  # too many frames
            return
        own_times = _own_times(finer, skeleton, wanted.shell_m)
        yield _with_curve(finer, loop, own_times, skeleton, wanted)


def over_of(clip: Clip) -> np.ndarray | None:
    """The pose from which the clip's transforms are differences, if it is additive."""
    return None if clip.reference is None else clip.reference.pose


def _with_curve(clip: Clip, loop: bool, own_times: np.ndarray, skeleton: native.Skeleton,
                wanted: native.EncodeSettings) -> Source:
    probes = _probes(clip, own_times) if len(own_times) > 0 else None
    full = native.ClipInput(clip.frames, clip.steps, loop, middles(clip), probes, over=over_of(clip))
    status, report = native.resampling_error(skeleton, full, wanted)
    if status != native.OK:
        return Source(clip, full, own_times)
    limits = wanted.joint_tolerance_m
    limit = wanted.tolerance_m if limits is None else limits[report.tight_joint]
    return Source(clip, full, own_times, report.tight_error_m / limit)


def nearest_source(sources: Sequence[Source]) -> Source:
    """Chooses from sources that are all too far from their curve: returns the one at the lowest
    rate whose error is nearly the least. It is measured against its own frames."""
    least = min(source.error for source in sources)
    source = next(source for source in sources if source.error <= _NEARLY * least)
    return replace(source, clip=replace(source.clip, follows_curve=False),
                   input=replace(source.input, middles=None, probes=None))


@dataclass(frozen=True)
class SourceError:
    """The error at a key of the source, or half way between two, that is largest relative to its
    joint's tolerance, in metres, with its joint and time."""

    error_m: float
    joint: int
    seconds: float


def source_error(source: Source, encoded: native.EncodedClip) -> SourceError | None:
    """Returns the error of an encoded clip at the keys of its curve and half way between them.
    Returns None if all of these are frames or midpoints, and were measured with them."""
    curve = source.clip.curve
    if curve is None or ((source.clip.follows_curve or curve.linear)
                         and len(source.own_times) == 0):
        return None
    times = np.union1d(curve.times, curve.halves)
    error_m, joint, probe = encoded.probe(_probes(source.clip, times))
    return SourceError(error_m, joint, float(times[probe]))


def remedy(clip: Clip, forced: bool) -> str:
    """Returns the remedy for a clip that misses the keys of its curve. forced: whether the user
    chose the rate."""
    if forced:
        rate = sampling_rate(clip.curve.times)
        return f"its keys are at {rate:.6g} frames per second: leave out {named('--fps')}"
    return f"no rate up to {HIGHEST} follows its keys; raise the tolerance, or bake the animation"


def _own_times(clip: Clip, skeleton: native.Skeleton, shell_m: float) -> np.ndarray:
    """Returns the seconds of those keys of the curve, and midpoints between them, that are neither
    frames nor midpoints between frames. Times at which the clip hardly moves do not count."""
    if clip.curve is None or len(clip.frames) == 1:
        return np.zeros(0)
    times = np.union1d(clip.curve.times, clip.curve.halves)
    at = times * clip.rate
    missed = np.abs(at - np.rint(2.0 * at) / 2.0)
    travel = skeleton.travel(poses(clip, clip.frames), shell_m)
    beside = np.pad(travel, 1)
    beside = np.maximum(np.maximum(beside[:-2], beside[2:]), travel)
    return times[missed * beside[np.minimum(at.astype(int), len(travel) - 1)] > _SAME_M]


def _probes(clip: Clip, times: np.ndarray) -> native.Probes:
    positions = np.minimum(np.rint(times * clip.rate * ONE_Q11), (len(clip.frames) - 1) * ONE_Q11)
    return native.Probes(positions.astype(np.uint32), clip.curve.at(times, JITTER / clip.rate))
