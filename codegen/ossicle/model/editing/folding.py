"""Folds static transforms that are not joints, and units of length, into the joints.

Between a joint and its parent joint (above a root joint: the world) there may be a chain of plain nodes whose product
is C = T(c) R(q) S(s) with a positive scale s, and the user may choose another unit or up-axis, which is such a
transform above the roots. A joint may also scale in the bind pose, by a unit u: rigs in centimetres have a root of
scale 0.01. All of these scales are applied to lengths instead, so that every joint of a bank is in metres: for any rig,
a step of Q20 is about a micrometre, and a track can be blended below a metre per frame.

Let G be the model transforms of the source: G_j = G_p C_j L_j, where L_j = T(t) R(r) S(k) is the
joint's own transform. With the accumulated scale g_j = g_p s_j u_j (g = 1 above the roots) define

    G'_j = G_j S(1/g_j)

Uniform scales commute with rotations and scales, and S(g) T(t) = T(g t) S(g), so

    L'_j = S(g_p) C_j L_j S(1/g_j) = T(g_p c + g_p s_j q.t) R(q r) S(k/u_j)

which is a transform without additional scale. Skinning stays identical, G'_j B'_j = G_j B_j, with
the inverse bind matrices B'_j = S(g_j) B_j.

A chain may also mirror: C = T(c) R(q) S(s) M with M = diag(-1, 1, 1). As M T(t) R(r) S(k) = T(M t) R(M r M) S(M k), the
joint gets the mirror image of its own transform, in which its first scale is negative. G_j does not change, and neither
do joints below.
"""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...base.arrays import Array
from .. import rotations
from ..clip import ROTATION, SCALE, TRANSLATION

# The scales of a bind pose that are units of length. Scales between the two ranges are proportions, such as
# a large head, and stay; scales beyond them hide or show a joint.
HIDDEN_SCALE = 0.0005  # a smaller scale in the bind pose hides a joint
_LEAST_UNIT, _MOST_UNIT = HIDDEN_SCALE, 2000.0
_LEAST_PROPORTION, _MOST_PROPORTION = 0.2, 5.0

# M T(t) R(r) S(k) = T(t') R(r') S(k'), with each component of the transform times one of these.
_MIRRORED = np.array([1.0, -1.0, -1.0, 1.0, -1.0, 1.0, 1.0, -1.0, 1.0, 1.0])

# A quarter turn about -X takes Z-up to Y-up: (x, y, z) becomes (x, z, -y).
_Z_UP_TO_Y_UP = np.array([-np.sqrt(0.5), 0.0, 0.0, np.sqrt(0.5)])


@dataclass(frozen=True, eq=False)
class Similarity:
    """T(translation) R(rotation) S(scale) M: rotation unit [4], translation [3], scale > 0; M is diag(-1, 1, 1) with
    `mirror`, else the identity."""

    rotation: Array
    translation: Array
    scale: float
    mirror: bool = False

    def __matmul__(self, inner: Similarity) -> Similarity:
        """Returns the product, which applies `inner` first."""
        rotation, translation = inner.rotation, inner.translation
        if self.mirror:
            rotation, translation = rotation * _MIRRORED[ROTATION], translation * _MIRRORED[TRANSLATION]
        return Similarity(
            rotations.multiply(self.rotation, rotation),
            self.translation + self.scale * rotations.rotate(self.rotation, translation),
            self.scale * inner.scale,
            self.mirror != inner.mirror,
        )


IDENTITY = Similarity(np.array([0.0, 0.0, 0.0, 1.0]), np.zeros(3), 1.0)


def world_of(up: str, metres_per_unit: float) -> Similarity:
    """Returns the transform above every root: the source's unit and up-axis ('y' or 'z')."""
    rotation = _Z_UP_TO_Y_UP if up == "z" else IDENTITY.rotation
    return Similarity(rotation, np.zeros(3), metres_per_unit)


