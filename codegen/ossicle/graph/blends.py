"""Blends of a graph: clips that keep step, by a number."""
from __future__ import annotations

from collections.abc import Sequence
from math import lcm

from ..bank.clips import ONE_Q11
from ..bank.graph.records import PLANE_ONE, Member, Parameter, Sync, Triangle, point_word
from ..bank.triangles import hull_edges, triangulated
from ..base.format import number
from ..base.problem import nearest
from .clips import GraphClip
from .event_count import Stay
from .parameters import ONE_Q16
from .rules import BlendRule, GraphProblem, StateRule

MOST_MARKS = number("GRAPH_MOST_SYNC_MARKS")
LEAST_US = 10_000  # OSC_SYNC_LEAST_US of osc_motion.h
MOST_US, MOST_Q11 = 0xFFFFFF, 0x3FFFFF  # from mark to mark, as osc_sync_advance counts
FRAME_MOST_US = 0x1FFFFF
_STEP = 1 << 16  # of a phase, from mark to mark


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


def _coordinate(value: int, parameter: Parameter) -> int:
    """Returns where a value is in the range of a number, as osc_graph_share does."""
    part, whole = value - parameter.least, parameter.most - parameter.least
    shift = max(whole.bit_length() - 16, 0)
    part, whole = part >> shift, whole >> shift
    return ((part << 15) + (whole >> 1)) // whole * PLANE_ONE >> 15


def _points(state: StateRule, rule: BlendRule, parameters: Sequence[Parameter]) -> list[tuple[int, int]]:
    """Returns the points of a blend by two numbers, all different."""
    by = [next(parameter for parameter in parameters if parameter.name == name) for name in rule.by]
    points: dict[tuple[int, int], str] = {}
    for clip, place in rule.clips:
        x, y = (_coordinate(value, parameter) for value, parameter in zip(place, by))
        if (x, y) in points:
            raise GraphProblem(f"{state.where} blend: {clip} and {points[x, y]} are less than 1/{PLANE_ONE} of the "
                               f"ranges of {rule.by[0]} and {rule.by[1]} apart; move one of them, or narrow the ranges")
        points[x, y] = clip
    return list(points)


def triangles_of(state: StateRule, rule: BlendRule, members: Sequence[Member]) -> tuple[Triangle, ...]:
    """Returns the triangles of a blend by two numbers, () for one number. Raises GraphProblem."""
    if len(rule.by) == 1:
        return ()
    found = triangulated([member.point for member in members])
    if not found:
        raise GraphProblem(f"{state.where} blend: the points of its {len(members)} clips are on a line; give a clip a "
                           f"point beside it, or blend by one number")
    hull = hull_edges(found)
    return tuple(Triangle((one, two, three), ((two, three) in hull, (three, one) in hull, (one, two) in hull))
                 for one, two, three in found)


def members_of(state: StateRule, rule: BlendRule, clips: Sequence[GraphClip],
               parameters: Sequence[Parameter]) -> tuple[Member, ...]:
    """Returns the members of a blend. Raises GraphProblem."""
    names, members, strides = [clip.name for clip in clips], [], dict(rule.strides)
    what, own = f"{state.where} blend", [name for name, _ in rule.clips]
    for name in own:
        if name not in names:
            raise GraphProblem(f"{what}.{name}: no clip of the bank has this name{nearest(name, names)}")
    for name in strides:
        if name not in own:
            raise GraphProblem(f"{state.where} stride.{name}: is no clip of the blend{nearest(name, own)}")
    places = [place[0] for _, place in rule.clips] if len(rule.by) == 1 else \
        [point_word(point) for point in _points(state, rule, parameters)]
    for name, at in zip(own, places):
        clip = clips[names.index(name)]
        if clip.additive:
            raise GraphProblem(f"{what}.{name}: is additive, and thus not a whole pose; blend other "
                               "clips")
        if clip.end_q11 == 0:
            raise GraphProblem(f"{what}.{name}: has one frame and cannot keep step; blend clips that last")
        sync = Sync(_marks(rule, clip, f"{state.where} sync"), clip.end_q11, _frame_us(clip))
        steps = _Steps(sync)
        if max(steps.lengths_q11) > MOST_Q11 or max(steps.times_us) > MOST_US:
            raise GraphProblem(f"{state.where} sync: a step of {name} has more than {MOST_Q11 // ONE_Q11} frames or "
                               f"{MOST_US / 1e6:.1f} s; name marks between, or blend shorter clips")
        if min(steps.times_us) < LEAST_US:
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
