"""Packs an animation graph into the section GRPH."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from zlib import crc32

from . import layout
from ..assembling import words_bytes
from .check import problem
from .records import (MOST_CHOSEN, WAITS, WITH_NUMBER, Choice, Clause, Graph, Limb, Look, Machine, State,
                      Triangle)
from ..names import pack_names


class _Conditions:
    """The words of all conditions. Equal ones are stored once."""

    def __init__(self, graph: Graph) -> None:
        self.words: list[int] = []
        self._waits = {wait: at for at, wait in enumerate(graph.waits)}
        self._known: dict[tuple[Clause, ...], int] = {}

    def add(self, clauses: tuple[Clause, ...], machine: int) -> int:
        """Returns the number of the first word of a machine's condition."""
        clauses = tuple(tuple(replace(atom, argument=self._waits[machine, atom.argument])
                              if atom.operation == WAITS else atom for atom in clause) for clause in clauses)
        if clauses not in self._known:
            self._known[clauses] = len(self.words)
            self.words += _condition_words(clauses)
        return self._known[clauses]


def pack_graph(graph: Graph) -> bytes:
    """Returns the content of the section."""
    conditions = _Conditions(graph)
    transitions = [word for transition in graph.transitions for word in (
        transition.target | transition.kind << 8
        | conditions.add(transition.clauses, graph.machine_of(transition.target)) << 16,
        transition.over_us, transition.start_q11, transition.hold_us)]
    machines = [word for number, machine in enumerate(graph.machines)
                for word in _machine_words(machine, number, graph, conditions)]
    lists = [transition for state in graph.states for transition in state.transitions]
    watches = [watch for state in graph.states for watch in (*state.positions_q11, *state.times_us)]
    if max(len(lists), len(watches), len(conditions.words)) > layout.MOST_WORDS:
        raise problem(f"has {len(lists)} entries in lists of transitions, {len(watches)} watches and conditions of "
                      f"{len(conditions.words)} words, but {layout.MOST_WORDS} of each are possible")
    members = [member for state in graph.states for member in state.members]
    syncs = list(dict.fromkeys(member.sync for member in members))
    triangles = [word for state in graph.states for word in _triangle_words(state.triangles)]
    words = [
        len(graph.parameters) | graph.trigger_count << 8 | graph.slewed_count << 16 | graph.point_count << 24,
        len(graph.machines) | len(graph.waits) << 8 | len(graph.masks) << 16 | len(graph.looks) << 24,
        len(graph.states) | len(graph.transitions) << 16, len(members) | len(syncs) << 16,
        len(lists) | len(watches) << 16, len(conditions.words) | len(graph.groups) << 16,
        layout.needs_of(graph) | graph.event_count << 16, graph.longest_us, len(triangles), _layout_crc(graph),
        len(graph.limbs) | len(graph.choices) << 8]
    for parameter in graph.parameters:
        words += [parameter.kind | parameter.slew_us << layout.SLEW_SHIFT, parameter.least, parameter.most,
                  parameter.default]
    words += [*machines, *_state_words(graph.states)]
    for member in members:
        words += [member.clip | syncs.index(member.sync) << 16, member.at, member.stride_q20]
    for sync in syncs:
        words += [sync.end_q11, sync.us_per_frame, len(sync.marks_q11), *sync.marks_q11,
                  *[0] * (layout.SYNC_MARKS - len(sync.marks_q11))]
    words += [*triangles, *transitions, *_halves(lists), *watches, *conditions.words,
              *(trigger | machine << 8 for machine, trigger in graph.waits),
              *(word for mask in graph.masks for word in _halves(mask.weights_q15)),
              *(word for choice in graph.choices for word in _choice_words(choice)),
              *(word for look in graph.looks for word in _look_words(look)),
              *(word for limb in graph.limbs for word in _limb_words(limb)),
              *(group.first | group.count << 8 for group in graph.groups)]
    body = words_bytes(word & 0xFFFFFFFF for word in words) + pack_names(_names(graph))
    return body + bytes(-len(body) % 4)


def _layout_crc(graph: Graph) -> int:
    """Returns the checksum of what generated code depends on, besides numbers of elements."""
    groups = [(group.first, group.count) for group in graph.groups]
    return crc32(bytes([*(parameter.kind for parameter in graph.parameters), *chain(*groups)])
                 + pack_names(_names(graph)))


def _or(none: int, number: int | None) -> int:
    return none if number is None else number


