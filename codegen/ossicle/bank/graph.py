"""The section GRPH: the words of an animation graph (SPEC.md section 26)."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..base.format import number
from .assembling import words_bytes
from .clips import Clip
from .graph_check import check_graph, problem
from .graph_records import (CHOICE, MOST_ATOMS, MOST_CLAUSES, TRIGGER, WITH_NUMBER, Atom, Clause, Graph, Group,
                            Member, Parameter, State, Sync, Transition, Triangle)
from .names import check_end, pack_names, read_names
from .words import Section

TAG = "GRPH"
MOST_WORDS = 0xFFFF  # of lists, watches and conditions
_HEADER = number("GRAPH_HEADER_WORDS")
_PARAMETER = number("GRAPH_PARAMETER_WORDS")
_STATE = number("GRAPH_STATE_WORDS")
_MEMBER = number("GRAPH_MEMBER_WORDS")
_SYNC = number("GRAPH_SYNC_WORDS")
_SYNC_MARKS = number("GRAPH_MOST_SYNC_MARKS")
_TRANSITION = number("GRAPH_TRANSITION_WORDS")
_SLEW_SHIFT = number("GRAPH_SLEW_SHIFT")
_NO_PARAMETER = number("GRAPH_NO_PARAMETER")
_NEEDS_INERTIA = number("GRAPH_NEEDS_INERTIA")
_NEEDS_BLENDS = number("GRAPH_NEEDS_BLENDS")
_NEEDS_PLANES = number("GRAPH_NEEDS_PLANES")
_KNOWN_NEEDS = _NEEDS_INERTIA | _NEEDS_BLENDS | _NEEDS_PLANES
_HULL = number("GRAPH_TRIANGLE_HULL")
_LAST_TRIANGLE = number("GRAPH_TRIANGLE_LAST")
_UNKNOWN_OF_TRIANGLES = number("GRAPH_TRIANGLE_UNKNOWN")
_ATOM_KINDS = number("GRAPH_ATOM_KINDS")
_NOT, _OR, _LAST = (number(f"GRAPH_ATOM_{flag}") for flag in ("NOT", "OR", "LAST"))
_OPERATION, _FLAGS, _ARGUMENT_SHIFT = 0xFF, 0xFF00, 16


def pack_graph(graph: Graph) -> bytes:
    """Returns the content of the section. Equal conditions are stored once."""
    conditions: dict[tuple[Clause, ...], int] = {}
    atoms: list[int] = []
    for transition in graph.transitions:
        if transition.clauses not in conditions:
            conditions[transition.clauses] = len(atoms)
            atoms += _condition_words(transition.clauses)
    lists = [transition for state in graph.states for transition in state.transitions]
    watches = [watch for state in graph.states for watch in (*state.positions_q11, *state.times_us)]
    if max(len(lists), len(watches), len(atoms)) > MOST_WORDS:
        raise problem(f"has {len(lists)} entries in lists of transitions, {len(watches)} watches and conditions of "
                      f"{len(atoms)} words, but {MOST_WORDS} of each are possible")
    members = [member for state in graph.states for member in state.members]
    syncs = list(dict.fromkeys(member.sync for member in members))
    triangles = [word for state in graph.states for word in _triangle_words(state.triangles)]
    words = [
        len(graph.parameters) | graph.trigger_count << 8 | graph.slewed_count << 16 | graph.first_state << 24,
        len(graph.states) | len(graph.transitions) << 16, len(members) | len(syncs) << 16,
        len(lists) | len(watches) << 16,
        len(atoms) | len(graph.groups) << 16, _needs(graph) | graph.event_count << 16, graph.longest_us,
        len(triangles)]
    for parameter in graph.parameters:
        words += [parameter.kind | parameter.slew_us << _SLEW_SHIFT, parameter.least, parameter.most,
                  parameter.default]
    words += _state_words(graph.states)
    for member in members:
        words += [member.clip | syncs.index(member.sync) << 16, member.at, member.stride_q20]
    for sync in syncs:
        words += [sync.end_q11, sync.us_per_frame, len(sync.marks_q11), *sync.marks_q11,
                  *[0] * (_SYNC_MARKS - len(sync.marks_q11))]
    words += triangles
    for transition in graph.transitions:
        words += [transition.target | transition.kind << 8 | conditions[transition.clauses] << 16, transition.over_us,
                  transition.start_q11, transition.hold_us]
    padded = [*lists, 0]
    words += [padded[at] | padded[at + 1] << 16 for at in range(0, len(lists), 2)]
    words += [*watches, *atoms, *(group.first | group.count << 8 for group in graph.groups)]
    body = words_bytes(word & 0xFFFFFFFF for word in words) + pack_names(_names(graph))
    return body + bytes(-len(body) % 4)


def _needs(graph: Graph) -> int:
    return graph.has_inertia * _NEEDS_INERTIA | graph.has_blends * _NEEDS_BLENDS | graph.has_planes * _NEEDS_PLANES


def _state_words(states: Sequence[State]) -> list[int]:
    words: list[int] = []
    listed = watched = blended = cut = 0
    for state in states:
        speed = _NO_PARAMETER if state.speed_parameter is None else state.speed_parameter
        played = state.clip | speed << 16 if state.second is None else cut | state.second << 16
        words += [played, state.loops, state.speed_q16, listed | len(state.transitions) << 16,
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
    states; of the groups."""
    return [*(text for parameter in graph.parameters for text in (parameter.name, parameter.unit, *parameter.values)),
            *(state.name for state in graph.states), *(group.name for group in graph.groups)]


