"""Values between keys, as glTF defines them: constant (STEP), linear, or cubic with tangents per second."""
from __future__ import annotations

import numpy as np

from . import rotations

STEP, LINEAR, CUBIC = "STEP", "LINEAR", "CUBICSPLINE"
INTERPOLATIONS = (LINEAR, STEP, CUBIC)

# Key times are float32, so a frame may seem to come just before the key that was exported for it.
TIME_SLACK = 1e-6
JUMP_S = 2.5e-4  # seconds; keys that are nearer to each other are a jump
STEP_CHANGE = 1e-9


def evaluate(kind: str, interpolation: str, times: np.ndarray, keys: np.ndarray, ticks: np.ndarray) -> np.ndarray:
    """Returns values [C, F, n] of C channels with common key times [K]. keys: [C, K, n], or [C, K, 3, n]: in-tangent,
    value, out-tangent. Rotations are not normalised yet."""
    last = len(times) - 1
    if interpolation == STEP:
        return keys[:, _key_before(times, ticks, last)]
    ticks = np.clip(ticks, times[0], times[-1])
    left = _key_before(times, ticks, max(last - 1, 0))
    right = np.minimum(left + 1, last)
    span = np.where(right > left, times[right] - times[left], 1.0)
    u = (ticks - times[left]) / span
    u = np.where(span < JUMP_S, ticks + TIME_SLACK >= times[right], u)
    if interpolation == CUBIC:
        return _hermite(keys, left, right, span[:, None], u[:, None])
    if kind == "rotation":
        unit = rotations.normalise(keys)
        return rotations.slerp(unit[:, left], unit[:, right], u)
    return keys[:, left] * (1.0 - u[:, None]) + keys[:, right] * u[:, None]


def jump_times(interpolation: str, times: np.ndarray) -> np.ndarray:
    """Returns the seconds at which two keys stand for a jump; none for STEP, where every key does."""
    return times[:0] if interpolation == STEP else times[1:][np.diff(times) < JUMP_S]


def passed(jumps: np.ndarray, seconds: np.ndarray) -> np.ndarray:
    """Returns whether a time of these [J] lies between each of the seconds [F] and the one before: bool [F - 1]."""
    before = np.searchsorted(jumps, seconds + TIME_SLACK, side="right")
    return before[1:] > before[:-1]


def shifted(seconds: np.ndarray, interpolation: str, early: float, times: np.ndarray) -> np.ndarray:
    """The times at which a channel is evaluated: tracks jump a little early, see clip.Curve. At a jump of two keys,
    the time from `early` before the first key on becomes that of the second one."""
    if interpolation == STEP:
        return seconds + (early if early < 0.0 else max(early, TIME_SLACK))
    jumps = jump_times(interpolation, times)
    if early <= 0.0 or len(jumps) == 0:
        return seconds
    starts = times[:-1][np.diff(times) < JUMP_S]
    begun = np.searchsorted(starts - early, seconds, side="right")  # how many jumps have
    return np.where(begun > 0, np.maximum(jumps[begun - 1], seconds), seconds)


def _key_before(times: np.ndarray, ticks: np.ndarray, highest: int) -> np.ndarray:
    return np.clip(np.searchsorted(times, ticks, side="right") - 1, 0, highest)


def _hermite(
    keys: np.ndarray, left: np.ndarray, right: np.ndarray, span: np.ndarray, u: np.ndarray
) -> np.ndarray:
    """Evaluates glTF's cubic spline, whose tangents are per second."""
    u2, u3 = u * u, u * u * u
    return (
        (2.0 * u3 - 3.0 * u2 + 1.0) * keys[:, left, 1]
        + (u3 - 2.0 * u2 + u) * span * keys[:, left, 2]
        + (3.0 * u2 - 2.0 * u3) * keys[:, right, 1]
        + (u3 - u2) * span * keys[:, right, 0]
    )
