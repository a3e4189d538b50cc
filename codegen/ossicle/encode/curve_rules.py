"""Reads the curves that a configuration file states for clips: in tables, or in a CSV file."""
from __future__ import annotations

import csv
import io
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..base.curve_names import name_problem
from ..base.problem import SettingProblem
from ..base.reading import read_file
from ..model.curve_keys import CurveKeys
from ..model.curves import LARGEST, CurveRule
from ..model.interpolation import JUMP_S
from .event_rules import parse_seconds

WORDS = 'a table of curves, such as { glow = [[0.0, 0.0], ["0.5s", 1.0]] }, or the name of a CSV file'
RULE_WORDS = "a table of curves or patterns and their tolerances, such as { smile = 0.01 }; false leaves curves out"
LEFT_OUT = "none"
TIME = "time"
_ENCODING = "utf-8-sig"


@dataclass(frozen=True)
class StatedCurve:
    """A curve as a table states it. keys: seconds and value; where: the key, for messages."""

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
    """Reads the curves of a clip. The path of a file is not completed yet. Raises SettingProblem."""
    if isinstance(value, str) and value:
        return CurveFile(Path(value), what)
    if not isinstance(value, dict) or not value:
        raise SettingProblem(f"{what} = {value!r}: give {WORDS}")
    return tuple(_stated(name, keys, f"{what} {name}") for name, keys in value.items())


def _stated(name: str, keys: Any, what: str) -> StatedCurve:
    _check_name(name, what)
    if not isinstance(keys, list) or not keys or not all(isinstance(key, list) and len(key) == 2 for key in keys):
        raise SettingProblem(f"{what} = {keys!r}: give a list of times and values, such as [[0.0, 0.0], [\"0.5s\", 1.0]]")
    return StatedCurve(name, tuple((parse_seconds(time, f"{what}[{number}]"), _value(value, f"{what}[{number}]"))
                                   for number, (time, value) in enumerate(keys)), what)


def _check_name(name: str, what: str) -> None:
    if problem := name_problem(name):
        raise SettingProblem(f"{what}: the name {name!r} {problem}; choose another")


def _value(value: Any, what: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < LARGEST:
        raise SettingProblem(f"{what}: {value!r} is no value of a curve; give a number between -{LARGEST:g} and "
                             f"{LARGEST:g}")
    return float(value)


def parse_curve_rules(value: Any, what: str) -> tuple[CurveRule, ...]:
    """Reads the table [curves]. Raises SettingProblem."""
    if not isinstance(value, dict):
        raise SettingProblem(f"{what} = {value!r}: give {RULE_WORDS}")
    return tuple(_rule(pattern, tolerance, f"[{what}] {pattern}") for pattern, tolerance in value.items())


def parse_curve_rule(text: str, what: str) -> CurveRule:
    """Reads a text such as "smile=0.01". Raises SettingProblem."""
    pattern, _, tolerance = text.rpartition("=")
    if not pattern:
        raise SettingProblem(f"{what} {text!r}: give a curve or pattern and its tolerance, such as 'smile=0.01', or "
                             f"'*={LEFT_OUT}' to leave curves out")
    try:
        return _rule(pattern, False if tolerance == LEFT_OUT else float(tolerance), f"{what} {pattern}")
    except ValueError as error:
        raise SettingProblem(f"{what} {text!r}: {tolerance!r} is no number; give a tolerance, such as 0.01, or "
                             f"{LEFT_OUT}") from error


def _rule(pattern: str, tolerance: Any, what: str) -> CurveRule:
    if tolerance is False:
        return CurveRule(pattern, None)
    if isinstance(tolerance, bool) or not isinstance(tolerance, int | float) or not 0.0 < tolerance < math.inf:
        raise SettingProblem(f"{what} = {tolerance!r}: give the largest error of its values, a number above 0 such as "
                             "0.01, or false to leave it out")
    return CurveRule(pattern, float(tolerance))


def keys_of(stated: Stated) -> dict[str, CurveKeys]:
    """Returns the keys of all curves of a clip, by name, from the file if they are in one. Raises SettingProblem."""
    if isinstance(stated, CurveFile):
        return _read(stated)
    return {one.name: _keys([time for time, _ in one.keys], [value for _, value in one.keys], one.where)
            for one in stated}


def _keys(times: Sequence[float], values: Sequence[float], where: str) -> CurveKeys:
    """Two keys at one time are a jump: the first one ends just before."""
    at = np.array(times, np.float64)
    for key in range(1, len(at)):
        if at[key] < at[key - 1] or key > 1 and at[key] == at[key - 2]:
            raise SettingProblem(f"{where}: key {key} at {at[key]:g} s is not after key {key - 1}; put the keys in order "
                                 "of time, at most two of them at the same time")
    twice = np.flatnonzero(np.diff(at) == 0.0)
    if len(twice) and at[twice[0]] == 0.0:
        raise SettingProblem(f"{where}: two keys at 0 s; a jump needs time in front of it: remove one")
    at[twice] = np.maximum(at[twice] - 0.5 * JUMP_S, (at[twice] + at[twice - 1]) / 2.0)
    return CurveKeys(at, np.array(values, np.float64), where=where)


def _read(file: CurveFile) -> dict[str, CurveKeys]:
    where = f"{file.where} {file.path}"
    try:
        text = read_file(file.path).decode(_ENCODING)
        rows = [row for row in csv.reader(io.StringIO(text, newline=""), strict=True)]
    except OSError as error:
        raise SettingProblem(f"{where}: cannot be read ({error.strerror}); check the path") from error
    except (UnicodeDecodeError, csv.Error) as error:
        raise SettingProblem(f"{where}: is no CSV file ({error}); write times and values with commas between") from error
    numbered = [(number, row) for number, row in enumerate(rows, 1) if any(cell.strip() for cell in row)]
    heading = [cell.strip() for cell in numbered[0][1]] if numbered else []
    if not heading or heading[0].lower() != TIME or len(heading) < 2:
        raise SettingProblem(f"{where}: the first row is {','.join(heading)!r}; give {TIME!r}, in seconds, and then the "
                             "name of each curve")
    for name in heading[1:]:
        _check_name(name, where)
        if heading.count(name) > 1:
            raise SettingProblem(f"{where}: two columns are named {name!r}; rename one")
    if len(numbered) < 2:
        raise SettingProblem(f"{where}: has no row with values; add some")
    table = [_row(row, heading, f"{where}: line {number}") for number, row in numbered[1:]]
    times = [row[0] for row in table]
    return {name: _keys(times, [row[column] for row in table], f"{where}: {name}")
            for column, name in enumerate(heading[1:], 1)}


def _row(cells: Sequence[str], heading: Sequence[str], where: str) -> list[float]:
    if len(cells) != len(heading):
        raise SettingProblem(f"{where}: has {len(cells)} values, and there are {len(heading)} columns; complete it")
    found = []
    for name, cell in zip(heading, cells):
        try:
            number = float(cell)
        except ValueError:
            number = math.nan
        low = 0.0 if name is heading[0] else -LARGEST
        if not low <= number < LARGEST * (1e4 if name is heading[0] else 1.0):
            raise SettingProblem(f"{where}: {name} is {cell.strip()!r}; give a number" + (
                " of seconds, 0 or more" if name is heading[0] else f" between -{LARGEST:g} and {LARGEST:g}"))
        found.append(number)
    return found
