"""The code that is generated for one graph does what the interpreter does: the same state, events and poses."""
from __future__ import annotations

import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from c_programs import INCLUDES, RUNTIME, STRICT, build_program
from graph_banks import GraphBank, bank_with, random_graph
from graph_character import write_character
from graph_walker import write_walker
from ossicle.bank.file import read_bank
from ossicle.bank.graph.records import CHOICE, FADE, FLAG, INERTIA, POINT, STEP, TRIGGER, Parameter
from ossicle.generate.code import Code
from ossicle.generate.emit import generate
from ossicle.model.sides import Mirror
from running import run_inside
from test_graph_planes import FLAT, plane
from varied_graphs import varied_graph

TICKS = 1500
LEAST, MOST = -1 << 31, (1 << 31) - 1  # of int32_t
GAME = """
#include <stdio.h>

#include "hero_graph.h"

static uint32_t seed = 1;

static uint32_t random_u32(void)
{
    seed = seed * 1664525u + 1013904223u;
    return seed >> 8;
}

static inline int32_t random_in(int32_t least, int32_t most)
{
    uint32_t high = random_u32() << 8, range = (uint32_t)most - (uint32_t)least;
    return (int32_t)((uint32_t)least + (high ^ random_u32()) %% range);
}

/* Plays random inputs, and prints the state, the events and hashes of the poses after each step. */
int main(int count, char **arguments)
{
    static hero_graph hero;
    static hero_model model;
    static uint32_t words[1 << 16];
    static osc_bank bank;
    const osc_bank *from = &bank;
#if EMBEDDED
    from = &hero_embedded;
#endif
    FILE *file = fopen(arguments[count - 1], "rb");
    if (file == 0 || osc_bank_open(&bank, words, fread(words, 1, sizeof words, file)) != OSC_OK)
        return 1;
    (void)fclose(file);
    if (%(start)s != OSC_OK)
        return 2;
    for (uint32_t tick = 0; tick < TICKS; tick++) {
        if (tick %% 8u == 0u) {
%(inputs)s
        }
        if (tick %% 97u == 50u)
            (void)hero_graph_go(&hero, random_u32() %% HERO_STATE_COUNT, random_u32() %% 300000u);
        if (tick %% 401u == 200u)
            hero_graph_appear(&hero, &hero.moved);
        %(tick)s
        hero_graph_step(&hero, tick %% 50u == 7u ? 300000u : random_u32() %% 40000u, &model);
        for (uint32_t i = 0; i < sizeof hero.now.machines / sizeof hero.now.machines[0]; i++) {
            const osc_graph_machine *machine = &hero.now.machines[i];
            printf("%%u %%u %%d %%u %%u %%u %%u ", machine->state, machine->state_us, machine->begun,
                   machine->position_q11, machine->loops_left, machine->weight_q15, machine->taken);
        }
        printf("%%08x %%08x %%08x", osc_hash_words(OSC_HASH_START, &hero.now, sizeof hero.now / 4u),
               osc_hash_words(OSC_HASH_START, &hero.pose, sizeof hero.pose / 4u),
               osc_hash_words(OSC_HASH_START, &model, sizeof model / 4u));
        for (osc_graph_event event; hero_graph_next_event(&hero, &event);)
            printf(" %%u:%%u:%%u", event.name, event.state, event.what);
        printf("\\n");
    }
    return 0;
}
"""
POOL = "    static hero_row_pool pool;\n    static int32_t rows[1 << 14];\n"


def inputs_of(parameters: tuple[Parameter, ...], fields: list[str]) -> str:
    """Returns C that gives each parameter a random value, some of them outside their ranges."""
    lines = []
    for parameter, field in zip(parameters, fields, strict=True):
        least, most = parameter.least, parameter.most
        if parameter.kind == POINT:
            lines += [f"hero.set.{field}.{axis} = random_in(-2097152, 2097152);" for axis in "xyz"]
        elif parameter.kind in (TRIGGER, FLAG):
            lines.append(f"hero.set.{field} = random_u32() % {4 if parameter.kind == TRIGGER else 2}u == 0u;")
        elif parameter.kind == CHOICE:
            lines.append(f"hero.set.{field} = (uint8_t)(random_u32() % {most + 2}u);")
        else:
            lines.append(f"hero.set.{field} = random_u32() % 4u == 0u ? {least} : "
                         f"random_in({max(least - 9, LEAST)}, {min(most + 9, MOST)});")
    return "\n".join(f"            {line}" for line in lines)


