"""Valid animation graphs at random, as compiled: for tests of the section and its readers."""
from __future__ import annotations

from dataclasses import replace
from random import Random

from graph_machines import base
from ossicle.bank.clips import ONE_Q11
from ossicle.bank.graph.check import MOST_VALUES, SLEW_MOST_US, TIME_MOST_US
from ossicle.bank.graph.records import (
    AFTER, ALWAYS, AT, AT_LEAST, CHOICE, CUT, EQUALS, FADE, FINISHED, FLAG, FOREVER, INERTIA, INSIDE, IS_SET, NUMBER,
    MOST_WEIGHT, ONE_Q15, PLANE_ONE, POINT, STEP, TRIGGER, UNCONDITIONAL, WAITS, WITHOUT_OPPOSITE, Atom, Choice, Clause,
    Graph, Group, Limb, Link, Look, Member, Parameter, State, Sync, Transition, Triangle, blend_of, point_word)
from ossicle.bank.triangles import hull_edges, triangulated

ONE_Q20 = 1 << 20
MOST_MARKS = 3  # of a clip in a blend
MOST_US = 700_000  # of the times of most graphs: several steps


def _parameters(rng: Random) -> tuple[Parameter, ...]:
    found = []
    for at in range(rng.randint(0, 3)):
        found.append(Parameter(f"trigger {at}", TRIGGER, 0, rng.choice((0, FOREVER, TIME_MOST_US, MOST_US)), 0))
    for at in range(rng.randint(0, 4)):
        least = rng.choice((0, 0, rng.randint(-1 << 31, 1 << 20)))
        most = least + rng.choice((1, 6 << 16))
        slew = 0 if at % 2 else rng.choice((1, SLEW_MOST_US, MOST_US))
        found.append(Parameter(f"number {at}", NUMBER, least, most, rng.randint(least, most), slew, "m/s" * (at % 3)))
    for at in range(rng.randint(0, 2)):
        found.append(Parameter(f"flag {at}", FLAG, 0, 1, rng.randint(0, 1)))
        count = rng.choice((1, 3, MOST_VALUES))
        found.append(Parameter(f"choice {at}", CHOICE, 0, count - 1, rng.randrange(count),
                               values=tuple(f"value {value}" for value in range(count))))
    found.sort(key=lambda parameter: (parameter.kind != TRIGGER, not parameter.slew_us))
    return tuple(found)


def _atom(rng: Random, parameters: tuple[Parameter, ...], events: int) -> Atom:
    of_kind = {kind: [at for at, parameter in enumerate(parameters) if parameter.kind == kind]
               for kind in (TRIGGER, FLAG, CHOICE, NUMBER)}
    possible = [ALWAYS, FINISHED, AFTER, *[AT, INSIDE][:2 * (events > 0)],
                *(atom for atom, kind in ((WAITS, TRIGGER), (IS_SET, FLAG), (EQUALS, CHOICE), (AT_LEAST, NUMBER))
                  if of_kind[kind])]
    operation = rng.choice(possible)
    opposite = rng.random() < 0.3 and operation not in WITHOUT_OPPOSITE
    if operation in (ALWAYS, FINISHED):
        return Atom(operation, opposite)
    if operation == AFTER:
        return Atom(operation, opposite, number=rng.randint(1, MOST_US))
    if operation in (AT, INSIDE):
        return Atom(operation, opposite, rng.randrange(events))
    at = rng.choice(of_kind[{WAITS: TRIGGER, IS_SET: FLAG, EQUALS: CHOICE, AT_LEAST: NUMBER}[operation]])
    parameter = parameters[at]
    value = rng.randint(parameter.least, parameter.most) if operation in (EQUALS, AT_LEAST) else 0
    return Atom(operation, opposite, at, value)


def _condition(rng: Random, parameters: tuple[Parameter, ...], events: int) -> tuple[Clause, ...]:
    if rng.random() < 0.2:
        return UNCONDITIONAL
    return tuple(tuple(_atom(rng, parameters, events) for _ in range(rng.choice((1, 1, 2, 8))))
                 for _ in range(rng.choice((1, 1, 2, 8))))


