"""Chooses the rate at which a clip is encoded, and the times between its frames at which it is compared with its
source.

A bank holds frames and blends them by shortest arcs and lines. If all keys of a file are frames and
the file blends them in the same way, nothing is lost. Other clips (splines, keys between frames)
are also compared with the file at their own keys and at the midpoints between them. They are sampled at a
multiple of their rate if their frames alone would be too inaccurate.

Frames cannot be blended if a track moves too fast (a swing of more than about 100 degrees, or a dash of a metre): a
player holds the first frame, and then jumps. If the file interpolates there, this is an error like any other, and a
higher rate avoids it. The frames of a file without interpolation count as linear keys. But no body moves that fast at
CAPTURED frames a second: such a file has a cut there, for example from a T-pose to the first pose. Cuts, and dashes
that no rate can follow, remain jumps, with a warning. The rate is that of the other tracks. A warning also names jumps
of the file before which a track moves, because a bank holds the track for that frame.
"""
from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

import numpy as np

from ..bank.clips import ONE_Q11
from ..base.arrays import Array
from ..base.option_values import MAX_RATE
from ..base.option_names import named
from ..model.editing.additive import poses
from ..model.blocks import blocks
from ..model.clip import ROTATION, SCALE, TRANSLATION, Clip, Curve, ImportProblem
from ..model.key_rate import JITTER, MULTIPLES, sampling_rate
from ..model.samples import TRANSFORM_WIDTH
from ..model.sampling import FrameCurve, resampled
from ..model.shell import middles
from . import native

# Multiples of a rate to try if all of MULTIPLES are too inaccurate: one of them puts keys that begin between frames on
# frames.
_LAST_RESORTS = (7, 9, 11, 13, 14, 15, 17, 18, 19)

# Frames per second: the highest rate that follows fast motion in a file without interpolation. 100 degrees a frame are
# then 12,000 degrees a second, and a metre a frame 120 metres a second.
CAPTURED = 120.0

# Metres. Positions that differ by less count as equal. This is half of the margin that the encoder
# leaves for measurements in single precision.
_SAME_M = 2.5e-7

SHARE = 0.9  # the part of the tolerance that sampling may use up; the rest is for the codec
NEGLIGIBLE = 0.1  # the part of the tolerance below which sampling does not cause the codec to fail
_NEARLY = 2.0  # the error that a lower rate may have, relative to that of the best rate


@dataclass(frozen=True, eq=False)
class Source:
    """A clip at one rate, for the encoder. own_times: the seconds of those keys of its curve, and midpoints between
    keys, that are neither frames nor midpoints between frames. error: the distance of its exactly blended frames from
    the curve, in tolerances; 0.0 if they equal the curve. fast: whether tracks hold and jump where the curve moves."""

    clip: Clip
    input: native.ClipInput
    own_times: Array
    error: float = 0.0
    fast: bool = False


def _curve_of(clip: Clip) -> Curve:
    """Returns the curve of a clip, which must have one."""
    assert clip.curve is not None
    return clip.curve


def sources(clip: Clip, loop: bool, skeleton: native.Skeleton, settings: native.EncodeSettings) \
        -> Iterator[Source]:
    """Yields the clip at its own rate or the multiple that it needs, and at further multiples if its frames alone do
    not describe it. If the encoder refuses the clip, the error stays 0, so that encoding the first source reports the
    reason."""
    if clip.multiple > 1:
        clip = resampled(clip, _curve_of(clip), clip.multiple * clip.rate)
    fast = _fast(clip)
    if fast.any() and clip.curve is None:
        clip = replace(clip, curve=FrameCurve(clip.frames, 1.0 / clip.rate))
    own_times = _own_times(clip, skeleton, settings.shell_m)
    hopeless = _hopeless(clip) if fast.any() else fast  # a track without fast motion has no faster motion
    exact = clip.curve is None or (clip.curve.linear and len(own_times) == 0 and not (fast & ~hopeless).any())
    if exact or not clip.follows_curve:
        yield Source(replace(clip, follows_curve=clip.follows_curve and not fast.any()),
                     native.ClipInput(clip.frames, clip.steps, loop, over=over_of(clip)), own_times,
                     fast=bool(fast.any()))
        return
    yield _with_curve(clip, loop, own_times, skeleton, settings, hopeless)
    for finer in _at_multiples(clip, clip.rate, (*MULTIPLES, *_LAST_RESORTS)):
        own_times = _own_times(finer, skeleton, settings.shell_m)
        pairs = np.arange(len(finer.frames)) / round(finer.rate / clip.rate)
        within = np.minimum(np.ceil(pairs).astype(int), len(clip.frames) - 1)
        yield _with_curve(finer, loop, own_times, skeleton, settings, hopeless[within])


