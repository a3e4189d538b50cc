"""The keys of a curve, and its values between them."""
from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...base.format import number
from ..interpolation import CUBIC, LINEAR, STEP, STEP_CHANGE, evaluate, jumps_of, passed, shifted

# A clip is measured at keys and half way between them, in as many places as it can have frames.
MOST_KEYS = number("MAX_FRAMES") // 2
_KIND = "weight"


def count_problem(keys: int) -> str | None:
    """Why a curve cannot have so many keys; None if it can."""
    if keys <= MOST_KEYS:
        return None
    return f"has {keys:,} keys; {MOST_KEYS:,} are the most: remove those between the frames"


@dataclass(frozen=True, eq=False)
class CurveKeys:
    """The keys of a curve, whose first value holds before them and whose last one behind. times: float64 [K], seconds,
    ascending; values: float64 [K], or for CUBIC [K, 3]: in-tangent, value, out-tangent; where: where they are written,
    for messages."""

    times: np.ndarray
    values: np.ndarray
    interpolation: str = LINEAR
    where: str = ""

    @property
    def at_keys(self) -> np.ndarray:
        """The values at the keys: float64 [K]."""
        return self.values[:, 1] if self.interpolation == CUBIC else self.values

    def leaves(self, value: float, least: float) -> bool:
        """Whether the curve is ever further from a value."""
        if self.interpolation == CUBIC and np.abs(self.values[:, ::2]).max() > least:
            return True
        return bool(np.abs(self.at_keys - value).max() > least)

    def same_as(self, other: CurveKeys) -> bool:
        """Whether both are the same curve."""
        return (self.interpolation == other.interpolation and np.array_equal(self.times, other.times)
                and np.array_equal(self.values, other.values))

    def at(self, seconds: np.ndarray, early: float = 0.0) -> np.ndarray:
        """Returns the values [N] at times [N]; early: as in clip.Curve."""
        ticks = shifted(seconds, self.interpolation, early, self.times, self._jumps)
        return evaluate(_KIND, self.interpolation, self.times, self.values[None, ..., None], ticks,
                        self._jumps)[0, :, 0]

    def jumps(self, values: np.ndarray, seconds: np.ndarray, early: float) -> np.ndarray:
        """Which values [F], at times [F], jump from the one before: bool [F - 1]. early: as in clip.Curve."""
        changes = np.abs(np.diff(values)) > STEP_CHANGE
        if self.interpolation == STEP:
            return changes
        ticks = shifted(seconds, self.interpolation, early, self.times, self._jumps)
        return changes & passed(self.times, self._jumps, ticks)

    @cached_property
    def _jumps(self) -> np.ndarray:
        return jumps_of(_KIND, self.interpolation, self.times, self.values[..., None])
