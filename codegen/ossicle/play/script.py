"""Reads scripts for `ossicle play`: inputs to a graph over time, and expectations."""
from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..bank.file import Bank
from ..bank.graph.check import OVER_MOST_US
from ..bank.graph.records import CHOICE, NUMBER, POINT, TRIGGER, Graph, Parameter
from ..base.problem import SettingProblem, choice, nearest, setting_problems_of
from ..base.files.reading import read_file
from ..base.times import parse_seconds

DEFAULT_TICK_US = 16_667
MOST_TICKS = 1_000_000
MOST_SECONDS = 24 * 3600
_AFTER_LAST_US = 1_000_000  # a script without a length ends so long after its last entry
_DEFAULT_OVER = "200ms"
_ONE_Q16, _ONE_Q20, _TURN_Q24 = 1 << 16, 1 << 20, 1 << 24
_PLACE = ("x", "y", "z", "yaw")
_MOST_METRES = 2047.0
_MOST_TURNS = 127.0


@dataclass(frozen=True)
class Input:
    """What the game does before the first tick that begins at at_us or later. values: of parameters, by number; go: the
    state to enter, over over_us, or None; place: where the character appears, or None."""

    at_us: int
    values: Mapping[int, int]
    go: int | None = None
    over_us: int = 0
    place: tuple[int, ...] | None = None


@dataclass(frozen=True)
class Expectation:
    """What holds after the first tick that ends at at_us or later. title: the entry in messages; state: a state or a
    group; events: all since the previous expectation; place: the components that are compared, in metres and turns,
    each within `within`; pose: the hash. None: not compared."""

    title: str
    at_us: int
    state: str | None = None
    events: tuple[str, ...] | None = None
    place: Mapping[str, float] | None = None
    within: float = 0.01
    pose: str | None = None


@dataclass(frozen=True)
class Script:
    """The inputs and the expectations, each in the order of time. seed: of random choices."""

    tick_us: int
    ticks: int
    inputs: tuple[Input, ...]
    expectations: tuple[Expectation, ...]
    seed: int = 0


def default_tick_us(graph: Graph) -> int:
    """Returns the length of a step of scripts that do not state one."""
    return min(DEFAULT_TICK_US, graph.longest_us)


def read_script(path: Path, bank: Bank) -> Script:
    """Reads a script for a bank with a graph. Raises SettingProblem."""
    with setting_problems_of(path):
        try:
            table = tomllib.loads(read_file(path).decode("utf-8-sig"))
        except OSError as error:
            raise SettingProblem(f"cannot be read ({error.strerror or error}); check the path") from error
        except (ValueError, RecursionError) as error:
            raise SettingProblem(f"is no valid TOML ({error})") from error
        assert bank.graph is not None
        return _Reader(bank, bank.graph).script(table)


