"""Positions of joints in some poses, from which bones and directions of a body are measured."""
from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...base.arrays import Array
from ...model.clip import Clip, Skeleton
from ...model.shell import model_matrices

_MOST_CLIPS, _FRAMES_OF_CLIP = 16, 8


def posed_positions(skeleton: Skeleton, clips: Sequence[Clip]) -> Array:
    """Returns float64 [P, J, 3]: the joints in the bind pose, then in some frames of the clips."""
    poses = [skeleton.bind[None]] + [np.asarray(clip.frames[_chosen(len(clip.frames))])
                                     for clip in clips[::max(1, len(clips) // _MOST_CLIPS)]]
    return model_matrices(skeleton.parents, np.concatenate(poses))[..., 3]


def _chosen(frames: int) -> Array:
    """Returns some frames of a clip, without its first, which may be a reference pose."""
    first = min(1, frames - 1)
    return np.unique(first + np.arange(_FRAMES_OF_CLIP) * (frames - 1 - first) // (_FRAMES_OF_CLIP - 1))