def played(bank: Path, folder: Path, embed: bool) -> list[str]:
    """Returns the lines that the game prints, one for each step."""
    folder.mkdir()
    (folder / bank.name).write_bytes(bank.read_bytes())
    graph = read_bank(bank).graph
    assert graph is not None
    code = Code("hero", embed=embed, mirror=Mirror() if graph.mirrors else None)
    sources = [path for path in generate(folder / bank.name, folder, code) if path.suffix == ".c"]
    text = (folder / "hero_graph.c").read_text(encoding="utf-8")
    assert ("osc_graph_advance(" in text) is not embed
    seed = ", 5" if graph.has_random else ""
    declared = (folder / "hero_graph.h").read_text(encoding="utf-8").partition("typedef struct hero_graph_set {")[2]
    fields = [line.split()[1].rstrip(";") for line in declared.partition("}")[0].splitlines()
              if line.lstrip()[:4] in TYPES]
    texts = {"start": f"hero_graph_start(&hero, from{seed})", "tick": "", "inputs": inputs_of(graph.parameters, fields)}
    if graph.shared:
        texts |= {"start": "(hero_row_pool_init(&pool, from, rows, 1u << 14) != OSC_OK ? OSC_ERROR_LAYOUT : "
                           f"hero_graph_start(&hero, &pool{seed}))", "tick": "osc_row_pool_tick(&pool.pool);"}
    game = GAME % texts
    (folder / "game.c").write_text(game.replace("    static hero_model", POOL + "    static hero_model", 1)
                                   if graph.shared else game, encoding="utf-8")
    program = build_program("gcc", [*STRICT, "-O1", "-DOSC_CHECKED", *INCLUDES, f"-I{folder}", f"-DTICKS={TICKS}u",
                                    f"-DEMBEDDED={int(embed)}"], [folder / "game.c", *sources, *RUNTIME],
                            folder / "game")
    return subprocess.run([program, bank], capture_output=True, text=True, check=True).stdout.splitlines()


TYPES = ("bool", "uint", "int3", "osc_")


def compare(bank: Path, folder: Path) -> list[list[str]]:
    """Plays both. Returns the words of the lines."""
    straight, interpreted = (played(bank, folder / str(embed), embed) for embed in (True, False))
    assert len(straight) == TICKS
    for tick, (line, other) in enumerate(zip(straight, interpreted, strict=True)):
        assert line == other, tick
    return [line.split() for line in straight]


def without_fades(made: GraphBank) -> bytes:
    transitions = tuple(replace(transition, kind=INERTIA if transition.kind in (FADE, STEP) else transition.kind)
                        for transition in made.graph.transitions)
    return bank_with(replace(made.graph, transitions=transitions), made.events).bank


@pytest.mark.parametrize(("make", "seed"), [*((random_graph, seed) for seed in range(6)),
                                            *((varied_graph, seed) for seed in range(6))])
def test_random_graphs(tmp_path: Path, make: Callable[[int], GraphBank], seed: int) -> None:
    path = tmp_path / "hero.ossb"
    path.write_bytes(without_fades(make(seed)))
    lines = compare(path, tmp_path)
    assert len({line[0] for line in lines}) > 1


def test_a_blend_by_two_numbers(tmp_path: Path) -> None:
    path = tmp_path / "hero.ossb"
    path.write_bytes(plane(FLAT).bank)
    compare(path, tmp_path)


