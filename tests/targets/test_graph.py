"""A graph plays with the same bits on every machine."""
from __future__ import annotations

from pathlib import Path

import pytest
from graph_machines import base
from ossicle.bank.assembling import with_sections
from ossicle.bank.clips import ONE_Q11
from ossicle.bank.events import TAG as EVENTS
from ossicle.bank.events import ClipEvent, pack_events
from ossicle.bank.file import parse_bank
from ossicle.bank.graph.layout import TAG
from ossicle.bank.graph.packing import pack_graph
from ossicle.bank.graph.records import (
    AFTER, AT, AT_LEAST, CHOICE, CUT, EQUALS, FINISHED, FLAG, FOREVER, INERTIA, INSIDE, IS_SET, NUMBER, TRIGGER, WAITS,
    Atom, Choice, Graph, Member, Parameter, State, Sync, Transition, Triangle, blend_of, point_word)
from target_support import SUPPORTED, one_of_a_platform, run_program, sample_banks

WALK, JUMP = 0, 1  # clips of the sample, of 9 and 6 frames
IDLE, LEAP, PACED, MOVE, TURN = range(5)  # states
LEAST_SWITCHES = 300
MOVING = blend_of("move", 1, (Member(WALK, -1 << 16, Sync((4096, 12288), 8 * ONE_Q11, 33_333)),
                              Member(JUMP, 1 << 16, Sync((2048, 6144), 5 * ONE_Q11, 41_666), 1 << 19)))
TURNING = blend_of("turn", 1, tuple(
    Member(clip, point_word(point), sync, stride) for clip, point, sync, stride in (
        (WALK, (3000, 2000), MOVING.members[0].sync, 0), (JUMP, (12_000, 4000), MOVING.members[1].sync, 1 << 19),
        (WALK, (6000, 15_000), Sync((0,), 8 * ONE_Q11, 25_000), 1 << 18))), 2,
    (Triangle((0, 1, 2), (True, True, True)),))
GRAPH = Graph(
    (Parameter("jump", TRIGGER, 0, 150_000, 0), Parameter("turn", NUMBER, -1 << 16, 1 << 16, 0, 500_000),
     Parameter("pace", NUMBER, 0, 6 << 16, 1 << 16), Parameter("grounded", FLAG, 0, 1, 1),
     Parameter("stance", CHOICE, 0, 2, 0, values=("a", "b", "c"))),
    base(5),
    (State("idle", WALK, FOREVER, 1 << 16, None, (0, 1), (2048,), (300_000,)),
     State("leap", JUMP, 1, -1 << 15, None, (2,), (0,)),
     State("paced", WALK, 3, 0, 2, (2, 3, 5), (4096, 8 * ONE_Q11)),
     State(**vars(MOVING) | {"transitions": (1, 4), "positions_q11": (0,)}),
     State(**vars(TURNING) | {"transitions": (4, 6), "positions_q11": (0,), "times_us": (400_000,)})),
    (Transition(LEAP, INERTIA, 200_000, 5 * ONE_Q11, 70_000, ((Atom(WAITS, argument=0),),)),
     Transition(PACED, CUT, 0, clauses=((Atom(AFTER, number=300_000), Atom(EQUALS, argument=4, number=1)),)),
     Transition(IDLE, INERTIA, 100_000, clauses=((Atom(FINISHED),),)),
     Transition(MOVE, INERTIA, 100_000, clauses=(
         (Atom(INSIDE, argument=0), Atom(IS_SET, argument=3)),
         (Atom(AT_LEAST, argument=2, number=3 << 16), Atom(WAITS, argument=0)))),
     Transition(IDLE, CUT, 0, clauses=((Atom(AT, argument=1), Atom(IS_SET, True, 3)),)),
     Transition(TURN, INERTIA, 100_000, clauses=((Atom(WAITS, argument=0),),)),
     Transition(IDLE, CUT, 0, clauses=((Atom(AFTER, number=400_000),),))), event_count=64,
    choices=(Choice(LEAP, 2, (3, 1)), Choice(MOVE, 2)))
MARKS = {WALK: [ClipEvent("combo", 4096, 0, 8192), ClipEvent("step", 12288)], JUMP: [ClipEvent("step", 2048)]}
HEADER = """\
#include <stdint.h>

static const union {{
    uint8_t bytes[{size}];
    uint32_t words[{size} / 4];
}} graph_bank = {{{{{bytes}}}}};
#define GRAPH_BANK_JOINTS {joints}u
#define GRAPH_BANK_BLEND {blend}u
"""


@pytest.fixture(scope="session")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with graph_bank.h."""
    [sample] = [entry for entry in sample_banks.samples() if entry.name == "walk"]
    bank = with_sections(sample.bank, {EVENTS: pack_events(MARKS), TAG: pack_graph(GRAPH)})
    parsed = parse_bank(bank)
    assert parsed.graph == GRAPH
    folder = tmp_path_factory.mktemp("graph_bank")
    (folder / "graph_bank.h").write_text(HEADER.format(size=len(bank), bytes=", ".join(map(str, bank)),
                                                       joints=len(parsed.joints), blend=MOVE), encoding="utf-8")
    return folder


def played(target: str, generated: Path, folder: Path) -> dict[str, int]:
    code, output = run_program(target, "graph_play", folder, True, generated=generated)
    assert code == 0, output
    return {name: int(count) for name, count in (line.split() for line in output.splitlines())}


@pytest.fixture(scope="session")
def on_the_host(generated: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, int]:
    """What the program prints on this computer."""
    return played("host", generated, tmp_path_factory.mktemp("host"))


@pytest.mark.parametrize("target", one_of_a_platform(SUPPORTED))
def test_a_graph_plays_with_the_same_bits(target: str, generated: Path, on_the_host: dict[str, int],
                                          tmp_path: Path) -> None:
    here = played(target, generated, tmp_path)
    assert (here["hash"], here["switches"]) == (on_the_host["hash"], on_the_host["switches"])
    assert here["switches"] >= LEAST_SWITCHES