def _halves(values: Sequence[int]) -> list[int]:
    """Returns words with two values each; zero follows an odd number of them."""
    padded = [*values, 0]
    return [padded[at] | padded[at + 1] << 16 for at in range(0, len(values), 2)]


def _look_words(look: Look) -> list[int]:
    weight = _or(layout.NO_PARAMETER, look.weight_parameter)
    links = [word for link in look.links for word in (link.joint | link.weight_q15 << 16, link.limit_q15)]
    return [look.point | weight << 8 | len(look.links) << 16, look.weight_q15, look.fade_us, look.lag_us,
            *look.forward_q20, *look.up_q20, *look.eyes_q20, look.within_q20, look.beyond_q20,
            *links, *[0] * (2 * layout.MOST_LINKS - len(links))]


def _choice_words(choice: Choice) -> list[int]:
    weights = [*choice.weights, *[0] * (MOST_CHOSEN - len(choice.weights))]
    flag = 0 if choice.flag is None else choice.flag + 1
    return [choice.first | choice.count << 8 | flag << 16,
            *(int.from_bytes(weights[at:at + 4], "little") for at in range(0, MOST_CHOSEN, 4))]


def _limb_words(limb: Limb) -> list[int]:
    point, weight, pole = (_or(layout.NO_PARAMETER, part) for part in (limb.point, limb.weight_parameter, limb.pole))
    start, middle, end = limb.joints
    return [point | weight << 8 | pole << 16, limb.span, start | middle << 16, end | limb.soften_q15 << 16,
            limb.weight_q15, limb.fade_us, limb.most_q20, *limb.axis_q20]


def _machine_words(machine: Machine, number: int, graph: Graph, conditions: _Conditions) -> list[int]:
    kind = layout.kind_of(machine, graph) | machine.additive * layout.MACHINE_ADDITIVE
    mask = _or(layout.NO_MASK, machine.mask)
    weight = _or(layout.NO_PARAMETER, machine.weight_parameter)
    return [machine.first | machine.count << 8 | machine.start << 16 | graph.players(machine) << 24,
            kind | mask << 8 | weight << 16, machine.weight_q15, machine.fade_us,
            conditions.add(machine.clauses, number) if machine.clauses else layout.ANYTIME]


def _state_words(states: Sequence[State]) -> list[int]:
    words: list[int] = []
    listed = watched = blended = cut = 0
    for state in states:
        speed = _or(layout.NO_PARAMETER, state.speed_parameter)
        flags = (state.nothing * layout.NOTHING | state.one_shot * layout.ONE_SHOT
                 | state.by_position * layout.BY_POSITION)
        played = state.clip | speed << 16 if state.second is None else cut | state.second << 16
        words += [played | flags << 24, state.loops, state.speed_q16, listed | len(state.transitions) << 16,
                  watched | len(state.positions_q11) << 16 | len(state.times_us) << 24,
                  0 if state.blend is None else len(state.members) | state.blend << 8 | blended << 16]
        blended += len(state.members)
        cut += len(state.triangles)
        listed += len(state.transitions)
        watched += len(state.positions_q11) + len(state.times_us)
    return words


def _triangle_words(triangles: Sequence[Triangle]) -> list[int]:
    words = [sum(corner << 8 * at for at, corner in enumerate(triangle.corners))
             | sum(layout.HULL << at for at, alone in enumerate(triangle.hull) if alone) for triangle in triangles]
    return words[:-1] + [word | layout.LAST_TRIANGLE for word in words[-1:]]


def _condition_words(clauses: Sequence[Clause]) -> list[int]:
    words = []
    for clause_at, clause in enumerate(clauses):
        for at, atom in enumerate(clause):
            flags = layout.NOT if atom.opposite else 0
            if at == len(clause) - 1:
                flags |= layout.LAST if clause_at == len(clauses) - 1 else layout.OR
            words.append(atom.operation | flags | atom.argument << layout.ARGUMENT_SHIFT)
            if atom.operation in WITH_NUMBER:
                words.append(atom.number)
    return words


def _names(graph: Graph) -> list[str]:
    """Returns the names of the section: of each parameter its name, its unit and the names of its values; of the
    states; of the groups; of the layers; of the masks; of the looks; of the limbs."""
    return [*(text for parameter in graph.parameters for text in (parameter.name, parameter.unit, *parameter.values)),
            *(state.name for state in graph.states), *(group.name for group in graph.groups),
            *(layer.name for layer in graph.machines[1:]), *(mask.name for mask in graph.masks),
            *(look.name for look in graph.looks), *(limb.name for limb in graph.limbs)]
