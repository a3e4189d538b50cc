"""Converts colours between sRGB and linear, 0 to 1 (IEC 61966-2-1)."""
from __future__ import annotations

import numpy as np

from ...base.arrays import Array
from ...base.portable_math import root

_LEAST_CURVED, _LEAST_CURVED_LINEAR = 0.04045, 0.0031308
_SLOPE, _OFFSET = 12.92, 0.055


def srgb_of(linear: Array) -> Array:
    """Converts linear colours, clamped to 0..1, to sRGB."""
    part = np.clip(linear, 0.0, 1.0)
    curved = np.maximum(part, _LEAST_CURVED_LINEAR)
    square = curved * curved
    power = np.sqrt(np.sqrt(root(square * square * curved, 3)))  # of 1 / 2.4, which is 5 / 12
    return np.where(part <= _LEAST_CURVED_LINEAR, part * _SLOPE, (1.0 + _OFFSET) * power - _OFFSET)


def linear_of(srgb: Array) -> Array:
    """Converts sRGB colours, 0 to 1, to linear."""
    curved = (np.maximum(srgb, _LEAST_CURVED) + _OFFSET) / (1.0 + _OFFSET)
    square = curved * curved
    return np.where(srgb <= _LEAST_CURVED, srgb / _SLOPE, square * root(square, 5))  # to the power of 2.4
