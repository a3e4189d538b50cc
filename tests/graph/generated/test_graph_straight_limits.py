"""Code that is generated for graphs at their limits, and for names that C or the code itself has."""
from __future__ import annotations

import subprocess
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from c_programs import INCLUDES
from graph_banks import FRAMES, GROUNDED, JUMP, PARAMETERS, SPEED, STANCE, bank_with, plain_bank
from graph_character import write_character
from graph_machines import base
from ossicle.bank.assembling import with_sections
from ossicle.bank.clips import ONE_Q11
from ossicle.bank.events import ClipEvent
from ossicle.bank.file import parse_bank, read_bank
from ossicle.bank.graph.check import MOST_EVENTS
from ossicle.bank.graph.layout import TAG
from ossicle.bank.graph.packing import pack_graph
from ossicle.bank.graph.records import (AFTER, AT_LEAST, CUT, EQUALS, FLAG, FOREVER, IN, INERTIA, IS_SET, NUMBER,
                                        ONE_Q16, TRIGGER, WAITS, Atom, Choice, Clause, Graph, Machine, Member,
                                        Parameter, State, Sync, Transition, blend_of, nothing_of)
from ossicle.generate.code import Code
from ossicle.generate.emit import code_files
from running import run_inside
from test_graph_planes import FLAT, plane
from test_graph_straight import LEAST, MOST, compare

WARNINGS = ("-Wall", "-Wextra", "-Wconversion", "-Wsign-conversion", "-Wshadow", "-Werror")
NAMES = ("look", "age", "*/ int", "until", "clamped", "while", "a" * 60, "??/", "rules", "evaluate", "int", "step",
         "enter", "pass", "osc_graph_enter", 'a "look" \\', "is_pending", "finished")


def clip_state(name: str, clip: int = 0, loops: int = FOREVER, speed_q16: int = ONE_Q16, **fields: object) -> State:
    return replace(State(name, clip, loops, speed_q16), **fields)  # type: ignore[arg-type]


def only(operation: int, argument: int = 0, number: int = 0, opposite: bool = False) -> tuple[Clause, ...]:
    return ((Atom(operation, opposite, argument, number),),)


def play(folder: Path, graph: Graph, events: dict[int, tuple[ClipEvent, ...]] | None = None) -> list[list[str]]:
    """Plays the code for the graph and the interpreter."""
    (folder / "hero.ossb").write_bytes(bank_with(graph, events or {}).bank)
    return compare(folder / "hero.ossb", folder)


def code_of(name: str, graph: Graph) -> dict[str, bytes]:
    return code_files(parse_bank(bank_with(graph, {}).bank), Code(name, embed=True))


def named_graph(names: Sequence[str]) -> Graph:
    """States with these names, one of them in a layer of the first name, parameters of them."""
    states = [clip_state(name, at % 3) for at, name in enumerate(names)]
    states[0] = replace(states[0], transitions=(0,), times_us=(100_000,))
    values = (Parameter(names[1], TRIGGER, 0, FOREVER, 0), Parameter(names[0], FLAG, 0, 1, 0),
              Parameter(names[3], NUMBER, -5, 5, 0))
    return Graph(values, (Machine("", 0, len(names) - 1, 0), Machine("*/ x \\", len(names) - 1, 1, len(names) - 1)),
                 tuple(states), (Transition(1, INERTIA, 100_000, clauses=only(AFTER, 0, 100_000)),))


def test_no_parameters(tmp_path: Path) -> None:
    play(tmp_path, Graph((), base(1), (clip_state("a"),)))


def test_names_of_states_stay_as_they_are(tmp_path: Path) -> None:
    """Also those of functions in the code."""
    play(tmp_path, named_graph(NAMES))
    text = code_of("hero", named_graph(NAMES))["hero_graph.c"].decode()
    names = text.partition("hero_state_names[HERO_STATE_COUNT] = {")[2]
    assert all(f'"{name}",' in names for name in NAMES if name.isidentifier())


def test_two_characters_in_one_unit(tmp_path: Path) -> None:
    """Also if their names begin as names of functions do."""
    for name in ("first_a", "first_b"):
        for file, content in code_of(name, named_graph(NAMES)).items():
            (tmp_path / file).write_bytes(content)
    (tmp_path / "game.c").write_text("".join(f'#include "{path.name}"\n' for path in sorted(tmp_path.glob("*.c"))))
    compile_without_warnings(tmp_path / "game.c")


def compile_without_warnings(source: Path) -> None:
    for compiler in (("gcc", "-std=c99"), ("clang", "-std=c99"), ("g++", "-xc++", "-std=c++11")):
        for level in ("-O0", "-O2"):
            ran = subprocess.run([*compiler, level, *WARNINGS, *INCLUDES, "-c", source, "-o", source.with_suffix(".o")],
                                 capture_output=True, text=True)
            assert ran.returncode == 0, ran.stderr[:2000]