def _ascending(rng: Random, least: int, most: int, count: int) -> tuple[int, ...]:
    return tuple(sorted({rng.randint(least, most) for _ in range(count)}) if most >= least else ())


def _member(rng: Random, frames: list[int], at: int) -> Member:
    """A clip of several frames, with marks from anywhere in it on."""
    clip = rng.choice([number for number, count in enumerate(frames) if count > 1])
    end_q11 = (frames[clip] - 1) * ONE_Q11
    marks = sorted(rng.sample(range(end_q11), rng.randint(1, MOST_MARKS)))
    first = rng.randrange(len(marks))
    return Member(clip, at, Sync((*marks[first:], *marks[:first]), end_q11, rng.choice((1, 16_667, 41_666))),
                  rng.choice((0, 0, rng.randint(-1 << 21, 1 << 21))))


def _blend(rng: Random, name: str, parameters: tuple[Parameter, ...], frames: list[int]) -> State | None:
    """A blend by one of the numbers, if there are any, of clips that have several frames."""
    numbers = [at for at, parameter in enumerate(parameters) if parameter.kind == NUMBER]
    if not numbers or max(frames) < 2:
        return None
    by = rng.choice(numbers)
    least, most = parameters[by].least, parameters[by].most
    places = _ascending(rng, least, most, rng.choice((1, 2, 5))) or (least,)
    return blend_of(name, by, tuple(_member(rng, frames, at) for at in places))


def _plane(rng: Random, name: str, parameters: tuple[Parameter, ...], frames: list[int]) -> State | None:
    """A blend by two numbers, if there are any, of clips that have several frames."""
    numbers = [at for at, parameter in enumerate(parameters) if parameter.kind == NUMBER]
    if not numbers or max(frames) < 2:
        return None
    points = [(rng.randint(0, PLANE_ONE), rng.randint(0, PLANE_ONE)) for _ in range(rng.choice((3, 4, 9)))]
    found = triangulated(points)
    hull = hull_edges(found)
    triangles = tuple(Triangle((one, two, three), ((two, three) in hull, (three, one) in hull, (one, two) in hull))
                      for one, two, three in found)
    members = tuple(_member(rng, frames, point_word(point)) for point in points)
    return blend_of(name, rng.choice(numbers), members, rng.choice(numbers), triangles) if found else None


