"""Finds clips whose first frame is a calibration pose in another place, as in the database of CMU."""
from __future__ import annotations

from ..base.arrays import Array
from ..base.portable_math import length
from .rig import Rig

_FRAMES = 10  # after the first one, with which it is compared
_LEAST_FRAMES = 5  # of them; fewer do not tell how fast the motion is
_JUMP = 10.0  # times the fastest motion of these frames
_LEAST_JUMP = 0.05  # of the largest extent of the first pose


def starts_elsewhere(rig: Rig, frames: Array) -> bool:
    """Returns whether the first frame of a clip [F, J, 10] does not belong to its motion."""
    positions = rig.world(frames[:_FRAMES + 2]).positions
    if len(positions) < _LEAST_FRAMES + 2:
        return False
    steps = length(positions[1:] - positions[:-1]).max(axis=1)
    size = float((positions[0].max(axis=0) - positions[0].min(axis=0)).max())
    return bool(steps[0] > max(_JUMP * float(steps[1:].max()), _LEAST_JUMP * size))
