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

from ..base.arrays import Array
from ..base.portable_math import angle_of, cross, dot, length, sine_cosine, sine_cosine_of_degrees
from ..model.clip import Skeleton
from ..model.mesh.mesh import Mesh
from ..model.mesh.skinning import skinning_of
from ..model.rotations import inverse, multiply, rotate
from .body_frames import UP
from .humanoid import Leg
from .rig import Rig, World

_LEAST_WEIGHT = 0.5  # of foot and toes, for a vertex that moves with them
_LEAST_SHARE = 0.1  # of one of them
_DIRECTIONS = 16  # around the foot, in which the outermost points are kept
_STEEP = (0.0, 0.5, 2.0)  # downward slopes of these directions
_ARC = 0.9  # cosine; from there on the tangent replaces the arc cosine
_FREE = 1000.0  # radians, for feet that no point limits


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
        own_up = rotate(multiply(rotation, level), UP)
        axis = cross(UP, own_up)
        sine = length(axis)
        axis = np.where(sine[:, None] > 0.0, axis / np.maximum(sine, 1e-12)[:, None], (1.0, 0.0, 0.0))
        tilt = angle_of(sine, own_up[:, 1])
        flat = multiply(_about(axis, -tilt), rotation)
        most = self._most_tilt(rotate(flat[:, None], self.points), axis, height)
        ratio = most / np.maximum(tilt, 1e-9)
        square = np.minimum(ratio * ratio, 1e100)
        share = np.minimum(ratio, 1e50) / np.sqrt(np.sqrt(1.0 + square * square))
        return multiply(_about(axis, tilt * np.where(ratio > 1e20, 1.0, share)), flat)

    def _most_tilt(self, points: Array, axis: Array, height: Array) -> Array:
        """Returns the angles [F] by which a level foot can tilt about its axes. points: of the level foot
        [F, K, 3]."""
        rise, fall = points[..., 1], cross(axis[:, None], points)[..., 1]
        radius = np.maximum(np.sqrt(rise * rise + fall * fall), 1e-9)
        lowest = angle_of(-fall, -rise)
        cosine = (height[:, None] - self.depths) / radius
        arc = np.clip(-rise / radius, _ARC, 1.0 - 1e-9)
        inside = np.clip(cosine, -1.0, arc)
        half = angle_of(np.sqrt(1.0 - inside * inside), inside)
        half = half - np.maximum(cosine - arc, 0.0) / np.sqrt(1.0 - arc * arc)
        return np.where(fall < 0.0, np.maximum(lowest - half, 0.0), _FREE).min(axis=1)


def _about(axis: Array, angle: Array) -> Array:
    """Returns the rotations about unit axes [F, 3] by angles [F] from -pi to pi."""
    sine, cosine = sine_cosine(angle / 4.0)
    sine, cosine = 2.0 * sine * cosine, cosine * cosine - sine * sine
    return np.concatenate([axis * sine[:, None], cosine[:, None]], axis=1)


def sole_points(rig: Rig, joint: int, leg: Leg, level: Array, mesh: Mesh | None) -> Array:
    """Returns the outermost points [K, 3] of the vertices that move with the foot or toes of a leg, in the axes of this
    joint, metres. A vertex that moves with both is a point of both, between which it lies."""
    if mesh is None:
        return np.zeros((0, 3))
    own = _weights(mesh, joint)
    both = _weights(mesh, leg.foot) + (0.0 if leg.toes is None else _weights(mesh, leg.toes))
    vertices = mesh.positions[(own >= _LEAST_SHARE) & (both >= _LEAST_WEIGHT)]
    if len(vertices) == 0:
        return vertices
    matrix = skinning_of(rig.skeleton)[joint]
    points = rig.points(joint, np.stack([dot(vertices, row[:3]) + row[3] for row in matrix[:3]], axis=-1))
    flat = rotate(inverse(level), points)
    sine, cosine = sine_cosine_of_degrees(np.arange(_DIRECTIONS) * (360.0 / _DIRECTIONS))
    outermost = [int(np.argmax(flat[:, 0] * x + flat[:, 2] * z - flat[:, 1] * steep))
                 for x, z in zip(cosine, sine) for steep in _STEEP]
    return points[np.unique(outermost)]


def _weights(mesh: Mesh, joint: int) -> Array:
    """Returns the weight of a joint for each vertex [V]."""
    weights = np.where(mesh.joints == joint, mesh.weights, 0.0)
    return dot(weights, np.ones(weights.shape[1]))


def soles_of(rig: Rig, leg: Leg, zero: World, frames: dict[int, Array], mesh: Mesh | None,
             ankle_m: float | None) -> tuple[dict[int, Sole], float | None]:
    """Returns the soles of a foot and its toes, by joint, and the height of the ankle over them. ankle_m: this height
    if the mesh does not tell it, or None."""
    points = sole_points(rig, leg.foot, leg, frames[leg.foot], mesh)
    depths, low = np.zeros(len(points)), _heights(points, frames[leg.foot])
    if leg.toes is None:
        ankle_m = -float(low.min()) if len(low) else ankle_m
        return {leg.foot: Sole(points, depths)}, ankle_m
    toes = sole_points(rig, leg.toes, leg, frames[leg.toes], mesh)
    ball = rotate(inverse(zero.rotations[0, leg.foot]), zero.positions[0, leg.toes] - zero.positions[0, leg.foot])
    ball_m = float(_heights(ball[None], frames[leg.foot])[0])
    low = np.append(low, ball_m + _heights(toes, frames[leg.toes]))
    ankle_m = -float(low.min()) if len(low) else ankle_m
    if ankle_m is not None:  # level toes touch the ground
        points, depths = np.concatenate([points, ball[None]]), np.append(depths, max(ankle_m + ball_m, 0.0))
    return {leg.foot: Sole(points, depths), leg.toes: Sole(toes, np.zeros(len(toes)))}, ankle_m


def _heights(points: Array, level: Array) -> Array:
    """Returns the heights of points [K, 3] of a level joint over it."""
    heights: Array = rotate(inverse(level), points)[:, 1]
    return heights
