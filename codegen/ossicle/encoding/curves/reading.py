"""Reads the keys of curves that a configuration file states, from tables or a CSV file."""
from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable, Sequence

import numpy as np

from ...base.arrays import Array
from ...base.problem import SettingProblem
from ...base.files.reading import read_file
from ...model.curves.keys import CurveKeys, count_problem
from ...model.curves.rule import LARGEST
from ...model.interpolation import JUMP_S
from .rules import NUMBER, CurveFile, Stated, check_curve_name

TIME = "time"
_ENCODING = "utf-8-sig"
_LAST_S = 1e4 * LARGEST


def keys_of(stated: Stated) -> dict[str, CurveKeys]:
    """Returns the keys of all curves of a clip by name, and reads the file if there is one. Raises SettingProblem."""
    if isinstance(stated, CurveFile):
        return _read(stated)
    return {curve.name: _keys([time for time, _ in curve.keys], [value for _, value in curve.keys], curve.where,
                              lambda key: f"key {key}") for curve in stated}


def _keys(times: Sequence[float] | Array, values: Sequence[float] | Array, where: str,
          named: Callable[[int], str]) -> CurveKeys:
    """Returns keys, in which two keys at the same time are a jump: the first one moves to just before that time. named:
    returns the name of a key for messages."""
    _check_count(len(times), where)
    at = np.array(times, np.float64)
    early = at[1:] < at[:-1]
    early[1:] |= at[2:] == at[:-2]
    if early.any():
        key = int(np.argmax(early)) + 1
        raise SettingProblem(f"{where}: {named(key)} at {at[key]:g} s is not after {named(key - 1)}; sort the keys by "
                             "time, with at most two keys at the same time")
    twice = np.flatnonzero(np.diff(at) == 0.0)
    if len(twice) and at[twice[0]] == 0.0:
        raise SettingProblem(f"{where}: {named(0)} and {named(1)} are both at 0 s, where a jump is impossible; remove "
                             "one of them")
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
        raise SettingProblem(f"{where}: is not a valid CSV file ({error}); separate times and values with "
                             "commas") from error
    heading = [cell.strip() for cell in numbered[0][1]] if numbered else []
    if not heading or heading[0].lower() != TIME or len(heading) < 2:
        raise SettingProblem(f"{where}: the first row is {','.join(heading)!r}; write {TIME!r}, for times in seconds, "
                             "and the name of each curve")
    names = heading[1:]
    for name in names:
        check_curve_name(name, where)
        if names.count(name) > 1:
            raise SettingProblem(f"{where}: two columns are named {name!r}; rename one")
    if len(numbered) < 2:
        raise SettingProblem(f"{where}: has no rows with values; add rows")
    _check_count(len(numbered) - 1, f"{where}: {names[0]}")
    table = _table(numbered[1:], heading, where)
    return {name: _keys(table[:, 0], values, f"{where}: {name}", lambda key: f"line {numbered[key + 1][0]}")
            for name, values in zip(names, table[:, 1:].T)}


def _table(numbered: Sequence[tuple[int, Sequence[str]]], heading: Sequence[str], where: str) -> Array:
    """Returns the times and values of rows, given with their lines: float64 [row, column]."""
    for line, cells in numbered:
        if len(cells) != len(heading):
            raise SettingProblem(f"{where}: line {line}: has {len(cells)} values, but there are {len(heading)} "
                                 "columns; correct it")
    table = np.array([[float(cell) if NUMBER.fullmatch(cell) else math.nan for cell in cells]
                      for _, cells in numbered])
    fits = np.abs(table) < LARGEST
    fits[:, 0] = (table[:, 0] >= 0.0) & (table[:, 0] < _LAST_S)
    if not fits.all():
        row, column = np.argwhere(~fits)[0]
        line, cells = numbered[row]
        expected = f"between -{LARGEST:g} and {LARGEST:g}" if column else "of seconds, 0 or more"
        raise SettingProblem(f"{where}: line {line}: {heading[column]} is {cells[column].strip()!r}; give a number "
                             f"{expected}")
    return table
