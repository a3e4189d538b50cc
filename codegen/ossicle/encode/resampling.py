"""At which rate a clip is encoded, and where beside its frames it is compared with its source.

A bank holds frames and blends them by shortest arcs and lines. Where all keys of a file are frames
and the file blends them in the same way, nothing is lost. Other clips (splines, keys beside frames) are also
measured at their own keys and half way between them, against the file, and sampled at a multiple of
their rate where their frames alone would be too far off.
"""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..bank.clips import ONE_Q11
from ..base.option_names import named
from ..model.clip import Clip, ImportProblem
from ..model.key_rate import HIGHEST, JITTER, sampling_rate
from ..model.sampling import sample
from ..model.shell import middles
from . import native

# Positions that differ by less, in metres, count as one: half of what the encoder leaves for judges
# that read single precision.
_SAME_M = 2.5e-7
_MULTIPLES = (2, 3, 4, 5, 6, 8, 10, 12, 16, 20)

SHARE = 0.9  # of the tolerance that sampling may use up; the rest is for the codec
NEGLIGIBLE = 0.1  # of the tolerance: below, sampling is not to blame where the codec fails
_NEARLY = 2.0  # times the error of the best rate that a lower rate may have


@dataclass(frozen=True, eq=False)
class Source:
    """A clip at one rate, as the encoder takes it. own_times: seconds at which its curve has keys, or
    is half way between keys, that are not frames or half way between frames. error: how far its
    frames, exactly blended, are from the curve, in tolerances; 0.0 where they are the curve."""

    clip: Clip
    input: native.ClipInput
    own_times: np.ndarray
    error: float = 0.0


def sources(clip: Clip, loop: bool, skeleton: native.Skeleton, wanted: native.EncodeSettings) \
        -> Iterator[Source]:
    """The clip at its own rate, and at multiples of it where its frames alone do not describe it. Where
    the encoder refuses the clip, the error stays 0, so that encoding the first one tells why."""
    own_times = _own_times(clip, skeleton, wanted.shell_m)
    if clip.curve is None or not clip.follows_curve or (clip.curve.linear and len(own_times) == 0):
        yield Source(clip, native.ClipInput(clip.frames, clip.steps, loop), own_times)
        return
    yield _with_curve(clip, loop, own_times, skeleton, wanted)
    for multiple in _MULTIPLES:
        if multiple * clip.rate > HIGHEST:
            return
        try:
            finer = sample(clip.name, clip.curve, multiple * clip.rate, 0, clip.source)
        except ImportProblem:  # more frames than fit
            return
        own_times = _own_times(finer, skeleton, wanted.shell_m)
        yield _with_curve(finer, loop, own_times, skeleton, wanted)


def _with_curve(clip: Clip, loop: bool, own_times: np.ndarray, skeleton: native.Skeleton,
                wanted: native.EncodeSettings) -> Source:
    probes = _probes(clip, own_times) if len(own_times) > 0 else None
    full = native.ClipInput(clip.frames, clip.steps, loop, middles(clip), probes)
    status, report = native.resampling_error(skeleton, full, wanted)
    if status != native.OK:
        return Source(clip, full, own_times)
    limits = wanted.joint_tolerance_m
    limit = wanted.tolerance_m if limits is None else limits[report.tight_joint]
    return Source(clip, full, own_times, report.tight_error_m / limit)


def nearest_source(sources: Sequence[Source]) -> Source:
    """For sources that are all too far from their curve: the one at the lowest rate that is nearly as
    close as any. It is measured against its own frames."""
    least = min(source.error for source in sources)
    source = next(source for source in sources if source.error <= _NEARLY * least)
    return replace(source, clip=replace(source.clip, follows_curve=False),
                   input=replace(source.input, middles=None, probes=None))


@dataclass(frozen=True)
class SourceError:
    """The error at a key of the source, or half way between two, that is largest relative to its
    joint's tolerance, in metres; and where."""

    error_m: float
    joint: int
    seconds: float


def source_error(source: Source, encoded: native.EncodedClip) -> SourceError | None:
    """How far an encoded clip is from the keys of its curve, and half way between them; None where
    all of those are frames, or half way between frames, and were measured with these."""
    curve = source.clip.curve
    if curve is None or ((source.clip.follows_curve or curve.linear)
                         and len(source.own_times) == 0):
        return None
    times = np.union1d(curve.times, curve.halves)
    error_m, joint, probe = encoded.probe(_probes(source.clip, times))
    return SourceError(error_m, joint, float(times[probe]))


def remedy(clip: Clip, forced: bool) -> str:
    """What to do for a clip that misses the keys of its curve. forced: at a rate that the user
    chose."""
    if forced:
        rate = sampling_rate(clip.curve.times)
        return f"its keys are at {rate:.6g} frames per second: leave out {named('--fps')}"
    return f"no rate up to {HIGHEST} follows its keys; raise the tolerance, or bake the animation"


def _own_times(clip: Clip, skeleton: native.Skeleton, shell_m: float) -> np.ndarray:
    """Keys of the curve and halves between them that are not also frames, or half way between two:
    seconds. Those at which the clip hardly moves do not count."""
    if clip.curve is None or len(clip.frames) == 1:
        return np.zeros(0)
    times = np.union1d(clip.curve.times, clip.curve.halves)
    at = times * clip.rate
    missed = np.abs(at - np.rint(2.0 * at) / 2.0)
    travel = skeleton.travel(clip.frames, shell_m)
    beside = np.pad(travel, 1)
    beside = np.maximum(np.maximum(beside[:-2], beside[2:]), travel)
    return times[missed * beside[np.minimum(at.astype(int), len(travel) - 1)] > _SAME_M]


def _probes(clip: Clip, times: np.ndarray) -> native.Probes:
    positions = np.minimum(np.rint(times * clip.rate * ONE_Q11), (len(clip.frames) - 1) * ONE_Q11)
    return native.Probes(positions.astype(np.uint32), clip.curve.at(times, JITTER / clip.rate))