def unit_of(scale: Array) -> float:
    """Returns the unit u of a joint with this scale [3] in the bind pose: the size of its middle component, or 1 if
    that is not a unit of length."""
    size = float(np.sort(np.abs(scale))[1])
    is_unit = _LEAST_UNIT <= size < _LEAST_PROPORTION or _MOST_PROPORTION < size <= _MOST_UNIT
    return size if is_unit else 1.0


def without_units(parents: Sequence[int] | Array, units: Array, transforms: Array) -> Array:
    """Converts transforms [..., J, 10] in metres back to joints that scale by their units. units [J]: of each joint,
    multiplied by those of the joints above."""
    above = np.array([1.0 if parent < 0 else units[parent] for parent in parents])
    result = transforms.copy()
    result[..., TRANSLATION] /= above[:, None]
    result[..., SCALE] *= (units / above)[:, None]
    return result


class Folding:
    """The folding of one skeleton, which is applied to its bind pose, frames and inverse bind
    matrices. units [J]: the product of u over each joint and those above."""

    def __init__(self, parents: Sequence[int], chains: Sequence[Similarity], scales: Array):
        """parents [J]: parents before their children, -1 for a root; chains [J]: C_j of each
        joint; scales [J, 3]: of the joints in the bind pose."""
        joints = len(parents)
        self._unit = np.array([unit_of(scale) for scale in scales])
        self.units = np.ones(joints)
        self._rotation = np.array([c.rotation for c in chains]).reshape(joints, 4)
        self._offset = np.zeros((joints, 3))
        self._length = np.ones(joints)  # g_p s_j
        self._scale = np.ones(joints)  # g_j
        for j, parent in enumerate(parents):
            above = 1.0 if parent < 0 else self._scale[parent]
            self._offset[j] = above * chains[j].translation
            self._length[j] = above * chains[j].scale
            self._scale[j] = self._length[j] * self._unit[j]
            self.units[j] = self._unit[j] * (1.0 if parent < 0 else self.units[parent])
        self._mirrored = np.flatnonzero([chain.mirror for chain in chains])
        self._rotated = np.flatnonzero(np.any(self._rotation != IDENTITY.rotation, axis=1))

    def apply(self, transforms: Array) -> Array:
        """Returns a folded copy of transforms [..., J, 10]."""
        folded = transforms.copy()
        rotated, rotation = self._rotated, self._rotation[self._rotated]
        if len(self._mirrored):
            folded[..., self._mirrored, :] *= _MIRRORED
        folded[..., TRANSLATION] *= self._length[:, None]
        folded[..., SCALE] /= self._unit[:, None]
        if len(rotated):
            folded[..., rotated, TRANSLATION] = rotations.rotate(
                rotation, folded[..., rotated, TRANSLATION]
            )
            folded[..., rotated, ROTATION] = rotations.multiply(
                rotation, folded[..., rotated, ROTATION]
            )
        folded[..., TRANSLATION] += self._offset
        return folded

    def undo(self, folded: Array) -> Array:
        """Returns the transforms [..., J, 10] whose folded copy this is."""
        transforms = folded.copy()
        rotated, back = self._rotated, self._rotation[self._rotated] * (-1.0, -1.0, -1.0, 1.0)
        transforms[..., TRANSLATION] -= self._offset
        if len(rotated):
            transforms[..., rotated, TRANSLATION] = rotations.rotate(back, transforms[..., rotated, TRANSLATION])
            transforms[..., rotated, ROTATION] = rotations.multiply(back, transforms[..., rotated, ROTATION])
        transforms[..., TRANSLATION] /= self._length[:, None]
        transforms[..., SCALE] *= self._unit[:, None]
        if len(self._mirrored):
            transforms[..., self._mirrored, :] *= _MIRRORED
        return transforms

    def apply_to_inverse_bind(self, matrices: Array) -> Array:
        """Returns a folded copy of inverse bind matrices [J, 4, 4]."""
        folded = matrices.copy()
        folded[:, :3, :] *= self._scale[:, None, None]
        return folded