def random_graph(rng: Random, frames: list[int], events: int) -> Graph:
    """A graph whose conditions and watches need not match each other. frames: of each clip that its states may play;
    events: the number of names."""
    parameters = _parameters(rng)
    speeds = [at for at, parameter in enumerate(parameters) if parameter.kind == NUMBER and parameter.least >= 0]
    count, transitions = rng.randint(1, 6), rng.randint(0, 12)
    states = []
    for at in range(count):
        shape = rng.choice((_blend, _blend, _plane)) if rng.random() < 0.4 else None
        blend = shape(rng, f"state {at}", parameters, frames) if shape is not None else None
        if blend is not None:
            states.append(replace(blend, transitions=_ascending(rng, 0, transitions - 1, rng.randint(0, 4)),
                                  positions_q11=rng.choice(((), (0,))),
                                  times_us=_ascending(rng, 1, MOST_US, rng.randint(0, 3))))
            continue
        clip = rng.randrange(len(frames))
        states.append(State(
            f"state {at}", clip, rng.choice((1, 2, FOREVER if frames[clip] > 1 else 3)),
            rng.choice((1 << 16, -1 << 15, 0, 3 << 16)),
            rng.choice((None, *speeds)), _ascending(rng, 0, transitions - 1, rng.randint(0, 4)),
            _ascending(rng, 0, (frames[clip] - 1) * ONE_Q11, rng.randint(0, 4)),
            _ascending(rng, 1, MOST_US, rng.randint(0, 3))))
    groups = []
    for at in range(rng.randint(0, 2)):
        first = rng.randrange(count)
        groups.append(Group(f"group {at}", first, rng.randint(1, count - first)))
    listed = []
    for _ in range(transitions):
        target = rng.randrange(count)
        kind, over_us = rng.choice((INERTIA, CUT, FADE, STEP)), rng.choice((0, MOST_US // 4))
        if kind == STEP and (over_us == 0 or states[target].blend is None):
            kind = FADE
        listed.append(Transition(
            target, kind, over_us,
            rng.randint(0, (frames[states[target].clip] - 1) * ONE_Q11) * (states[target].blend is None),
            rng.choice((0, 0, rng.randint(0, MOST_US))),
            _condition(rng, parameters, events)))
    return Graph(parameters, base(count, rng.randrange(count)), tuple(states), tuple(listed), tuple(groups),
                 event_count=rng.randint(0, 255), longest_us=rng.choice((1_000_000, 250_000, 1)))


def with_choices(rng: Random, graph: Graph) -> Graph:
    """The graph with choices between some of its states: at random, in turn, and by a flag if it has one."""
    flags = [at for at, parameter in enumerate(graph.parameters) if parameter.kind == FLAG]
    choices: list[Choice] = []
    first = rng.randint(0, 1)
    while (left := len(graph.states) - first) >= 2:
        flag = rng.choice((None, *flags))
        count = rng.randint(2, left) if flag is None else 2
        weights = tuple(rng.randint(1, MOST_WEIGHT) for _ in range(count))
        choices.append(Choice(first, count, weights if flag is None and rng.random() < 0.5 else (), flag))
        first += count + rng.randint(0, 1)
    return replace(graph, choices=tuple(choices))


def with_positions(rng: Random, graph: Graph) -> Graph:
    """The graph with states whose position is a number, if it has any."""
    numbers = [at for at, parameter in enumerate(graph.parameters) if parameter.kind == NUMBER]

    def moved(state: State) -> State:
        if not numbers or state.members or state.nothing or state.one_shot or rng.random() < 0.5:
            return state
        return replace(state, loops=FOREVER, speed_q16=1 << 16, speed_parameter=rng.choice(numbers), positions_q11=(),
                       by_position=True)
    states = tuple(map(moved, graph.states))
    transitions = tuple(replace(transition, start_q11=0) if states[transition.target].by_position else transition
                        for transition in graph.transitions)
    return replace(graph, states=states, transitions=transitions)


def _axis(rng: Random) -> tuple[int, int, int]:
    return rng.randint(-ONE_Q20, ONE_Q20), rng.randint(-ONE_Q20, ONE_Q20), rng.choice((0, ONE_Q20))


def with_limbs(rng: Random, graph: Graph, joints: int, events: int) -> Graph:
    """The graph with a point, and with limbs and a look if it has the joints for them. joints, events: their
    numbers."""
    point = len(graph.parameters)
    limbs: list[Limb] = []
    for at in range(rng.randint(0, 3) if joints >= 3 else 0):
        chain = sorted(rng.sample(range(joints), 3))
        to = rng.choice((None, point)) if events else point
        limbs.append(Limb(f"limb {at}", to, rng.randrange(events) if to is None else 0, (chain[0], chain[1], chain[2]),
                          _axis(rng), rng.choice((None, point)), rng.randint(0, ONE_Q15), rng.randint(0, ONE_Q15), None,
                          rng.choice((0, MOST_US)), rng.choice((0, ONE_Q20, FOREVER))))
    looks = tuple(Look(f"look {at}", point, ONE_Q15, None, 0, MOST_US, _axis(rng), _axis(rng), _axis(rng), ONE_Q20 // 2,
                       0, (Link(rng.randrange(joints), ONE_Q15, rng.randint(0, ONE_Q15)),))
                  for at in range(rng.randint(0, 2)))
    return replace(graph, parameters=(*graph.parameters, Parameter("point", POINT, 0, rng.randint(0, 1), 0)),
                   looks=looks, limbs=tuple(limbs))
