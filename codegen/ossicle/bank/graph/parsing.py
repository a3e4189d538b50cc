"""Reads an animation graph from the section GRPH."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from . import layout
from ..assembling import words_bytes
from ..clips import Clip
from .check import check_graph, check_limbs, check_looks, check_waits, problem
from .records import (CHOICE, MOST_ATOMS, MOST_CLAUSES, ONE_Q15, TRIGGER, WAITS, WITH_NUMBER, Atom, Choice,
                      Clause, Graph, Group, JointMask, Limb, Link, Look, Machine, Member, Parameter, State,
                      Sync, Transition, Triangle)
from ..names import check_end, read_names
from ..words import Section


def parse_graph(section: Section | None, words: tuple[int, ...], clips: Sequence[Clip], events: Sequence[str],
                joints: int) -> Graph | None:
    """Reads and checks the section. events: their names; joints: their number. Returns None for a bank without a graph.
    Raises BankProblem."""
    if section is None:
        return None
    cut = section.cut(words)
    if len(cut) < layout.HEADER_WORDS:
        raise problem("is empty")
    if cut[8] > layout.MOST_WORDS:
        raise problem(f"has {cut[8]} triangles, but {layout.MOST_WORDS} are possible")
    limb_count, choice_count, *unknown = cut[10].to_bytes(4, "little")
    if any(unknown):
        raise problem(f"has unknown bits {cut[10]:#x}")
    machine_count, wait_count, mask_count, look_count = cut[1].to_bytes(4, "little")
    halves = [half for word in cut[2:6] for half in (word & 0xFFFF, word >> 16)]
    state_count, transition_count, member_count, sync_count, list_count, watch_count, atom_count, group_count = halves
    mask_words = (joints + 1) // 2
    sizes = [layout.PARAMETER_WORDS * (cut[0] & 0xFF), layout.MACHINE_WORDS * machine_count,
             layout.STATE_WORDS * state_count, layout.MEMBER_WORDS * member_count, layout.SYNC_WORDS * sync_count,
             cut[8], layout.TRANSITION_WORDS * transition_count, (list_count + 1) // 2, watch_count, atom_count,
             wait_count, mask_count * mask_words, layout.CHOICE_WORDS * choice_count, layout.LOOK_WORDS * look_count,
             layout.LIMB_WORDS * limb_count, group_count]
    parts, first = [], layout.HEADER_WORDS
    for size in sizes:
        parts.append(cut[first:first + size])
        first += size
    if first > len(cut):
        raise problem(f"has {len(cut)} words, but its counts need {first}")
    (parameters, machines, states, members, syncs, triangles, transitions, lists, watches, atoms, waits, masks, choices,
     looks, limbs, groups) = parts
    if list_count % 2 and lists[-1] >> 16:
        raise problem("has a list of transitions that is not padded with zeros")
    blended = _members(members, syncs)
    conditions = _ReadConditions(atoms, waits)
    known = tuple(_machine(record, at, conditions) for at, record in _records(machines, layout.MACHINE_WORDS))
    graph = _named(Graph(
        parameters=tuple(_parameter(record) for _, record in _records(parameters, layout.PARAMETER_WORDS)),
        machines=known,
        states=tuple(_state(record, at, _unpacked(lists, list_count), watches, blended, triangles)
                     for at, record in _records(states, layout.STATE_WORDS)),
        transitions=tuple(_transition(record, at, conditions, known)
                          for at, record in _records(transitions, layout.TRANSITION_WORDS)),
        groups=tuple(_group(word) for word in groups),
        masks=tuple(JointMask("", _weights(record, joints)) for _, record in _records(masks, mask_words)),
        looks=tuple(_look(record, at) for at, record in _records(looks, layout.LOOK_WORDS)),
        limbs=tuple(_limb(record, at) for at, record in _records(limbs, layout.LIMB_WORDS)),
        event_count=cut[6] >> 16, longest_us=cut[7],
        shared=bool(cut[6] & layout.NEEDS_POOL), mirrors=bool(cut[6] & layout.NEEDS_MIRROR),
        choices=tuple(_choice(record, at) for at, record in _records(choices, layout.CHOICE_WORDS))),
        words_bytes(cut), 4 * first)
    if (graph.trigger_count, graph.slewed_count, graph.point_count) != tuple(cut[0].to_bytes(4, "little")[1:]):
        raise problem("has other triggers, slewed numbers and points than it states")
    check_graph(graph, clips, len(events))
    check_looks(graph, joints)
    check_limbs(graph, joints, len(events))
    check_waits([(wait >> 8, wait & 0xFF) for wait in waits], graph)
    if cut[6] & layout.KNOWN_NEEDS != cut[6] & 0xFFFF or layout.needs_of(graph) & ~cut[6]:
        raise problem(f"states needs {cut[6] & 0xFFFF:#x} that do not match its states and transitions")
    _check_machine_words(graph, machines)
    return graph


def _records(words: Sequence[int], size: int) -> list[tuple[int, Sequence[int]]]:
    """Returns the records of `size` words each, with their numbers."""
    return [(first // size, words[first:first + size]) for first in range(0, len(words), size)]


def _unpacked(words: Sequence[int], count: int) -> list[int]:
    return [half for word in words for half in (word & 0xFFFF, word >> 16)][:count]


def _unless(none: int, number: int) -> int | None:
    return None if number == none else number


def _signed(word: int) -> int:
    return word - (word >> 31 << 32)


def _parameter(words: Sequence[int]) -> Parameter:
    kind, slew_us = words[0] & 0xFF, words[0] >> layout.SLEW_SHIFT
    return Parameter("", kind, _signed(words[1]), words[2] if kind == TRIGGER else _signed(words[2]),
                     _signed(words[3]), slew_us)


def _members(words: Sequence[int], syncs: Sequence[int]) -> list[Member]:
    records = []
    for _, (end_q11, us_per_frame, count, *marks) in _records(syncs, layout.SYNC_WORDS):
        if not 1 <= count <= layout.SYNC_MARKS or any(marks[count:]):
            raise problem(f"has a clip of a blend with {count} marks, or marks beyond them")
        records.append(Sync(tuple(marks[:count]), end_q11, us_per_frame))
    members = []
    for _, (clip, at, stride) in _records(words, layout.MEMBER_WORDS):
        if clip >> 16 >= len(records):
            raise problem("has a clip of a blend without marks")
        members.append(Member(clip & 0xFFFF, _signed(at), records[clip >> 16], _signed(stride)))
    return members


def _state(words: Sequence[int], at: int, lists: Sequence[int], watches: Sequence[int],
           members: Sequence[Member], triangles: Sequence[int]) -> State:
    speed, flags, first, count = words[0] >> 16 & 0xFF, words[0] >> 24, words[3] & 0xFFFF, words[3] >> 16
    watch, positions, times = words[4] & 0xFFFF, words[4] >> 16 & 0xFF, words[4] >> 24
    unknown = flags & ~(layout.NOTHING | layout.ONE_SHOT | layout.BY_POSITION)
    if first + count > len(lists) or watch + positions + times > len(watches) or unknown:
        raise problem(f"has state {at} with transitions or watches beyond those that it has, or with unknown flags")
    state = State("", words[0] & 0xFFFF, words[1], _signed(words[2]), _unless(layout.NO_PARAMETER, speed),
                  tuple(lists[first:first + count]), tuple(watches[watch:watch + positions]),
                  tuple(watches[watch + positions:watch + positions + times]),
                  *_blend(words[5], f"state {at}", members), nothing=bool(flags & layout.NOTHING),
                  one_shot=bool(flags & layout.ONE_SHOT), by_position=bool(flags & layout.BY_POSITION))
    if state.blend is None or speed == layout.NO_PARAMETER:
        return state
    return replace(state, clip=0, speed_parameter=None, second=speed,
                   triangles=_triangles(triangles, state.clip, f"state {at}"))


def _triangles(words: Sequence[int], first: int, what: str) -> tuple[Triangle, ...]:
    """Returns the triangles of a blend by two numbers."""
    triangles = []
    for word in words[first:]:
        if word & layout.UNKNOWN_OF_TRIANGLES:
            raise problem(f"has a triangle {word:#x} with unknown bits for {what}")
        on_hull = [bool(word & layout.HULL << corner) for corner in range(3)]
        triangles.append(Triangle((word & 0xFF, word >> 8 & 0xFF, word >> 16 & 0xFF),
                                  (on_hull[0], on_hull[1], on_hull[2])))
        if word & layout.LAST_TRIANGLE:
            return tuple(triangles)
    raise problem(f"has triangles without an end for {what}")


def _blend(word: int, what: str, members: Sequence[Member]) -> tuple[int | None, tuple[Member, ...]]:
    """Returns the parameter and the members of a blend, or (None, ()) for a state that plays one clip."""
    count, first = word & 0xFF, word >> 16
    if word == 0:
        return None, ()
    if count == 0 or first + count > len(members):
        raise problem(f"has {what} with clips of a blend that do not exist")
    return word >> 8 & 0xFF, tuple(members[first:first + count])


class _ReadConditions:
    """Reads conditions. Waits become the triggers of their machine."""

    def __init__(self, words: Sequence[int], waits: Sequence[int]) -> None:
        self._words = words
        self._waits = [(wait >> 8, wait & 0xFF) for wait in waits]

    def read(self, at: int, machine: int, what: str) -> tuple[Clause, ...]:
        """Returns the condition of a machine that begins with this word."""
        return tuple(tuple(self._atom(atom, machine, what) for atom in clause)
                     for clause in _condition(self._words, at, what))

    def _atom(self, atom: Atom, machine: int, what: str) -> Atom:
        if atom.operation != WAITS:
            return atom
        if atom.argument >= len(self._waits) or self._waits[atom.argument][0] != machine:
            raise problem(f"waits for a trigger that {what} does not have")
        return replace(atom, argument=self._waits[atom.argument][1])


def _machine(words: Sequence[int], at: int, conditions: _ReadConditions) -> Machine:
    mask, weight = words[1] >> 8 & 0xFF, words[1] >> 16
    if weight > layout.NO_PARAMETER:
        raise problem(f"has unknown bits in machine {at}")
    return Machine("", words[0] & 0xFF, words[0] >> 8 & 0xFF, words[0] >> 16 & 0xFF, _unless(layout.NO_MASK, mask),
                   words[2], _unless(layout.NO_PARAMETER, weight), words[3],
                   () if words[4] == layout.ANYTIME else conditions.read(words[4], at, f"machine {at}"),
                   bool(words[1] & layout.MACHINE_ADDITIVE))


def _check_machine_words(graph: Graph, words: Sequence[int]) -> None:
    """Raises BankProblem if the kinds of machines and their players do not match their states and transitions."""
    for at, (states, kind, *_) in _records(words, layout.MACHINE_WORDS):
        kind &= 0xFF
        needed = layout.kind_of(graph.machines[at], graph)
        players = 3 if kind & layout.MACHINE_PLANES else 2 if kind & layout.MACHINE_BLENDS else 1
        if kind & layout.MACHINE_FADES:
            players, needed = 2 * players, needed | layout.MACHINE_INERTIA
        if needed & ~kind or kind & ~layout.KNOWN_KINDS or states >> 24 != players:
            raise problem(f"has a kind or players of machine {at} that do not match its states and transitions")


def _look(words: Sequence[int], at: int) -> Look:
    point, weight, count, reserved = words[0].to_bytes(4, "little")
    if not 1 <= count <= layout.MOST_LINKS or reserved:
        raise problem(f"has look {at} with {count} joints, or unknown bits")
    forward, up, eyes = ((_signed(x), _signed(y), _signed(z))
                         for x, y, z in (words[first:first + 3] for first in (4, 7, 10)))
    links = tuple(Link(words[first] & 0xFFFF, words[first] >> 16, words[first + 1])
                  for first in range(15, 15 + 2 * count, 2))
    return Look("", point, words[1], _unless(layout.NO_PARAMETER, weight), words[2], words[3],
                forward, up, eyes, _signed(words[13]), _signed(words[14]), links)


def _choice(words: Sequence[int], at: int) -> Choice:
    first, count, flag = words[0] & 0xFF, words[0] >> 8 & 0xFF, words[0] >> 16
    weights = words_bytes(words[1:])
    if any(weights[count:]):
        raise problem(f"has weights of choice {at} that belong to no state")
    return Choice(first, count, tuple(weights[:count]) if any(weights) else (), flag - 1 if flag else None)


def _limb(words: Sequence[int], at: int) -> Limb:
    point, weight, pole, reserved = words[0].to_bytes(4, "little")
    if reserved or point != layout.NO_PARAMETER and words[1]:
        raise problem(f"has limb {at} with unknown bits, or a point and a span")
    x, y, z = map(_signed, words[7:])
    return Limb("", _unless(layout.NO_PARAMETER, point), words[1],
                (words[2] & 0xFFFF, words[2] >> 16, words[3] & 0xFFFF), (x, y, z),
                _unless(layout.NO_PARAMETER, pole), words[3] >> 16, words[4], _unless(layout.NO_PARAMETER, weight),
                words[5], words[6])


def _weights(words: Sequence[int], joints: int) -> tuple[int, ...]:
    halves = _unpacked(words, 2 * len(words))
    if max(halves) > ONE_Q15:
        raise problem("has a mask with a weight above 1")
    return tuple(halves[:joints])


def _transition(words: Sequence[int], at: int, conditions: _ReadConditions, machines: Sequence[Machine]) -> Transition:
    target = words[0] & 0xFF
    machine = next((number for number, machine in enumerate(machines) if target in machine.states), 0)
    return Transition(target, words[0] >> 8 & 0xFF, words[1], words[2], words[3],
                      conditions.read(words[0] >> 16, machine, f"transition {at}"))


def _condition(words: Sequence[int], at: int, what: str) -> tuple[Clause, ...]:
    clauses: list[Clause] = []
    clause: list[Atom] = []
    while True:
        if at >= len(words) or at + 1 == len(words) and words[at] & layout.OPERATION in WITH_NUMBER:
            raise problem(f"has a condition without an end for {what}")
        word, operation, value = words[at], words[at] & layout.OPERATION, 0
        flags = word & layout.FLAGS
        ends_twice = flags & layout.OR and flags & layout.LAST
        if flags & ~layout.KNOWN_FLAGS or ends_twice or operation >= layout.ATOM_KINDS:
            raise problem(f"has an unknown atom {word:#x} in the condition of {what}")
        if operation in WITH_NUMBER:
            value = _signed(words[at + 1])
        if len(clause) == MOST_ATOMS or len(clauses) == MOST_CLAUSES:
            raise problem(f"has a condition of more than {MOST_CLAUSES} clauses of {MOST_ATOMS} atoms for {what}")
        clause.append(Atom(operation, bool(flags & layout.NOT), word >> layout.ARGUMENT_SHIFT, value))
        at += 1 + (operation in WITH_NUMBER)
        if flags & (layout.OR | layout.LAST):
            clauses.append(tuple(clause))
            clause = []
        if flags & layout.LAST:
            return tuple(clauses)


def _group(word: int) -> Group:
    if word >> 16:
        raise problem(f"has a group {word:#x} with unknown bits")
    return Group("", word & 0xFF, word >> 8)


def _named(graph: Graph, section: bytes, first: int) -> Graph:
    """Returns the graph with its names, which begin at the byte `first` of the section."""
    values = [parameter.most + 1 if parameter.kind == CHOICE and parameter.most >= 0 else 0
              for parameter in graph.parameters]
    count = (2 * len(values) + sum(values) + len(graph.states) + len(graph.groups) + len(graph.machines[1:])
             + len(graph.masks) + len(graph.looks) + len(graph.limbs))
    if count > len(section):
        raise problem("has fewer names than parameters, states and groups")
    texts, end = read_names(section, first, count, layout.TAG, lambda at: f"name {at} of the graph")
    check_end(section, end, count, layout.TAG)
    names = iter(texts)
    return replace(
        graph,
        parameters=tuple(replace(parameter, name=next(names), unit=next(names),
                                 values=tuple(next(names) for _ in range(count)))
                         for parameter, count in zip(graph.parameters, values)),
        states=tuple(replace(state, name=next(names)) for state in graph.states),
        groups=tuple(replace(group, name=next(names)) for group in graph.groups),
        machines=(*graph.machines[:1], *(replace(machine, name=next(names)) for machine in graph.machines[1:])),
        masks=tuple(replace(mask, name=next(names)) for mask in graph.masks),
        looks=tuple(replace(look, name=next(names)) for look in graph.looks),
        limbs=tuple(replace(limb, name=next(names)) for limb in graph.limbs))
