"""Reads the limbs of a graph in a configuration file: joints that reach for a point, or whose end stays in place."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...bank.graph.check import MOST_LIMBS, OVER_MOST_US
from ...base.problem import SettingProblem
from .reading import check_keys, read_axis, read_named, read_text, read_time_us, read_weight
from ..rules import DEFAULT_REACH_US, LimbRule

_KEYS = ("joints", "to", "lock", "bend", "pole", "soften", "weight", "fade")
_JOINTS = "[\"upper_leg_l\", \"lower_leg_l\", \"foot_l\"]"


def read_limbs(value: Any, what: str) -> tuple[LimbRule, ...]:
    """Reads a table of limbs. what: its key, for messages. Raises SettingProblem."""
    tables = read_named(value, what, "limbs", MOST_LIMBS, "a table with joints, and to or lock")
    return tuple(_limb(name, table, f"{what}.{name}") for name, table in tables.items())


def _limb(name: str, table: Mapping[str, Any], where: str) -> LimbRule:
    check_keys(table, _KEYS, where)
    if "joints" not in table:
        raise SettingProblem(f"{where}: has no joints; add the start, the middle and the end, joints = {_JOINTS}")
    if ("to" in table) == ("lock" in table):
        raise SettingProblem(f"{where}: has {'both to and' if 'to' in table else 'neither to nor'} lock; give either "
                             "a point to which the end reaches, or a span during which it stays in place")
    return LimbRule(name, _joints(table["joints"], f"{where} joints"),
                    _name(table, "to", where, "the name of a point"), _name(table, "lock", where, "the name of a span"),
                    read_axis(table["bend"], f"{where} bend") if "bend" in table else None,
                    _name(table, "pole", where, "the name of a point"), _soften(table.get("soften", 1.0), where),
                    read_weight(table.get("weight", 1.0), f"{where} weight"),
                    read_time_us(table.get("fade", DEFAULT_REACH_US / 1e6), f"{where} fade", OVER_MOST_US), where)


def _name(table: Mapping[str, Any], key: str, where: str, words: str) -> str | None:
    return read_text(table[key], f"{where} {key}", words) if key in table else None


def _joints(value: Any, what: str) -> tuple[str, str, str]:
    if not isinstance(value, list) or len(value) != 3 or not all(isinstance(name, str) for name in value):
        raise SettingProblem(f"{what} = {value!r}: give the start, the middle and the end, such as {_JOINTS}")
    start, middle, end = value
    return start, middle, end


def _soften(value: Any, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0.0 < value <= 1.0:
        raise SettingProblem(f"{where} soften = {value!r}: give the share of the limb's length from which it stretches "
                             "less, above 0 and at most 1, such as 0.95")
    return float(value)
