"""Reads the table [graph] of a configuration file."""
from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..bank.graph_check import LONGEST_MOST_US, OVER_MOST_US, TIME_MOST_US
from ..bank.graph_records import Group
from ..bank.names import MAX_NAME_BYTES
from ..base.problem import SettingProblem, nearest
from ..base.times import parse_seconds
from .blend_parsing import KEYS as BLEND_KEYS
from .blend_parsing import parse_blend
from .conditions import WORDS as RESERVED
from .conditions import parse_condition
from .parameters import parse_parameter
from .rules import DEFAULT_LONGEST_US, DEFAULT_OVER_US, GraphRules, GroupRule, StateRule, TransitionRule

WORDS = "a table with start, states and transitions"
MOST_LOOPS = 0xFFFF
MOST_SPEED = 1 << 15  # excluded
_KEYS = ("start", "over", "longest_step", "max_ram_bytes", "parameters", "states", "transitions")
_STATE_KEYS = ("play", "loops", "speed", *BLEND_KEYS)
_GROUP_KEYS = ("start", "states")
_TRANSITION_KEYS = ("from", "to", "when", "kind", "over", "start_at", "hold")
KINDS = ("inertia", "cut")
_SHOWN = 40  # letters, in messages, of a name that is too long
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_TIME = re.compile(r"\d*\.?\d+\s*(?:m?s)?")


def parse_graph(value: Any, what: str) -> GraphRules:
    """Parses the table, except what depends on several of its keys (resolving.py). Raises SettingProblem."""
    what = f"[{what}]"
    table = _table(value, what, WORDS)
    _check_keys(table, _KEYS, what)
    states, groups = _states(_table(table.get("states", {}), f"{what} states", "a table of states"), "", what)
    parameters = _table(table.get("parameters", {}), f"{what} parameters", "a table of parameters")
    for name in parameters:
        _check_name(name, f"{what} parameters")
        if name in RESERVED:
            raise SettingProblem(f"{what} parameters: {name!r} is a word of conditions; choose another name")
    listed = table.get("transitions", [])
    if not isinstance(listed, list):
        raise SettingProblem(f"{what} transitions = {listed!r}: give a list of tables, such as "
                             "{ from = \"idle\", to = \"walk\", when = \"speed >= 0.2\" }")
    return GraphRules(
        start=_text(table["start"], f"{what} start", "a state or group") if "start" in table else None,
        over_us=_time_us(table.get("over", DEFAULT_OVER_US / 1e6), f"{what} over", OVER_MOST_US),
        longest_us=_longest(table.get("longest_step", DEFAULT_LONGEST_US / 1e6), f"{what} longest_step"),
        parameters=tuple(parse_parameter(name, stated, f"{what} parameters.{name}")
                         for name, stated in parameters.items()),
        states=tuple(states), groups=tuple(groups),
        transitions=tuple(_transition(item, f"{what} transition {at}") for at, item in enumerate(listed, 1)),
        max_ram_bytes=_ram_bytes(table["max_ram_bytes"], f"{what} max_ram_bytes") if "max_ram_bytes" in table else None)


