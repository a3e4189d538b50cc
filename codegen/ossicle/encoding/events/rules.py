"""Parses the events of clips in a configuration file."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ...base.problem import SettingProblem, nearest
from ...base.times import parse_seconds
from ...model.events import LEAST_VALUE, MOST_VALUE, name_problem

LAST = "last"
WORDS = 'tables such as { time = "0.4s", name = "footstep_left" }'
_KEYS = ("time", "frame", "name", "value", "length", "until")


@dataclass(frozen=True)
class EventRule:
    """An event of a configuration file. at, until: seconds (float), a frame (int) or LAST; until, length_s: both None
    for an event without duration; where: the key, for messages."""

    name: str
    at: float | int | str
    value: int = 0
    length_s: float | None = None
    until: float | int | str | None = None
    where: str = ""


def parse_events(value: Any, what: str) -> tuple[EventRule, ...]:
    """Parses a list of tables. Raises SettingProblem."""
    if not isinstance(value, list) or not all(isinstance(table, dict) for table in value):
        raise SettingProblem(f"{what} = {value!r}: give {WORDS}")
    return tuple(_event(table, f"{what}[{number}]") for number, table in enumerate(value))


def _event(table: Mapping[str, Any], what: str) -> EventRule:
    for key in table:
        if key not in _KEYS:
            raise SettingProblem(f"{what}: unknown key {key!r}" + nearest(key, _KEYS))
    name = table.get("name")
    if not isinstance(name, str):
        raise SettingProblem(f"{what}: has no name; add one, such as name = \"footstep_left\"")
    if problem := name_problem(name):
        raise SettingProblem(f"{what} name = {name!r}: {problem}; choose another")
    if ("time" in table) == ("frame" in table):
        raise SettingProblem(f"{what} ({name}): give either a time, such as time = \"0.4s\", or a frame")
    if "length" in table and "until" in table:
        raise SettingProblem(f"{what} ({name}): length and until both state the end; remove one of them")
    at = parse_seconds(table["time"], f"{what} time") if "time" in table else _frame(table["frame"], f"{what} frame")
    length = parse_seconds(table["length"], f"{what} length") if "length" in table else None
    if length == 0.0:
        raise SettingProblem(f"{what} ({name}): length = 0: leave it out for an event without length")
    return EventRule(name, at, _value(table.get("value", 0), f"{what} value"), length,
                     _until(table["until"], f"{what} until") if "until" in table else None, what)


def _value(value: Any, what: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not LEAST_VALUE <= value <= MOST_VALUE:
        raise SettingProblem(f"{what} = {value!r}: give a whole number of 32 bits, {LEAST_VALUE} to {MOST_VALUE}")
    return value


def _frame(value: Any, what: str) -> int | str:
    if value == LAST:
        return LAST
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise SettingProblem(f"{what} = {value!r}: give the number of a frame, 0 or more, or \"{LAST}\"")
    return value


def _until(value: Any, what: str) -> float | int | str:
    """Parses a frame if it is a whole number or LAST, otherwise a time."""
    if value == LAST or isinstance(value, int) and not isinstance(value, bool):
        return _frame(value, what)
    return parse_seconds(value, what)
