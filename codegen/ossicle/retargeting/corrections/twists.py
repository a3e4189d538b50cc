"""Spreads the roll of hands over the twist joints of the lower arms.

Where a source has the pronation in the lower arm itself, a character with twist joints has it only in these, so that
the elbow stays a hinge.
"""
from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ...base.arrays import Array
from ...base.portable_math import dot
from ...model.rotations import IDENTITY, frame, inverse, multiply, normalise, rotate, slerp
from ..body_frames import LEFT, UP
from ..humanoid import Arm
from ..rig import Rig, World


def with_twists(rig: Rig, arm: Arm, bind: World, frames: Mapping[int, Array], turned: Mapping[int, Array]
                ) -> dict[int, Array]:
    """Adds the twist joints of a lower arm, if it has any. frames: see body_frames; turned: rotations [F, 4] in model
    space, by joint; bind: the character's bind pose."""
    result = dict(turned)
    twists = [joint for joint in arm.twists if rig.tree.is_below(joint, arm.lower)]
    if arm.hand is None or not twists or not {arm.upper, arm.lower, arm.hand} <= turned.keys():
        return result
    bone = rotate(multiply(turned[arm.lower], frames[arm.lower]), LEFT)
    hinge = rotate(multiply(turned[arm.upper], frames[arm.upper]), UP)
    lower = multiply(frame(bone, hinge), inverse(frames[arm.lower]))
    result[arm.lower] = lower
    above = inverse(bind.rotations[0, arm.lower])
    axis = rotate(frames[arm.lower], LEFT)
    turn = multiply(multiply(inverse(lower), turned[arm.hand]), inverse(multiply(above, bind.rotations[0, arm.hand])))
    along = dot(turn[:, :3], axis)
    roll = np.concatenate([along[:, None] * axis, turn[:, 3:]], axis=1)
    roll = normalise(np.where((np.abs(along) + np.abs(turn[:, 3]) > 0.0)[:, None], roll, IDENTITY))
    start = bind.positions[0, arm.lower]
    line = bind.positions[0, arm.hand] - start
    for joint in twists:
        share = float(np.clip(dot(bind.positions[0, joint] - start, line) / dot(line, line), 0.0, 1.0))
        part = slerp(np.broadcast_to(IDENTITY, roll.shape), roll, np.full(len(roll), share))
        result[joint] = multiply(multiply(lower, part), multiply(above, bind.rotations[0, joint]))
    return result
