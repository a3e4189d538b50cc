"""Additive clips: differences from a reference pose, which a game adds to other poses.

A pose is, for each joint: rotation reference * difference, translation reference + difference, scale reference *
difference.
"""
from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ...base.arrays import Array
from .. import rotations
from ..clip import ROTATION, SCALE, TRANSLATION, Clip, ImportProblem, Reference
from ..samples import TRANSFORM_WIDTH
from ..sampling import ChangedCurve

NOTHING = np.array([0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0])  # no difference, as a transform
assert NOTHING.shape == (TRANSFORM_WIDTH,)


def differences(transforms: Array, pose: Array) -> Array:
    """Returns the differences of transforms [N, J, 10] from a pose [J, 10]. Rotations take the shorter arc. No scale of
    the pose may be 0."""
    result = np.empty_like(transforms)
    back = pose[:, ROTATION] * (-1.0, -1.0, -1.0, 1.0)
    rotation = rotations.multiply(back, transforms[..., ROTATION])
    result[..., ROTATION] = np.where(rotation[..., 3:] < 0.0, -rotation, rotation)
    result[..., TRANSLATION] = transforms[..., TRANSLATION] - pose[:, TRANSLATION]
    result[..., SCALE] = transforms[..., SCALE] / pose[:, SCALE]
    return result


def added(pose: Array, transforms: Array) -> Array:
    """Adds differences [N, J, 10] to a pose [J, 10]."""
    result = np.empty(transforms.shape)
    result[..., ROTATION] = rotations.multiply(pose[:, ROTATION], transforms[..., ROTATION])
    result[..., TRANSLATION] = pose[:, TRANSLATION] + transforms[..., TRANSLATION]
    result[..., SCALE] = pose[:, SCALE] * transforms[..., SCALE]
    return result


def poses(clip: Clip, transforms: Array) -> Array:
    """Converts transforms [N, J, 10] of a clip to poses: of an additive clip, adds them to its reference."""
    return transforms if clip.reference is None else added(clip.reference.pose, transforms)


@dataclass(frozen=True, eq=False)
class DifferenceCurve(ChangedCurve):
    """The differences of a curve from a pose [J, 10] (see clip.Curve)."""

    pose: Array

    @property
    def linear(self) -> bool:
        return self.curve.linear

    def at(self, seconds: Array, early: float = 0.0) -> Array:
        return differences(self.curve.at(seconds, early), self.pose)

    def sampled(self, seconds: Array, early: float) -> tuple[Array, Array]:
        frames, steps = self.curve.sampled(seconds, early)
        return differences(frames, self.pose), steps

    def reordered(self, order: Array) -> DifferenceCurve:
        return replace(self, curve=self.curve.reordered(order), pose=self.pose[order])


def to_additive(clip: Clip, reference: Reference, joints: tuple[str, ...]) -> Clip:
    """Returns an additive clip, the differences from a pose. joints: their names. Raises ImportProblem for a scale of
    0."""
    flat = np.argwhere(reference.pose[:, SCALE] == 0.0)
    if len(flat):
        raise ImportProblem(f"joint {joints[flat[0][0]]}: has the scale 0 in {reference.text}, from which no "
                            "difference can be computed; choose another frame")
    curve = None if clip.curve is None else DifferenceCurve(clip.curve, reference.pose)
    return replace(clip, frames=differences(clip.frames, reference.pose), curve=curve, reference=reference)