@pytest.mark.parametrize("driven", [0, 1, 2])
def test_no_state_plays_a_clip(tmp_path: Path, driven: int) -> None:
    """Compilers know then that none remains. driven: how many of two states have a position that a number states; the
    others blend."""
    blends = [blend_of(str(at), 0, (member(0, 0), member(1, ONE_Q16))) for at in range(2)]
    states = [State(str(at), at, FOREVER, ONE_Q16, 0, by_position=True) for at in range(driven)] + blends[driven:]
    graph = Graph((Parameter("n", NUMBER, 0, ONE_Q16, 0),), base(2), tuple(states))
    for file, content in code_of("hero", graph).items():
        (tmp_path / file).write_bytes(content)
    compile_without_warnings(tmp_path / "hero_graph.c")


def test_triggers_that_wait_forever(tmp_path: Path) -> None:
    """A parameter has the name of the function that lets other triggers age."""
    states = clip_state("a", transitions=(0,)), clip_state("b", 1, transitions=(1,))
    transitions = (Transition(1, INERTIA, 100_000, clauses=only(WAITS)),
                   Transition(0, INERTIA, 100_000, clauses=only(AT_LEAST, 1)))
    play(tmp_path, Graph((Parameter("age", TRIGGER, 0, FOREVER, 0), Parameter("until", NUMBER, -5, 5, 0)), base(2),
                         states, transitions))


def test_numbers_of_all_values(tmp_path: Path) -> None:
    states = (clip_state("a", transitions=(0, 1)), clip_state("b", 1, transitions=(2,)),
              clip_state("c", 2, FOREVER, LEAST, transitions=(3,)))
    transitions = (Transition(1, INERTIA, 100_000, clauses=only(AT_LEAST, 0, MOST)),
                   Transition(2, INERTIA, 100_000, clauses=only(AT_LEAST, 0, LEAST)),
                   Transition(0, CUT, 0, clauses=only(AT_LEAST, 0, LEAST, True)),
                   Transition(0, CUT, 0, clauses=only(AT_LEAST, 0, 0, True)))
    play(tmp_path, Graph((Parameter("n", NUMBER, LEAST, MOST, 0),), base(3), states, transitions))


def test_transitions_that_leave_no_state(tmp_path: Path) -> None:
    states = clip_state("a"), clip_state("b", 1), clip_state("c", 2)
    transitions = (Transition(2, INERTIA, 100_000, clauses=only(IN, 0 | 1 << 8)),
                   Transition(2, INERTIA, 100_000, hold_us=5, clauses=only(WAITS)))
    play(tmp_path, Graph((Parameter("w", TRIGGER, 0, 5, 0),), (Machine("", 0, 1, 0), Machine("l", 1, 2, 1)), states,
                         transitions))


def test_mirror_images_that_no_state_plays(tmp_path: Path) -> None:
    path = tmp_path / "hero.ossb"
    path.write_bytes(with_sections(plain_bank(True), {TAG: pack_graph(Graph((), base(1), (clip_state("a"),)))}))
    compare(path, tmp_path)


