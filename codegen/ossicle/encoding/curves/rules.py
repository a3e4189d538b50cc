"""Parses the curves of clips, and their tolerances, in a configuration file."""
from __future__ import annotations

import math
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...base.curve_names import name_problem
from ...base.patterns import from_general_to_specific
from ...base.problem import SettingProblem
from ...base.times import parse_seconds
from ...model.curves.rule import LARGEST, CurveRule

WORDS = 'a table of curves, such as { glow = [[0.0, 0.0], ["0.5s", 1.0]] }, or the name of a CSV file'
RULE_WORDS = "a table of curves or patterns and their tolerances, such as { smile = 0.01 }; false leaves curves out"
# float() would also accept "nan", "infinity" and "1_0".
NUMBER = re.compile(r"\s*[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?\s*", re.ASCII)


@dataclass(frozen=True)
class StatedCurve:
    """A curve of a table. keys: seconds and value; where: the key, for messages."""

    name: str
    keys: tuple[tuple[float, float], ...]
    where: str


@dataclass(frozen=True)
class CurveFile:
    """A CSV file with curves: a column of times in seconds, and one for each curve. where: the key, for messages."""

    path: Path
    where: str


Stated = tuple[StatedCurve, ...] | CurveFile


def parse_curves(value: Any, what: str) -> Stated:
    """Parses the curves of a clip. The path of a file remains relative. Raises SettingProblem."""
    if isinstance(value, str) and value:
        return CurveFile(Path(value), what)
    if not isinstance(value, dict) or not value:
        raise SettingProblem(f"{what} = {value!r}: give {WORDS}")
    return tuple(_stated(name, keys, f"{what} {name}") for name, keys in value.items())


def _stated(name: str, keys: Any, what: str) -> StatedCurve:
    check_curve_name(name, what)
    if not isinstance(keys, list) or not keys or not all(isinstance(key, list) and len(key) == 2 for key in keys):
        raise SettingProblem(f"{what} = {keys!r}: give a list of times and values, such as [[0.0, 0.0], [\"0.5s\", "
                             "1.0]]")
    return StatedCurve(name, tuple((parse_seconds(time, f"{what}[{number}]"), _value(value, f"{what}[{number}]"))
                                   for number, (time, value) in enumerate(keys)), what)


def check_curve_name(name: str, what: str) -> None:
    """Raises SettingProblem, beginning with `what`, for a name that no curve can have."""
    if problem := name_problem(name):
        raise SettingProblem(f"{what}: the name {name!r} {problem}; choose another")


def _value(value: Any, what: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < LARGEST:
        raise SettingProblem(f"{what}: {value!r} is not a valid value of a curve; give a number between -{LARGEST:g} "
                             f"and {LARGEST:g}")
    return float(value)


def parse_curve_rules(value: Any, what: str) -> tuple[CurveRule, ...]:
    """Parses the table [curves]. Raises SettingProblem."""
    if not isinstance(value, dict):
        raise SettingProblem(f"{what} = {value!r}: give {RULE_WORDS}")
    return tuple(_rule(pattern, tolerance, f"[{what}] {pattern}")
                 for pattern, tolerance in from_general_to_specific(value))


def _rule(pattern: str, tolerance: Any, what: str) -> CurveRule:
    if tolerance is False:
        return CurveRule(pattern, None)
    if isinstance(tolerance, bool) or not isinstance(tolerance, int | float) or not 0.0 < tolerance < math.inf:
        raise SettingProblem(f"{what} = {tolerance!r}: give the largest error of its values, a number above 0 such as "
                             "0.01, or false to leave it out")
    return CurveRule(pattern, float(tolerance))
