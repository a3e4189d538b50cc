"""Moves wide hips as far as those of the source.

A turn of the pelvis moves each hip joint by half of its width. On a character whose hips are wider than those of the
source, in leg lengths, the same turn moves hips, knees and feet further and faster. Fast turns are therefore reduced,
so that the hip joints move as far as in the source. Slow turns stay, because they give the body its direction. And
where one hip is lower, the hips are raised or lowered as a whole, so that the leg which carries the body keeps its
height, and its knee does not bend instead. The chest turns as before.
"""
from __future__ import annotations

import numpy as np

from ...base.arrays import Array
from ...base.portable_math import length
from ...model.rotations import between, inverse, multiply, rotate
from ..character import Character, Motion
from .smoothing import smoothed

_SLOW_S = 0.2  # on each side, over which a turn is slow
_LEAST_SHARE = 0.1  # share of a fast turn that always remains, so that a spinning pelvis keeps a direction
_WINDOW_S = 0.1  # on each side, over which the weight changes from one leg to the other
_LOWER = 0.1  # leg lengths: a foot that is lower than the other one by this much carries most of the weight
_TINY = 1e-9  # metres


class Pelvis:
    """The pelvis of a character with a motion of an actor."""

    def __init__(self, actor: Character, character: Character) -> None:
        self._actor, self._character = actor, character
        left, right = character.legs
        bind, hips = character.bind, character.body.hips
        across = bind.positions[0, left.upper] - bind.positions[0, right.upper]
        self._line = rotate(inverse(bind.rotations[0, hips]), across)
        wide, narrow = (_half_width(body) / body.leg_m for body in (character, actor))
        self._share = max(narrow / wide, _LEAST_SHARE) if wide > narrow else 1.0
        self._more_m = max(wide - narrow, 0.0) * character.leg_m

    def softened(self, rotation: Array, rate: float, loops: bool) -> Array:
        """Returns rotations of the pelvis [F, 4] whose fast turns move the hip joints less."""
        if self._share >= 1.0:
            return rotation
        line = self._lines(rotation)
        count = int(_SLOW_S * rate + 0.5)
        slow = np.stack([smoothed(axis, count, loops) for axis in line.T], axis=1)
        soft = slow + self._share * (line - slow)
        return multiply(between(line, soft / np.maximum(length(soft), _TINY)[:, None]), rotation)

    def rise(self, rotation: Array, motion: Motion, loops: bool) -> Array:
        """Returns how far the hips rise [F], so that the hip joint over the lower foot of the actor has the height that
        it has in the motion. rotation: of the pelvis [F, 4]."""
        left, right = (motion.world.positions[:, leg.foot, 1] for leg in self._actor.legs)
        lower = (right - left) / self._actor.leg_m
        weight = smoothed(lower / np.sqrt(lower * lower + _LOWER * _LOWER), int(_WINDOW_S * motion.rate + 0.5), loops)
        rise: Array = -self._more_m * weight * self._lines(rotation)[:, 1]
        return rise

    def _lines(self, rotation: Array) -> Array:
        """Returns the directions from the right to the left hip joint [F, 3]."""
        line = rotate(rotation, self._line)
        return line / np.maximum(length(line), _TINY)[:, None]


def _half_width(body: Character) -> float:
    left, right = (body.bind.positions[0, leg.upper] for leg in body.legs)
    return float(length(left - right)) / 2.0
