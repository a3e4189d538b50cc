"""Converts a decoded clip to key-frame tracks.

A joint's rotation, translation or scale gets a track if any clip of the file moves it away from the bind pose, so that
programs that keep the last pose when another clip is selected, such as Blender, show each clip correctly. A track has a
key at every frame and is linear between them. Constant tracks have only two keys, at the ends of the clip, except the
first track, whose keys imply the frame rate.

At a break the device holds the value of the previous frame, and linear interpolation would spread the jump over a
frame. A track that only jumps has keys at its breaks and holds its values in between (STEP). A track that also moves
has a second key, with the value of the previous frame, shortly before the break.

The keys of all tracks of a clip begin at its start and end at its end. Their times are rounded down to single
precision, so that the exact time of a frame is never before its key.
"""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ..base.arrays import Array
from ..base.portable_math import dot
from ..model.clip import ROTATION, SCALE, TRACK_KINDS, TRANSLATION, Clip

LINEAR, STEP = "LINEAR", "STEP"  # glTF's names
# The end of the previous value before a break, in frames: two of a player's positions, so that an encoder that reads
# the file again finds that the value is held.
BEFORE_BREAK = 1.0 / 1024.0
_PARTS = dict(zip(TRACK_KINDS, (ROTATION, TRANSLATION, SCALE)))


@dataclass(frozen=True, eq=False)
class Track:
    """The keys of a joint's rotation, translation or scale. times: float32 [K], seconds, ascending; values: float32
    [K, 4 or 3]; interpolation: LINEAR (rotations: along great circles) or STEP."""

    joint: int
    kind: str
    interpolation: str
    times: Array
    values: Array


def moved(clips: Sequence[Clip], bind: Array) -> Array:
    """Returns bool [J, 3], order TRACK_KINDS: whether a track differs from the bind pose [J, 10] at any frame of any
    clip, in single precision."""
    differs = np.zeros(bind.shape, bool)
    for clip in clips:
        differs |= (clip.frames.astype(np.float32) != bind.astype(np.float32)).any(axis=0)
    return np.stack([differs[:, part].any(axis=1) for part in _PARTS.values()], axis=1)


def tracks_of(clip: Clip, chosen: Array) -> Iterator[Track]:
    """Yields the selected tracks of a clip. chosen: bool [J, 3], order TRACK_KINDS."""
    frames = np.arange(len(clip.frames))
    times, before = _times(len(frames), clip.rate)
    for number, (joint, column) in enumerate(np.argwhere(chosen)):
        kind = TRACK_KINDS[column]
        values = clip.frames[:, joint, _PARTS[kind]].astype(np.float32)
        if kind == "rotation":
            values = _in_one_hemisphere(values)
        breaks = clip.steps[:, joint, column]
        changes = np.pad((values[1:] != values[:-1]).any(axis=1), (1, 0))
        at = np.flatnonzero(breaks)
        if (changes & ~breaks).any():
            yield Track(int(joint), kind, LINEAR, np.insert(times, at, before[at]),
                        np.insert(values, at, values[at - 1], axis=0))
        else:
            keys = frames if number == 0 else np.union1d(at, [0, len(frames) - 1])
            yield Track(int(joint), kind, STEP if len(at) else LINEAR, times[keys], values[keys])


def key_times(frames: int, rate: float, breaks: Array) -> tuple[Array, Array, float]:
    """Returns the times of a track with a key at every frame and one shortly before each break, bool [F]; the frames
    before which the latter are inserted; and the fraction of the previous frame at which they lie."""
    times, before = _times(frames, rate)
    at = np.flatnonzero(breaks)
    return np.insert(times, at, before[at]), at, 1.0 - BEFORE_BREAK


def _times(frames: int, rate: float) -> tuple[Array, Array]:
    """Returns the times of the frames, and the times of the keys before breaks at these frames."""
    numbers = np.arange(frames)
    times = _rounded_down(numbers / rate)
    before = _rounded_down(np.maximum(numbers - BEFORE_BREAK, 0.0) / rate)
    return times, np.minimum(before, np.nextafter(times, np.float32(-1.0)))


def _rounded_down(seconds: Array) -> Array:
    """Rounds float64 down to float32."""
    rounded = seconds.astype(np.float32)
    return np.where(rounded > seconds, np.nextafter(rounded, np.float32(-1.0)), rounded)


def _in_one_hemisphere(values: Array) -> Array:
    """Negates quaternions [F, 4] so that neighbours are in the same hemisphere and readers may blend them directly."""
    values = values.copy()
    for frame in np.flatnonzero(dot(values[1:], values[:-1]) < 0.0):
        values[frame + 1:] = -values[frame + 1:]
    return values
