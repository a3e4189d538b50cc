"""The section of animation graphs: what is packed is read, and whatever contradicts itself is refused."""
from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest
from bank_writer import Clip as WrittenClip
from bank_writer import Skeleton, write_bank
from fixed import ONE
from random_graphs import random_graph

from graph_machines import base
from ossicle.bank.assembling import with_sections, words_bytes
from ossicle.bank.events import TAG as EVENTS
from ossicle.bank.events import ClipEvent, pack_events
from ossicle.bank.file import Bank, describe, parse_bank
from ossicle.bank.graph.layout import HEADER_WORDS, TAG
from ossicle.bank.graph.packing import pack_graph
from ossicle.bank.graph.check import (
    LONGEST_MOST_US, MOST_EVENTS, MOST_PARAMETERS, MOST_STATES, MOST_TRANSITIONS, MOST_TRIGGERS, MOST_WATCHES,
    OVER_MOST_US, TIME_MOST_US)
from ossicle.bank.graph.records import (
    AFTER, ALWAYS, AT, AT_LEAST, CHOICE, CUT, EQUALS, FINISHED, FLAG, FOREVER, INERTIA, INSIDE, IS_SET, NUMBER,
    STEP, TRIGGER, WAITS, Atom, Graph, Group, Parameter, State, Transition)
from ossicle.bank.strip import without_tiers
from ossicle.bank.words import BankProblem
from ossicle.encoding.native.character import Character
from ossicle.base.encoder_library import NativeProblem

FRAMES = [11, 21, 1]
END_Q11 = 10 << 11


def plain_bank() -> bytes:
    """Three clips, and an additive one; events of two names."""
    skeleton = Skeleton([-1], [[0, 0, 0, ONE, 0, 0, 0]], ([], [], []))
    clips = [WrittenClip(frames, name=f"clip{at}") for at, frames in enumerate([*FRAMES, 5])]
    clips[3].additive = True
    bank = write_bank(skeleton, clips)
    return with_sections(bank, {EVENTS: pack_events({0: [ClipEvent("hit", 2048, 0, 4096), ClipEvent("step", 9000)]})})


def read(section: bytes) -> Bank:
    return parse_bank(with_sections(plain_bank(), {TAG: section}))


GRAPH = Graph(
    parameters=(Parameter("jump", TRIGGER, 0, 150_000, 0), Parameter("turn", NUMBER, -65536, 65536, 0, 500_000, "rad"),
                Parameter("speed", NUMBER, 0, 6 << 16, 0, unit="m/s"), Parameter("grounded", FLAG, 0, 1, 1),
                Parameter("stance", CHOICE, 0, 1, 1, values=("relaxed", "armed"))),
    states=(State("idle", 0, FOREVER, 1 << 16, None, (0, 2), (0, 4096, END_Q11), (120_000,)),
            State("combat.cut", 1, 1, -(1 << 15), None, (1,)), State("combat.stab", 2, 2, 0, 2)),
    transitions=(Transition(1, INERTIA, 200_000, 3, 70_000, (
                     (Atom(WAITS, argument=0), Atom(IS_SET, argument=3), Atom(AT_LEAST, True, 2, 13107)),
                     (Atom(EQUALS, argument=4, number=1), Atom(AT, argument=1), Atom(INSIDE, True, 0)))),
                 Transition(0, CUT, 0, clauses=((Atom(FINISHED),), (Atom(AFTER, True, number=120_000),),
                                                (Atom(AT_LEAST, argument=1, number=-5),))),
                 Transition(2, CUT, 0)),
    machines=base(3), groups=(Group("combat", 1, 2),), event_count=7, longest_us=250_000)


def test_a_graph_is_read_as_it_was_packed() -> None:
    bank = read(pack_graph(GRAPH))
    assert bank.graph == GRAPH
    assert [section.tag for section in bank.sections][-1] == TAG
    described: Any = describe(bank)
    assert described["sections"][-1] == {"tag": TAG, "offset": described["sections"][-1]["offset"],
                                         "bytes": len(pack_graph(GRAPH)), "required": False}
    assert parse_bank(plain_bank()).graph is None


def test_tools_keep_the_section() -> None:
    bank = read(pack_graph(GRAPH))
    assert parse_bank(without_tiers(bank, 0)[0]).graph == GRAPH


def test_equal_conditions_are_stored_once() -> None:
    more = replace(GRAPH, transitions=(*GRAPH.transitions, replace(GRAPH.transitions[0], kind=CUT)))
    assert len(pack_graph(more)) == len(pack_graph(GRAPH)) + 4 * 4


@pytest.mark.parametrize("seed", range(60))
def test_random_graphs_are_read_as_they_were_packed(seed: int) -> None:
    graph = random_graph(Random(seed), FRAMES, 2)
    assert read(pack_graph(graph)).graph == graph


