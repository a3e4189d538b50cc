"""Reads blends of a graph in a configuration file."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..bank.graph_check import MOST_MEMBERS
from ..bank.graph_records import Parameter
from ..base.problem import SettingProblem, nearest
from ..model.lengths import parse_length
from .parameters import ONE_Q16, read_q16
from .rules import BlendRule, GraphProblem

KEYS = ("blend", "by", "sync", "stride")
LENGTH = "length"  # of sync: the whole clip is one step
STRIDE_MOST_Q20 = 1 << 31  # excluded


def parse_blend(table: Mapping[str, Any], where: str) -> BlendRule:
    """Parses the keys of a state that blends clips. Raises SettingProblem."""
    for key in ("play", "loops", "speed"):
        if key in table:
            raise SettingProblem(f"{where}: has both blend and {key}; the clips of a blend loop at a common speed, so "
                                 f"remove {key}")
    places = table["blend"]
    if not isinstance(places, dict) or not places:
        raise SettingProblem(f"{where} blend = {places!r}: give a table of clips and values, such as "
                             "{ Walk = 1.4, Run = 4.5 }")
    if len(places) > MOST_MEMBERS:
        raise SettingProblem(f"{where} blend: has {len(places)} clips, but {MOST_MEMBERS} are possible; remove some")
    if not isinstance(table.get("by"), str):
        raise SettingProblem(f"{where}: has no number that blends its clips; add by, such as by = \"speed\"")
    clips = sorted(((clip, read_q16(at, f"{where} blend.{clip}")) for clip, at in places.items()),
                   key=lambda member: member[1])
    for (left, at), (right, other) in zip(clips, clips[1:]):
        if at == other:
            raise SettingProblem(f"{where} blend: {left} and {right} have the same value {at / ONE_Q16:.4g}; give each "
                                 "clip its own")
    return BlendRule(tuple(clips), table["by"], _sync(table.get("sync", LENGTH), f"{where} sync"),
                     _strides(table.get("stride", {}), f"{where} stride"))


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


def check_number(rule: BlendRule, parameter: Parameter | None, known: Sequence[str], is_number: bool,
                 where: str) -> None:
    """Raises GraphProblem unless `by` is a number whose range has all values of the blend. parameter: the one with
    this name."""
    if parameter is None:
        raise GraphProblem(f"{where} by = {rule.by!r}: is no parameter{nearest(rule.by, known)}")
    if not is_number:
        raise GraphProblem(f"{where} by = {rule.by!r}: blends need a number; give a parameter with a range")
    for clip, at in rule.clips:
        if not parameter.least <= at <= parameter.most:
            raise GraphProblem(f"{where} blend.{clip} = {at / ONE_Q16:.4g}: is outside the range of {rule.by}, "
                               f"{parameter.least / ONE_Q16:.4g} to {parameter.most / ONE_Q16:.4g}; correct one of "
                               "them")
