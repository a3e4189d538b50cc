"""The section GRPH: the words of an animation graph (SPEC.md section 26)."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from zlib import crc32

from ..base.format import number
from .assembling import words_bytes
from .clips import Clip
from .graph_check import check_graph, check_looks, check_waits, problem
from .graph_records import (CHOICE, MOST_ATOMS, MOST_CLAUSES, ONE_Q15, TRIGGER, WAITS, WITH_NUMBER, Atom, Clause, Graph,
                            Group, JointMask, Link, Look, Machine, Member, Parameter, State, Sync, Transition,
                            Triangle)
from .names import check_end, pack_names, read_names
from .words import Section

TAG = "GRPH"
MOST_WORDS = 0xFFFF  # of lists, watches and conditions
_HEADER = number("GRAPH_HEADER_WORDS")
_PARAMETER = number("GRAPH_PARAMETER_WORDS")
_MACHINE = number("GRAPH_MACHINE_WORDS")
_STATE = number("GRAPH_STATE_WORDS")
_LOOK, _MOST_LINKS = number("GRAPH_LOOK_WORDS"), number("GRAPH_MOST_LINKS")
_MEMBER = number("GRAPH_MEMBER_WORDS")
_SYNC = number("GRAPH_SYNC_WORDS")
_SYNC_MARKS = number("GRAPH_MOST_SYNC_MARKS")
_TRANSITION = number("GRAPH_TRANSITION_WORDS")
_SLEW_SHIFT = number("GRAPH_SLEW_SHIFT")
_NO_PARAMETER = number("GRAPH_NO_PARAMETER")
_NEEDS_INERTIA = number("GRAPH_NEEDS_INERTIA")
_NEEDS_BLENDS = number("GRAPH_NEEDS_BLENDS")
_NEEDS_LAYERS = number("GRAPH_NEEDS_LAYERS")
_NEEDS_ADDITIVE = number("GRAPH_NEEDS_ADDITIVE")
_NEEDS_PLANES = number("GRAPH_NEEDS_PLANES")
_KNOWN_NEEDS = _NEEDS_INERTIA | _NEEDS_BLENDS | _NEEDS_LAYERS | _NEEDS_ADDITIVE | _NEEDS_PLANES
_INERTIA, _ADDITIVE, _BLENDS, _PLANES = (
    number(f"GRAPH_MACHINE_{kind}") for kind in ("INERTIA", "ADDITIVE", "BLENDS", "PLANES"))
_NOTHING, _ONE_SHOT = number("GRAPH_STATE_NOTHING"), number("GRAPH_STATE_ONE_SHOT")
_NO_MASK, _ANYTIME = number("GRAPH_NO_MASK"), number("GRAPH_ANYTIME")
_HULL = number("GRAPH_TRIANGLE_HULL")
_LAST_TRIANGLE = number("GRAPH_TRIANGLE_LAST")
_UNKNOWN_OF_TRIANGLES = number("GRAPH_TRIANGLE_UNKNOWN")
_ATOM_KINDS = number("GRAPH_ATOM_KINDS")
_NOT, _OR, _LAST = (number(f"GRAPH_ATOM_{flag}") for flag in ("NOT", "OR", "LAST"))
_OPERATION, _FLAGS, _ARGUMENT_SHIFT = 0xFF, 0xFF00, 16


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
    if max(len(lists), len(watches), len(conditions.words)) > MOST_WORDS:
        raise problem(f"has {len(lists)} entries in lists of transitions, {len(watches)} watches and conditions of "
                      f"{len(conditions.words)} words, but {MOST_WORDS} of each are possible")
    members = [member for state in graph.states for member in state.members]
    syncs = list(dict.fromkeys(member.sync for member in members))
    triangles = [word for state in graph.states for word in _triangle_words(state.triangles)]
    words = [
        len(graph.parameters) | graph.trigger_count << 8 | graph.slewed_count << 16 | graph.point_count << 24,
        len(graph.machines) | len(graph.waits) << 8 | len(graph.masks) << 16 | len(graph.looks) << 24,
        len(graph.states) | len(graph.transitions) << 16, len(members) | len(syncs) << 16,
        len(lists) | len(watches) << 16, len(conditions.words) | len(graph.groups) << 16,
        _needs(graph) | graph.event_count << 16, graph.longest_us, len(triangles), _layout_crc(graph)]
    for parameter in graph.parameters:
        words += [parameter.kind | parameter.slew_us << _SLEW_SHIFT, parameter.least, parameter.most,
                  parameter.default]
    words += [*machines, *_state_words(graph.states)]
    for member in members:
        words += [member.clip | syncs.index(member.sync) << 16, member.at, member.stride_q20]
    for sync in syncs:
        words += [sync.end_q11, sync.us_per_frame, len(sync.marks_q11), *sync.marks_q11,
                  *[0] * (_SYNC_MARKS - len(sync.marks_q11))]
    words += [*triangles, *transitions, *_halves(lists), *watches, *conditions.words,
              *(trigger | machine << 8 for machine, trigger in graph.waits),
              *(word for mask in graph.masks for word in _halves(mask.weights_q15)),
              *(word for look in graph.looks for word in _look_words(look)),
              *(group.first | group.count << 8 for group in graph.groups)]
    body = words_bytes(word & 0xFFFFFFFF for word in words) + pack_names(_names(graph))
    return body + bytes(-len(body) % 4)


def _layout_crc(graph: Graph) -> int:
    """Returns the checksum of what generated code depends on, besides numbers of elements."""
    groups = [(group.first, group.count) for group in graph.groups]
    return crc32(bytes([*(parameter.kind for parameter in graph.parameters), *chain(*groups)])
                 + pack_names(_names(graph)))


def _halves(values: Sequence[int]) -> list[int]:
    """Returns words with two values each; zero follows an odd number of them."""
    padded = [*values, 0]
    return [padded[at] | padded[at + 1] << 16 for at in range(0, len(values), 2)]


def _look_words(look: Look) -> list[int]:
    weight = _NO_PARAMETER if look.weight_parameter is None else look.weight_parameter
    links = [word for link in look.links for word in (link.joint | link.weight_q15 << 16, link.limit_q15)]
    return [look.point | weight << 8 | len(look.links) << 16, look.weight_q15, look.fade_us, look.lag_us,
            *look.forward_q20, *look.up_q20, *look.eyes_q20, look.within_q20, look.beyond_q20,
            *links, *[0] * (2 * _MOST_LINKS - len(links))]


def _needs(graph: Graph) -> int:
    return ((graph.transition_count > 0) * _NEEDS_INERTIA | graph.has_blends * _NEEDS_BLENDS
            | graph.has_layers * _NEEDS_LAYERS | graph.has_additive * _NEEDS_ADDITIVE
            | graph.has_planes * _NEEDS_PLANES)


def _machine_words(machine: Machine, number: int, graph: Graph, conditions: _Conditions) -> list[int]:
    kind = graph.remembers(machine) * _INERTIA | machine.additive * _ADDITIVE | graph.blends(machine) * _BLENDS \
        | graph.has_plane(machine) * _PLANES
    mask = _NO_MASK if machine.mask is None else machine.mask
    weight = _NO_PARAMETER if machine.weight_parameter is None else machine.weight_parameter
    return [machine.first | machine.count << 8 | machine.start << 16 | graph.players(machine) << 24,
            kind | mask << 8 | weight << 16, machine.weight_q15, machine.fade_us,
            conditions.add(machine.clauses, number) if machine.clauses else _ANYTIME]


def _state_words(states: Sequence[State]) -> list[int]:
    words: list[int] = []
    listed = watched = blended = cut = 0
    for state in states:
        speed = _NO_PARAMETER if state.speed_parameter is None else state.speed_parameter
        flags = state.nothing * _NOTHING | state.one_shot * _ONE_SHOT
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
             | sum(_HULL << at for at, alone in enumerate(triangle.hull) if alone) for triangle in triangles]
    return words[:-1] + [word | _LAST_TRIANGLE for word in words[-1:]]


def _condition_words(clauses: Sequence[Clause]) -> list[int]:
    words = []
    for clause_at, clause in enumerate(clauses):
        for at, atom in enumerate(clause):
            flags = _NOT if atom.opposite else 0
            if at == len(clause) - 1:
                flags |= _LAST if clause_at == len(clauses) - 1 else _OR
            words.append(atom.operation | flags | atom.argument << _ARGUMENT_SHIFT)
            if atom.operation in WITH_NUMBER:
                words.append(atom.number)
    return words


def _names(graph: Graph) -> list[str]:
    """Returns the names of the section: of each parameter its name, its unit and the names of its values; of the
    states; of the groups; of the layers; of the masks; of the looks."""
    return [*(text for parameter in graph.parameters for text in (parameter.name, parameter.unit, *parameter.values)),
            *(state.name for state in graph.states), *(group.name for group in graph.groups),
            *(layer.name for layer in graph.machines[1:]), *(mask.name for mask in graph.masks),
            *(look.name for look in graph.looks)]


def parse_graph(section: Section | None, words: tuple[int, ...], clips: Sequence[Clip], events: Sequence[str],
                joints: int) -> Graph | None:
    """Reads and checks the section. events: their names; joints: their number. Returns None for a bank without a graph.
    Raises BankProblem."""
    if section is None:
        return None
    cut = section.cut(words)
    if len(cut) < _HEADER:
        raise problem("is empty")
    if cut[8] > MOST_WORDS:
        raise problem(f"has {cut[8]} triangles, but {MOST_WORDS} are possible")
    machine_count, wait_count, mask_count, look_count = cut[1].to_bytes(4, "little")
    halves = [half for word in cut[2:6] for half in (word & 0xFFFF, word >> 16)]
    state_count, transition_count, member_count, sync_count, list_count, watch_count, atom_count, group_count = halves
    mask_words = (joints + 1) // 2
    sizes = [_PARAMETER * (cut[0] & 0xFF), _MACHINE * machine_count, _STATE * state_count, _MEMBER * member_count,
             _SYNC * sync_count, cut[8], _TRANSITION * transition_count, (list_count + 1) // 2, watch_count,
             atom_count, wait_count, mask_count * mask_words, _LOOK * look_count, group_count]
    parts, first = [], _HEADER
    for size in sizes:
        parts.append(cut[first:first + size])
        first += size
    if first > len(cut):
        raise problem(f"has {len(cut)} words, but its counts need {first}")
    (parameters, machines, states, members, syncs, triangles, transitions, lists, watches, atoms, waits, masks, looks,
     groups) = parts
    if list_count % 2 and lists[-1] >> 16:
        raise problem("has a list of transitions that is not padded with zeros")
    blended = _members(members, syncs)
    conditions = _ReadConditions(atoms, waits)
    known = tuple(_machine(machines[at:at + _MACHINE], at // _MACHINE, conditions)
                  for at in range(0, len(machines), _MACHINE))
    graph = _named(Graph(
        parameters=tuple(_parameter(parameters[at:at + _PARAMETER]) for at in range(0, len(parameters), _PARAMETER)),
        machines=known,
        states=tuple(_state(states[at:at + _STATE], at // _STATE, _unpacked(lists, list_count), watches, blended,
                            triangles)
                     for at in range(0, len(states), _STATE)),
        transitions=tuple(_transition(transitions[at:at + _TRANSITION], at // _TRANSITION, conditions, known)
                          for at in range(0, len(transitions), _TRANSITION)),
        groups=tuple(_group(word) for word in groups),
        masks=tuple(JointMask("", _weights(masks[at:at + mask_words], joints))
                    for at in range(0, len(masks), mask_words)),
        looks=tuple(_look(looks[at:at + _LOOK], at // _LOOK) for at in range(0, len(looks), _LOOK)),
        event_count=cut[6] >> 16, longest_us=cut[7]), words_bytes(cut), 4 * first)
    if (graph.trigger_count, graph.slewed_count, graph.point_count) != tuple(cut[0].to_bytes(4, "little")[1:]):
        raise problem("has other triggers, slewed numbers and points than it states")
    check_graph(graph, clips, len(events))
    check_looks(graph, joints)
    check_waits([(wait >> 8, wait & 0xFF) for wait in waits], graph)
    if cut[6] & _KNOWN_NEEDS != cut[6] & 0xFFFF or _needs(graph) & ~cut[6]:
        raise problem(f"states needs {cut[6] & 0xFFFF:#x} that do not match its states and transitions")
    _check_machine_words(graph, machines)
    return graph


def _unpacked(words: Sequence[int], count: int) -> list[int]:
    return [half for word in words for half in (word & 0xFFFF, word >> 16)][:count]


def _signed(word: int) -> int:
    return word - (word >> 31 << 32)


def _parameter(words: Sequence[int]) -> Parameter:
    kind, slew_us = words[0] & 0xFF, words[0] >> _SLEW_SHIFT
    return Parameter("", kind, _signed(words[1]), words[2] if kind == TRIGGER else _signed(words[2]),
                     _signed(words[3]), slew_us)


def _members(words: Sequence[int], syncs: Sequence[int]) -> list[Member]:
    records = []
    for first in range(0, len(syncs), _SYNC):
        end_q11, us_per_frame, count, *marks = syncs[first:first + _SYNC]
        if not 1 <= count <= _SYNC_MARKS or any(marks[count:]):
            raise problem(f"has a clip of a blend with {count} marks, or marks beyond them")
        records.append(Sync(tuple(marks[:count]), end_q11, us_per_frame))
    members = []
    for first in range(0, len(words), _MEMBER):
        clip, at, stride = words[first:first + _MEMBER]
        if clip >> 16 >= len(records):
            raise problem("has a clip of a blend without marks")
        members.append(Member(clip & 0xFFFF, _signed(at), records[clip >> 16], _signed(stride)))
    return members


def _state(words: Sequence[int], at: int, lists: Sequence[int], watches: Sequence[int],
           members: Sequence[Member], triangles: Sequence[int]) -> State:
    speed, flags, first, count = words[0] >> 16 & 0xFF, words[0] >> 24, words[3] & 0xFFFF, words[3] >> 16
    watch, positions, times = words[4] & 0xFFFF, words[4] >> 16 & 0xFF, words[4] >> 24
    if first + count > len(lists) or watch + positions + times > len(watches) or flags & ~(_NOTHING | _ONE_SHOT):
        raise problem(f"has state {at} with transitions or watches beyond those that it has, or with unknown flags")
    state = State("", words[0] & 0xFFFF, words[1], _signed(words[2]), None if speed == _NO_PARAMETER else speed,
                  tuple(lists[first:first + count]), tuple(watches[watch:watch + positions]),
                  tuple(watches[watch + positions:watch + positions + times]),
                  *_blend(words[5], f"state {at}", members), nothing=bool(flags & _NOTHING),
                  one_shot=bool(flags & _ONE_SHOT))
    if state.blend is None or speed == _NO_PARAMETER:
        return state
    return replace(state, clip=0, speed_parameter=None, second=speed,
                   triangles=_triangles(triangles, state.clip, f"state {at}"))


def _triangles(words: Sequence[int], first: int, what: str) -> tuple[Triangle, ...]:
    """Returns the triangles of a blend by two numbers."""
    triangles = []
    for word in words[first:]:
        if word & _UNKNOWN_OF_TRIANGLES:
            raise problem(f"has a triangle {word:#x} with unknown bits for {what}")
        triangles.append(Triangle((word & 0xFF, word >> 8 & 0xFF, word >> 16 & 0xFF),
                                  (bool(word & _HULL), bool(word & _HULL << 1), bool(word & _HULL << 2))))
        if word & _LAST_TRIANGLE:
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
    if weight > _NO_PARAMETER:
        raise problem(f"has unknown bits in machine {at}")
    return Machine("", words[0] & 0xFF, words[0] >> 8 & 0xFF, words[0] >> 16 & 0xFF, None if mask == _NO_MASK else mask,
                   words[2], None if weight == _NO_PARAMETER else weight, words[3],
                   () if words[4] == _ANYTIME else conditions.read(words[4], at, f"machine {at}"),
                   bool(words[1] & _ADDITIVE))


def _check_machine_words(graph: Graph, words: Sequence[int]) -> None:
    """Raises BankProblem if the kinds of machines and their players do not match their states and transitions."""
    for at, machine in enumerate(graph.machines):
        states, kind = words[_MACHINE * at], words[_MACHINE * at + 1] & 0xFF
        needed = graph.remembers(machine) * _INERTIA | graph.blends(machine) * _BLENDS | \
            graph.has_plane(machine) * _PLANES
        players = 3 if kind & _PLANES else 2 if kind & _BLENDS else 1
        if needed & ~kind or kind & ~(_INERTIA | _ADDITIVE | _BLENDS | _PLANES) or states >> 24 != players:
            raise problem(f"has a kind or players of machine {at} that do not match its states and transitions")


def _look(words: Sequence[int], at: int) -> Look:
    point, weight, count, reserved = words[0].to_bytes(4, "little")
    if not 1 <= count <= _MOST_LINKS or reserved:
        raise problem(f"has look {at} with {count} joints, or unknown bits")
    forward, up, eyes = ((_signed(x), _signed(y), _signed(z))
                         for x, y, z in (words[first:first + 3] for first in (4, 7, 10)))
    links = tuple(Link(words[first] & 0xFFFF, words[first] >> 16, words[first + 1])
                  for first in range(15, 15 + 2 * count, 2))
    return Look("", point, words[1], None if weight == _NO_PARAMETER else weight, words[2], words[3],
                forward, up, eyes, _signed(words[13]), _signed(words[14]), links)


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
        if at >= len(words) or at + 1 == len(words) and words[at] & _OPERATION in WITH_NUMBER:
            raise problem(f"has a condition without an end for {what}")
        word, operation, value = words[at], words[at] & _OPERATION, 0
        flags = word & _FLAGS
        if flags & ~(_NOT | _OR | _LAST) or flags & _OR and flags & _LAST or operation >= _ATOM_KINDS:
            raise problem(f"has an unknown atom {word:#x} in the condition of {what}")
        if operation in WITH_NUMBER:
            value = _signed(words[at + 1])
        if len(clause) == MOST_ATOMS or len(clauses) == MOST_CLAUSES:
            raise problem(f"has a condition of more than {MOST_CLAUSES} clauses of {MOST_ATOMS} atoms for {what}")
        clause.append(Atom(operation, bool(flags & _NOT), word >> _ARGUMENT_SHIFT, value))
        at += 1 + (operation in WITH_NUMBER)
        if flags & (_OR | _LAST):
            clauses.append(tuple(clause))
            clause = []
        if flags & _LAST:
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
             + len(graph.masks) + len(graph.looks))
    if count > len(section):
        raise problem("has fewer names than parameters, states and groups")
    texts, end = read_names(section, first, count, TAG, lambda at: f"name {at} of the graph")
    check_end(section, end, count, TAG)
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
        looks=tuple(replace(look, name=next(names)) for look in graph.looks))
