"""What is stored of a trajectory, and where it leads."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...base.portable_math import sine_cosine_of_degrees
from .. import rotations

UNITS = (1 << 20, 1 << 20, 1 << 20, 1 << 24)  # metres as Q20, turns as Q24
YAW = 3


def yaw_rotation(turns: np.ndarray) -> np.ndarray:
    """The rotations [N, 4] of turns about y."""
    sine, cosine = sine_cosine_of_degrees(turns * 180.0)
    zero = np.zeros_like(sine)
    return np.stack([zero, sine, zero, cosine], axis=-1)


@dataclass(frozen=True, eq=False)
class Trajectory:
    """As a bank stores it, all in UNITS. chosen: bool [4]; start, end: int [4]; shifts: of keys of positions and of
    yaw; keys: int [segments + 3, 4], or [0, 4] without segments. Components that are not chosen are 0. frames, seconds:
    of the clip when it was taken out; between frames it is blended as the clip is."""

    chosen: np.ndarray
    start: np.ndarray
    end: np.ndarray
    shifts: tuple[int, int]
    keys: np.ndarray
    frames: int
    seconds: float

    @property
    def segments(self) -> int:
        return max(len(self.keys) - 3, 0)

    def moved(self, share: np.ndarray) -> np.ndarray:
        """Where it leads from its start, in UNITS: float64 [N, 4] after these shares [N] of the clip."""
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

    def at(self, share: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The places in the source: positions [N, 3] in metres and rotations [N, 4]."""
        at = share * (self.frames - 1)
        left = np.minimum(at.astype(int), self.frames - 2)
        part = (at - left)[:, None]
        last = float(self.frames - 1)
        moved = self.moved(left / last) * (1.0 - part) + self.moved((left + 1) / last) * part
        turned = rotations.rotate(yaw_rotation(self.start[YAW:] / UNITS[YAW]), moved[:, :3] / UNITS[0])
        return self.start[:3] / UNITS[0] + turned, yaw_rotation((self.start[YAW] + moved[:, YAW]) / UNITS[YAW])
