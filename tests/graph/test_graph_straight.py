"""The code that is generated for one graph does what the interpreter does: the same state, events and poses."""
from __future__ import annotations

import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from c_programs import INCLUDES, RUNTIME, STRICT, build_program
from graph_banks import GraphBank, bank_with, random_graph
from graph_character import EVENTS, write_character
from graph_walker import write_walker
from ossicle.bank.file import read_bank
from ossicle.bank.graph_records import CHOICE, FADE, FLAG, INERTIA, POINT, STEP, TRIGGER, Parameter
from ossicle.generate.code import Code
from ossicle.generate.emit import generate
from ossicle.model.sides import Mirror
from running import run_inside
from test_graph_planes import FLAT, plane
from varied_graphs import varied_graph

TICKS = 1500
GAME = """
#include <stdio.h>

#include "hero_graph.h"

static uint32_t seed = 1;

static uint32_t random_u32(void)
{
    seed = seed * 1664525u + 1013904223u;
    return seed >> 8;
}

static int32_t random_in(int32_t least, int32_t most)
{
    return least + (int32_t)(random_u32() %% ((uint32_t)(most - least) + 1u));
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
POOL = "    static hero_row_pool pool;\n"


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
                         f"random_in({least - 9}, {most + 9});")
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
    fields = [line.split()[1].rstrip(";") for line in (folder / "hero_graph.h").read_text(encoding="utf-8").split(
        "typedef struct hero_graph_set {")[1].split("}")[0].splitlines() if line.lstrip()[:4] in TYPES]
    texts = {"start": f"hero_graph_start(&hero, from{seed})", "tick": "", "inputs": inputs_of(graph.parameters, fields)}
    if graph.shared:
        texts |= {"start": "(hero_row_pool_init(&pool, from) != OSC_OK ? OSC_ERROR_LAYOUT : "
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