def _table(value: Any, what: str, words: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise SettingProblem(f"{what} = {value!r}: give {words}")
    return value


def _check_keys(table: Iterable[str], known: Sequence[str], what: str) -> None:
    for key in table:
        if key not in known:
            raise SettingProblem(f"{what}: unknown key {key!r}{nearest(key, known)}")


def _check_name(name: str, what: str, above: str = "") -> None:
    """Raises SettingProblem for a key that cannot be a name. above: the name of the group around a state."""
    if (length := len(above) + len(name)) > MAX_NAME_BYTES:
        raise SettingProblem(f"{what}: a name that begins with {(above + name)[:_SHOWN]!r} has {length} letters, but "
                             f"{MAX_NAME_BYTES} are possible; shorten it")
    if not _NAME.fullmatch(name):
        raise SettingProblem(f"{what}: {name!r} cannot be part of a name in C; use letters, digits and _")


def _text(value: Any, what: str, words: str) -> str:
    if not isinstance(value, str) or not value:
        raise SettingProblem(f"{what} = {value!r}: give {words}")
    return value


def _time_us(value: Any, what: str, most_us: int) -> int:
    """Returns a time in microseconds."""
    seconds = parse_seconds(value, what)
    if seconds * 1e6 > most_us:
        raise SettingProblem(f"{what} = {value!r}: is too long; give at most {most_us / 1e6:g} s")
    return round(seconds * 1e6)


def _ram_bytes(value: Any, what: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise SettingProblem(f"{what} = {value!r}: give the memory of a character in bytes, a whole "
                             "number of at least 1")
    return value


def _longest(value: Any, what: str) -> int:
    longest_us = _time_us(value, what, LONGEST_MOST_US)
    if longest_us == 0:
        raise SettingProblem(f"{what} = {value!r}: no time would ever pass; give more than 0")
    return longest_us


# ---- states ----


def _states(table: Mapping[str, Any], above: str, what: str, first: int = 0) \
        -> tuple[list[StateRule], list[GroupRule]]:
    """Returns the states of a table and of the groups in it, and the groups. above: the name of the group around them,
    with a dot; first: the number of states before these."""
    states: list[StateRule] = []
    groups: list[GroupRule] = []
    for key, value in table.items():
        name, where = above + key, f"{what} states.{above + key}"
        _check_name(key, f"{what} states", above)
        own = _table(value, where, "a table, such as { play = \"Idle\" }")
        if "states" not in own:
            states.append(_state(own, name, where))
            continue
        if mixed := [key for key in _STATE_KEYS if key in own]:
            raise SettingProblem(f"{where}: has both states and {mixed[0]}; a group plays nothing itself, so move "
                                 f"{mixed[0]} to one of its states")
        _check_keys(own, _GROUP_KEYS, where)
        inner, nested = _states(_table(own["states"], f"{where}.states", "a table of states"), f"{name}.", what,
                                first + len(states))
        if not inner:
            raise SettingProblem(f"{where}: has no states; add one, or remove the group")
        start = f"{name}.{_text(own['start'], f'{where} start', 'a state of the group')}" if "start" in own else None
        groups += [GroupRule(name, start, Group(name, first + len(states), len(inner)), where), *nested]
        states += inner
    return states, groups


def _state(table: Mapping[str, Any], name: str, where: str) -> StateRule:
    _check_keys(table, _STATE_KEYS, where)
    if "blend" in table:
        return StateRule(name, "", 0, 1.0, where, parse_blend(table, where))
    if extra := [key for key in BLEND_KEYS if key in table]:
        raise SettingProblem(f"{where}: has {extra[0]}, but no blend; add blend, such as blend = "
                             "{ Walk = 1.4, Run = 4.5 }, or remove " + extra[0])
    if "play" not in table:
        raise SettingProblem(f"{where}: has no clip; add play, such as play = \"Idle\", or states for a group")
    return StateRule(name, _text(table["play"], f"{where} play", "the name of a clip"),
                     _loops(table["loops"], f"{where} loops") if "loops" in table else None,
                     _speed(table.get("speed", 1.0), f"{where} speed"), where)


def _loops(value: Any, what: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MOST_LOOPS:
        raise SettingProblem(f"{what} = {value!r}: give how often the clip plays, 1 to {MOST_LOOPS}, or 0 for forever")
    return value


def _speed(value: Any, what: str) -> float | str:
    if isinstance(value, str) and value:
        return value
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < MOST_SPEED:
        raise SettingProblem(f"{what} = {value!r}: give a number, below 0 to play backward, or the name of a parameter")
    return float(value)


# ---- transitions ----


def _transition(value: Any, where: str) -> TransitionRule:
    table = _table(value, where, "a table, such as { from = \"idle\", to = \"walk\" }")
    _check_keys(table, _TRANSITION_KEYS, where)
    for key in ("from", "to"):
        if key not in table:
            raise SettingProblem(f"{where}: has no {key}; add {key} = \"idle\", for example")
    sources = table["from"] if isinstance(table["from"], list) else [table["from"]]
    words = "a state, a group or a pattern, or a list of them"
    if not sources:
        raise SettingProblem(f"{where} from = []: leaves no state; give {words}")
    kind = table.get("kind", KINDS[0])
    if kind not in KINDS:
        raise SettingProblem(f"{where} kind = {kind!r}: is unknown{nearest(str(kind), KINDS)}")
    cut = kind == "cut"
    if cut and "over" in table:
        raise SettingProblem(f"{where} over = {table['over']!r}: a cut takes no time; remove over or kind")
    when = f"{where} when"
    return TransitionRule(
        sources=tuple(_text(source, f"{where} from", words) for source in sources),
        target=_text(table["to"], f"{where} to", "a state or group"),
        clauses=parse_condition(_text(table["when"], when, "a condition, such as \"speed >= 0.2\""), when)
        if "when" in table else (),
        cut=cut, over_us=_time_us(table["over"], f"{where} over", OVER_MOST_US) if "over" in table else None,
        start_at=_start_at(table["start_at"], f"{where} start_at") if "start_at" in table else None,
        hold_us=_time_us(table.get("hold", 0), f"{where} hold", TIME_MOST_US), where=where)


def _start_at(value: Any, what: str) -> float | str:
    """Returns seconds, or the name of a mark."""
    if isinstance(value, str) and value and not _TIME.fullmatch(value):
        return value
    seconds = parse_seconds(value, what)
    if not math.isfinite(seconds):
        raise SettingProblem(f"{what} = {value!r}: is too long; give a time in the clip")
    return seconds
