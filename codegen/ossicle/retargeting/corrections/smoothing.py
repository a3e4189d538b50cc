"""A smooth step, and windows over the frames of a clip. Beyond the ends of a clip the frames of the end repeat, or in a
loop those of the other end."""
from __future__ import annotations

import numpy as np

from ...base.arrays import Array
from ...base.portable_math import sine_cosine_of_degrees


def smoothstep(share: Array) -> Array:
    """Returns values from 0 to 1 [...] as others from 0 to 1, with slope 0 at both ends."""
    result: Array = share * share * (3.0 - 2.0 * share)
    return result


def falling(values: Array, most: float, none: float) -> Array:
    """Returns shares [...]: 1 for values up to `most`, 0 from `none`, and a smooth step between them."""
    return 1.0 - smoothstep(np.clip((values - most) / (none - most), 0.0, 1.0))


def padded(values: Array, count: int, loops: bool) -> Array:
    """Adds frames before and after values [F, ...]. The last frame of a loop equals the first one."""
    frames = np.arange(-count, len(values) + count)
    period = len(values) - 1
    at = frames - period * (frames // period) if loops and period > 0 else np.clip(frames, 0, period)
    result: Array = values[at]
    return result


def largest_near(values: Array, count: int, loops: bool) -> Array:
    """Returns the maxima of values [F] over this many frames before and after."""
    near = padded(values, count, loops)
    return np.stack([near[shift:shift + len(values)] for shift in range(2 * count + 1)]).max(axis=0)


def smoothed(values: Array, count: int, loops: bool) -> Array:
    """Returns means of values [F] weighted with a Hann window of this many frames before and after."""
    near = padded(values, count, loops)
    sine, _ = sine_cosine_of_degrees(90.0 * np.arange(1, 2 * count + 2) / (count + 1))
    result, weights = np.zeros_like(values), 0.0
    for shift, weight in enumerate((sine * sine).tolist()):
        result = result + weight * near[shift:shift + len(values)]
        weights += weight
    return result / weights
