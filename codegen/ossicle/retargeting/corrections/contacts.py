"""Finds the frames in which a foot stands, from the height and speed of its ankle.

Heights count from the lowest ones of a clip, so that ground at any height is found. A foot on the ground may move: in a
run its ankle does, and the foot of a captured actor slides.
"""
from __future__ import annotations

from itertools import pairwise

import numpy as np

from ...base.arrays import Array
from ...base.portable_math import length

_STANDING_M = 0.03  # over the lowest ankle
_LOWEST = 0.03  # the share of frames below it
_SLOW_M_S, _SLOW_SHARE = 0.15, 0.15  # the fastest standing ankle: absolute, and as a share of the speed of the hips
_GAP_S = 0.07  # shorter interruptions do not end a contact


def quantile(values: Array, share: float) -> float:
    """Returns the value below which this share of the values [N] lies."""
    return float(np.sort(values)[int(share * (len(values) - 1) + 0.5)])


def stands(ankle: Array, hips: Array, rate: float, metre: float) -> Array:
    """Returns bool [F]: whether a foot stands. ankle, hips: their positions [F, 3]; metre: the length of a metre for a
    body of human size."""
    low = ankle[:, 1] < quantile(ankle[:, 1], _LOWEST) + _STANDING_M * metre
    limit = np.maximum(_SLOW_M_S * metre, _SLOW_SHARE * speeds(hips, rate))
    return _without_gaps(low & (speeds(ankle, rate) < limit), int(_GAP_S * rate + 0.5))


def speeds(positions: Array, rate: float) -> Array:
    """Returns the speeds [F] of a point at positions [F, 3]; at the ends, those of the neighbours."""
    if len(positions) < 3:
        return np.zeros(len(positions))
    middle = length(positions[2:] - positions[:-2]) * (rate / 2.0)
    return np.concatenate([middle[:1], middle, middle[-1:]])


def spans(standing: Array) -> list[tuple[int, int]]:
    """Returns the first frame of each contact, and the first one after it."""
    edges = np.flatnonzero(np.diff(np.pad(standing.astype(np.int8), 1))).tolist()
    return list(zip(edges[::2], edges[1::2]))


def _without_gaps(standing: Array, most: int) -> Array:
    result = standing.copy()
    for (_, end), (begin, _) in pairwise(spans(standing)):
        if begin - end <= most:
            result[end:begin] = True
    return result
