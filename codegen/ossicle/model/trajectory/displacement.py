"""A trajectory as a bank stores it, and its evaluation."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...base.arrays import Array
from ...base.portable_math import sine_cosine_of_degrees
from .. import rotations

UNITS = (1 << 20, 1 << 20, 1 << 20, 1 << 24)  # metres as Q20, turns as Q24
YAW = 3


def yaw_rotation(turns: Array) -> Array:
    """Returns the rotations [N, 4] about y by these turns."""
    sine, cosine = sine_cosine_of_degrees(turns * 180.0)
    zero = np.zeros_like(sine)
    return np.stack([zero, sine, zero, cosine], axis=-1)


@dataclass(frozen=True, eq=False)
class Trajectory:
    """A trajectory, in UNITS. chosen: bool [4]; start, end: int [4]; shifts: of keys of positions and of yaw; keys: int
    [segments + 3, 4], or [0, 4] without segments. Components that are not chosen are 0. frames, seconds: of the clip at
    the extraction; between frames the trajectory is blended like the clip."""

    chosen: Array
    start: Array
    end: Array
    shifts: tuple[int, int]
    keys: Array
    frames: int
    seconds: float

    @property
    def segments(self) -> int:
        return max(len(self.keys) - 3, 0)

    def displacement(self, share: Array) -> Array:
        """Returns the displacement from the start, float64 [N, 4] in UNITS, after these fractions [N] of the clip."""
        result = share[:, None] * self.end
        if self.segments:
            at = share * self.segments
            first = np.minimum(at.astype(int), self.segments - 1)
            s = (at - first)[:, None]
            keys = self.keys * [float(1 << shift) for shift in (self.shifts[0],) * 3 + (self.shifts[1],)]
            a, b, c, d = (keys[first + number] for number in range(4))
            square, cubic = 2.0 * a - 5.0 * b + 4.0 * c - d, 3.0 * (b - c) + d - a
            result = result + (2.0 * b + s * ((c - a) + s * (square + s * cubic))) / 2.0
        return result

    def at(self, share: Array) -> tuple[Array, Array]:
        """Returns positions [N, 3] in metres and rotations [N, 4] in the source, after these fractions [N] of the
        clip."""
        at = share * (self.frames - 1)
        left = np.minimum(at.astype(int), self.frames - 2)
        part = (at - left)[:, None]
        last = float(self.frames - 1)
        displacement = self.displacement(left / last) * (1.0 - part) + self.displacement((left + 1) / last) * part
        position = rotations.rotate(yaw_rotation(self.start[YAW:] / UNITS[YAW]), displacement[:, :3] / UNITS[0])
        return self.start[:3] / UNITS[0] + position, yaw_rotation((self.start[YAW] + displacement[:, YAW]) / UNITS[YAW])
