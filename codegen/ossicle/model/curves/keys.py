"""The keys of a curve, and its values between them."""
from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...base.arrays import Array
from ...base.format import number
from ..interpolation import CUBIC, LINEAR, STEP, STEP_CHANGE, evaluate, jumps_of, passed, shifted

# A clip is measured at its keys and the midpoints between them, at most as many points as it can have frames.
MOST_KEYS = number("MAX_FRAMES") // 2
_KIND = "weight"


def count_problem(keys: int) -> str | None:
    """Returns the reason why a curve cannot have this many keys, or None."""
    if keys <= MOST_KEYS:
        return None
    return f"has {keys:,} keys; {MOST_KEYS:,} are the most: remove those between the frames"


@dataclass(frozen=True, eq=False)
class CurveKeys:
    """The keys of a curve, which is constant before the first and after the last one. times: float64 [K], seconds,
    ascending; values: float64 [K], or for CUBIC [K, 3]: in-tangent, value, out-tangent; where: their location in the
    source, for messages."""

    times: Array
    values: Array
    interpolation: str = LINEAR
    where: str = ""

    @property
    def at_keys(self) -> Array:
        """The values at the keys: float64 [K]."""
        return self.values[:, 1] if self.interpolation == CUBIC else self.values

    def leaves(self, value: float, least: float) -> bool:
        """Returns whether the curve ever differs from a value by more than `least`."""
        if self.interpolation == CUBIC and np.abs(self.values[:, ::2]).max() > least:
            return True
        return bool(np.abs(self.at_keys - value).max() > least)

    def same_as(self, other: CurveKeys) -> bool:
        """Returns whether both curves are equal."""
        return (self.interpolation == other.interpolation and np.array_equal(self.times, other.times)
                and np.array_equal(self.values, other.values))

    def at(self, seconds: Array, early: float = 0.0) -> Array:
        """Returns the values [N] at times [N]; early: as in clip.Curve."""
        ticks = shifted(seconds, self.interpolation, early, self.times, self._jumps)
        return evaluate(_KIND, self.interpolation, self.times, self.values[None, ..., None], ticks,
                        self._jumps)[0, :, 0]

    def jumps(self, values: Array, seconds: Array, early: float) -> Array:
        """Returns for values [F] at times [F] whether each jumps from the previous one: bool [F - 1]. early: as in
        clip.Curve."""
        changes = np.abs(np.diff(values)) > STEP_CHANGE
        if self.interpolation == STEP:
            return changes
        ticks = shifted(seconds, self.interpolation, early, self.times, self._jumps)
        return changes & passed(self.times, self._jumps, ticks)

    @cached_property
    def _jumps(self) -> Array:
        return jumps_of(_KIND, self.interpolation, self.times, self.values[..., None])
