"""Times in configuration files."""
from __future__ import annotations

import re
from typing import Any

from .problem import SettingProblem

_TIME = re.compile(r"([0-9]*\.?[0-9]+)\s*(s|ms)\Z")
_UNITS = {"s": 1.0, "ms": 1e-3}
_MOST_SECONDS = 1e12


def parse_seconds(value: Any, what: str) -> float:
    """Parses a time such as "0.4s" or 0.4. Raises SettingProblem."""
    if isinstance(value, str) and (match := _TIME.match(value)):
        return float(match[1]) * _UNITS[match[2]]
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0.0 <= value <= _MOST_SECONDS:
        raise SettingProblem(f"{what} = {value!r}: give a time, such as \"0.4s\", or seconds, 0 or more")
    return float(value)
