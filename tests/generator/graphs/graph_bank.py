"""A bank with an animation graph, written without the encoder: a character that idles, strikes twice and jumps."""
from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from bank_builder import ClipSpec, SkeletonSpec, bank_bytes, biped, random_skeleton

from graph_machines import base
from ossicle.bank.assembling import with_sections
from ossicle.bank.events import TAG as EVENTS
from ossicle.bank.events import ClipEvent, pack_events
from ossicle.bank.graph.layout import TAG
from ossicle.bank.graph.packing import pack_graph
from ossicle.bank.graph.records import (
    AFTER, AT, AT_LEAST, CHOICE, CUT, EQUALS, FINISHED, FLAG, FOREVER, INERTIA, INSIDE, IS_SET, NUMBER, PLANE_ONE,
    TRIGGER, WAITS, Atom, Choice, Graph, Group, Member, Parameter, State, Sync, Transition, Triangle, point_word)
from ossicle.bank.trajectories import TAG as TRAJECTORIES
from ossicle.bank.trajectories import pack_trajectories
from ossicle.model.trajectory.displacement import Trajectory

ONE_Q16, ONE_Q11 = 1 << 16, 1 << 11
IDLE, CUT_CLIP, STAB, JUMP = range(4)
FRAMES = (41, 19, 25, 31)  # at 30 frames a second
PARAMETERS = (
    Parameter("jump", TRIGGER, 0, 150_000, 0), Parameter("attack", TRIGGER, 0, 300_000, 0),
    Parameter("speed", NUMBER, ONE_Q16 // 2, 2 * ONE_Q16, ONE_Q16, 500_000, "m/s"),
    Parameter("grounded", FLAG, 0, 1, 1),
    Parameter("stance", CHOICE, 0, 2, 1, values=("relaxed", "armed", "hurt")))
ATTACK, GROUNDED, ARMED = Atom(WAITS, argument=1), Atom(IS_SET, argument=3), Atom(EQUALS, argument=4, number=1)
HIT, STEP = range(2)  # names of events, by alphabet


def _sync(clip: int) -> Sync:
    """A mark at the beginning and one in the middle."""
    end_q11 = (FRAMES[clip] - 1) * ONE_Q11
    return Sync((0, end_q11 // 2), end_q11, 33_333)


def _members(points: bool) -> tuple[Member, ...]:
    """The clips that the last state blends. points: whether they are those of a square instead of values."""
    places = [*map(point_word, ((0, 0), (PLANE_ONE, 0), (PLANE_ONE, PLANE_ONE), (0, PLANE_ONE)))] if points else \
        [ONE_Q16 // 2, ONE_Q16, 2 * ONE_Q16]
    return tuple(Member(clip, place, _sync(clip), 600_000 * (clip == JUMP))
                 for clip, place in zip((IDLE, JUMP, CUT_CLIP, STAB), places))


SQUARE = (Triangle((0, 1, 3), (False, True, True)), Triangle((1, 2, 3), (True, False, True)))


def graph(events: bool = True, inertia: bool = True, blends: bool = True, plane: bool = False,
          chosen: bool = False) -> Graph:
    """events: whether conditions name them; blends: whether the last state, to which one that is hurt goes, blends;
    plane: whether it has the number of the blend twice, for x and y; chosen: whether an attack is chosen at random, and
    a leap and the last state take turns."""
    kind = INERTIA if inertia else CUT
    over_us = 120_000 if inertia else 0
    inside = (Atom(INSIDE, argument=HIT),) if events else ()
    at = Atom(AT, argument=STEP) if events else Atom(AFTER, number=90_000)
    return Graph(
        PARAMETERS, base(5),
        states=(
            State("idle", IDLE, FOREVER, ONE_Q16, 2, (0, 1, 5), (9000,) if events else (), (200_000,)),
            State("combat.cut", CUT_CLIP, 1, ONE_Q16, None, (2, 3), (4096, 9 << 11, 18 << 11), (90_000,)),
            State("combat.stab", STAB, 1, ONE_Q16 + 999, None, (3,), (24 << 11,)),
            State("leap", JUMP, 2, -ONE_Q16 // 2, None, (4,), (0,)),
            State("limp", JUMP, FOREVER, ONE_Q16, 2, (6,)) if not blends else
            State("limp", 0, FOREVER, ONE_Q16, transitions=(6,), blend=2, members=_members(plane),
                  second=2 if plane else None, triangles=SQUARE if plane else ())),
        transitions=(
            Transition(3, kind, over_us, 30 << 11, 0, (
                (Atom(WAITS, argument=0), GROUNDED),
                (Atom(AFTER, number=200_000), at, Atom(AT_LEAST, True, 2, 40_000)))),
            Transition(1, kind, over_us, 0, 50_000, ((ATTACK, ARMED),)),
            Transition(2, kind, over_us // 2, 0, 0, ((ATTACK, *inside),)),
            Transition(0, kind, over_us, 1234, 0, ((Atom(FINISHED),),)),
            Transition(0, CUT, 0, 0, 0, ((Atom(FINISHED),),)),
            Transition(4, kind, over_us, 0, 0, ((Atom(EQUALS, argument=4, number=2),),)),
            Transition(0, kind, over_us, 0, 0, ((Atom(EQUALS, True, 4, 2),),))),
        groups=(Group("combat", 1, 2),), event_count=24 if events else 0,
        choices=(Choice(1, 2, (3, 1)), Choice(3, 2)) if chosen else ())


def skeleton(has_scale: bool) -> SkeletonSpec:
    return random_skeleton(9, 5, has_scale=True) if has_scale else biped()


def plain_bank(spec: SkeletonSpec) -> bytes:
    """The four clips alone."""
    moving = list(range(spec.subtrack_count))
    return bank_bytes(spec, [ClipSpec(name, frames, moving, loop=name == "Idle")
                             for name, frames in zip(("Idle", "Cut", "Stab", "Jump"), FRAMES)])


def _trajectory(frames: int) -> Trajectory:
    """A path of two numbers that the spline does not bend."""
    end = np.array([70_000, 0, 1 << 20, 1 << 20])
    return Trajectory(np.array([True, False, True, True]), np.zeros(4, int), end, (0, 0), np.zeros((0, 4), int),
                      frames, (frames - 1) / 30)


def graph_bank(spec: SkeletonSpec, described: Graph | None = None, events: bool = True, travels: bool = True) -> bytes:
    """The bank with a graph, by default graph(events)."""
    sections: dict[str, bytes] = {}
    if events:
        marks: Mapping[int, tuple[ClipEvent, ...]] = {
            IDLE: (ClipEvent("step", 0), ClipEvent("step", 9000, 3), ClipEvent("hit", 39 << 11, 0, 2 << 11)),
            CUT_CLIP: (ClipEvent("hit", 4096, 0, 9 << 11), ClipEvent("step", 18 << 11)),
            JUMP: (ClipEvent("step", 6 << 11), ClipEvent("hit", 7 << 11, 0, 30 << 11))}
        sections[EVENTS] = pack_events(marks)
    if travels:
        sections[TRAJECTORIES] = pack_trajectories({clip: (_trajectory(FRAMES[clip]), FRAMES[clip])
                                                    for clip in (IDLE, STAB)})
    return with_sections(plain_bank(spec), {**sections, TAG: pack_graph(described or graph(events))})
