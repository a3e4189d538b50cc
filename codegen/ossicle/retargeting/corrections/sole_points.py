"""Finds the points of a character's feet that can touch the ground."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ...base.arrays import Array
from ...base.portable_math import dot, sine_cosine_of_degrees, total
from ...model.mesh.mesh import Mesh
from ...model.mesh.skinning import skinning_of
from ...model.rotations import inverse, rotate
from ..humanoid import Leg
from ..rig import Rig, World
from .soles import Sole

_LEAST_WEIGHT = 0.5  # of foot and toes, for a vertex that moves with them
_LEAST_SHARE = 0.1  # of one of them
_DIRECTIONS = 16  # around the foot, in which the outermost points are kept
_SLOPES = (0.0, 0.5, 2.0)  # of these directions, downward
_UPPER = (-0.5,)  # slope for the upper side of a foot, which is lowest when the toes point down and back


@dataclass(frozen=True, eq=False)
class Skin:
    """Vertices of a foot that the lower leg, the foot and the toes move together. points: by joint, its weights [K] and
    the vertices in its axes [K, 3], metres."""

    points: Mapping[int, tuple[Array, Array]]

    def lowest(self, world: World) -> Array | None:
        """Returns the height [F] of the lowest vertex in poses, None without vertices."""
        heights: Array | float = 0.0
        for joint, (weights, points) in self.points.items():
            turned = rotate(world.rotations[:, joint, None], points)[..., 1]
            heights = heights + weights * (world.positions[:, joint, 1, None] + turned)
        return None if isinstance(heights, float) or heights.shape[1] == 0 else heights.min(axis=1)


def skin_of(rig: Rig, leg: Leg, frames: Mapping[int, Array], mesh: Mesh) -> Skin:
    """Returns the outermost vertices of a foot."""
    joints = [joint for joint in (leg.lower, leg.foot, leg.toes) if joint is not None]
    weights = np.stack([_weights(mesh, joint) for joint in joints])
    chosen = np.flatnonzero(total(weights[1:]) >= _LEAST_WEIGHT)
    points = rotate(inverse(frames[leg.foot]), _inner(rig, leg.foot, mesh.positions[chosen]))
    chosen = chosen[_outermost(points, (*_UPPER, *_SLOPES))]
    whole = dot(weights.T[chosen], np.ones(len(joints)))
    return Skin({joint: (weights[row, chosen] / whole, _inner(rig, joint, mesh.positions[chosen]))
                 for row, joint in enumerate(joints)})


def soles_of(rig: Rig, leg: Leg, bind: World, frames: Mapping[int, Array], mesh: Mesh | None,
             ankle_m: float) -> tuple[dict[int, Sole], float]:
    """Returns the soles of a foot and its toes, by joint, and the height of the ankle over them. ankle_m: this height
    if the mesh does not tell it."""
    points = _points(rig, leg.foot, leg, frames, mesh)
    depths, low = np.zeros(len(points)), _heights(points, frames[leg.foot])
    if leg.toes is None:
        return {leg.foot: Sole(points, depths)}, -float(low.min()) if len(low) else ankle_m
    toes = _points(rig, leg.toes, leg, frames, mesh)
    ball = rotate(inverse(bind.rotations[0, leg.foot]), bind.positions[0, leg.toes] - bind.positions[0, leg.foot])
    ball_m = float(_heights(ball[None], frames[leg.foot])[0])
    low = np.append(low, ball_m + _heights(toes, frames[leg.toes]))
    ankle_m = -float(low.min()) if len(low) else ankle_m
    # Level toes touch the ground.
    points, depths = np.concatenate([points, ball[None]]), np.append(depths, max(ankle_m + ball_m, 0.0))
    return {leg.foot: Sole(points, depths), leg.toes: Sole(toes, np.zeros(len(toes)))}, ankle_m


def _points(rig: Rig, joint: int, leg: Leg, frames: Mapping[int, Array], mesh: Mesh | None) -> Array:
    """Returns the outermost vertices [K, 3] that move with the foot or toes of a leg, in the axes of this joint,
    metres. A vertex that moves with both counts for both, because it lies between its places on them."""
    if mesh is None:
        return np.zeros((0, 3))
    own = _weights(mesh, joint)
    both = _weights(mesh, leg.foot) + (0.0 if leg.toes is None else _weights(mesh, leg.toes))
    points = _inner(rig, joint, mesh.positions[(own >= _LEAST_SHARE) & (both >= _LEAST_WEIGHT)])
    return points[_outermost(rotate(inverse(frames[joint]), points))]


def _outermost(points: Array, slopes: Sequence[float] = _SLOPES) -> Array:
    """Returns the numbers of the points [N, 3] that are farthest to the sides of a level foot or below it."""
    if len(points) == 0:
        return np.zeros(0, int)
    sine, cosine = sine_cosine_of_degrees(np.arange(_DIRECTIONS) * (360.0 / _DIRECTIONS))
    return np.unique([int(np.argmax(points[:, 0] * x + points[:, 2] * z - points[:, 1] * slope))
                      for x, z in zip(cosine, sine) for slope in slopes])


def _inner(rig: Rig, joint: int, vertices: Array) -> Array:
    """Returns vertices [N, 3] of a mesh in the axes of a joint, metres."""
    matrix = skinning_of(rig.skeleton)[joint]
    return rig.points(joint, np.stack([dot(vertices, row[:3]) + row[3] for row in matrix[:3]], axis=-1))


def _weights(mesh: Mesh, joint: int) -> Array:
    """Returns the weight of a joint for each vertex [V]."""
    weights = np.where(mesh.joints == joint, mesh.weights, 0.0)
    return dot(weights, np.ones(weights.shape[1]))


def _heights(points: Array, level: Array) -> Array:
    """Returns the heights of points [K, 3] of a level joint over it."""
    heights: Array = rotate(inverse(level), points)[:, 1]
    return heights
