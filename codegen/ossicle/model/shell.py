"""Measures the shell error of a decoded clip at every sample and joint, in double precision.

The encoder reports the largest error, which the tolerance limits; means need all errors. Three points on the axes of
every joint, at the shell distance in model space at the bind pose, are moved by the joint's model transform at every
frame and midpoint, and compared with the source. At midpoints, tracks that jump at the next frame are compared with the
left frame; see with_midpoints.
"""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from ..base.arrays import Array
from ..base.portable_math import dot, length, product
from .clip import ROTATION, SCALE, TRACK_KINDS, TRANSLATION, Clip
from .editing.folding import HIDDEN_SCALE

_PARTS = dict(zip(TRACK_KINDS, (ROTATION, TRANSLATION, SCALE), strict=True))
_SAME_LENGTH = 1e-4  # a smaller difference of an axis from a metre is rounding of the file
_BLOCK = 256  # samples per step, which limits the memory for long clips


def middles(clip: Clip) -> Array:
    """Returns float64 [F-1, J, 10]: the midpoints between a clip's frames, of its curve if it follows one, otherwise
    the shortest-path mean."""
    if clip.curve is not None and clip.follows_curve:
        return clip.curve.at((np.arange(len(clip.frames) - 1) + 0.5) / clip.rate)
    left, right = clip.frames[:-1], clip.frames[1:].copy()
    opposite = dot(left[..., ROTATION], right[..., ROTATION]) < 0.0
    right[..., ROTATION] *= np.where(opposite, -1.0, 1.0)[..., None]
    return (left + right) / 2.0


def with_midpoints(clip: Clip, breaks: Iterable[tuple[int, int, str]]) -> Array:
    """Returns float64 [2F-1, J, 10]: the frames and midpoints of a clip. breaks: the (frame, joint, kind) at which a
    track jumps in the bank, which holds it until then. So does the reference, but only at jumps of the file if the clip
    follows its curve."""
    left = clip.frames[:-1]
    middle = middles(clip)
    for frame, joint, kind in breaks:
        if clip.curve is None or not clip.follows_curve or clip.steps[frame, joint, TRACK_KINDS.index(kind)]:
            middle[frame - 1, joint, _PARTS[kind]] = left[frame - 1, joint, _PARTS[kind]]
    out = np.empty((2 * len(clip.frames) - 1, *clip.frames.shape[1:]))
    out[::2], out[1::2] = clip.frames, middle
    return out


def model_matrices(parents: Sequence[int] | Array, local: Array) -> Array:
    """Returns model transforms [N, J, 3, 4] of local ones [N, J, 10]. Rotations may have any length. Those of length 0,
    the midpoints of opposite rows, do not rotate."""
    lengths = length(local[..., ROTATION])[..., None]
    x, y, z, w = np.moveaxis(local[..., ROTATION] / np.where(lengths > 0.0, lengths, 1.0), -1, 0)
    rotation = np.stack([1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
                         2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                         2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)], -1)
    model = np.empty((*local.shape[:-1], 3, 4))
    model[..., :3] = rotation.reshape(*x.shape, 3, 3) * local[..., None, SCALE]
    model[..., 3] = local[..., TRANSLATION]
    for joint, parent in enumerate(parents):
        if parent >= 0:
            inner = product(model[:, parent, :, :3], model[:, joint])
            inner[..., 3] += model[:, parent, :, 3]
            model[:, joint] = inner
    return model


@dataclass(frozen=True, eq=False)
class Poses:
    """Local transforms [N, J, 10] of a skeleton with these parents [J], and the joints [K] to measure. bind [J, 10]:
    the bind pose, or None if that has no scale."""

    parents: Sequence[int] | Array
    local: Array
    joints: Sequence[int]
    bind: Array | None = None

    @property
    def units(self) -> Array:
        """The length of a metre of model space at the bind pose along each axis of the joints [K, 3]."""
        return np.ones((len(self.joints), 3)) if self.bind is None else \
            metres_along_axes(self.parents, self.bind)[list(self.joints)]


def metres_along_axes(parents: Sequence[int] | Array, bind: Array) -> Array:
    """Returns [J, 3]: the length of a metre of model space at the bind pose [J, 10] along each axis of a joint's own
    space. The encoder computes the same (codegen/encoder/base/shell.h)."""
    shown = bind.copy()
    shown[:, SCALE] = np.where(np.abs(bind[:, SCALE]) < HIDDEN_SCALE, 1.0, bind[:, SCALE])
    lengths = length(np.swapaxes(model_matrices(np.asarray(parents), shown[None])[0, ..., :3], -1, -2))
    return 1.0 / np.where((lengths > 0.0) & (np.abs(lengths - 1.0) >= _SAME_LENGTH), lengths, 1.0)


def shell_distances(reference: Poses, played: Poses, shell_m: float) -> Array:
    """Returns metres [N, K] between two characters: for each joint, the largest distance of its three points from those
    of the same joint of the other character."""
    distances = np.empty((len(reference.local), len(reference.joints)))
    units_a = reference.units
    units_b = units_a if played.bind is reference.bind and played.parents is reference.parents \
        and played.joints is reference.joints else played.units
    for start in range(0, len(distances), _BLOCK):
        block = slice(start, start + _BLOCK)
        if played.parents is reference.parents:  # together: half of the calls
            count = len(reference.local[block])
            models = model_matrices(reference.parents, np.concatenate(
                [poses.local[block].astype(np.float64) for poses in (reference, played)]))
            model_a, model_b = models[:count, reference.joints], models[count:, played.joints]
        else:
            model_a, model_b = (model_matrices(poses.parents, poses.local[block].astype(np.float64))[:, poses.joints]
                                for poses in (reference, played))
        for model, units in ((model_a, units_a), (model_b, units_b)):
            model[..., :3] *= units[:, None]
        difference = model_a - model_b
        points = shell_m * difference[..., :3] + difference[..., 3:]
        distances[block] = length(np.swapaxes(points, -1, -2)).max(-1)
    return distances


def shell_errors(parents: Sequence[int] | Array, reference: Array, played: Array, shell_m: float,
                 bind: Array | None = None) -> Array:
    """Returns metres [N, J] between two clips of local transforms [N, J, 10] of one skeleton. bind [J, 10]: as in
    Poses."""
    joints = range(len(parents))
    return shell_distances(Poses(parents, reference, joints, bind), Poses(parents, played, joints, bind), shell_m)
