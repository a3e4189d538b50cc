"""Makes limbs of two bones reach a point."""
from __future__ import annotations

import numpy as np

from ...base.arrays import Array
from ...base.portable_math import cross, dot, length
from ...model.rotations import frame, inverse, multiply, rotate
from ..rig import World

MOST_STRETCH = 0.9995  # of a limb's length: a straight one has no plane


def solved(limb: tuple[int, int, int], world: World, goal: Array, hinge: Array) -> dict[int, Array]:
    """Returns the rotations [F, 4] of both bones of a limb whose end reaches the goal [F, 3], or points at it. limb:
    the upper and the lower joint, and the end. hinge: the axis in the upper bone's axes [3] about which the lower one
    bends; the limb keeps its plane, and bones their twist."""
    start, middle, end = (world.positions[:, joint] for joint in limb)
    upper_m, lower_m = float(length(middle[0] - start[0])), float(length(end[0] - middle[0]))
    line = goal - start
    apart = length(line)
    line = line / np.maximum(apart, 1e-9)[:, None]
    apart = np.clip(apart, abs(upper_m - lower_m) + 1e-9, MOST_STRETCH * (upper_m + lower_m))
    axis = rotate(world.rotations[:, limb[0]], hinge)
    across = axis - dot(axis, line)[:, None] * line
    across = across / np.maximum(length(across), 1e-9)[:, None]
    cosine = (upper_m * upper_m + apart * apart - lower_m * lower_m) / (2.0 * upper_m * apart)
    sine = np.sqrt(np.maximum(1.0 - cosine * cosine, 0.0))
    upper = cosine[:, None] * line - sine[:, None] * cross(across, line)
    lower = apart[:, None] * line - upper_m * upper
    return {joint: multiply(multiply(frame(new, across), inverse(frame(old, axis))), world.rotations[:, joint])
            for joint, new, old in ((limb[0], upper, middle - start), (limb[1], lower, end - middle))}