@pytest.mark.parametrize("seed", range(40))
def test_damaged_sections_are_refused_or_read(seed: int) -> None:
    """No damage raises anything but BankProblem, and what is read can be packed."""
    rng = Random(seed)
    section = bytearray(pack_graph(random_graph(rng, FRAMES, 2)))
    for _ in range(40):
        damaged = bytearray(section)
        for _ in range(rng.randint(1, 3)):
            at = rng.randrange(len(damaged))
            damaged[at] = rng.choice((0, 1, 0xFF, rng.randrange(256), damaged[at] ^ 1 << rng.randrange(8)))
        try:
            bank = read(bytes(damaged[:rng.choice((len(damaged), rng.randrange(0, len(damaged) + 1, 4)))]))
        except BankProblem:
            continue
        assert bank.graph and read(pack_graph(bank.graph)).graph == bank.graph


def changed(**fields: Any) -> Graph:
    return replace(GRAPH, **fields)


def with_parameter(at: int, **fields: Any) -> Graph:
    parts = list(GRAPH.parameters)
    parts[at] = replace(parts[at], **fields)
    return changed(parameters=tuple(parts))


def with_state(at: int, **fields: Any) -> Graph:
    parts = list(GRAPH.states)
    parts[at] = replace(parts[at], **fields)
    return changed(states=tuple(parts))


def with_transition(at: int, **fields: Any) -> Graph:
    parts = list(GRAPH.transitions)
    parts[at] = replace(parts[at], **fields)
    return changed(transitions=tuple(parts))


def with_condition(*atoms: Atom) -> Graph:
    return with_transition(2, clauses=(atoms,))


JUMP, TURN, SPEED, GROUNDED, STANCE = range(5)


