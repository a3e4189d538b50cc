"""Reads parameters of a graph: numbers, flags, triggers and choices."""
from __future__ import annotations

from typing import Any

from ..bank.graph.check import MOST_VALUES, SLEW_MOST_US, TIME_MOST_US
from ..bank.graph.records import CHOICE, FLAG, FOREVER, NUMBER, POINT, TRIGGER, Parameter
from ..base.problem import SettingProblem, nearest
from ..base.times import parse_seconds
from ..model.events import name_problem

ONE_Q16 = 1 << 16
MOST_NUMBER = 1 << 15  # excluded
DEFAULT_WAIT_US = 150_000
_WORDS = ("\"trigger\", \"point\", \"world point\", true or false for a flag, a list of texts for a choice, "
          "or a table such as { range = [0.0, 6.0], unit = \"m/s\" }")
_TRIGGER = "trigger"
_POINTS = ("point", "world point")
_NUMBER_KEYS = ("range", "default", "unit", "slew")
_FOREVER = "forever"


def parse_parameter(name: str, value: Any, what: str) -> Parameter:
    """Parses a parameter. what: its key, for messages. Raises SettingProblem."""
    if isinstance(value, bool):
        return Parameter(name, FLAG, 0, 1, int(value))
    if value == _TRIGGER:
        return Parameter(name, TRIGGER, 0, DEFAULT_WAIT_US, 0)
    if value in _POINTS:
        return Parameter(name, POINT, 0, _POINTS.index(value), 0)
    if isinstance(value, list):
        return _choice(name, value, what)
    if not isinstance(value, dict):
        raise SettingProblem(f"{what} = {value!r}: give {_WORDS}")
    known = (_TRIGGER,) if _TRIGGER in value else _NUMBER_KEYS
    for key in value:
        if key not in known:
            raise SettingProblem(f"{what}: unknown key {key!r}{nearest(key, (_TRIGGER, *_NUMBER_KEYS))}"
                                 if key not in _NUMBER_KEYS else
                                 f"{what}: a trigger has no {key}; remove it")
    if _TRIGGER in value:
        return Parameter(name, TRIGGER, 0, _wait_us(value[_TRIGGER], f"{what} {_TRIGGER}"), 0)
    return _number(name, value, what)


def _choice(name: str, values: list[Any], what: str) -> Parameter:
    for value in values:
        if not isinstance(value, str) or name_problem(value):
            raise SettingProblem(f"{what} = {values!r}: {value!r} is no name of a value; give texts, such as "
                                 "[\"relaxed\", \"armed\"]")
        if values.count(value) > 1:
            raise SettingProblem(f"{what} = {values!r}: {value!r} occurs twice; remove one")
    if not 2 <= len(values) <= MOST_VALUES:
        raise SettingProblem(f"{what}: a choice has {len(values)} values; give 2 to {MOST_VALUES}")
    return Parameter(name, CHOICE, 0, len(values) - 1, 0, values=tuple(values))


def _wait_us(value: Any, what: str) -> int:
    """Returns how long a trigger waits to be taken, in microseconds."""
    if value == _FOREVER:
        return FOREVER
    seconds = parse_seconds(value, what)
    if seconds * 1e6 > TIME_MOST_US:
        raise SettingProblem(f"{what} = {value!r}: is too long; give at most {TIME_MOST_US / 1e6:g} s, or "
                             f"\"{_FOREVER}\"")
    return round(seconds * 1e6)


def _number(name: str, table: dict[str, Any], what: str) -> Parameter:
    ends = table.get("range")
    if not isinstance(ends, list) or len(ends) != 2:
        raise SettingProblem(f"{what} range = {ends!r}: give the least and the greatest value, such as [0.0, 6.0]"
                             if "range" in table else
                             f"{what}: has no range; add the least and the greatest value, such as range = [0.0, 6.0]")
    least, most = (read_q16(end, f"{what} range") for end in ends)
    if least >= most:
        raise SettingProblem(f"{what} range = {ends!r}: ends before it begins; give the least value first")
    default = read_q16(table["default"], f"{what} default") if "default" in table else least
    if not least <= default <= most:
        raise SettingProblem(f"{what} default = {table['default']!r}: is outside the range {ends!r}; give a value in "
                             "it")
    unit = table.get("unit", "")
    if not isinstance(unit, str) or unit and name_problem(unit):
        raise SettingProblem(f"{what} unit = {unit!r}: give a text, such as \"m/s\"")
    return Parameter(name, NUMBER, least, most, default, _slew_us(table.get("slew", 0), f"{what} slew"), unit)


def _slew_us(value: Any, what: str) -> int:
    seconds = parse_seconds(value, what)
    if seconds * 1e6 > SLEW_MOST_US:
        raise SettingProblem(f"{what} = {value!r}: is too long; give at most {SLEW_MOST_US / 1e6:.4g} s")
    return round(seconds * 1e6)


def read_q16(value: Any, what: str) -> int:
    """Returns a number as the runtime has it, in 1/65536, rounded to the nearest. Raises SettingProblem."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not -MOST_NUMBER <= value < MOST_NUMBER:
        raise SettingProblem(f"{what}: {value!r} is not a number from -{MOST_NUMBER} to {MOST_NUMBER - 1}; give such "
                             "a number")
    return min(round(value * ONE_Q16), (1 << 31) - 1)
