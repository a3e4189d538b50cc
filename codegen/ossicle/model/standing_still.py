"""Warns about clips with long pauses, or with pauses at the start, which a loop shows as a hitch."""
from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from functools import reduce

import numpy as np

from ..base.arrays import Array
from ..base.option_names import named
from .blocks import blocks
from .clip import ROTATION, Clip, Skeleton
from .loops import largest_gap_m, loop_gap
from .sampling import FrameCurve

_SAME = 1e-6  # the largest difference of transforms that are equal; files round to single precision
_DRIFT = 1e-5  # the same for a whole pause
LONG_S = 10.0  # seconds; longer pauses, or longer gaps between all keys, are rarely intended
HITCH_S = 0.1  # seconds; a longer pause at the start of a loop may be intended
_STEPS = 2.0  # a loop that lacks the last frame, which equals the first, ends about one step before it
_SHOWN = 6


def still_warnings(clips: Sequence[Clip], skeleton: Skeleton, shell_m: float) -> list[str]:
    """Returns warnings about the clips to encode. shell_m: the distance from joints at which to measure the gaps of
    loops."""
    lines = []
    hitches: dict[tuple[str, float], list[str]] = defaultdict(list)
    for clip in clips:
        if clip.mirror_of is not None:
            continue
        moving = moves(clip.frames)
        if line := _pause(clip, moving) or _slow_keys(clip):
            lines.append(f"{clip.source}: clip {clip.name}: {line}")
        if frames := _hitch(clip, moving, skeleton, shell_m):
            hitches[clip.source, frames / clip.rate].append(clip.name)
    for (source, seconds), names in hitches.items():
        more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
        lines.append(f"{source}: clip{'s' * (len(names) > 1)} {', '.join(names[:_SHOWN])}{more}: nothing moves in the "
                     f"first {seconds:.4g} s, which a loop shows as a hitch; skip them with from = {seconds:.4g} in "
                     f"{'their' if len(names) > 1 else 'its'} [clips] table{'s' * (len(names) > 1)}")
    return lines


def moves(frames: Array) -> Array:
    """Returns for each frame whether any joint differs from the previous frame: bool [F - 1]."""
    moving = np.zeros(len(frames) - 1, bool)
    for block in blocks(len(moving), frames.shape[1]):
        part = frames[block.start:block.stop + 1]
        moving[block] = _difference(part[1:], part[:-1]) > _SAME
    return moving


def _difference(ours: Array, theirs: Array) -> Array:
    """Returns the largest difference of the transforms of each pair of poses [F, J, 10]."""
    difference = np.abs(ours - theirs)
    negative = np.abs(ours[..., ROTATION] + theirs[..., ROTATION])  # a quaternion equals its negative
    rotation = np.minimum(_largest(difference[..., ROTATION]), _largest(negative))
    return np.maximum(rotation, _largest(difference[..., ROTATION.stop:])).max(axis=-1)


def _largest(values: Array) -> Array:
    """Returns the maxima over the last axis, which is so short that NumPy's own take several times as long."""
    return reduce(np.maximum, np.moveaxis(values, -1, 0))


def _pause(clip: Clip, moving: Array) -> str:
    """Describes the longest pause, if it is long."""
    ends = np.flatnonzero(np.concatenate([[True], moving, [True]]))
    pauses = np.diff(ends) - 1
    longest = int(np.argmax(pauses))
    first, last = int(ends[longest]), int(ends[longest] + pauses[longest])
    if (last - first) / clip.rate < LONG_S or clip.trajectory is not None:
        return ""
    if _difference(clip.frames[first:first + 1], clip.frames[last:last + 1])[0] > _DRIFT:
        return ""
    if not moving.any():
        return (f"nothing moves in its {last / clip.rate:.4g} s; leave it out with {named('--exclude')}, or shorten it "
                "with to in its [clips] table")
    return (f"nothing moves from {first / clip.rate:.4g} s to {last / clip.rate:.4g} s; cut it with from and to in its "
            "[clips] table")


def _slow_keys(clip: Clip) -> str:
    """Describes keys that are all far apart. Files without interpolation are the importer's concern."""
    if clip.curve is None or isinstance(clip.curve, FrameCurve) or len(clip.curve.times) < 2:
        return ""
    gap = float(np.diff(clip.curve.times).min())
    if gap < LONG_S:
        return ""
    times = clip.curve.times
    keys = (f"keys are {gap:.4g} s apart or more, which makes {times[-1]:.6g} s" if len(times) > 2 else
            f"two keys are {gap:.4g} s apart")
    return (f"its {keys}; if the file has frames or milliseconds where seconds belong, export it again, or choose "
            "speed in its [clips] table")


def _hitch(clip: Clip, moving: Array, skeleton: Skeleton, shell_m: float) -> int:
    """Returns the number of frames of a loop that equal the first one, if it then begins to move without a jump."""
    still = int(np.argmax(moving)) if moving.any() else 0
    if still == 0 or still / clip.rate > HITCH_S or clip.steps[still + 1].any():
        return 0
    step = loop_gap(replace(clip, frames=clip.frames[still:still + 2]), skeleton, shell_m)
    allowed = max(largest_gap_m(skeleton), _STEPS * step.metres)
    return still if loop_gap(clip, skeleton, shell_m).metres <= allowed else 0
