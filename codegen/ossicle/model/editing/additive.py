"""Additive clips: the differences of their poses from one pose, to which a game adds them.

A pose is the reference with a difference: rotation reference * difference, translation reference + difference, scale
reference * difference, of every joint by itself.
"""
from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from .. import rotations
from ..clip import ROTATION, SCALE, TRANSLATION, Clip, ImportProblem, Reference
from ..samples import TRANSFORM_WIDTH
from ..sampling import ChangedCurve

NOTHING = np.array([0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0])  # no difference, as a transform
assert NOTHING.shape == (TRANSFORM_WIDTH,)


def differences(transforms: np.ndarray, pose: np.ndarray) -> np.ndarray:
    """Returns what leads from a pose [J, 10] to transforms [N, J, 10]. Rotations go the shorter way. No scale of the
    pose may be 0."""
    result = np.empty_like(transforms)
    back = pose[:, ROTATION] * (-1.0, -1.0, -1.0, 1.0)
    turn = rotations.multiply(back, transforms[..., ROTATION])
    result[..., ROTATION] = np.where(turn[..., 3:] < 0.0, -turn, turn)
    result[..., TRANSLATION] = transforms[..., TRANSLATION] - pose[:, TRANSLATION]
    result[..., SCALE] = transforms[..., SCALE] / pose[:, SCALE]
    return result


def added(pose: np.ndarray, transforms: np.ndarray) -> np.ndarray:
    """Returns a pose [J, 10] with these differences [N, J, 10]."""
    result = np.empty(transforms.shape)
    result[..., ROTATION] = rotations.multiply(pose[:, ROTATION], transforms[..., ROTATION])
    result[..., TRANSLATION] = pose[:, TRANSLATION] + transforms[..., TRANSLATION]
    result[..., SCALE] = pose[:, SCALE] * transforms[..., SCALE]
    return result


def poses(clip: Clip, transforms: np.ndarray) -> np.ndarray:
    """Returns the poses of transforms [N, J, 10] of a clip: the same, or for an additive clip its reference with
    them."""
    return transforms if clip.reference is None else added(clip.reference.pose, transforms)


@dataclass(frozen=True, eq=False)
class DifferenceCurve(ChangedCurve):
    """The differences of a curve from a pose [J, 10] (see clip.Curve)."""

    pose: np.ndarray

    @property
    def linear(self) -> bool:
        return self.curve.linear

    def at(self, seconds: np.ndarray, early: float = 0.0) -> np.ndarray:
        return differences(self.curve.at(seconds, early), self.pose)

    def sampled(self, seconds: np.ndarray, early: float) -> tuple[np.ndarray, np.ndarray]:
        frames, steps = self.curve.sampled(seconds, early)
        return differences(frames, self.pose), steps

    def reordered(self, order: np.ndarray) -> DifferenceCurve:
        return replace(self, curve=self.curve.reordered(order), pose=self.pose[order])


def made_additive(clip: Clip, reference: Reference, joints: tuple[str, ...]) -> Clip:
    """Returns the clip of differences from a pose. joints: their names. Raises ImportProblem for a scale of 0."""
    flat = np.argwhere(reference.pose[:, SCALE] == 0.0)
    if len(flat):
        raise ImportProblem(f"joint {joints[flat[0][0]]}: has the scale 0 in {reference.text}, and no difference leads "
                            "from there to another scale; choose another frame")
    curve = None if clip.curve is None else DifferenceCurve(clip.curve, reference.pose)
    return replace(clip, frames=differences(clip.frames, reference.pose), curve=curve, reference=reference)
