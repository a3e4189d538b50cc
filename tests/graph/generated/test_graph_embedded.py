"""A graph in the generated code and the same graph opened from the bank play alike."""
from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from c_programs import INCLUDES, RUNTIME, STRICT, build_program
from graph_character import write_character
from ossicle.generate.code import Code
from ossicle.generate.emit import generate
from running import run_inside

TICKS = 600
GRAPH = """\
[graph]
start = "idle"
transitions = [
    { from = "idle", to = "stroll", when = "speed >= 0.2" },
    { from = "stroll", to = "dash", when = "fast", kind = "step", over = "300ms" },
    { from = "dash", to = "stroll", when = "not fast and speed >= 0.2", kind = "step", over = "300ms" },
    { from = ["stroll", "dash"], to = "idle", when = "speed < 0.2", kind = "fade" },
    { from = "idle", to = "aim", when = "aims and speed < 0.2", kind = "fade" },
    { from = "aim", to = "lean", when = "fast", over = "100ms" },
    { from = ["aim", "lean"], to = "idle", when = "not aims", over = "100ms" },
]
[graph.parameters]
turn = { range = [-1.0, 1.0], slew = "400ms" }
speed = { range = [0.0, 6.0] }
fast = false
aims = false
[graph.states]
idle = { play = "Idle" }
aim = { play = "Jump", position = "turn" }
lean = { play = "Attack", position = "speed" }
[graph.states.stroll]
by = "speed"
blend = { Walk = 1.4, Run = 4.5 }
sync = ["left_foot", "right_foot"]
stride = { Walk = "60cm", Run = "105cm" }
[graph.states.dash]
by = "speed"
blend = { Walk = 5.0, Run = 1.0 }
sync = ["left_foot", "right_foot"]
stride = { Walk = "60cm", Run = "105cm" }
"""
GAME = """
#include <stdio.h>

#include "hero_graph.h"

/* Plays random inputs, and prints the state, the placement and a hash of the pose after each step. */
int main(int count, char **arguments)
{
    static hero_graph hero;
    static hero_model model;
#if EMBEDDED
    const osc_bank *from = &hero_embedded;
    (void)arguments;
#else
    static uint32_t words[1 << 16];
    static osc_bank bank;
    const osc_bank *from = &bank;
    FILE *file = fopen(arguments[1], "rb");
    if (file == 0 || osc_bank_open(&bank, words, fread(words, 1, sizeof words, file)) != OSC_OK)
        return 1;
    (void)fclose(file);
#endif
    uint32_t seed = (uint32_t)count;
    if (hero_graph_start(&hero, from) != OSC_OK)
        return 2;
    for (uint32_t tick = 0; tick < TICKS; tick++) {
        if (tick % 20u == 0u) {
            seed = seed * 1664525u + 1013904223u;
            hero.set.fast = (seed >> 16 & 1u) != 0u;
            hero.set.aims = (seed >> 17 & 3u) != 0u;
            hero.set.speed_q16 = (seed >> 19 & 1u) != 0u ? 0 : (int32_t)(seed >> 13);
            hero.set.turn_q16 = (int32_t)(seed >> 14) - (1 << 17);
        }
        hero_graph_step(&hero, 1000u + (seed >> 20) * 8u, &model);
        const osc_graph_machine *machine = &hero.now.machines[0];
        const osc_placement *place = &hero.now.graph.place;
        printf("%u %u %u %d %d %d %d %08x %08x", machine->state, machine->state_us, machine->position_q11, place->x,
               place->y, place->z, place->yaw_q24, osc_hash_words(OSC_HASH_START, &hero.pose, sizeof hero.pose / 4u),
               osc_hash_words(OSC_HASH_START, &model, sizeof model / 4u));
        for (osc_graph_event event; hero_graph_next_event(&hero, &event);)
            printf(" %u:%u:%u", event.name, event.state, event.what);
        printf(hero.now.fades[0].in_step != 0u && hero.now.fades[0].over_us != 0u ? " in step\\n" : "\\n");
    }
    return 0;
}
"""


@pytest.fixture(scope="module")
def bank(built_encoder: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hero")
    ran = run_inside("build", write_character(folder, GRAPH), "--quiet")
    assert ran.status == 0, ran.err
    return folder / "hero.ossb"


def played(bank: Path, folder: Path, embed: bool) -> list[str]:
    """Returns the lines that the game prints, one for each step."""
    folder.mkdir()
    (folder / bank.name).write_bytes(bank.read_bytes())
    sources = [path for path in generate(folder / bank.name, folder, Code(embed=embed)) if path.suffix == ".c"]
    (folder / "game.c").write_text(GAME, encoding="utf-8")
    program = build_program("gcc", [*STRICT, "-O1", *INCLUDES, f"-I{folder}", f"-DTICKS={TICKS}u",
                                    f"-DEMBEDDED={int(embed)}"], [folder / "game.c", *sources, *RUNTIME],
                            folder / "game")
    return subprocess.run([program, bank], capture_output=True, text=True, check=True).stdout.splitlines()


def test_an_opened_graph_plays_as_the_embedded_one(bank: Path, tmp_path: Path) -> None:
    """With states whose position is a parameter, and fades in step."""
    embedded, opened = (played(bank, tmp_path / str(embed), embed) for embed in (True, False))
    assert len(embedded) == TICKS and embedded == opened
    assert {line.split()[0] for line in embedded} == {"0", "1", "2", "3", "4"}
    assert sum(line.endswith("in step") for line in embedded) > TICKS // 60
    assert len({line.split()[5] for line in embedded}) > TICKS // 4  # places