class _Reader:
    def __init__(self, bank: Bank, graph: Graph) -> None:
        self._bank, self._graph = bank, graph
        self._parameters = {parameter.name: (number, parameter) for number, parameter in enumerate(graph.parameters)}
        self._states = [state.name for state in graph.states]

    def script(self, table: Mapping[str, Any]) -> Script:
        _check_keys(table, ("tick", "length", "seed", "inputs", "expect"), "")
        tick_us = default_tick_us(self._graph)
        if "tick" in table:
            tick_us = _time_us(table["tick"], "tick")
        if not 1 <= tick_us <= self._graph.longest_us:
            raise SettingProblem(f"tick = {table['tick']!r}: a tick is from 1 us to the longest step of the graph, "
                                 f"{self._graph.longest_us / 1000:g} ms")
        inputs = [self._input(entry, title) for entry, title in _entries(table, "inputs")]
        expectations = [self._expectation(entry, title) for entry, title in _entries(table, "expect")]
        last_us = max([0, *(entry.at_us for entry in inputs), *(entry.at_us for entry in expectations)])
        length_us = _time_us(table["length"], "length") if "length" in table else last_us + _AFTER_LAST_US
        if length_us < last_us:
            raise SettingProblem(f"length = {table['length']!r}: ends before the last entry, at {last_us / 1e6:g} s")
        ticks = -(-length_us // tick_us)
        if not 1 <= ticks <= MOST_TICKS:
            raise SettingProblem(f"has {ticks:,} ticks; from 1 to {MOST_TICKS:,} can be played")
        return Script(tick_us, ticks, tuple(sorted(inputs, key=lambda entry: entry.at_us)),
                      tuple(sorted(expectations, key=lambda entry: entry.at_us)), _seed(table.get("seed", 0)))

    def _input(self, table: Mapping[str, Any], title: str) -> Input:
        _check_keys(table, ("at", "set", "go", "over", "appear"), title)
        values = table.get("set", {})
        if not isinstance(values, dict):
            raise SettingProblem(f"{title}: set = {values!r}: give a table of parameters, such as {{ speed = 1.4 }}")
        if "over" in table and "go" not in table:
            raise SettingProblem(f"{title}: over applies only with go")
        go = self._states.index(choice(table["go"], self._states, f"{title}: the state")) if "go" in table else None
        return Input(_at(table, title), {at: number for name, value in values.items()
                                         for at, number in self._values(name, value, title).items()}, go,
                     _over_us(table.get("over", _DEFAULT_OVER), f"{title}: over"),
                     _placement(table["appear"], f"{title}: appear") if "appear" in table else None)

    def _values(self, name: str, value: Any, title: str) -> dict[int, int]:
        """Returns what a game writes, by its place among the values of a step: a point has three."""
        if name not in self._parameters:
            raise SettingProblem(f"{title}: parameter {name!r} is unknown" + nearest(name, self._parameters))
        number, parameter = self._parameters[name]
        if parameter.kind != POINT:
            return {number: _parameter_value(parameter, value, f"{title}: {name}")}
        first = len(self._parameters) - self._graph.point_count
        at = first + 3 * (number - first)
        return dict(enumerate(_point(value, f"{title}: {name}"), at))

    def _expectation(self, table: Mapping[str, Any], title: str) -> Expectation:
        _check_keys(table, ("at", "state", "events", "place", "within", "pose"), title)
        known = [*self._states, *(group.name for group in self._graph.groups)]
        state = choice(table["state"], known, f"{title}: the state") if "state" in table else None
        pose = table.get("pose")
        if pose is not None and (not isinstance(pose, str) or len(pose) != 8):
            raise SettingProblem(f"{title}: pose = {pose!r}: give the eight digits of a hash, such as \"1f2e3d4c\"")
        place = _components(table["place"], f"{title}: place") if "place" in table else None
        within = _number(table.get("within", 0.01), f"{title}: within", _MOST_METRES)
        if within < 0.0:
            raise SettingProblem(f"{title}: within = {within:g}: give 0 or more")
        return Expectation(title, _at(table, title), state, self._events(table.get("events"), title), place, within,
                           pose)

    def _events(self, names: Any, title: str) -> tuple[str, ...] | None:
        if names is None:
            return None
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise SettingProblem(f"{title}: events = {names!r}: give a list of names, such as [\"land\"]")
        for text in names:
            known = self._bank.events.names
            if not any(text == name or text.startswith(f"{name} ") for name in known):
                raise SettingProblem(f"{title}: event {text!r} is unknown" + nearest(text, known))
        return tuple(names)


def _check_keys(table: Mapping[str, Any], known: Sequence[str], title: str) -> None:
    for key in table:
        if key not in known:
            raise SettingProblem(f"{title}{': ' if title else ''}unknown key {key!r}" + nearest(key, known))


def _entries(table: Mapping[str, Any], key: str) -> list[tuple[Mapping[str, Any], str]]:
    """Returns the tables of a list, each with its title in messages."""
    entries = table.get(key, [])
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise SettingProblem(f"{key}: give a list of tables, each with `at`")
    return [(entry, f"{key} {number}") for number, entry in enumerate(entries, 1)]


def _at(table: Mapping[str, Any], title: str) -> int:
    if "at" not in table:
        raise SettingProblem(f"{title}: at is missing; give its time, such as at = \"0.5s\"")
    return _time_us(table["at"], f"{title}: at")


def _time_us(value: Any, what: str) -> int:
    seconds = parse_seconds(value, what)
    if seconds > MOST_SECONDS:
        raise SettingProblem(f"{what} = {value!r}: times are at most {MOST_SECONDS:,} s")
    return round(seconds * 1e6)


def _seed(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 1 << 32:
        raise SettingProblem(f"seed = {value!r}: give a whole number from 0 to {(1 << 32) - 1}, as "
                             "hero_graph_start has it")
    return value


def _over_us(value: Any, what: str) -> int:
    over_us = _time_us(value, what)
    if over_us > OVER_MOST_US:
        raise SettingProblem(f"{what} = {value!r}: is too long; give at most {OVER_MOST_US / 1e6:.4g} s")
    return over_us


def _number(value: Any, what: str, most: float) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= most:
        raise SettingProblem(f"{what} = {value!r}: give a number from {-most:g} to {most:g}")
    return float(value)


def _parameter_value(parameter: Parameter, value: Any, what: str) -> int:
    """Returns the integer that a game writes. A number may be outside its range, at which the graph holds it."""
    if parameter.kind == NUMBER:
        most = (1 << 31) / _ONE_Q16 - 1.0
        return math.floor(_number(value, what, most) * _ONE_Q16 + 0.5)
    if parameter.kind == CHOICE:
        return parameter.values.index(choice(value, parameter.values, what))
    if not isinstance(value, bool):
        raise SettingProblem(f"{what} = {value!r}: give true or false")
    if parameter.kind == TRIGGER and not value:
        raise SettingProblem(f"{what} = false: a trigger can only be set; give true, or leave it out")
    return int(value)


def _point(value: Any, what: str) -> list[int]:
    """Returns x, y and z in metres, Q20."""
    if not isinstance(value, list) or len(value) != 3:
        raise SettingProblem(f"{what} = {value!r}: give x, y and z in metres, such as [0.0, 1.6, 2.0]")
    return [math.floor(_number(part, what, _MOST_METRES) * _ONE_Q20 + 0.5) for part in value]


def _components(value: Any, what: str) -> dict[str, float]:
    """Reads a placement: metres, and turns for the yaw."""
    if not isinstance(value, dict):
        raise SettingProblem(f"{what} = {value!r}: give a table such as {{ x = 1.5, yaw = 0.25 }}, in metres and turns")
    _check_keys(value, _PLACE, what)
    return {name: _number(number, f"{what}: {name}", _MOST_TURNS if name == "yaw" else _MOST_METRES)
            for name, number in value.items()}


def _placement(value: Any, what: str) -> tuple[int, ...]:
    components = _components(value, what)
    return tuple(math.floor(components.get(name, 0.0) * (_TURN_Q24 if name == "yaw" else _ONE_Q20) + 0.5)
                 for name in _PLACE)