def member(clip: int, at: int) -> Member:
    end_q11 = (list(FRAMES.values())[clip] - 1) * ONE_Q11
    return Member(clip, at, Sync((0, end_q11 // 2), end_q11, 33_333))


@pytest.mark.parametrize("planes", [(0,), (1,), (0, 2), (1, 2)])
def test_blends_by_one_number_and_by_two(tmp_path: Path, planes: tuple[int, ...]) -> None:
    """In different machines, and in one. planes: the states that blend by two."""
    made = plane(FLAT)
    line = blend_of("line", 0, (member(0, -ONE_Q16), member(1, -ONE_Q16 // 2), member(2, 1 << 15), member(0, ONE_Q16)))
    states = [replace(made.graph.states[0] if at in planes else line, name=str(at)) for at in range(3)]
    states[1:] = [replace(state, transitions=(at,), times_us=(150_000,)) for at, state in enumerate(states[1:])]
    transitions = tuple(Transition(target, INERTIA, 100_000, clauses=only(AFTER, 0, 150_000)) for target in (2, 1))
    play(tmp_path, replace(made.graph, machines=(Machine("", 0, 1, 0), Machine("layer", 1, 2, 1, fade_us=50_000)),
                           states=tuple(states), transitions=transitions), made.events)


def test_the_most_states_and_machines(tmp_path: Path) -> None:
    """With states that are chosen in layers, backward and one-shot states, holds, and speeds of 0 in them."""
    random, machines, states, first = Random(3), [], [], 0
    for at, count in enumerate((*[32] * 7, 31)):
        condition = ((Atom(IN, False, 0 | 16 << 8), Atom(IS_SET, True, GROUNDED)), (Atom(AT_LEAST, False, SPEED, 0),))
        machines.append(Machine(f"layer {at}" if at else "", first, count, first + random.randrange(count),
                                weight_q15=20_000 if at % 3 else 1 << 15, weight_parameter=5 if at == 4 else None,
                                fade_us=0 if at % 2 else 90_000, clauses=condition if at in (3, 5) else ()))
        states += [_state(random, str(first + state), at > 0) for state in range(count)]
        first += count
    transitions, left = [], []
    for machine in machines:
        for _ in range(2 * machine.count):
            operation, argument, number = random.choice(
                [(WAITS, JUMP, 0), (IS_SET, GROUNDED, 0), (EQUALS, STANCE, 1), (AFTER, 0, random.randrange(1, 90_000))])
            transitions.append(Transition(random.choice(machine.states), random.choice([INERTIA, CUT]),
                                          random.choice([0, 80_000]), 0, random.choice([0, 0, 100_000]),
                                          only(operation, argument, number)))
        left += [(2 * state, 2 * state + 1) for state in machine.states]
    for at, numbers in enumerate(left):
        atoms = [transitions[number].clauses[0][0] for number in numbers]
        states[at] = replace(states[at], transitions=numbers, times_us=tuple(sorted(
            {atom.number for atom in atoms if atom.operation == AFTER})))
    amount = Parameter("amount", NUMBER, 0, ONE_Q16, 0)
    lines = play(tmp_path, Graph((*PARAMETERS, amount), tuple(machines), tuple(states), tuple(transitions),
                                 choices=(Choice(40, 3, (1, 2, 255)), Choice(250, 2))))
    assert len({line[7 * at] for line in lines for at in range(8)}) > 100


def _state(random: Random, name: str, in_layer: bool) -> State:
    if in_layer and random.random() < 0.2:
        return nothing_of(name)
    return clip_state(name, random.randrange(len(FRAMES)), 1, random.choice([ONE_Q16, -ONE_Q16, 0]),
                      one_shot=in_layer and random.random() < 0.3)


def test_the_most_events_of_a_step(tmp_path: Path) -> None:
    """And steps in which more than the most would happen, of which the rest are dropped."""
    walk = list(FRAMES).index("Walk")
    marks = tuple(ClipEvent("mark", at * ONE_Q11 // 4) for at in range(4 * (FRAMES["Walk"] - 1)))
    graph = Graph(PARAMETERS, base(1), (clip_state("walk", walk, speed_q16=10 * ONE_Q16),), event_count=MOST_EVENTS)
    counts = [len(line) - 10 for line in play(tmp_path, graph, {walk: marks})]
    assert max(counts) == MOST_EVENTS and len({*counts}) > 20 and min(counts) < 10


LAYERED = """\
[clips."Walk image"]
mirror_of = "Walk"
[clips."Run image"]
mirror_of = "Run"
[graph]
start = "walk"
players = "PLAYERS"
transitions = [
    { from = "walk", to = "bend", when = "after(400ms)" },
    { from = "bend", to = "turn", when = "after(300ms)", over = "100ms" },
    { from = "turn", to = "walk", when = "at(left_foot) or after(2s)", over = "200ms" },
]
[graph.parameters]
speed = { range = [-2.0, -0.5], default = -1.0, slew = "300ms" }
bend = { range = [-1.0, 1.0] }
left = false
nods = true
[graph.states]
bend = { play = "Attack", position = "bend" }
turn = { play = "Walk", mirror = "left" }
[graph.states.walk]
by = "speed"
blend = { Run = -2.0, Walk = -0.6 }
sync = ["left_foot", "right_foot"]
mirror = "left"
[[graph.layers]]
name = "nod"
while = "nods"
fade = "80ms"
start = "nod"
states = { nod = { play = "Nod" }, back = { play = "Nod", speed = -1.5 }, rest = { play = "none" } }
transitions = [
    { from = "nod", to = "back", when = "finished", over = "100ms", hold = "200ms" },
    { from = "back", to = "rest", when = "finished and in(walk)", over = "100ms" },
    { from = "rest", to = "nod", when = "after(200ms)", over = "150ms" },
]
[[graph.layers]]
name = "over"
weight = 0.4
start = "step"
transitions = [
    { from = "step", to = "stab", when = "at(right_foot) and in(turn)", over = "100ms" },
    { from = "stab", to = "step", when = "finished", over = "100ms" },
]
[graph.layers.states]
step = { by = "speed", blend = { Run = -2.0, Walk = -0.6 }, sync = ["left_foot", "right_foot"] }
stab = { sequence = ["Attack", "Attack2"] }
"""


@pytest.mark.parametrize("players", ["own", "shared"])
def test_layers_of_all_kinds(built_encoder: None, tmp_path: Path, players: str) -> None:
    """An additive one with transitions that take time, one that blends below 0 and chooses, above mirror images."""
    path = write_character(tmp_path, LAYERED.replace("PLAYERS", players), arms=("arm_l", "arm_r"))
    ran = run_inside("build", path, "--quiet")
    assert ran.status == 0, ran.err
    lines = compare(tmp_path / "hero.ossb", tmp_path)
    graph = read_bank(tmp_path / "hero.ossb").graph
    assert graph is not None
    assert {int(line[at]) for line in lines for at in range(0, 21, 7)} == set(range(len(graph.states)))