GAME_GRAPH = """\
[sets]
arm = ["Arm"]
[masks]
arm = { set = "arm" }
[graph]
start = "idle"
transitions = [
    { from = ["idle", "move"], to = "leap", when = "jump and grounded", over = "120ms" },
    { from = "idle", to = "move", when = "speed >= 0.5", hold = "200ms" },
    { from = "move", to = "idle", when = "speed < 0.5" },
    { from = "move", to = "combat", when = "attack or jump and not grounded", kind = "cut" },
    { from = "combat.cut", to = "combat.stab", when = "attack and inside(combo)", start_at = "0.1s", hold = "0.2s" },
    { from = "move", to = "fidget", when = "at(left_foot) and stance == armed" },
    { from = "leap", to = "idle", when = "at(land) and speed < 1" },
    { from = ["leap", "combat", "fidget"], to = "idle", when = "finished or after(1.5s)" },
]
[graph.parameters]
speed = { range = [0.0, 6.0], unit = "m/s", slew = "500ms" }
pace = { range = [0.5, 2.0], default = 1.0 }
amount = { range = [0.0, 1.0], default = 1.0 }
grounded = true
armed = false
stance = ["relaxed", "armed"]
jump = "trigger"
attack = { trigger = "300ms" }
wave = { trigger = "forever" }
goal = "world point"
[graph.states]
idle = { play = "Idle", speed = "pace" }
leap = { play = "Jump" }
fidget = { CHOICE }
[graph.states.move]
by = "speed"
blend = { Walk = 1.4, Run = 4.5 }
sync = ["left_foot", "right_foot"]
stride = { Walk = "60cm" }
[graph.states.combat]
start = "cut"
states = { cut = { play = "Attack" }, stab = { play = "Attack2", speed = -0.5 } }
[[graph.layers]]
name = "gesture"
mask = "arm"
one_shot = { wave = "Attack" }
while = "not in(leap)"
[[graph.layers]]
name = "aim"
start = "off"
weight = "amount"
fade = "100ms"
states = { off = { play = "none" }, on = { play = "Walk" }, lean = { play = "Attack2", position = "amount" } }
transitions = [
    { from = "*", to = "off", when = "not armed", over = 0 },
    { from = "off", to = "on", when = "armed" },
    { from = "on", to = "lean", when = "wave or in(combat)" },
    { from = "lean", to = "on", when = "after(300ms)" },
]
[[graph.layers]]
name = "nod"
play = "Nod"
weight = 0.5
fade = 0
[graph.looks.arm]
at = "goal"
chain = { Arm = [1.0, "60deg"] }
forward = "x"
lag = "60ms"
"""
RANDOM, IN_TURN = 'random = { Attack = 3, Attack2 = 1 }', 'sequence = ["Attack2", "Attack"]'
SHARED = ("[graph]\n", '[graph]\nplayers = "shared"\n')


@pytest.mark.parametrize("choice", [RANDOM, IN_TURN])
@pytest.mark.parametrize("shared", [False, True])
def test_a_graph_with_layers(built_encoder: None, tmp_path: Path, choice: str, shared: bool) -> None:
    """With holds, marks, spans, states that are chosen, slewed and driven numbers, a look."""
    graph = GAME_GRAPH.replace("CHOICE", choice)
    ran = run_inside("build", write_character(tmp_path, graph.replace(*SHARED) if shared else graph), "--quiet")
    assert ran.status == 0, ran.err
    lines = compare(tmp_path / "hero.ossb", tmp_path)
    graph_states = read_bank(tmp_path / "hero.ossb").graph
    assert graph_states is not None
    shown = {int(line[at]) for line in lines for at in range(0, 28, 7)}
    assert shown == set(range(len(graph_states.states)))
    assert sum(":" in word for line in lines for word in line) > TICKS // 8


LIMBS = """\
[graph]
start = "walk"
transitions = [{ from = "walk", to = "stand", when = "stops" }, { from = "stand", to = "walk", when = "not stops" }]
[graph.parameters]
stops = false
goal = "world point"
elbow = "point"
amount = { range = [0.0, 1.0], default = 1.0 }
[graph.states]
stand = { play = "Stand" }
walk = { play = "Walk" }
[graph.limbs.arm]
joints = ["upper_arm", "lower_arm", "hand"]
bend = "y"
to = "goal"
pole = "elbow"
weight = "amount"
[graph.limbs.left]
joints = ["thigh_l", "shin_l", "foot_l"]
lock = "foot_l_planted"
"""


BLENDED = ('{ play = "Walk" }', '{ by = "amount", blend = { Walk = 0.5 } }')


@pytest.mark.parametrize("walk", [("", ""), BLENDED], ids=["clip", "blend"])
def test_limbs_and_root_motion(built_encoder: None, tmp_path: Path, walk: tuple[str, str]) -> None:
    ran = run_inside("build", write_walker(tmp_path, LIMBS.replace(*walk)), "--quiet")
    assert ran.status == 0, ran.err
    compare(tmp_path / "hero.ossb", tmp_path)