def parse_graph(section: Section | None, words: tuple[int, ...], clips: Sequence[Clip], events: Sequence[str]) \
        -> Graph | None:
    """Reads and checks the section. events: their names. Returns None for a bank without a graph. Raises
    BankProblem."""
    if section is None:
        return None
    cut = section.cut(words)
    if len(cut) < _HEADER:
        raise problem("is empty")
    if cut[7] > MOST_WORDS:
        raise problem(f"has {cut[7]} triangles, but {MOST_WORDS} are possible")
    halves = [half for word in cut[1:5] for half in (word & 0xFFFF, word >> 16)]
    state_count, transition_count, member_count, sync_count, list_count, watch_count, atom_count, group_count = halves
    sizes = [_PARAMETER * (cut[0] & 0xFF), _STATE * state_count, _MEMBER * member_count, _SYNC * sync_count,
             cut[7], _TRANSITION * transition_count, (list_count + 1) // 2, watch_count, atom_count, group_count]
    parts, first = [], _HEADER
    for size in sizes:
        parts.append(cut[first:first + size])
        first += size
    if first > len(cut):
        raise problem(f"has {len(cut)} words, but its counts need {first}")
    parameters, states, members, syncs, triangles, transitions, lists, watches, atoms, groups = parts
    if list_count % 2 and lists[-1] >> 16:
        raise problem("has a list of transitions that is not padded with zeros")
    listed = [half for word in lists for half in (word & 0xFFFF, word >> 16)][:list_count]
    blended = _members(members, syncs)
    graph = _named(Graph(
        parameters=tuple(_parameter(parameters[at:at + _PARAMETER]) for at in range(0, len(parameters), _PARAMETER)),
        states=tuple(_state(states[at:at + _STATE], at // _STATE, listed, watches, blended, triangles)
                     for at in range(0, len(states), _STATE)),
        transitions=tuple(_transition(transitions[at:at + _TRANSITION], at // _TRANSITION, atoms)
                          for at in range(0, len(transitions), _TRANSITION)),
        groups=tuple(_group(word) for word in groups),
        first_state=cut[0] >> 24, event_count=cut[5] >> 16, longest_us=cut[6]), words_bytes(cut), 4 * first)
    if (graph.trigger_count, graph.slewed_count) != (cut[0] >> 8 & 0xFF, cut[0] >> 16 & 0xFF):
        raise problem("has other triggers and slewed numbers than it states")
    if cut[5] & _KNOWN_NEEDS != cut[5] & 0xFFFF or _needs(graph) & ~cut[5]:
        raise problem(f"states needs {cut[5] & 0xFFFF:#x} that do not match its states and transitions")
    check_graph(graph, clips, len(events))
    return graph


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
    speed, first, count = words[0] >> 16, words[3] & 0xFFFF, words[3] >> 16
    watch, positions, times = words[4] & 0xFFFF, words[4] >> 16 & 0xFF, words[4] >> 24
    if first + count > len(lists) or watch + positions + times > len(watches) or speed > _NO_PARAMETER:
        raise problem(f"has state {at} with transitions or watches beyond those that it has, or an invalid speed")
    state = State("", words[0] & 0xFFFF, words[1], _signed(words[2]), None if speed == _NO_PARAMETER else speed,
                  tuple(lists[first:first + count]), tuple(watches[watch:watch + positions]),
                  tuple(watches[watch + positions:watch + positions + times]),
                  *_blend(words[5], f"state {at}", members))
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


def _transition(words: Sequence[int], at: int, atoms: Sequence[int]) -> Transition:
    return Transition(words[0] & 0xFF, words[0] >> 8 & 0xFF, words[1], words[2], words[3],
                      _condition(atoms, words[0] >> 16, f"transition {at}"))


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
    count = 2 * len(values) + sum(values) + len(graph.states) + len(graph.groups)
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
        groups=tuple(replace(group, name=next(names)) for group in graph.groups))
