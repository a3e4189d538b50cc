"""Values between keys, as glTF defines them: constant (STEP), linear, or cubic with tangents per second."""
from __future__ import annotations

import numpy as np

from ..base.arrays import Array
from ..base.portable_math import length
from . import rotations
from .key_rate import LEAST

STEP, LINEAR, CUBIC = "STEP", "LINEAR", "CUBICSPLINE"
INTERPOLATIONS = (LINEAR, STEP, CUBIC)

# Key times are float32, so a frame may lie just before the key that was exported for it.
TIME_SLACK = 1e-6
JUMP_S = 2.5e-4  # seconds; the keys of a jump are closer together
STEP_CHANGE = 1e-9
_HELD = 0.75  # the fraction of the time between the keys of a jump for which the first one holds
_ROUNDING = 1e-6  # of single precision, relative to the values


def evaluate(kind: str, interpolation: str, times: Array, keys: Array, ticks: Array,
             jumps: Array) -> Array:
    """Returns values [C, F, n] of C channels with common key times [K]. keys: [C, K, n], or [C, K, 3, n]: in-tangent,
    value, out-tangent; jumps: bool [K - 1], see jumps_of. Rotations are not normalised."""
    last = len(times) - 1
    if interpolation == STEP:
        return keys[:, _key_before(times, ticks, last)]
    ticks = np.clip(ticks, times[0], times[-1])
    left = _key_before(times, ticks, max(last - 1, 0))
    right = np.minimum(left + 1, last)
    span = np.where(right > left, times[right] - times[left], 1.0)
    u = (ticks - times[left]) / span
    if jumps.any():
        u = np.where(jumps[left], u >= _HELD, u)
    if interpolation == CUBIC:
        return _hermite(keys, left, right, span[:, None], u[:, None])
    if kind == "rotation":
        unit = rotations.normalise(keys)
        return rotations.slerp(unit[:, left], unit[:, right], u)
    return keys[:, left] * (1.0 - u[:, None]) + keys[:, right] * u[:, None]


def jumps_of(kind: str, interpolation: str, times: Array, keys: Array) -> Array:
    """Returns bool [K - 1]: the intervals between keys of a channel, [K, n] or [K, 3, n], that represent jumps. Because
    a bank holds the frame before a jump, these keys, nearly at the same time, must differ by more than the motion on
    either side covers in a frame; otherwise they are part of that motion."""
    near = np.diff(times) < JUMP_S
    if interpolation == STEP or not near.any():
        return near & False
    values = keys[:, 1] if interpolation == CUBIC else keys
    if interpolation == CUBIC:
        before, after = length(keys[:-1, 0]), length(keys[1:, 2])
    else:  # keys as close as those of a jump do not give the speed
        first = np.maximum(np.searchsorted(times, times - JUMP_S, side="right") - 1, 0)[:-1]
        last = np.minimum(np.searchsorted(times, times + JUMP_S), len(times) - 1)[1:]
        before = _change(kind, values[first], values[:-1]) / np.maximum(times[:-1] - times[first], JUMP_S)
        after = _change(kind, values[1:], values[last]) / np.maximum(times[last] - times[1:], JUMP_S)
    rounding = _ROUNDING * np.maximum(length(values[:-1]), length(values[1:]))
    return near & (_change(kind, values[:-1], values[1:]) > np.maximum(before, after) / LEAST + rounding)


def passed(times: Array, jumps: Array, seconds: Array) -> Array:
    """Returns whether a jump lies between each of the seconds [F] and the previous one: bool [F - 1]."""
    over = np.searchsorted((times[:-1] + _HELD * np.diff(times))[jumps], seconds, side="right")
    return over[1:] != over[:-1]


def shifted(seconds: Array, interpolation: str, early: float, times: Array, jumps: Array) -> Array:
    """Returns the times at which to evaluate a channel, so that tracks jump a little early (see clip.Curve). At a jump
    between two keys, times from `early` before the first key become that of the second one; if early is negative, times
    up to -early after the second key become that of the first one."""
    if interpolation == STEP:
        return seconds + (early if early < 0.0 else max(early, TIME_SLACK))
    if early == 0.0 or not jumps.any():
        return seconds
    starts, ends = times[:-1][jumps], times[1:][jumps]
    if early > 0.0:
        begun = np.searchsorted(starts - early, seconds, side="right")  # number of jumps that have begun
        return np.where(begun > 0, np.maximum(ends[begun - 1], seconds), seconds)
    over = np.searchsorted(ends - early, seconds)  # number of jumps that are over
    return np.where(over < len(starts), np.minimum(starts[np.minimum(over, len(starts) - 1)], seconds), seconds)


def _change(kind: str, before: Array, after: Array) -> Array:
    """Returns the distances of values [N, n]; a quaternion equals its negative."""
    distance = length(after - before)
    return np.minimum(distance, length(after + before)) if kind == "rotation" else distance


def _key_before(times: Array, ticks: Array, highest: int) -> Array:
    return np.clip(np.searchsorted(times, ticks, side="right") - 1, 0, highest)


def _hermite(
    keys: Array, left: Array, right: Array, span: Array, u: Array
) -> Array:
    """Evaluates glTF's cubic spline, whose tangents are per second."""
    u2, u3 = u * u, u * u * u
    return (
        (2.0 * u3 - 3.0 * u2 + 1.0) * keys[:, left, 1]
        + (u3 - 2.0 * u2 + u) * span * keys[:, left, 2]
        + (3.0 * u2 - 2.0 * u3) * keys[:, right, 1]
        + (u3 - u2) * span * keys[:, right, 0]
    )