def _at_multiples(clip: Clip, rate: float, multiples: Iterable[int]) -> Iterator[Clip]:
    """Yields a clip at multiples of a rate, as long as these are at most MAX_RATE and the clip fits into memory."""
    for multiple in multiples:
        if multiple * rate <= MAX_RATE:
            with suppress(ImportProblem):  # too many frames
                yield resampled(clip, _curve_of(clip), multiple * rate)


def _fast(clip: Clip) -> Array:
    """Returns bool [F, J, 3]: the tracks that move too fast from the previous frame to be blended, although the source
    moves them."""
    return native.fast_moves(clip.frames) & ~clip.steps


def _hopeless(clip: Clip) -> Array:
    """Returns bool [F, J, 3]: the tracks that move too fast from the previous frame even at the highest allowed
    multiple of the clip's rate."""
    highest = CAPTURED if isinstance(clip.curve, FrameCurve) else MAX_RATE
    finest = max(multiple for multiple in (1, *MULTIPLES) if multiple == 1 or multiple * clip.rate <= highest)
    return native.fast_moves(clip.frames, finest) & ~clip.steps


def over_of(clip: Clip) -> Array | None:
    """Returns the pose from which the clip's transforms are differences, or None if it is not additive."""
    return None if clip.reference is None else clip.reference.pose


def _with_curve(clip: Clip, loop: bool, own_times: Array, skeleton: native.Skeleton,
                settings: native.EncodeSettings, hopeless: Array) -> Source:
    """Returns the source of a clip with a curve. hopeless: bool [F, J, 3], the tracks that jump in the reference, too,
    because no rate can follow them."""
    fast = _fast(clip)
    hopeless = fast & hopeless
    held = clip.steps | hopeless
    probes = _probes(clip, own_times, held) if len(own_times) > 0 else None
    halfway = middles(clip)
    for block in blocks(len(halfway), clip.frames.shape[1]):
        halfway[block] = np.where(_of_values(held[1:][block]), clip.frames[block], halfway[block])
    full = native.ClipInput(clip.frames, clip.steps, loop, halfway, probes, over=over_of(clip))
    status, report = native.resampling_error(skeleton, full, settings)
    clip = replace(clip, follows_curve=not hopeless.any() and not _moves_before_jumps(clip))
    if status != native.OK:
        return Source(clip, full, own_times)
    limits = settings.joint_tolerance_m
    limit = settings.tolerance_m if limits is None else limits[report.tight_joint]
    return Source(clip, full, own_times, report.tight_error_m / limit, bool(fast.any()))


def nearest_source(sources: Sequence[Source]) -> Source:
    """Chooses from sources that are all too far from their curve: returns the one at the lowest
    rate whose error is nearly the least. It is measured against its own frames."""
    least = min(source.error for source in sources)
    source = min((source for source in sources if source.error <= _NEARLY * least), key=lambda source: source.clip.rate)
    return replace(source, clip=replace(source.clip, follows_curve=False),
                   input=replace(source.input, middles=None, probes=None))


@dataclass(frozen=True)
class SourceError:
    """The error at a key of the source or a midpoint between keys or frames that is largest relative to its joint's
    tolerance, in metres, with its joint and time."""

    error_m: float
    joint: int
    seconds: float


def source_error(source: Source, encoded: native.EncodedClip, limits_m: Array) -> SourceError | None:
    """Returns the error of an encoded clip at the keys of its curve and the midpoints between them, and at the
    midpoints between frames if only frames were measured. Returns None if all of these were measured with the frames.
    limits_m: the tolerance of every joint."""
    clip, curve = source.clip, source.clip.curve
    if curve is None or (len(source.own_times) == 0
                         and (clip.follows_curve or (curve.linear and not source.fast))):
        return None
    times = np.union1d(curve.times, curve.halves)
    # the frames alone do not determine the curve between them
    if not clip.follows_curve and (source.fast or not curve.linear):
        times = np.union1d(times, np.minimum((np.arange(len(clip.frames) - 1) + 0.5) / clip.rate, times[-1]))
    worst, most = None, -1.0
    for block in blocks(len(times), clip.frames.shape[1]):
        error_m, joint, probe = encoded.probe(_probes(clip, times[block]))
        limit_m = limits_m[joint]
        over = error_m if math.isinf(limit_m) else error_m / limit_m
        if over > most:
            worst, most = SourceError(error_m, joint, float(times[block][probe])), over
    return worst


