"""Skeletons as rigid bodies in a Y-up world, whatever their scales, mirror images and axes.

A joint under an armature with a negative scale is the mirror image of a rotation. With M = diag(-1, 1, 1) and model
transforms G_j, the transforms G_j M^m are rotations and positive scales, where m counts the negative scales of joint j
and those above. The local transforms are then M^m_p L_j M^m_j, which differ from L_j in signs and, for some scales, by
half a turn. The bind pose decides about signs.
"""
from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..base.arrays import Array
from ..model.clip import ROTATION, SCALE, TRANSLATION, Skeleton
from ..model.rotations import IDENTITY, inverse, multiply, rotate
from .joints.tree import Tree

_MIRRORED_ROTATION = np.array([1.0, -1.0, -1.0, 1.0])
_MIRRORED_VECTOR = np.array([-1.0, 1.0, 1.0])


@dataclass(frozen=True, eq=False)
class World:
    """Poses in model space. rotations: [F, J, 4], unit quaternions; positions: [F, J, 3], metres."""

    rotations: Array
    positions: Array

    def __getitem__(self, frames: Array | slice | int) -> World:
        return World(self.rotations[frames], self.positions[frames])

    def rotated(self, rotation: Array) -> World:
        """Rotates the poses about the origin."""
        return World(multiply(rotation, self.rotations), rotate(rotation, self.positions))


@dataclass(frozen=True, eq=False)
class Rig:
    """A skeleton as rigid bodies.

    parents: of its joints. turns [J, 4], parent_mirrored [J]: what makes rotations of local transforms: the half turns,
        and whether the parent is a mirror image. mirrored [J]: whether the joint is a mirror image. scales [J, 3]: of
        the bind pose, products with those above, positive.
    rotations [J, 4], offsets [J, 3]: the local bind pose; offsets in metres, whatever the scales above.
    """

    skeleton: Skeleton
    parents: list[int]
    turns: Array
    parent_mirrored: Array
    mirrored: Array
    scales: Array
    rotations: Array
    offsets: Array

    def rigid(self, transforms: Array) -> tuple[Array, Array]:
        """Returns the rotations [..., J, 4] and translations [..., J, 3] of local transforms [..., J, 10], without
        mirror images but before scales."""
        rotation = np.where(self.parent_mirrored[:, None], transforms[..., ROTATION] * _MIRRORED_ROTATION,
                            transforms[..., ROTATION])
        translation = np.where(self.parent_mirrored[:, None], transforms[..., TRANSLATION] * _MIRRORED_VECTOR,
                               transforms[..., TRANSLATION])
        return multiply(rotation, self.turns), translation

    def local(self, rotation: Array, translation: Array) -> tuple[Array, Array]:
        """Reverses `rigid`."""
        rotation = multiply(rotation, inverse(self.turns))
        return (np.where(self.parent_mirrored[:, None], rotation * _MIRRORED_ROTATION, rotation),
                np.where(self.parent_mirrored[:, None], translation * _MIRRORED_VECTOR, translation))

    def points(self, joint: int, points: Array) -> Array:
        """Returns points [N, 3] in the space of a joint as points in its rotation's axes, metres in the bind pose."""
        result: Array = np.where(self.mirrored[joint], points * _MIRRORED_VECTOR, points) * self.scales[joint]
        return result

    @cached_property
    def tree(self) -> Tree:
        """The tree of its joints."""
        return Tree(self.parents)

    def above(self, joint: int) -> Array:
        """Returns the scale [3] above a joint in the bind pose."""
        parent = self.parents[joint]
        scale: Array = np.ones(3) if parent < 0 else self.scales[parent]
        return scale

    def world(self, transforms: Array) -> World:
        """Returns poses [F, J, 10] in model space."""
        rotation, translation = self.rigid(transforms)
        scale = np.abs(transforms[..., SCALE])
        result = World(np.empty_like(rotation), np.empty_like(translation))
        scales: list[Array] = []
        for joint, parent in enumerate(self.parents):
            if parent < 0:
                result.rotations[:, joint], result.positions[:, joint] = rotation[:, joint], translation[:, joint]
                scales.append(scale[:, joint])
                continue
            above = result.rotations[:, parent]
            result.rotations[:, joint] = multiply(above, rotation[:, joint])
            moved = rotate(above, scales[parent] * translation[:, joint])
            result.positions[:, joint] = result.positions[:, parent] + moved
            scales.append(scales[parent] * scale[:, joint])
        return result


def rig_of(skeleton: Skeleton) -> Rig:
    """Returns a skeleton as rigid bodies."""
    parents = [int(parent) for parent in skeleton.parents]
    joints = len(parents)
    turns, parent_mirrored, scales = np.tile(IDENTITY, (joints, 1)), np.zeros(joints, bool), np.ones((joints, 3))
    mirrored = np.zeros(joints, bool)
    for joint, parent in enumerate(parents):
        own = skeleton.bind[joint, SCALE]
        parent_mirrored[joint] = parent >= 0 and mirrored[parent]
        mirrored[joint] = parent_mirrored[joint] != (np.count_nonzero(own < 0.0) % 2 == 1)
        signs = np.where(own < 0.0, -1.0, 1.0)
        signs[0] *= -1.0 if parent_mirrored[joint] != mirrored[joint] else 1.0
        if (signs < 0.0).any():
            turns[joint] = [*np.where(signs > 0.0, 1.0, 0.0), 0.0]
        size = np.where(own == 0.0, 1.0, np.abs(own))
        scales[joint] = size if parent < 0 else scales[parent] * size
    rig = Rig(skeleton, parents, turns, parent_mirrored, mirrored, scales, turns, np.zeros((joints, 3)))
    rotation, translation = rig.rigid(skeleton.bind)
    offsets = np.array([rig.above(joint) * translation[joint] for joint in range(joints)]).reshape(-1, 3)
    return Rig(skeleton, parents, turns, parent_mirrored, mirrored, scales, rotation, offsets)