@pytest.mark.parametrize("graph", [
    changed(machines=base(3, 3)), changed(longest_us=0), changed(longest_us=LONGEST_MOST_US + 1),
    changed(event_count=MOST_EVENTS + 1), changed(groups=(Group("none", 1, 3),)), changed(groups=(Group("", 1, 0),)),
    changed(states=GRAPH.states * (MOST_STATES // 3 + 1), machines=base(MOST_STATES // 3 * 3 + 3)),
    changed(transitions=GRAPH.transitions * (MOST_TRANSITIONS // 3 + 1)),
    changed(parameters=(*GRAPH.parameters, *GRAPH.parameters[SPEED:SPEED + 1] * (MOST_PARAMETERS - 4))),
    changed(parameters=(*GRAPH.parameters[:1] * MOST_TRIGGERS, *GRAPH.parameters)),
    changed(parameters=(*GRAPH.parameters[1:], GRAPH.parameters[0])),
    changed(parameters=(GRAPH.parameters[0], *GRAPH.parameters[2:], GRAPH.parameters[1])),
    with_parameter(JUMP, least=1), with_parameter(JUMP, default=1), with_parameter(JUMP, most=TIME_MOST_US + 1),
    with_parameter(JUMP, slew_us=1), with_parameter(SPEED, least=6 << 16), with_parameter(SPEED, default=-1),
    with_parameter(SPEED, default=(6 << 16) + 1), with_parameter(SPEED, kind=CHOICE, values=("a",) * 9),
    with_parameter(SPEED, kind=NUMBER + 1), with_parameter(GROUNDED, least=-1), with_parameter(GROUNDED, most=2),
    with_parameter(GROUNDED, default=2), with_parameter(STANCE, least=1), with_parameter(STANCE, default=2),
    with_parameter(STANCE, most=256, values=("x",) * 257),
    with_state(0, clip=3), with_state(0, clip=4), with_state(0, loops=0),
    with_parameter(STANCE, most=0, values=("a",)), with_state(0, speed_parameter=TURN),
    with_state(2, by_position=True, speed_parameter=TURN, speed_q16=1 << 16),
    with_state(0, speed_parameter=GROUNDED), with_state(0, speed_parameter=5), with_state(0, transitions=(3,)),
    with_state(0, transitions=(1, 0)), with_state(0, transitions=(1, 1)), with_state(0, positions_q11=(END_Q11 + 1,)),
    with_state(0, positions_q11=(2, 1)), with_state(0, positions_q11=(1, 1)), with_state(0, times_us=(-1,)),
    with_state(0, times_us=(TIME_MOST_US + 1,)), with_state(0, times_us=(2, 2)),
    with_state(0, times_us=tuple(range(1, MOST_WATCHES - 1))),
    with_transition(0, target=3), with_transition(0, kind=STEP + 1), with_transition(0, start_q11=(20 << 11) + 1),
    with_transition(0, hold_us=TIME_MOST_US + 1), with_transition(0, over_us=OVER_MOST_US + 1),
    with_transition(2, clauses=((Atom(ALWAYS),),) * 9),
    with_condition(*[Atom(ALWAYS)] * 9), with_condition(Atom(INSIDE + 1)), with_condition(Atom(WAITS, True)),
    with_condition(Atom(AT, True)), with_condition(Atom(WAITS, argument=GROUNDED)),
    with_condition(Atom(IS_SET, argument=JUMP)), with_condition(Atom(AT_LEAST, argument=STANCE)),
    with_condition(Atom(EQUALS, argument=SPEED)), with_condition(Atom(IS_SET, argument=5)),
    with_condition(Atom(EQUALS, argument=STANCE, number=2)), with_condition(Atom(EQUALS, argument=STANCE, number=-1)),
    with_condition(Atom(AFTER, number=TIME_MOST_US + 1)),
    with_condition(Atom(AFTER, argument=1, number=1)), with_condition(Atom(ALWAYS, argument=1)),
    with_condition(Atom(FINISHED, argument=1)), with_condition(Atom(AT, argument=2)),
    with_condition(Atom(INSIDE, argument=2)),
])
def test_contradictions_are_refused(graph: Graph) -> None:
    with pytest.raises(BankProblem, match=TAG):
        read(pack_graph(graph))


def test_the_largest_are_read() -> None:
    for graph in (changed(longest_us=LONGEST_MOST_US, event_count=MOST_EVENTS), with_parameter(JUMP, most=FOREVER),
                  with_parameter(JUMP, most=TIME_MOST_US), with_state(0, times_us=tuple(range(1, MOST_WATCHES - 2))),
                  with_state(0, times_us=(TIME_MOST_US,)), with_state(2, loops=FOREVER),  # a pose
                  with_transition(0, over_us=OVER_MOST_US, hold_us=TIME_MOST_US, start_q11=20 << 11),
                  with_condition(*[Atom(ALWAYS)] * 8), with_transition(2, clauses=((Atom(ALWAYS),) * 8,) * 8),
                  with_parameter(STANCE, most=255, values=tuple(map(str, range(256)))),
                  changed(parameters=(*GRAPH.parameters[:1] * MOST_TRIGGERS, *GRAPH.parameters[1:]), transitions=(),
                          states=(State("only", 1, FOREVER, 0, MOST_TRIGGERS + 1),), machines=base(1), groups=()),
                  changed(states=tuple(replace(GRAPH.states[0], name=f"{at}", positions_q11=())
                                       for at in range(MOST_STATES)), machines=base(MOST_STATES, MOST_STATES - 1)),
                  changed(transitions=GRAPH.transitions * (MOST_TRANSITIONS // 3))):
        assert read(pack_graph(graph)).graph == graph


def test_too_many_watches_are_not_packed() -> None:
    state = replace(GRAPH.states[0], positions_q11=(), times_us=tuple(range(1, 3 * MOST_WATCHES)))
    with pytest.raises(BankProblem, match=TAG):
        pack_graph(changed(states=(state,) * 400))


def words_of(graph: Graph) -> list[int]:
    packed = pack_graph(graph)
    return [int.from_bytes(packed[at:at + 4], "little") for at in range(0, len(packed), 4)]


MACHINE = HEADER_WORDS + 4 * 5  # the number of a word
STATE = MACHINE + 5


@pytest.mark.parametrize(("at", "word"), [
    (0, 0x00020105),  # two slewed numbers
    (0, 0x00010205),  # two triggers
    (0, 0x01010105),  # unknown bits
    (1, 0x01000101),
    (1, 0x00000201),  # a wait that is not there
    (2, 0x000300ff),  # states that are not there
    (6, 0x00070000),  # needs nothing
    (6, 0x00078001),  # needs what is not known
    (MACHINE, 0x02000300),  # players that it does not need
    (MACHINE + 1, 0x00ffff00),  # no memory for its transitions
    (MACHINE + 1, 0x01ffff01),  # unknown bits
    (STATE, 0x04ff0000),  # a state with an unknown flag
    (STATE + 3, 0x00020002),  # its list goes beyond the end
    (STATE + 4, 0x01040000),  # and its watches
    (STATE + 6 * 3, 0x00ff0001),  # a condition that begins beyond the end
    (STATE + 6 * 3 + 4 * 3 + 1, 0x00010001),  # a list of three halves without padding
])
def test_words_that_contradict_each_other_are_refused(at: int, word: int) -> None:
    words = words_of(GRAPH)
    assert words[at] != word
    words[at] = word
    with pytest.raises(BankProblem, match=TAG):
        read(words_bytes(words))


def test_sections_end_with_their_names() -> None:
    whole = pack_graph(GRAPH)
    for section in (b"", whole[:16], whole[:-4], whole + bytes(4), whole[:-8]):
        with pytest.raises(BankProblem, match=TAG):
            read(section)


def test_atoms_have_known_flags_and_an_end() -> None:
    """The condition of the last transition is the last word before the group."""
    words = words_of(with_condition(Atom(FINISHED, True)))
    at = words.index(FINISHED | 0x500)
    for word in (FINISHED | 0xd00, FINISHED | 0x700, FINISHED | 0x100, AFTER | 0x400, FINISHED | 0x200):
        damaged = [*words]
        damaged[at] = word
        with pytest.raises(BankProblem, match=TAG):
            read(words_bytes(damaged))
    groups = words.index(0x0201)
    words[groups] |= 1 << 16
    with pytest.raises(BankProblem, match=TAG):
        read(words_bytes(words))


def test_a_bank_without_a_graph_has_no_character(built_encoder: None) -> None:
    with pytest.raises(NativeProblem):
        Character(np.frombuffer(plain_bank(), np.uint32))
