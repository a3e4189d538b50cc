"""Reads blends of a graph in a configuration file."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...bank.graph.check import MOST_MEMBERS
from ...bank.graph.records import NUMBER, Parameter
from ...base.problem import SettingProblem, nearest
from ...model.lengths import parse_length
from ..parameters import ONE_Q16, read_q16
from ..rules import BlendRule, GraphProblem

KEYS = ("blend", "by", "sync", "stride")
LENGTH = "length"  # of sync: the whole clip is one step
STRIDE_MOST_Q20 = 1 << 31  # excluded


def parse_blend(table: Mapping[str, Any], where: str) -> BlendRule:
    """Parses the keys of a state that blends clips. Raises SettingProblem."""
    for key in ("play", "loops", "speed", "position"):
        if key in table:
            raise SettingProblem(f"{where}: has both blend and {key}; the clips of a blend loop at a common speed, so "
                                 f"remove {key}")
    places = table["blend"]
    if not isinstance(places, dict) or not places:
        raise SettingProblem(f"{where} blend = {places!r}: give a table of clips and values, such as "
                             "{ Walk = 1.4, Run = 4.5 }")
    if len(places) > MOST_MEMBERS:
        raise SettingProblem(f"{where} blend: has {len(places)} clips, but {MOST_MEMBERS} are possible; remove some")
    by = _by(table.get("by"), where)
    clips = sorted(((clip, _place(at, by, f"{where} blend.{clip}")) for clip, at in places.items()),
                   key=lambda member: member[1])
    for (left, at), (right, other) in zip(clips, clips[1:]):
        if at == other:
            raise SettingProblem(f"{where} blend: {left} and {right} have the same value {position_text(at)}; give "
                                 "each clip its own")
    return BlendRule(tuple(clips), by, _sync(table.get("sync", LENGTH), f"{where} sync"),
                     _strides(table.get("stride", {}), f"{where} stride"))


def _by(value: Any, where: str) -> tuple[str, ...]:
    """Returns the names of one number or two."""
    names = [value] if isinstance(value, str) else value
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names) or not names:
        raise SettingProblem(f"{where}: has no number that blends its clips; add by, such as by = \"speed\"")
    if len(names) > 2 or len(set(names)) < len(names):
        raise SettingProblem(f"{where} by = {value!r}: give one number, or two different ones, such as [\"strafe\", "
                             "\"speed\"]")
    return tuple(names)


def _place(value: Any, by: Sequence[str], what: str) -> tuple[int, ...]:
    """Returns where only one clip shows, Q16 of each number."""
    if len(by) == 1:
        return (read_q16(value, what),)
    if not isinstance(value, list) or len(value) != len(by):
        raise SettingProblem(f"{what} = {value!r}: give a value of {by[0]} and of {by[1]}, such as [0.0, 1.4]")
    return tuple(read_q16(at, what) for at in value)


def position_text(place: Sequence[int]) -> str:
    """Describes where only one clip shows."""
    values = ", ".join(f"{at / ONE_Q16:.4g}" for at in place)
    return values if len(place) == 1 else f"[{values}]"


def _sync(value: Any, what: str) -> tuple[str, ...]:
    if value == LENGTH:
        return ()
    if not isinstance(value, list) or not value or not all(isinstance(name, str) for name in value):
        raise SettingProblem(f"{what} = {value!r}: give marks that all clips have, in their order, such as "
                             "[\"left_foot\", \"right_foot\"], or \"length\"")
    for name in value:
        if value.count(name) > 1:
            raise SettingProblem(f"{what} = {value!r}: {name} occurs twice; remove one")
    return tuple(value)


def _strides(value: Any, what: str) -> tuple[tuple[str, int], ...]:
    """Returns the lengths of steps, Q20 metres."""
    if not isinstance(value, dict):
        raise SettingProblem(f"{what} = {value!r}: give a table of clips and lengths, such as {{ Walk = \"60cm\" }}")
    strides = []
    for clip, text in value.items():
        metres = parse_length(text, f"{what}.{clip}", "60cm")
        if not 0 < (stride := round(metres * (1 << 20))) < STRIDE_MOST_Q20:
            raise SettingProblem(f"{what}.{clip} = {text!r}: is no length of a step; give more than 0 and less than "
                                 f"{STRIDE_MOST_Q20 >> 20} m")
        strides.append((clip, stride))
    return tuple(strides)


def check_numbers(rule: BlendRule, parameters: Mapping[str, Parameter], where: str) -> None:
    """Raises GraphProblem unless `by` has numbers whose ranges have all values of the blend."""
    for axis, name in enumerate(rule.by):
        if name not in parameters:
            raise GraphProblem(f"{where} by = {name!r}: is no parameter{nearest(name, parameters)}")
        parameter = parameters[name]
        if parameter.kind != NUMBER:
            raise GraphProblem(f"{where} by = {name!r}: blends need a number; give a parameter with a range")
        for clip, place in rule.clips:
            if not parameter.least <= place[axis] <= parameter.most:
                raise GraphProblem(f"{where} blend.{clip} = {position_text(place)}: is outside the range of {name}, "
                                   f"{parameter.least / ONE_Q16:.4g} to {parameter.most / ONE_Q16:.4g}; correct one "
                                   "of them")
