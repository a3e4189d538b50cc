"""Refuses clips whose scales multiply beyond the range of model matrices, Q20 in 32 bits."""
from __future__ import annotations

import numpy as np

from ..model.blocks import blocks
from ..model.clip import SCALE, Clip, Skeleton
from .problems import EncodeProblem

LARGEST = 2047.0


def check_scales(clip: Clip, skeleton: Skeleton) -> None:
    """Raises EncodeProblem if the scales of a joint and those above it multiply to more than LARGEST. The encoder
    reports single scales beyond that."""
    parts = list(blocks(*clip.frames.shape[:2]))
    most = max(float(np.abs(clip.frames[block, :, SCALE]).max()) for block in parts)
    if not 1.0 < most <= LARGEST:  # scales of at most one have no larger products
        return
    largest = np.concatenate([np.abs(clip.frames[block, :, SCALE]).max(axis=2) for block in parts])
    for joint, parent in enumerate(skeleton.parents):
        if parent >= 0:
            largest[:, joint] *= largest[:, parent]
        frame = int(largest[:, joint].argmax())
        if largest[frame, joint] > LARGEST:
            raise EncodeProblem(f"{clip.source}: clip {clip.name}: joint {skeleton.names[joint]}: frame {frame}: the "
                                f"product of its scale and those above is {largest[frame, joint]:.6g}, more than "
                                f"{LARGEST:g}; scale the character only at its root")
