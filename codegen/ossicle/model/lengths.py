"""Lengths with units, and tolerances in pixels on the screen that shows the character."""
from __future__ import annotations

import math
import re
from dataclasses import dataclass

from ..base.option_names import either
from ..base.problem import SettingProblem

_METRES = {"um": 1e-6, "mm": 1e-3, "cm": 1e-2, "m": 1.0}
_PIXELS = "px"
NO_TOLERANCE = "none"
_MOST_METRES = 1e9  # positions end at 2 km; squares of this are far below the limit of a double
_NUMBER_AND_UNIT = re.compile(r"\s*(-?[0-9]*\.?[0-9]+(?:[eE][-+]?[0-9]+)?)\s*([a-zA-Z]*)\s*\Z")


def _parse(text: object, what: str, units: dict[str, float], such_as: str) -> tuple[float, str]:
    """Returns the number multiplied by the factor of its unit, and the unit."""
    match = _NUMBER_AND_UNIT.match(text) if isinstance(text, str) else None
    if match is None or match.group(2) not in units:
        why = "pixels are not a length; " if match and match.group(2) == _PIXELS else ""
        raise SettingProblem(f"{what} {text!r}: {why}give a length with its unit, such as {such_as}")
    value = float(match.group(1)) * units[match.group(2)]
    _check_metres(value, f"{what} {text!r}")
    return value, match.group(2)


def _check_metres(value: float, what: str) -> None:
    if not 0.0 < value <= _MOST_METRES:
        raise SettingProblem(f"{what}: the length must be above zero and at most {_MOST_METRES:g} m")


def parse_length(text: object, what: str, such_as: str = "0.5mm or 3cm") -> float:
    """Parses a length such as "0.5mm", "3 cm" or "0.001m" to metres. Raises SettingProblem for any other text."""
    return _parse(text, what, _METRES, such_as)[0]


@dataclass(frozen=True)
class Screen:
    """The screen and camera of the game. height: pixels; fov: vertical field of view in degrees;
    distance_m: the smallest distance from the camera to the character, in metres. width: pixels. None: unknown."""

    height: float | None = None
    fov: float | None = None
    distance_m: float | None = None
    width: float | None = None

    def check(self) -> None:
        """Raises SettingProblem for an invalid number."""
        for name, pixels in (("height", self.height), ("width", self.width)):
            if pixels is not None and not 1.0 <= pixels < math.inf:
                raise SettingProblem(f"{name} = {pixels:g} in [screen]: give the pixels, at least 1")
        if self.fov is not None and not 0.0 < self.fov < 180.0:
            raise SettingProblem(f"fov = {self.fov:g} in [screen]: give the vertical field of view in "
                                 "degrees, more than 0 and less than 180")

    def metres(self, pixels: float, what: str) -> float:
        """Returns the length that covers this many pixels. Raises SettingProblem if a number is unknown."""
        if self.height is None or self.fov is None or self.distance_m is None:
            raise SettingProblem(f"{what} {pixels:g}px: the screen must be known; "
                                 + either("add --config with a file that has ", "add ")
                                 + "[screen] with height, fov and distance")
        from ..base.portable_math import sine_cosine_of_degrees  # not above: needs NumPy
        sine, cosine = map(float, sine_cosine_of_degrees(self.fov / 2.0))
        metres = pixels * 2.0 * self.distance_m * (sine / cosine) / self.height
        _check_metres(metres, f"{what} {pixels:g}px is {metres:g} m on this screen")
        return metres


@dataclass(frozen=True)
class Tolerance:
    """The largest permitted error, in metres or in pixels; the other field is None. Infinite metres permit any
    error."""

    metres: float | None = None
    pixels: float | None = None

    def on(self, screen: Screen) -> float:
        """Returns the tolerance in metres. Raises SettingProblem for pixels without a screen."""
        if self.metres is not None:
            return self.metres
        assert self.pixels is not None
        return screen.metres(self.pixels, "tolerance")


def parse_tolerance(text: object, what: str, or_none: bool = False) -> Tolerance:
    """Parses a length such as "0.5mm", pixels such as "0.5px", or, with `or_none`, "none". Raises
    SettingProblem for any other text."""
    if or_none and text == NO_TOLERANCE:
        return Tolerance(metres=math.inf)
    value, unit = _parse(text, what, _METRES | {_PIXELS: 1.0}, "0.5mm or 3cm, or 0.5px")
    return Tolerance(pixels=value) if unit == _PIXELS else Tolerance(metres=value)
