"""Folds static transforms that are not joints into the joints below them.

Between a joint and its parent joint (above a root joint: the world) there may be a chain of plain
nodes whose product is C = T(c) R(q) S(s) with one positive scale s, and the user may ask for
another unit or up-axis, which is such a transform above everything. The joints must keep their own
scale, so s is applied to lengths instead.

Let G be the model transforms of the source: G_j = G_p C_j L_j, where L_j = T(t) R(r) S(k) is the
joint's own transform. With the accumulated scale g_j = g_p s_j (g = 1 above the roots) define

    G'_j = G_j S(1/g_j)

Uniform scales commute with rotations and scales, and S(g) T(t) = T(g t) S(g), so

    L'_j = S(g_p) C_j L_j S(1/g_j) = T(g_p c + g_j q.t) R(q r) S(k)

which is a transform without additional scale. Skinning stays identical, G'_j B'_j = G_j B_j, with
the inverse bind matrices B'_j = S(g_j) B_j.
"""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from . import rotations
from .clip import ROTATION, TRANSLATION

# A quarter turn about -X takes Z-up to Y-up: (x, y, z) becomes (x, z, -y).
_Z_UP_TO_Y_UP = np.array([-np.sqrt(0.5), 0.0, 0.0, np.sqrt(0.5)])


@dataclass(frozen=True, eq=False)
class Similarity:
    """T(translation) R(rotation) S(scale): rotation unit [4], translation [3], scale > 0."""

    rotation: np.ndarray
    translation: np.ndarray
    scale: float

    def __matmul__(self, inner: Similarity) -> Similarity:
        """The product: inner is applied first."""
        return Similarity(
            rotations.multiply(self.rotation, inner.rotation),
            self.translation + self.scale * rotations.rotate(self.rotation, inner.translation),
            self.scale * inner.scale,
        )


IDENTITY = Similarity(np.array([0.0, 0.0, 0.0, 1.0]), np.zeros(3), 1.0)


def world_of(up: str, metres_per_unit: float) -> Similarity:
    """The transform above every root: the source's unit and up-axis ('y' or 'z')."""
    rotation = _Z_UP_TO_Y_UP if up == "z" else IDENTITY.rotation
    return Similarity(rotation, np.zeros(3), metres_per_unit)


class Folding:
    """The folding of one skeleton, which is applied to its bind pose, frames and inverse bind
    matrices."""

    def __init__(self, parents: Sequence[int], chains: Sequence[Similarity]):
        """parents [J]: parents before their children, -1 for a root; chains [J]: C_j of each
        joint."""
        joints = len(parents)
        self._rotation = np.array([c.rotation for c in chains]).reshape(joints, 4)
        self._offset = np.zeros((joints, 3))
        self._scale = np.ones(joints)
        for j, parent in enumerate(parents):
            above = 1.0 if parent < 0 else self._scale[parent]
            self._offset[j] = above * chains[j].translation
            self._scale[j] = above * chains[j].scale
        self._turned = np.flatnonzero(np.any(self._rotation != IDENTITY.rotation, axis=1))

    def apply(self, transforms: np.ndarray) -> np.ndarray:
        """Returns a folded copy of transforms [..., J, 10]."""
        folded = transforms.copy()
        turned, rotation = self._turned, self._rotation[self._turned]
        folded[..., TRANSLATION] *= self._scale[:, None]
        if len(turned):
            folded[..., turned, TRANSLATION] = rotations.rotate(
                rotation, folded[..., turned, TRANSLATION]
            )
            folded[..., turned, ROTATION] = rotations.multiply(
                rotation, folded[..., turned, ROTATION]
            )
        folded[..., TRANSLATION] += self._offset
        return folded

    def undo(self, folded: np.ndarray) -> np.ndarray:
        """Returns the transforms [..., J, 10] whose folded copy this is."""
        transforms = folded.copy()
        turned, back = self._turned, self._rotation[self._turned] * (-1.0, -1.0, -1.0, 1.0)
        transforms[..., TRANSLATION] -= self._offset
        if len(turned):
            transforms[..., turned, TRANSLATION] = rotations.rotate(back, transforms[..., turned, TRANSLATION])
            transforms[..., turned, ROTATION] = rotations.multiply(back, transforms[..., turned, ROTATION])
        transforms[..., TRANSLATION] /= self._scale[:, None]
        return transforms

    def apply_to_inverse_bind(self, matrices: np.ndarray) -> np.ndarray:
        """Returns a folded copy of inverse bind matrices [J, 4, 4]."""
        folded = matrices.copy()
        folded[:, :3, :] *= self._scale[:, None, None]
        return folded
