"""Reads the curves that a configuration file states for clips: in tables, or in a CSV file."""
from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ...base.curve_names import name_problem
from ...base.patterns import from_general_to_specific
from ...base.problem import SettingProblem
from ...base.reading import read_file
from ...model.curves.keys import CurveKeys, count_problem
from ...model.curves.curve import LARGEST, CurveRule
from ...model.interpolation import JUMP_S
from ..events.rules import parse_seconds

WORDS = 'a table of curves, such as { glow = [[0.0, 0.0], ["0.5s", 1.0]] }, or the name of a CSV file'
RULE_WORDS = "a table of curves or patterns and their tolerances, such as { smile = 0.01 }; false leaves curves out"
LEFT_OUT = "none"
TIME = "time"
_ENCODING = "utf-8-sig"
_LAST_S = 1e4 * LARGEST
# float() would also accept "nan", "infinity" and "1_0".
_NUMBER = re.compile(r"\s*[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?\s*", re.ASCII)


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
        raise SettingProblem(f"{what} = {keys!r}: give a list of times and values, such as [[0.0, 0.0], [\"0.5s\", "
                             "1.0]]")
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
    return tuple(_rule(pattern, tolerance, f"[{what}] {pattern}")
                 for pattern, tolerance in from_general_to_specific(value))


def parse_curve_rule(text: str, what: str) -> CurveRule:
    """Reads a text such as "smile=0.01". Raises SettingProblem."""
    pattern, _, tolerance = text.rpartition("=")
    if not pattern:
        raise SettingProblem(f"{what} {text!r}: give a curve or pattern and its tolerance, such as 'smile=0.01', or "
                             f"'*={LEFT_OUT}' to leave curves out")
    if tolerance != LEFT_OUT and not _NUMBER.fullmatch(tolerance):
        raise SettingProblem(f"{what} {text!r}: {tolerance!r} is no number; give a tolerance, such as 0.01, or "
                             f"{LEFT_OUT}")
    return _rule(pattern, False if tolerance == LEFT_OUT else float(tolerance), f"{what} {pattern}")


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
    return {one.name: _keys([time for time, _ in one.keys], [value for _, value in one.keys], one.where,
                            lambda key: f"key {key}") for one in stated}


def _keys(times: Sequence[float] | np.ndarray, values: Sequence[float] | np.ndarray, where: str,
          named: Callable[[int], str]) -> CurveKeys:
    """Two keys at one time are a jump: the first one ends just before. named: what messages call a key."""
    _check_count(len(times), where)
    at = np.array(times, np.float64)
    early = at[1:] < at[:-1]
    early[1:] |= at[2:] == at[:-2]
    if early.any():
        key = int(np.argmax(early)) + 1
        raise SettingProblem(f"{where}: {named(key)} at {at[key]:g} s is not after {named(key - 1)}; put the keys in "
                             "order of time, at most two of them at the same time")
    twice = np.flatnonzero(np.diff(at) == 0.0)
    if len(twice) and at[twice[0]] == 0.0:
        raise SettingProblem(f"{where}: {named(0)} and {named(1)} are two keys at 0 s; a jump needs time in front of "
                             "it: remove one")
    at[twice] = np.maximum(at[twice] - 0.5 * JUMP_S, (at[twice] + at[twice - 1]) / 2.0)
    return CurveKeys(at, np.array(values, np.float64), where=where)


def _check_count(keys: int, where: str) -> None:
    if problem := count_problem(keys):
        raise SettingProblem(f"{where}: {problem}")


def _read(file: CurveFile) -> dict[str, CurveKeys]:
    where = f"{file.where} {file.path}"
    try:
        reader = csv.reader(io.StringIO(read_file(file.path).decode(_ENCODING), newline=""), strict=True)
        numbered = [(reader.line_num, row) for row in reader if any(cell.strip() for cell in row)]
    except OSError as error:
        raise SettingProblem(f"{where}: cannot be read ({error.strerror}); check the path") from error
    except (UnicodeDecodeError, csv.Error) as error:
        raise SettingProblem(f"{where}: is no CSV file ({error}); write times and values with commas "
                             "between") from error
    heading = [cell.strip() for cell in numbered[0][1]] if numbered else []
    if not heading or heading[0].lower() != TIME or len(heading) < 2:
        raise SettingProblem(f"{where}: the first row is {','.join(heading)!r}; give {TIME!r}, in seconds, and then "
                             "the name of each curve")
    names = heading[1:]
    for name in names:
        _check_name(name, where)
        if names.count(name) > 1:
            raise SettingProblem(f"{where}: two columns are named {name!r}; rename one")
    if len(numbered) < 2:
        raise SettingProblem(f"{where}: has no row with values; add some")
    _check_count(len(numbered) - 1, f"{where}: {names[0]}")
    table = _table(numbered[1:], heading, where)
    return {name: _keys(table[:, 0], values, f"{where}: {name}", lambda key: f"line {numbered[key + 1][0]}")
            for name, values in zip(names, table[:, 1:].T)}


def _table(numbered: Sequence[tuple[int, Sequence[str]]], heading: Sequence[str], where: str) -> np.ndarray:
    """The times and values of rows, each with its line: float64 [row, column]."""
    for line, cells in numbered:
        if len(cells) != len(heading):
            raise SettingProblem(f"{where}: line {line}: has {len(cells)} values, and there are {len(heading)} "
                                 "columns; complete it")
    table = np.array([[float(cell) if _NUMBER.fullmatch(cell) else math.nan for cell in cells]
                      for _, cells in numbered])
    fits = np.abs(table) < LARGEST
    fits[:, 0] = (table[:, 0] >= 0.0) & (table[:, 0] < _LAST_S)
    if not fits.all():
        row, column = np.argwhere(~fits)[0]
        line, cells = numbered[row]
        wanted = f"between -{LARGEST:g} and {LARGEST:g}" if column else "of seconds, 0 or more"
        raise SettingProblem(f"{where}: line {line}: {heading[column]} is {cells[column].strip()!r}; give a number "
                             f"{wanted}")
    return table
