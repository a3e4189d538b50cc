"""Reads the looks of a graph in a configuration file: chains of joints that turn to a point."""
from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ...bank.graph.check import MOST_LOOKS, OVER_MOST_US
from ...base.format import number
from ...base.problem import SettingProblem
from ...model.lengths import parse_length
from .reading import check_keys, read_axis, read_named, read_table, read_text, read_time_us, read_weight
from ..rules import DEFAULT_FADE_US, DEFAULT_LAG_US, LookRule

MOST_JOINTS = number("GRAPH_MOST_LINKS")
_KEYS = ("at", "chain", "forward", "up", "eyes", "weight", "fade", "lag")
_ANGLE = re.compile(r"(\d+(?:\.\d*)?|\.\d+)\s*deg")


def read_looks(value: Any, what: str) -> tuple[LookRule, ...]:
    """Reads a table of looks. what: its key, for messages. Raises SettingProblem."""
    tables = read_named(value, what, "looks", MOST_LOOKS, "a table with at and chain")
    return tuple(_look(name, table, f"{what}.{name}") for name, table in tables.items())


def _look(name: str, table: Mapping[str, Any], where: str) -> LookRule:
    check_keys(table, _KEYS, where)
    for key, sample in (("at", "\"look\", a point"), ("chain", "{ head = [1.0, \"60deg\"] }")):
        if key not in table:
            raise SettingProblem(f"{where}: has no {key}; add {key} = {sample}")
    forward, up = (read_axis(table.get(key, axis), f"{where} {key}") for key, axis in (("forward", "z"), ("up", "y")))
    if forward[-1] == up[-1]:
        raise SettingProblem(f"{where}: forward and up are the same axis, {up[-1]}; give two axes")
    return LookRule(name, read_text(table["at"], f"{where} at", "the name of a point"),
                    _chain(read_table(table["chain"], f"{where} chain", "a table of joints"), f"{where} chain"),
                    forward, up, _eyes(table.get("eyes", [0, 0, 0]), f"{where} eyes"),
                    read_weight(table.get("weight", 1.0), f"{where} weight"),
                    read_time_us(table.get("fade", DEFAULT_FADE_US / 1e6), f"{where} fade", OVER_MOST_US),
                    read_time_us(table.get("lag", DEFAULT_LAG_US / 1e6), f"{where} lag", OVER_MOST_US), where)


def _eyes(value: Any, what: str) -> tuple[float, float, float]:
    if not isinstance(value, list) or len(value) != 3:
        raise SettingProblem(f"{what} = {value!r}: give three lengths, such as [0, \"12cm\", \"8cm\"]")
    x, y, z = (0.0 if part == 0 else _length(part, what) for part in value)
    return x, y, z


def _length(value: Any, what: str) -> float:
    sign = -1.0 if isinstance(value, str) and value.startswith("-") else 1.0
    return sign * parse_length(value.lstrip("-") if isinstance(value, str) else value, what, "12cm")


def _chain(table: Mapping[str, Any], what: str) -> tuple[tuple[str, float, float | None], ...]:
    """Returns the joints of a chain, the eyes first."""
    if not 1 <= len(table) <= MOST_JOINTS:
        raise SettingProblem(f"{what}: has {len(table)} joints; give 1 to {MOST_JOINTS}")
    chain = []
    for joint, value in table.items():
        entry = f"{what}.{joint} = {value!r}"
        share, *limits = value if isinstance(value, list) else [value]
        if isinstance(share, bool) or not isinstance(share, int | float) or not 0.0 < share <= 1.0 or len(limits) > 1:
            raise SettingProblem(f"{entry}: give the share of the rotation, above 0 and at most 1, and the largest "
                                 "angle, such as [0.6, \"60deg\"]")
        chain.append((joint, float(share), _degrees(limits[0], entry) if limits else None))
    if sum(share for _, share, _ in chain) > 1.0 + 1e-9:
        raise SettingProblem(f"{what}: the shares of the joints are more than 1 together; reduce some")
    return tuple(chain)


def _degrees(value: Any, what: str) -> float:
    angle = _ANGLE.fullmatch(value) if isinstance(value, str) else None
    if angle is None or not 0.0 < float(angle[1]) <= 180.0:
        raise SettingProblem(f"{what}: give an angle above 0 and at most 180 degrees, such as \"60deg\"")
    return float(angle[1])
