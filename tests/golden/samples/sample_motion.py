"""A skeleton and its motion for sample banks that are written by hand."""
from __future__ import annotations

import math
from collections.abc import Sequence

from bank_writer import Skeleton
from fixed import ONE
from samples.sample_banks import IDENTITY

ROTATION, TRANSLATION, SCALE = range(3)
HIPS, SPINE, HAND, HIPS_PLACE, HAND_PLACE, SPINE_SCALE = range(6)  # subtracks
CUBE = [(-ONE, 2 * ONE)] * 3
PERIOD_FRAMES = 20


def kind_of_subtrack(subtrack: int) -> int:
    """The kind of a subtrack."""
    return ROTATION if subtrack <= HAND else SCALE if subtrack == SPINE_SCALE else TRANSLATION


def turn(axis: Sequence[float], angle: float) -> list[int]:
    """A rotation about an axis, Q20."""
    length = math.sqrt(sum(x * x for x in axis))
    s = math.sin(angle / 2) / length
    return [round(ONE * x) for x in (*(s * x for x in axis), math.cos(angle / 2))]


def motion(subtrack: int, count: int) -> list[list[int]]:
    """The rows of a subtrack: the hips turn once in PERIOD_FRAMES, through quaternions of both signs."""
    phases = [2 * math.pi * frame / PERIOD_FRAMES for frame in range(count)]
    if subtrack == HIPS:
        return [turn((1, -2, 0.5), phase) for phase in phases]
    if subtrack == SPINE:
        return [turn((1, 0.3, 0.2), 0.7 * math.sin(phase) + 0.2) for phase in phases]
    if subtrack == HAND:
        return [turn((0.1, 1, 0.1), 0.9 + 0.3 * math.sin(2 * phase)) for phase in phases]
    if subtrack == HIPS_PLACE:
        return [[round(ONE * x) for x in (0.1 * math.sin(phase), 0.9 + 0.05 * math.cos(phase), 0)] for phase in phases]
    if subtrack == HAND_PLACE:
        return [[ONE // 4, round(ONE * 0.02 * math.cos(phase)), 7] for phase in phases]
    return [[round(ONE * (1 + 0.3 * math.sin(phase)))] * 2 + [ONE] for phase in phases]


def motion_skeleton() -> Skeleton:
    """The skeleton with those subtracks."""
    bind = [[*IDENTITY, 0, ONE, 0, ONE, ONE, ONE], [*IDENTITY, 0, ONE // 2, 0, ONE, ONE, ONE],
            [*IDENTITY, ONE // 4, 0, 0, ONE, ONE, ONE]]
    return Skeleton([-1, 0, 1], bind, ([0, 1, 2], [0, 2], [1]), has_scale=True, names=["hips", "spine", "hand"])
