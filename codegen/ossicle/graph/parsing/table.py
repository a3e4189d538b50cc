"""Reads the table [graph] of a configuration file."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...bank.graph.check import LONGEST_MOST_US, OVER_MOST_US
from ...base.problem import SettingProblem
from ..conditions import WORDS as RESERVED
from .layers import read_layers
from .limbs import read_limbs
from .looks import read_looks
from ..parameters import parse_parameter
from .reading import check_keys, check_name, read_table, read_text, read_time_us
from ..rules import DEFAULT_LONGEST_US, DEFAULT_OVER_US, WORDS, GraphRules
from .states import StateReader
from .transitions import read_transitions

_OWN, _SHARED = "own", "shared"
_KEYS = ("start", "over", "longest_step", "max_ram_bytes", "max_step_cycles", "players", "parameters", "states",
         "transitions", "layers", "looks", "limbs")


def parse_graph(value: Any, what: str) -> GraphRules:
    """Parses the table, except what depends on several of its keys (resolving.py). Raises SettingProblem."""
    what = f"[{what}]"
    table = read_table(value, what, WORDS)
    check_keys(table, _KEYS, what)
    base = StateReader(what)
    base.read(read_table(table.get("states", {}), f"{what} states", "a table of states"))
    parameters = read_table(table.get("parameters", {}), f"{what} parameters", "a table of parameters")
    for name in parameters:
        check_name(name, f"{what} parameters")
        if name in RESERVED:
            raise SettingProblem(f"{what} parameters: {name!r} is a word of conditions; choose another name")
    transitions = read_transitions(table.get("transitions", []), what)
    layers = read_layers(table.get("layers", []), f"{what} layers", len(base.states))
    return GraphRules(
        start=read_text(table["start"], f"{what} start", "a state or group") if "start" in table else None,
        over_us=read_time_us(table.get("over", DEFAULT_OVER_US / 1e6), f"{what} over", OVER_MOST_US),
        longest_us=_longest(table.get("longest_step", DEFAULT_LONGEST_US / 1e6), f"{what} longest_step"),
        parameters=tuple(parse_parameter(name, stated, f"{what} parameters.{name}")
                         for name, stated in parameters.items()),
        states=(*base.states, *(state for layer in layers for state in layer.states)),
        choices=(*base.choices, *(choice for layer in layers for choice in layer.choices)),
        groups=(*base.groups, *(group for layer in layers for group in layer.groups)),
        transitions=(*transitions, *(transition for layer in layers for transition in layer.transitions)),
        layers=tuple(layer.rule for layer in layers), looks=read_looks(table.get("looks", {}), f"{what} looks"),
        limbs=read_limbs(table.get("limbs", {}), f"{what} limbs"),
        max_ram_bytes=_limit(table, "max_ram_bytes", what, "the memory of a character in bytes"),
        max_step_cycles=_limit(table, "max_step_cycles", what, "the cost of a step in cycles"),
        shared=_is_shared(table.get("players", _OWN), f"{what} players"))


def _is_shared(value: Any, what: str) -> bool:
    if value not in (_OWN, _SHARED):
        raise SettingProblem(f"{what} = {value!r}: give \"{_OWN}\" for players of each character, or \"{_SHARED}\" for "
                             "a row pool of all characters")
    return bool(value == _SHARED)


def _limit(table: Mapping[str, Any], key: str, what: str, limited: str) -> int | None:
    """Reads a key that may be missing. limited: describes the value, for messages."""
    value = table.get(key)
    if key in table and (isinstance(value, bool) or not isinstance(value, int) or value < 1):
        raise SettingProblem(f"{what} {key} = {value!r}: give {limited}, a whole number of at least 1")
    return value


def _longest(value: Any, what: str) -> int:
    longest_us = read_time_us(value, what, LONGEST_MOST_US)
    if longest_us == 0:
        raise SettingProblem(f"{what} = {value!r}: no time would ever pass; give more than 0")
    return longest_us