def remedy(clip: Clip, forced: bool) -> str:
    """Returns the remedy for a clip that misses the keys of its curve. forced: whether the user
    chose the rate."""
    rate = sampling_rate(_curve_of(clip).times)
    needed = _lowest_rate(clip, rate)
    if forced:
        if needed > max(rate, clip.rate):
            return f"its motion is too fast for this rate: choose {named('--fps', f'{needed:.6g}')}, or leave it out"
    if _moves_before_jumps(clip):
        return ("it moves right up to a jump, but a bank holds it for the frame before: shorten that frame with a "
                f"higher {named('--fps')}, or let it rest there")
    if forced:
        return f"its keys are at {rate:.6g} frames per second: leave out {named('--fps')}"
    hopeless = _hopeless(clip).any()
    if hopeless and isinstance(clip.curve, FrameCurve):
        follows = f" {named('--fps', f'{needed:.6g}')} follows it, or" if needed > clip.rate else ""
        return f"it moves too fast for a body and jumps:{follows} remove frames that do not belong to the motion"
    if hopeless:
        return (f"no rate up to {MAX_RATE} follows motion this fast, so it jumps; give it more time, or if it is a "
                "cut, STEP interpolation or two keys at its time")
    return f"no rate up to {MAX_RATE} follows its keys; raise the tolerance, or bake the animation"


def _lowest_rate(clip: Clip, rate: float) -> float:
    """Returns the lowest multiple of a rate at which no track moves too fast; the rate if there is none."""
    return next((one.rate for one in _at_multiples(clip, rate, (1, *MULTIPLES)) if not _fast(one).any()), rate)


def _own_times(clip: Clip, skeleton: native.Skeleton, shell_m: float) -> Array:
    """Returns the seconds of those keys of the curve, and midpoints between them, that are neither
    frames nor midpoints between frames. Times at which the clip hardly moves do not count."""
    if clip.curve is None or len(clip.frames) == 1:
        return np.zeros(0)
    curve = _curve_of(clip)
    times = np.union1d(curve.times, curve.halves)
    at = times * clip.rate
    missed = np.abs(at - np.rint(2.0 * at) / 2.0)
    travel = skeleton.travel(clip.frames if clip.reference is None else poses(clip, clip.frames), shell_m)
    beside = np.pad(travel, 1)
    beside = np.maximum(np.maximum(beside[:-2], beside[2:]), travel)
    return times[missed * beside[np.minimum(at.astype(int), len(travel) - 1)] > _SAME_M]


def _moves_before_jumps(clip: Clip) -> bool:
    """Returns whether a track moves within the frame before it jumps. A bank holds it there, at any rate."""
    if not clip.steps.any():
        return False
    curve = _curve_of(clip)
    times = np.union1d(curve.times, curve.halves)
    for block in blocks(len(times), clip.frames.shape[1]):
        moving, held = _probes(clip, times[block]).transforms, _probes(clip, times[block], clip.steps).transforms
        if (np.abs(moving - held) > _SAME_M).any():
            return True
    return False


def _probes(clip: Clip, times: Array, held: Array | None = None) -> native.Probes:
    """Returns the source at times between frames. held: bool [F, J, 3], the tracks that jump at a frame, and hold their
    previous value until then; None: tracks move until they jump, and hold that value until the frame at which the bank
    jumps."""
    last = len(clip.frames) - 1
    positions = np.minimum(np.rint(times * clip.rate * ONE_Q11), last * ONE_Q11).astype(np.uint32)
    transforms = np.empty((len(times), *clip.frames.shape[1:]))
    early, curve = JITTER / clip.rate, _curve_of(clip)
    for block in blocks(len(times), clip.frames.shape[1]):
        left = positions[block] // ONE_Q11
        if held is None:
            _, jumps = curve.sampled(np.stack([left / clip.rate, times[block]], axis=1).ravel(), early)
            holds = jumps[1::2]
        else:
            holds = held[np.minimum(left + 1, last)] & (left < last)[:, None, None]
        transforms[block] = np.where(_of_values(holds), clip.frames[left], curve.at(times[block], early))
    return native.Probes(positions, transforms)


def _of_values(tracks: Array) -> Array:
    """Spreads bool [N, J, 3], by track, over the values of transforms: [N, J, 10]."""
    spread = np.empty((*tracks.shape[:2], TRANSFORM_WIDTH), bool)
    for kind, part in enumerate((ROTATION, TRANSLATION, SCALE)):
        spread[..., part] = tracks[..., kind, None]
    return spread
