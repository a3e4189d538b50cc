"""Checks an animation graph as strictly as osc_graph_open does."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from ...base.format import number
from ..clips import ONE_Q11, Clip
from .records import (AFTER, CHOICE, CUT, EQUALS, FADE, FLAG, FOREVER, IN, INERTIA, LEVELS, MOST_CHOSEN, NUMBER,
                      OF_EVENTS, OF_PARAMETERS, ONE_Q15, ONE_Q16, PLANE_ONE, POINT, STEP, TRIGGER,
                      WITHOUT_OPPOSITE, Atom, Graph, Group, Machine, Member, Parameter, State, Sync, Transition,
                      Triangle, blend_of, nothing_of)
from ..triangles import doubled_area
from ..words import BankProblem

MOST_PARAMETERS = number("GRAPH_MOST_PARAMETERS")
MOST_TRIGGERS = number("GRAPH_MOST_TRIGGERS")
MOST_MACHINES = number("GRAPH_MOST_MACHINES")
MOST_WAITS = number("GRAPH_MOST_WAITS")
MOST_MASKS = number("GRAPH_MOST_MASKS")
MOST_POINTS = number("GRAPH_MOST_POINTS")
MOST_LOOKS = number("GRAPH_MOST_LOOKS")
MOST_CHOICES = number("GRAPH_MOST_CHOICES")
MOST_LIMBS = number("GRAPH_MOST_LIMBS")
MOST_STATES = number("GRAPH_MOST_STATES")
MOST_TRANSITIONS = number("GRAPH_MOST_TRANSITIONS")
MOST_WATCHES = number("GRAPH_MOST_WATCHES")
MOST_MEMBERS = number("GRAPH_BLEND_MOST_MEMBERS")
MOST_TRIANGLES = number("GRAPH_BLEND_MOST_TRIANGLES")
MOST_EVENTS = number("GRAPH_MOST_EVENTS")
ONE_Q20 = 1 << 20
MOST_VALUES = 256  # of a choice
LONGEST_MOST_US = number("GRAPH_LONGEST_MOST_US")
TIME_MOST_US = number("GRAPH_TIME_MOST_US")
OVER_MOST_US = number("TRANSITION_MAX_US")
SLEW_MOST_US = (1 << 32 - number("GRAPH_SLEW_SHIFT")) - 1


def check_graph(graph: Graph, clips: Sequence[Clip], events: int) -> None:
    """Raises BankProblem if the graph contradicts itself or the clips. events: the number of their names."""
    _check_counts(graph)
    for at, parameter in enumerate(graph.parameters):
        _check_parameter(parameter, at)
    order = [0 if parameter.kind == TRIGGER else 1 if parameter.slew_us else 3 if parameter.kind == POINT else 2
             for parameter in graph.parameters]
    if order != sorted(order):
        raise problem("has parameters out of order: triggers come first, then numbers with a slew, points last")
    _check_machines(graph, events)
    _check_choices(graph)
    for at, machine in enumerate(graph.machines):
        for state in machine.states:
            _check_state(graph.states[state], f"state {state}", at, graph, clips)
    for at, transition in enumerate(graph.transitions):
        _check_transition(transition, f"transition {at}", graph, clips, events)
    for at, group in enumerate(graph.groups):
        _check_group(group, at, len(graph.states))


def problem(text: str) -> BankProblem:
    """Returns the exception for a section that is inconsistent."""
    return BankProblem(f"the section GRPH {text}; encode the bank again")


def _check_counts(graph: Graph) -> None:
    for what, count, most in (("parameters", len(graph.parameters), MOST_PARAMETERS),
                              ("triggers", graph.trigger_count, MOST_TRIGGERS),
                              ("machines", len(graph.machines), MOST_MACHINES),
                              ("masks", len(graph.masks), MOST_MASKS),
                              ("points", graph.point_count, MOST_POINTS),
                              ("looks", len(graph.looks), MOST_LOOKS),
                              ("choices", len(graph.choices), MOST_CHOICES),
                              ("limbs", len(graph.limbs), MOST_LIMBS),
                              ("states", len(graph.states), MOST_STATES),
                              ("transitions", len(graph.transitions), MOST_TRANSITIONS),
                              ("events of a step", graph.event_count, MOST_EVENTS)):
        if count > most:
            raise problem(f"has {count} {what}, but at most {most} are possible")
    if not 1 <= graph.longest_us <= LONGEST_MOST_US:
        raise problem(f"has a longest step of {graph.longest_us} us, but 1 to {LONGEST_MOST_US} are possible")


def _check_parameter(parameter: Parameter, at: int) -> None:
    least, most, default = parameter.least, parameter.most, parameter.default
    if parameter.kind == TRIGGER:
        good = least == default == 0 and (0 <= most <= TIME_MOST_US or most == FOREVER)
    elif parameter.kind == FLAG:
        good = least == 0 and most == 1
    elif parameter.kind == POINT:
        good = least == default == 0 and 0 <= most <= 1
    elif parameter.kind == CHOICE:
        good = least == 0 and most < MOST_VALUES
    else:
        good = parameter.kind == NUMBER and least < most
    if not good or parameter.kind != TRIGGER and not least <= default <= most or \
            parameter.slew_us and parameter.kind != NUMBER:
        raise problem(f"has an invalid kind, range or slew for parameter {at}")


def check_waits(waits: Sequence[tuple[int, int]], graph: Graph) -> None:
    """Raises BankProblem if the machines and the triggers for which they wait do not exist or are out of order."""
    if len(waits) > MOST_WAITS or list(waits) != sorted(set(waits)) or any(
            machine >= len(graph.machines) or trigger >= graph.trigger_count for machine, trigger in waits):
        raise problem("has waits for triggers that do not exist or are out of order")


def _check_machines(graph: Graph, events: int) -> None:
    """Raises BankProblem unless the states of the machines follow one another."""
    first = 0
    for at, machine in enumerate(graph.machines):
        what = f"machine {at}"
        if machine.first != first or machine.count == 0 or machine.start not in machine.states:
            raise problem(f"has states of {what} that do not exist or do not follow those before")
        first += machine.count
        if at == 0 and (machine.additive or machine.mask is not None or machine.clauses):
            raise problem("has a base that is a layer")
        if machine.mask is not None and machine.mask >= len(graph.masks) or machine.weight_q15 > ONE_Q15 or \
                machine.fade_us > OVER_MOST_US or not _is_weight(machine.weight_parameter, graph):
            raise problem(f"has an invalid mask, weight or fade of {what}")
        if not all(atom.operation in LEVELS and _is_valid(atom, graph, events, at)
                   for clause in machine.clauses for atom in clause):
            raise problem(f"has an invalid condition for {what}")
    if first != len(graph.states):
        raise problem("has states without a machine")


def _check_choices(graph: Graph) -> None:
    least = 0
    for at, choice in enumerate(graph.choices):
        last = choice.first + choice.count - 1
        if choice.first < least or not 2 <= choice.count <= MOST_CHOSEN or \
                last not in graph.machines[graph.machine_of(choice.first)].states:
            raise problem(f"has states of choice {at} that do not exist, are those of another one or of two machines")
        if choice.flag is not None and (choice.count != 2 or choice.weights or choice.flag >= len(graph.parameters)
                                        or graph.parameters[choice.flag].kind != FLAG):
            raise problem(f"has a choice {at} whose parameter is not a flag, or that has weights or other than two "
                          "states")
        least = last + 1


def check_looks(graph: Graph, joints: int) -> None:
    """Raises BankProblem for a look that contradicts itself or the graph. joints: their number."""
    for at, look in enumerate(graph.looks):
        chain = [joints, *(link.joint for link in look.links)]
        if look.point >= len(graph.parameters) or graph.parameters[look.point].kind != POINT or \
                not _is_weight(look.weight_parameter, graph) or look.weight_q15 > ONE_Q15 or \
                max(look.fade_us, look.lag_us) > OVER_MOST_US:
            raise problem(f"has an invalid point, weight, fade or lag of look {at}")
        if any(after >= before for before, after in pairwise(chain)) or \
                any(max(link.weight_q15, link.limit_q15) > ONE_Q15 for link in look.links) or \
                any(abs(part) > ONE_Q20 for part in (*look.forward_q20, *look.up_q20)):
            raise problem(f"has invalid joints or axes of look {at}")


def check_limbs(graph: Graph, joints: int, events: int) -> None:
    """Raises BankProblem for a limb that contradicts itself or the graph. joints, events: their numbers."""
    for at, limb in enumerate(graph.limbs):
        points = [point for point in (limb.point, limb.pole) if point is not None]
        if any(point >= len(graph.parameters) or graph.parameters[point].kind != POINT for point in points) or \
                limb.point is None and limb.span >= events:
            raise problem(f"has an invalid point or span of limb {at}")
        if not _is_weight(limb.weight_parameter, graph) or max(limb.weight_q15, limb.soften_q15) > ONE_Q15 or \
                limb.fade_us > OVER_MOST_US:
            raise problem(f"has an invalid weight, fade or softening of limb {at}")
        if any(after <= before for before, after in pairwise((*limb.joints, joints))) or \
                any(abs(part) > ONE_Q20 for part in limb.axis_q20):
            raise problem(f"has invalid joints or an invalid axis of limb {at}")


def _is_weight(number: int | None, graph: Graph) -> bool:
    """Returns whether a weight is constant, None, or a number from 0 to 1."""
    if number is None:
        return True
    if number >= len(graph.parameters):
        return False
    parameter = graph.parameters[number]
    return parameter.kind == NUMBER and parameter.least >= 0 and parameter.most <= ONE_Q16


def _check_state(state: State, what: str, machine: int, graph: Graph, clips: Sequence[Clip]) -> None:
    if not _ascending(state.transitions, 0, len(graph.transitions) - 1) or any(
            graph.transitions[number].target not in graph.machines[machine].states for number in state.transitions):
        raise problem(f"lists transitions of {what} that do not exist or are out of order, or leave its machine")
    if machine == 0 and (state.nothing or state.one_shot):
        raise problem(f"has {what} that only layers can have")
    if state.blend is not None:
        _check_blend(state, state.blend, what, graph.machines[machine], graph, clips)
    elif state.nothing:
        if replace(state, transitions=(), times_us=()) != nothing_of(state.name):
            raise problem(f"has {what} that plays nothing, but has a clip or watches")
    else:
        _check_played_clip(state, what, graph.machines[machine], graph, clips)
    last_q11 = _last_start(state, clips)
    if len(state.positions_q11) + len(state.times_us) > MOST_WATCHES or \
            not _ascending(state.positions_q11, 0, last_q11) or not _ascending(state.times_us, 1, TIME_MOST_US):
        raise problem(f"has watches of {what} that are out of range or out of order, or more than {MOST_WATCHES}")


def _check_blend(state: State, parameter: int, what: str, machine: Machine, graph: Graph,
                 clips: Sequence[Clip]) -> None:
    if machine.additive:
        raise problem(f"blends clips in {what} of an additive layer")
    for by in (parameter, parameter if state.second is None else state.second):
        if by >= len(graph.parameters) or graph.parameters[by].kind != NUMBER:
            raise problem(f"blends {what} by a parameter that is no number")
    if replace(state, transitions=(), positions_q11=(), times_us=()) != blend_of(
            state.name, parameter, state.members, state.second, state.triangles):
        raise problem(f"has {what} with a clip, a speed or loops besides its blend")
    places = [member.at for member in state.members]
    if len(places) > MOST_MEMBERS or state.second is None and places != sorted(set(places)):
        raise problem(f"has more than {MOST_MEMBERS} clips in the blend of {what}, or in another order")
    if state.second is not None and (len(state.triangles) > MOST_TRIANGLES or not all(
            _is_triangle(triangle, state.members) for triangle in state.triangles)):
        raise problem(f"has more than {MOST_TRIANGLES} triangles in the blend of {what}, or one that is none")
    for member in state.members:
        if not _can_play(member.clip, False, graph, clips) or not _keeps_step(member.sync, clips[member.clip]):
            raise problem(f"has a clip in the blend of {what} that is missing, additive or mirrored, or with marks out "
                          "of order")


def _is_triangle(triangle: Triangle, members: Sequence[Member]) -> bool:
    """Returns whether a triangle has an area above 0, and its corners among the members."""
    if max(triangle.corners) >= len(members):
        return False
    points = [members[corner].point for corner in triangle.corners]
    return all(0 <= place <= PLANE_ONE for point in points for place in point) and doubled_area(*points) > 0


def _can_play(clip: int, additive: bool, graph: Graph, clips: Sequence[Clip]) -> bool:
    """Returns whether a machine may play a clip of this number. additive: whether it adds differences."""
    return clip < len(clips) and clips[clip].additive == additive and (graph.mirrors or not clips[clip].mirrored)


def _keeps_step(sync: Sync, clip: Clip) -> bool:
    """Returns whether the marks are in the order of positions, except where a loop ends."""
    turned = [*sync.marks_q11[1:], sync.marks_q11[0]]
    return 0 < sync.end_q11 == end_q11(clip) and max(sync.marks_q11) < sync.end_q11 and sync.us_per_frame > 0 and \
        sum(after <= before for before, after in zip(sync.marks_q11, turned)) == 1


def _check_played_clip(state: State, what: str, machine: Machine, graph: Graph, clips: Sequence[Clip]) -> None:
    if not _can_play(state.clip, machine.additive, graph, clips) or not 1 <= state.loops <= FOREVER:
        raise problem(f"names a clip for {what} that is missing, additive as its layer is not, or mirrored, or plays "
                      "it 0 times")
    if state.by_position:
        _check_position(state, what, graph)
        return
    speed = state.speed_parameter
    if speed is not None and (speed >= len(graph.parameters) or graph.parameters[speed].kind != NUMBER
                              or graph.parameters[speed].least < 0):
        raise problem(f"names a parameter for the speed of {what} that is no number, or may be below 0")


def _check_position(state: State, what: str, graph: Graph) -> None:
    number = state.speed_parameter
    if number is None or number >= len(graph.parameters) or graph.parameters[number].kind != NUMBER:
        raise problem(f"names a parameter for the position of {what} that is no number")
    if state.one_shot or (state.loops, state.speed_q16, state.positions_q11) != (FOREVER, ONE_Q16, ()):
        raise problem(f"has {what} with a speed, loops or watches besides its position")


def end_q11(clip: Clip) -> int:
    """Returns the position of the last frame of a clip."""
    return (clip.frame_count - 1) * ONE_Q11


def _last_start(state: State, clips: Sequence[Clip]) -> int:
    """Returns the last position at which a state may begin. A blend begins at its first mark, and a parameter may be
    the position."""
    return 0 if state.blend is not None or state.nothing or state.by_position else end_q11(clips[state.clip])


def _ascending(values: Sequence[int], least: int, most: int) -> bool:
    return all(before < after for before, after in pairwise([least - 1, *values, most + 1]))


def _check_transition(transition: Transition, what: str, graph: Graph, clips: Sequence[Clip], events: int) -> None:
    if transition.target >= len(graph.states) or transition.kind not in (INERTIA, CUT, FADE, STEP) or \
            transition.start_q11 > _last_start(graph.states[transition.target], clips) or \
            transition.over_us > OVER_MOST_US or transition.hold_us > TIME_MOST_US:
        raise problem(f"has an invalid target, kind, duration, start or hold for {what}")
    if transition.kind == STEP and (transition.over_us == 0 or graph.states[transition.target].blend is None):
        raise problem(f"has a fade in step that takes no time, or to a clip, for {what}")
    machine = graph.machine_of(transition.target)
    if not all(_is_valid(atom, graph, events, machine) for clause in transition.clauses for atom in clause):
        raise problem(f"has an invalid condition for {what}")


def _is_valid(atom: Atom, graph: Graph, events: int, machine: int) -> bool:
    """Returns whether a condition of a machine may have an atom."""
    parameters = graph.parameters
    if atom.operation == IN:
        first, count = atom.argument & 0xFF, atom.argument >> 8
        return count > 0 and any(first in earlier.states and first + count - 1 in earlier.states
                                 for earlier in graph.machines[:machine])
    if atom.opposite and atom.operation in WITHOUT_OPPOSITE:
        return False
    if atom.operation == AFTER and not 1 <= atom.number <= TIME_MOST_US:
        return False
    if atom.operation in OF_EVENTS:
        return atom.argument < events
    kind = OF_PARAMETERS.get(atom.operation)
    if kind is None:
        return atom.argument == 0
    if atom.argument >= len(parameters) or parameters[atom.argument].kind != kind:
        return False
    return atom.operation != EQUALS or 0 <= atom.number <= parameters[atom.argument].most


def _check_group(group: Group, at: int, states: int) -> None:
    if group.count < 1 or group.first + group.count > states:
        raise problem(f"has a group {at} of states that do not exist")
