"""Rotates the axes of joints so that they are parallel to those of the model in the bind pose.

Let G_j be the transforms of the source in model space, and B_j the bind-pose rotation that the inverse bind matrix I_j
undoes; above the roots, B is the identity. With new axes, G'_j = G_j B_j^-1, and the local transforms are

    L'_j = B_p L_j B_j^-1 = T(B_p t) R(B_p r B_j^-1) S(k)

because a uniform scale k commutes with rotations. Interpolation commutes with constant rotations on both sides, so the
motion between frames does not change either. The new inverse bind matrices B_j I_j only translate, and a device
multiplies one matrix per joint instead of two.
"""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ldexp

import numpy as np

from ...base.arrays import Array
from ...base.option_names import named
from ...base.portable_math import length, product, solution
from .. import rotations
from ..blocks import blocks
from ..clip import ROTATION, SCALE, TRANSLATION, Clip, Imported, ImportProblem, Skeleton, problems_of
from ..mesh.skinning import rotation_rows, skinning_of
from ..samples import stored
from ..sampling import ChangedCurve
from .folding import HIDDEN_SCALE

_BACK = np.array([-1.0, -1.0, -1.0, 1.0])
_UNIFORM = 1e-5  # the largest relative difference between the factors of a uniform scale: rounding to float32
# The largest difference between the linear part of an inverse bind matrix and the identity that is attributed to
# rounding. It is too small to be visible.
_ROUNDING = ldexp(1.0, -14)


@dataclass(frozen=True, eq=False)
class Alignment:
    """axes, parent_axes: unit quaternions [J, 4], B of each joint and of its parent."""

    axes: Array
    parent_axes: Array

    def apply(self, transforms: Array) -> Array:
        """Returns a copy of transforms [..., J, 10] with the new axes."""
        return self._rotated(transforms, self.parent_axes, self.axes * _BACK)

    def undo(self, transforms: Array) -> Array:
        """Returns a copy of transforms [..., J, 10] with the axes of the source."""
        return self._rotated(transforms, self.parent_axes * _BACK, self.axes)

    def reordered(self, order: Array) -> Alignment:
        """Returns the alignment of the joints `order`."""
        return Alignment(self.axes[order], self.parent_axes[order])

    @staticmethod
    def _rotated(transforms: Array, left: Array, right: Array) -> Array:
        result = transforms.copy()
        result[..., ROTATION] = rotations.multiply(rotations.multiply(left, transforms[..., ROTATION]), right)
        result[..., TRANSLATION] = rotations.rotate(left, transforms[..., TRANSLATION])
        return result


@dataclass(frozen=True, eq=False)
class AlignedCurve(ChangedCurve):
    """A curve with other axes (see clip.Curve)."""

    alignment: Alignment

    @property
    def linear(self) -> bool:
        return self.curve.linear

    def at(self, seconds: Array, early: float = 0.0) -> Array:
        return self.alignment.apply(self.curve.at(seconds, early))

    def sampled(self, seconds: Array, early: float) -> tuple[Array, Array]:
        frames, steps = self.curve.sampled(seconds, early)
        return self.alignment.apply(frames), steps

    def reordered(self, order: Array) -> AlignedCurve:
        return AlignedCurve(self.curve.reordered(order), self.alignment.reordered(order))


def alignment_of(parents: Sequence[int] | Array, axes: Array) -> Alignment:
    """Returns the alignment for the rotations B [J, 4]."""
    above = [rotations.IDENTITY if parent < 0 else axes[parent] for parent in parents]
    return Alignment(axes, np.array(above).reshape(-1, 4))


def model_rotations(parents: Sequence[int] | Array, transforms: Array) -> Array:
    """Returns the rotations [J, 4] in model space of a pose [J, 10]."""
    result = np.empty((len(transforms), 4))
    for joint, parent in enumerate(parents):
        local = transforms[joint, ROTATION]
        result[joint] = local if parent < 0 else rotations.multiply(result[parent], local)
    return result


def axes_between(source: Array, aligned: Array) -> Array:
    """Returns B [..., 4] from the model-space rotations of a pose with the axes of the source and with the new axes."""
    return rotations.multiply(aligned * _BACK, source)


def aligned(imported: Imported) -> Imported:
    """Returns the clips with joint axes that are parallel to those of the model in the bind pose. Raises ImportProblem
    (clip, joint, remedy) for a joint that scales by different factors."""
    skeleton = imported.skeleton
    _check_scales(skeleton.bind[None], skeleton)
    inverse = skinning_of(skeleton)
    alignment = alignment_of(skeleton.parents, np.array([_axes_of(matrix) for matrix in inverse]).reshape(-1, 4))
    clips = []
    for clip in (*imported.clips, *imported.references):
        with problems_of(f"clip {clip.name}"):
            clips.append(_aligned_clip(clip, alignment, skeleton))
    matrices = None if skeleton.inverse_bind is None else np.array(
        [_aligned_matrix(axes, matrix) for axes, matrix in zip(alignment.axes, inverse)])
    skeleton = replace(skeleton, bind=alignment.apply(skeleton.bind), inverse_bind=matrices)
    count = len(imported.clips)
    return replace(imported, skeleton=skeleton, clips=clips[:count], references=clips[count:])


def _aligned_clip(clip: Clip, alignment: Alignment, skeleton: Skeleton) -> Clip:
    frames = np.empty(clip.frames.shape)
    for block in blocks(*clip.frames.shape[:2]):
        part = clip.frames[block]
        _check_scales(part, skeleton)
        frames[block] = alignment.apply(part)
    return replace(clip, frames=stored(frames), curve=clip.curve and AlignedCurve(clip.curve, alignment))


def _check_scales(transforms: Array, skeleton: Skeleton) -> None:
    scales = transforms[..., SCALE]
    uneven = np.ptp(scales, axis=-1) > _UNIFORM * np.abs(scales).max(axis=-1)
    if uneven.any():
        joint = int(np.argmax(uneven.any(axis=0)))
        raise ImportProblem(f"joint {skeleton.names[joint]}: has different scales along its axes, which cannot "
                            f"be rotated; leave out {named('--joint-axes', 'model')}, or scale it evenly")


def _axes_of(inverse_bind: Array) -> Array:
    """Returns B of a joint: the bind-pose rotation that the matrix [4, 4] undoes. If the matrix shears or scales
    unevenly, the result is an approximation."""
    columns = inverse_bind[:3, :3]
    return rotations.from_matrix(columns / np.maximum(length(columns.T), HIDDEN_SCALE)) * _BACK


def _aligned_matrix(axes: Array, inverse_bind: Array) -> Array:
    """Returns B * matrix [4, 4]. Its linear part is exactly the identity if only rounding makes a difference; the
    position of the joint does not change."""
    result = np.eye(4)
    result[:3] = product(rotation_rows(axes), inverse_bind[:3])
    position = solution(result[:3, :3], -result[:3, 3])
    if position is not None and np.abs(result[:3, :3] - np.eye(3)).max() <= _ROUNDING:
        result[:3, :3], result[:3, 3] = np.eye(3), -position
    return result
