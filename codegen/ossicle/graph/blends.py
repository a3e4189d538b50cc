"""Blends of a graph: clips that keep step, by a number."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import lcm
from typing import Any

from ..bank.clips import ONE_Q11
from ..bank.graph_check import MOST_MEMBERS
from ..bank.graph_records import Member, Parameter, Sync
from ..base.format import number
from ..base.problem import SettingProblem, nearest
from ..model.lengths import parse_length
from .clips import GraphClip
from .event_count import Stay
from .parameters import ONE_Q16, read_q16
from .rules import BlendRule, GraphProblem, StateRule

KEYS = ("blend", "by", "sync", "stride")
LENGTH = "length"  # of sync: the whole clip is one step
MOST_MARKS = number("GRAPH_MOST_SYNC_MARKS")
LEAST_US = 10_000  # OSC_SYNC_LEAST_US of osc_motion.h
FRAME_MOST_US = 0x1FFFFF
STRIDE_MOST_M = 2048.0  # excluded, in Q20
_STEP = 1 << 16  # of a phase, from mark to mark


# ---- the configuration file ----


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
                     _strides(table.get("stride", {}), list(places), f"{where} stride"))


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


def _strides(value: Any, clips: Sequence[str], what: str) -> tuple[tuple[str, int], ...]:
    """Returns the lengths of steps, Q20 metres."""
    if not isinstance(value, dict):
        raise SettingProblem(f"{what} = {value!r}: give a table of clips and lengths, such as {{ Walk = \"60cm\" }}")
    strides = []
    for clip, text in value.items():
        if clip not in clips:
            raise SettingProblem(f"{what}.{clip}: is no clip of the blend{nearest(clip, clips)}")
        metres = parse_length(text, f"{what}.{clip}", "60cm")
        if metres >= STRIDE_MOST_M:
            raise SettingProblem(f"{what}.{clip} = {text!r}: is too long; give less than {STRIDE_MOST_M:g} m")
        strides.append((clip, round(metres * (1 << 20))))
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


# ---- the clips of a bank ----


def _frame_us(clip: GraphClip) -> int:
    """Returns the length of a frame as osc_sync_open does."""
    return min((1_000_000 << 12) // max(round(clip.rate * ONE_Q16) >> 4, 1), FRAME_MOST_US)


def _marks(rule: BlendRule, clip: GraphClip, what: str) -> tuple[int, ...]:
    """Returns the positions of the marks by which a clip keeps step, the first name first."""
    if not rule.sync:
        return (0,)
    found = sorted((event.position_q11, order, rule.sync.index(event.name))
                   for order, event in enumerate(clip.events)
                   if event.name in rule.sync and event.position_q11 < clip.end_q11)
    kinds = [kind for *_, kind in found]
    for kind, name in enumerate(rule.sync):
        if kind not in kinds:
            raise GraphProblem(f"{what}: {clip.name} has no mark {name} before its last frame"
                               f"{nearest(name, sorted({event.name for event in clip.events}))}")
    if len(found) > MOST_MARKS:
        raise GraphProblem(f"{what}: {clip.name} has {len(found)} of these marks, but {MOST_MARKS} are possible; name "
                           "fewer")
    first = kinds.index(0)
    turned = [*found[first:], *found[:first]]
    if any(kind != at % len(rule.sync) for at, (*_, kind) in enumerate(turned)) or len(turned) % len(rule.sync):
        order = ", ".join(rule.sync[kind] for kind in kinds)
        raise GraphProblem(f"{what}: {clip.name} has these marks in another order, {order}; correct its events or sync")
    return tuple(position for position, *_ in turned)


class _Steps:
    """The steps of a clip, from mark to mark."""

    def __init__(self, sync: Sync) -> None:
        self._sync = sync
        self.lengths_q11 = [(after - mark) if after > mark else after + sync.end_q11 - mark
                            for mark, after in zip(sync.marks_q11, [*sync.marks_q11[1:], sync.marks_q11[0]])]
        self.times_us = [length * sync.us_per_frame >> 11 for length in self.lengths_q11]

    def phase_of(self, position_q11: int) -> int:
        """Returns where a position is, in _STEP from mark to mark."""
        after = [(position_q11 - mark) % self._sync.end_q11 for mark in self._sync.marks_q11]
        step = min(range(len(after)), key=lambda number: after[number])
        return step * _STEP + after[step] * _STEP // self.lengths_q11[step]


def members_of(state: StateRule, rule: BlendRule, clips: Sequence[GraphClip]) -> tuple[Member, ...]:
    """Returns the members of a blend. Raises GraphProblem."""
    names, members, strides = [clip.name for clip in clips], [], dict(rule.strides)
    for name, at in rule.clips:
        what = f"{state.where} blend"
        if name not in names:
            raise GraphProblem(f"{what}.{name}: no clip of the bank has this name{nearest(name, names)}")
        clip = clips[names.index(name)]
        if clip.additive:
            raise GraphProblem(f"{what}.{name}: is additive, and thus not a whole pose; blend other "
                               "clips")
        if clip.end_q11 == 0:
            raise GraphProblem(f"{what}.{name}: has one frame and cannot keep step; blend clips that last")
        sync = Sync(_marks(rule, clip, f"{state.where} sync"), clip.end_q11, _frame_us(clip))
        if min(_Steps(sync).times_us) < LEAST_US:
            raise GraphProblem(f"{state.where} sync: two marks of {name} are less than {LEAST_US // 1000} ms apart; "
                               "move them, or name fewer")
        members.append(Member(names.index(name), at, sync, strides.get(name, 0)))
    return tuple(members)


def stay_in(members: Sequence[Member], clips: Sequence[GraphClip]) -> Stay:
    """Returns the events of a blend, counted for all members together: any of them may lead. At each mark, spans of
    one may end and spans of another begin."""
    steps = [_Steps(member.sync) for member in members]
    counts = [len(member.sync.marks_q11) for member in members]
    period, marks, spans = lcm(*counts), [], []
    own = [Stay.of(clips[member.clip], 0xFFFFFFFF, ONE_Q16) for member in members]
    changes = 2 * max(stay.most_open for stay in own)
    for member, step, count in zip(members, steps, counts):
        for event in clips[member.clip].events:
            for loop in range(period // count):
                ends = [step.phase_of(min(at, member.sync.end_q11 - 1)) + loop * count * _STEP
                        for at in (event.position_q11, event.end_q11) if at is not None]
                marks += ends
                if event.end_q11 is not None:
                    spans.append((ends[0], ends[1]))
    marks += [mark * _STEP for mark in range(period) for _ in range(changes)]
    quickest_us = max(min(min(step.times_us) for step in steps), LEAST_US)
    per_us = _STEP / quickest_us
    return Stay(tuple(sorted(marks)), tuple(spans), period * _STEP, 0xFFFFFFFF, per_us, False, 2 * ONE_Q11)
