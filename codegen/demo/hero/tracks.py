"""Animation tracks: keys of a joint's rotation or translation, evaluated as glTF specifies."""
from __future__ import annotations

import bisect
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from . import quat

RATE_HZ = 30


@dataclass(frozen=True)
class Track:
    """Keys of a joint property.

    frames: K key positions in frames of RATE_HZ, ascending; values: K rows of 4 (rotation) or 3 (translation, metres);
    tangents: K rows per second for CUBICSPLINE, None otherwise. The in-tangent and the out-tangent of a key are equal.
    """

    joint: str
    path: str
    interpolation: str
    frames: tuple[int, ...]
    values: np.ndarray
    tangents: np.ndarray | None = None


def continuous(values: np.ndarray) -> np.ndarray:
    """Returns the quaternion keys with signs such that neighbours are in one hemisphere."""
    out = np.array(values)
    for k in range(1, len(out)):
        if float(np.dot(out[k - 1], out[k])) < 0.0:
            out[k] = -out[k]
    return out


def smooth_tangents(frames: tuple[int, ...], values: np.ndarray, loop: bool) -> np.ndarray:
    """Returns Catmull-Rom tangents for unevenly spaced keys, per second.

    The end keys of a loop share the tangent through the seam; other clips start and end at rest. A pose that is held
    for two keys gets zero tangents, because others would move the joint during the hold.
    """
    t = np.array(frames, float) / RATE_HZ
    slopes = np.diff(values, axis=0) / np.diff(t)[:, None]
    tangents = np.zeros_like(values)
    for k in range(1, len(t) - 1):
        tangents[k] = _through(t[k] - t[k - 1], slopes[k - 1], t[k + 1] - t[k], slopes[k])
    if loop:
        seam = _through(t[-1] - t[-2], slopes[-1], t[1] - t[0], slopes[0])
        tangents[0] = tangents[-1] = seam
    return tangents


def _through(before: float, slope_before: np.ndarray, after: float,
             slope_after: np.ndarray) -> np.ndarray:
    if not slope_before.any() or not slope_after.any():
        return np.zeros_like(slope_before)
    return (after * slope_before + before * slope_after) / (before + after)


def make(joint: str, path: str, interpolation: str, keys: Mapping[int, np.ndarray], loop: bool,
         tangents: Mapping[int, tuple[float, ...]] | None = None) -> Track:
    """Returns a track from {frame: value}. `tangents` replaces the smooth tangent of single keys."""
    frames = tuple(sorted(keys))
    values = np.array([keys[frame] for frame in frames], float)
    if path == "rotation":
        values = continuous(values)
    slopes = None
    if interpolation == "CUBICSPLINE" and len(frames) > 1:
        slopes = smooth_tangents(frames, values, loop)
        for frame, slope in (tangents or {}).items():
            slopes[frames.index(frame)] = slope
    elif interpolation == "CUBICSPLINE":
        interpolation = "LINEAR"
    return Track(joint, path, interpolation, frames, values, slopes)


def evaluate(track: Track, frame: float) -> np.ndarray:
    """Returns the track's value at a (fractional) frame; rotations are normalised."""
    frames, values = track.frames, track.values
    k = min(max(bisect.bisect_right(frames, frame) - 1, 0), len(frames) - 1)
    if k == len(frames) - 1 or frame <= frames[0] or track.interpolation == "STEP":
        return values[k]
    span = (frames[k + 1] - frames[k]) / RATE_HZ
    u = (frame - frames[k]) / (frames[k + 1] - frames[k])
    if track.tangents is None:
        if track.path == "rotation":
            return quat.slerp(values[k], values[k + 1], u)
        return values[k] * (1.0 - u) + values[k + 1] * u
    value = hermite(values[k], track.tangents[k] * span, values[k + 1],
                    track.tangents[k + 1] * span, u)
    return quat.unit(value) if track.path == "rotation" else value


def sampled(track: Track, length: int) -> Track:
    """Returns the track with a key on each frame from 0 to `length` and lines between them, like the curves that
    modelling tools export."""
    frames = tuple(range(length + 1))
    values = np.array([evaluate(track, frame) for frame in frames])
    if track.path == "rotation":
        values = continuous(values)
    return Track(track.joint, track.path, "LINEAR", frames, values)


def hermite(p0, m0, p1, m1, u: float):
    """Returns the cubic through p0 and p1 with end slopes m0 and m1 (per segment) at u in 0..1."""
    u2, u3 = u * u, u * u * u
    return ((2 * u3 - 3 * u2 + 1) * p0 + (u3 - 2 * u2 + u) * m0
            + (3 * u2 - 2 * u3) * p1 + (u3 - u2) * m1)


def curve(keys: Mapping[float, float], t: float, period: float | None = None) -> float:
    """Returns a smooth scalar curve through {time: value} that never overshoots its keys.

    The curve is a monotone cubic (Fritsch-Carlson), so a foot that is keyed flat on the ground
    stays flat. With `period` the keys repeat; otherwise the end values hold.
    """
    times = sorted(keys)
    values = [keys[time] for time in times]
    if period is not None:
        t = t % period
        times = [times[-2] - period, times[-1] - period, *times, times[0] + period,
                 times[1] + period]
        values = [values[-2], values[-1], *values, values[0], values[1]]
    if t <= times[0] or t >= times[-1]:
        return values[0] if t <= times[0] else values[-1]
    k = bisect.bisect_right(times, t) - 1
    span = times[k + 1] - times[k]
    return hermite(values[k], _monotone(times, values, k) * span, values[k + 1],
                   _monotone(times, values, k + 1) * span, (t - times[k]) / span)


def _monotone(times: list[float], values: list[float], k: int) -> float:
    if k == 0 or k == len(times) - 1:
        return 0.0
    before, after = times[k] - times[k - 1], times[k + 1] - times[k]
    s0, s1 = (values[k] - values[k - 1]) / before, (values[k + 1] - values[k]) / after
    if s0 * s1 <= 0.0:
        return 0.0
    return 3.0 * (before + after) / ((2 * after + before) / s0 + (after + 2 * before) / s1)
