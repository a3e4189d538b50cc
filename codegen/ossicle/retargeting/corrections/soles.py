"""Keeps soles above the ground.

A foot that bends at the toes while its heel rises, on a character with a longer or stiffer foot, would push the toes
through the ground. How far a foot may tilt from level depends only on the height of its ankle, which is smooth; so the
limit is as well, and needs no smoothing over time. Let a point of the sole be at h cos a + m sin a over the ankle when
the foot is tilted by a. It touches the ground for a = lowest - arccos(height / radius), where it is lowest at the angle
`lowest`. From a height on, the tangent replaces the arc cosine: it never allows more, and does not end where the foot
may tilt freely.
"""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...base.arrays import Array
from ...base.portable_math import angle_of, cross, dot, length, sine_cosine
from ...model.rotations import frame, inverse, multiply, rotate
from ..body_frames import FORWARD, LEFT, UP
from .smoothing import smoothstep

_ARC = 0.95  # cosine; from there on the tangent replaces the arc cosine
_FREE = 1000.0  # radians, for feet that no point limits
_FREE_FROM, _FREE_TO = 1.57, 3.0  # radians of tilt between which the limit ends, because its axis changes at pi
_MOST_RATIO = 1e6
_NO_TILT = 1e-9
_AHEAD = 0.5  # the weight of a foot's forward axis in its heading, beside its left axis


@dataclass(frozen=True, eq=False)
class Sole:
    """Points that a foot or its toes keep above the ground. points: [K, 3], in the joint's own axes, metres; depths
    [K]: the height that each keeps."""

    points: Array
    depths: Array

    def limited(self, rotation: Array, height: Array, level: Array) -> Array:
        """Returns rotations [F, 4] of the joint, tilted less where a point would be under the ground. height: of the
        joint [F]; level: the frame [4] that is upright when the sole is level."""
        if len(self.points) == 0:
            return rotation
        own = multiply(rotation, level)
        left, ahead = rotate(own, LEFT), rotate(own, FORWARD)
        # A heading that is also smooth for a foot on its side or upside down.
        heading = cross(left, UP) + _AHEAD * ahead
        flat = frame(cross(UP, heading), np.broadcast_to(UP, heading.shape))
        turn = multiply(own, inverse(flat))
        turn = np.where(turn[:, 3:] < 0.0, -turn, turn)
        sine = length(turn[:, :3])
        axis = np.where(sine[:, None] > _NO_TILT, turn[:, :3] / np.maximum(sine, _NO_TILT)[:, None], LEFT)
        tilt = 2.0 * angle_of(sine, turn[:, 3])
        flat = multiply(flat, inverse(level))
        # A soft minimum of the tilt and its limit, their norm of degree -4.
        ratio = np.minimum(self._most_tilt(rotate(flat[:, None], self.points), axis, height)
                           / np.maximum(tilt, _NO_TILT), _MOST_RATIO)
        square = ratio * ratio
        share = ratio / np.sqrt(np.sqrt(1.0 + square * square))
        over = np.clip((tilt - _FREE_FROM) / (_FREE_TO - _FREE_FROM), 0.0, 1.0)
        return multiply(_about(axis, tilt * (share + (1.0 - share) * smoothstep(over))), flat)

    def _most_tilt(self, points: Array, axis: Array, height: Array) -> Array:
        """Returns the angles [F] by which a level foot can tilt about its axes. points: of the level foot
        [F, K, 3]."""
        along = dot(axis[:, None], points) * axis[:, None, 1]
        rise, fall = points[..., 1] - along, cross(axis[:, None], points)[..., 1]
        radius = np.maximum(np.sqrt(rise * rise + fall * fall), 1e-9)
        lowest = angle_of(-fall, -rise)
        cosine = (height[:, None] + along - self.depths) / radius
        arc = np.clip(-rise / radius, _ARC, 1.0 - 1e-9)
        inside = np.clip(cosine, -1.0, arc)
        half = angle_of(np.sqrt(1.0 - inside * inside), inside)
        half = half - np.maximum(cosine - arc, 0.0) / np.sqrt(1.0 - arc * arc)
        return np.where(fall < 0.0, np.maximum(lowest - half, 0.0), _FREE).min(axis=1)


def _about(axis: Array, angle: Array) -> Array:
    """Returns the rotations about unit axes [F, 3] by angles [F] from -pi to pi."""
    half_sine, half_cosine = sine_cosine(angle / 4.0)
    sine: Array = 2.0 * half_sine * half_cosine
    cosine: Array = half_cosine * half_cosine - half_sine * half_sine
    return np.concatenate([axis * sine[:, None], cosine[:, None]], axis=1)
