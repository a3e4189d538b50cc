"""`ossicle play`: a script plays as a game with the generated code does, and is compared with expectations."""
from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from bank_builder import biped
from c_programs import INCLUDES, RUNTIME, STRICT, build_program
from compiling import run
from graph_bank import graph, graph_bank, plain_bank, skeleton
from graph_walker import write_walker
from mentions import mentions
from running import run_inside, write_bvh

from ossicle.generate.code import Code
from ossicle.generate.emit import generate

SCRIPT = """
tick = "16ms"
length = "4s"
inputs = [
    { at = "0.5s", set = { speed = 2.0, attack = true } },
    { at = "0.7s", set = { attack = true } },
    { at = "2s", go = "leap", over = "100ms" },
    { at = "2.5s", appear = { x = -1.5, z = 2, yaw = 0.25 } },
    { at = "3s", set = { stance = "hurt", speed = -9, grounded = false }, go = "idle" },
]
"""
GAME = """
#include <stdio.h>

#include "hero_graph.h"

int main(void)
{
    static hero_graph hero;
    static hero_model model;
    if (hero_graph_start(&hero, &hero_embedded) != OSC_OK)
        return 1;
    for (uint32_t tick = 0; tick < 250; tick++) {
        if (tick == 32) {
            hero.set.speed_q16 = 2 << 16;
            hero.set.attack = true;
        } else if (tick == 44) {
            hero.set.attack = true;
        } else if (tick == 125) {
            (void)hero_graph_go(&hero, HERO_STATE_LEAP, 100000);
        } else if (tick == 157) {
            const osc_placement place = {-3 * (1 << 19), 0, 2 << 20, 1 << 22};
            hero_graph_appear(&hero, &place);
        } else if (tick == 188) {
            hero.set.stance = HERO_STANCE_HURT;
            hero.set.speed_q16 = -9 * 65536;
            hero.set.grounded = false;
            (void)hero_graph_go(&hero, HERO_STATE_IDLE, 200000);
        }
        hero_graph_step(&hero, 16000, &model);
        const osc_placement *place = &hero.now.graph.place;
        uint32_t hash = osc_hash_words(OSC_HASH_START, &hero.pose, sizeof hero.pose / 4u);
        printf("%s %u %d %d %d %d %08x", hero_state_names[hero.now.machines[0].state],
               hero.now.graph.switches, place->x, place->y, place->z, place->yaw_q24, hash);
        for (osc_graph_event event; hero_graph_next_event(&hero, &event);)
            printf(" %s%s%s%s", hero_event_names[event.name],
                   (event.what & OSC_GRAPH_EVENT_PHASE) == OSC_EVENT_BEGIN ? "-begins" :
                   (event.what & OSC_GRAPH_EVENT_PHASE) == OSC_EVENT_END ? "-ends" : "",
                   event.what & OSC_GRAPH_EVENT_LATE ? "-late" : "",
                   event.what & OSC_GRAPH_EVENT_CUT ? "-cut" : "");
        printf("\\n");
    }
    return 0;
}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a bank and a script."""
    (tmp_path / "hero.ossb").write_bytes(graph_bank(biped()))
    (tmp_path / "script.toml").write_text(SCRIPT, encoding="utf-8")
    return tmp_path


def played(folder: Path, script: str, *more: object) -> Any:
    (folder / "script.toml").write_text(script, encoding="utf-8")
    return run_inside("play", folder / "hero.ossb", "--script", folder / "script.toml", *more)


def recorded(folder: Path, script: str = SCRIPT) -> dict[str, Any]:
    result = played(folder, script, "--json")
    assert result.status == 0, result.err
    found: dict[str, Any] = json.loads(result.out)
    return found


@pytest.mark.parametrize(("has_scale", "seed"), [(False, 0), (True, 0), (False, 5)])
def test_a_script_plays_as_a_game_with_the_generated_code(has_scale: bool, seed: int, folder: Path) -> None:
    """seed: of random attacks, or 0 without them."""
    (folder / "hero.ossb").write_bytes(graph_bank(skeleton(has_scale), graph(chosen=seed > 0)))
    sources = [path for path in generate(folder / "hero.ossb", folder, Code(embed=True)) if path.suffix == ".c"]
    game = GAME.replace("_embedded)", f"_embedded, {seed})") if seed else GAME
    (folder / "game.c").write_text(game, encoding="utf-8")
    program = build_program("gcc", [*STRICT, "-O1", *INCLUDES, f"-I{folder}"], [folder / "game.c", *sources, *RUNTIME],
                            folder / "game")
    ticks = recorded(folder, f"seed = {seed}\n{SCRIPT}")["ticks"]
    lines = [" ".join(map(str, [tick["state"], tick["switches"], *tick["place"], tick["pose"],
                                *(event.replace(" ", "-") for event in tick["events"])])) for tick in ticks]
    assert lines == run([program]).stdout.splitlines() and len(lines) == 250
    assert {tick["state"] for tick in ticks} >= {"idle", "combat.cut", "combat.stab", "leap", "limp"}
    assert [tick["time_us"] for tick in ticks[:2]] == [16_000, 32_000]
    assert [at for at, tick in enumerate(ticks) if tick["input"]] == [32, 44, 125, 157, 188]


def test_seeds_choose_what_plays(folder: Path) -> None:
    (folder / "hero.ossb").write_bytes(graph_bank(biped(), graph(chosen=True)))
    attacks = "".join(f"    {{ at = {at}, go = \"combat.cut\" }},\n" for at in range(1, 20))
    script = f"length = 20\ninputs = [\n{attacks}]\n"
    plays = [recorded(folder, f"seed = {seed}\n{script}") for seed in (0, 0, 1)] + [recorded(folder, script)]
    assert plays[0] == plays[1] == plays[3] and plays[0]["ticks"] != plays[2]["ticks"]


def test_the_table_has_what_happened(folder: Path) -> None:
    lines = played(folder, SCRIPT).out.splitlines()
    every = played(folder, SCRIPT, "--every-tick").out.splitlines()
    ticks = recorded(folder)["ticks"]
    shown = [tick for tick in ticks if tick["input"] or tick["switches"] or tick["events"] or tick is ticks[-1]]
    assert len(lines) == 1 + len(shown) < len(every) == 1 + len(ticks)
    for line, tick in zip(lines[1:], shown):
        assert line.split()[:2] == [f"{tick['time_us'] / 1e6:.3f}", tick["state"]]
        assert line.rstrip().endswith(tick["pose"])
        assert all(event in line for event in tick["events"])
    assert any(f"{-1.5:.3f}" in line and " 90.0 " in line for line in lines)
    assert played(folder, SCRIPT, "--quiet").out == ""


def test_a_script_without_a_length_ends_a_second_after_its_last_entry(folder: Path) -> None:
    assert len(recorded(folder, 'tick = 0.01\ninputs = [{ at = 0.5, set = { jump = true } }]')["ticks"]) == 150
    assert len(recorded(folder, "")["ticks"]) == 60


# ---- expectations ----

def expecting(entry: str) -> str:
    return f"{SCRIPT}\nexpect = [{{ {entry} }}]"


def test_a_script_sets_points(tmp_path: Path) -> None:
    """A hand turns to the point from then on."""
    graph_text = '[graph]\nstart = "walk"\n[graph.parameters]\nfree = false\ngoal = "point"\n' \
        '[graph.states]\nwalk = { play = "Walk" }\n[graph.looks.hand]\nat = "goal"\nchain = { hand = 1.0 }\n'
    assert run_inside("build", write_walker(tmp_path, graph_text), "--quiet").status == 0
    poses = []
    for point in ("[0.0, 1.0, 2.0]", "[0, 1, 2]", "[2.0, 1.0, 0.0]"):
        ticks = recorded(tmp_path, 'tick = "16ms"\nlength = "1s"\n'
                         f'inputs = [{{ at = "0.1s", set = {{ goal = {point} }} }}]\n')["ticks"]
        poses.append([tick["pose"] for tick in ticks])
    before, at_once = slice(0, 6), slice(8, None)
    assert poses[0] == poses[1] and poses[0][before] == poses[2][before]
    assert all(here != there for here, there in zip(poses[0][at_once], poses[2][at_once], strict=True))


def test_expectations_that_hold(folder: Path) -> None:
    ticks = recorded(folder)["ticks"]
    events = [event for tick in ticks[:40] for event in tick["events"]]
    later = [event for tick in ticks[40:60] for event in tick["events"]]
    x, _, _, yaw = ticks[-1]["place"]
    script = f"""{SCRIPT}
expect = [
    {{ at = "0.64s", state = "combat", events = {json.dumps(events)} }},
    {{ at = "0.96s", events = {json.dumps(later)} }},
    {{ at = "4s", place = {{ x = {x / 2**20}, yaw = {yaw / 2**24} }}, pose = "{ticks[-1]['pose']}" }},
]"""
    assert events and later and played(folder, script).status == 0


@pytest.mark.parametrize(("entry", "facts"), [
    ('at = "0.5s", state = "leap"', "script.toml expect 1 0.5 s idle leap"),
    ('at = "0.64s", state = "idle"', "0.64 s combat.cut idle"),
    ('at = "0.5s", events = []', "0.5 s step none"),
    ('at = "0.5s", events = ["step", "hit ends"]', "0.5 s hit ends"),
    ('at = "2.6s", place = { x = -1.4 }, within = 0.05', "2.6 s x -1.4 0.05"),
    ('at = "2.6s", place = { yaw = 0 }', "2.6 s yaw 0 0.01"),
    ('at = "1s", pose = "00000000"', "1 s 00000000"),
])
def test_expectations_that_do_not_hold(entry: str, facts: str, folder: Path) -> None:
    result = played(folder, expecting(entry), "--quiet")
    assert result.status == 1 and result.out == "" and len(result.err.splitlines()) == 1
    assert mentions(result.err, facts)


def test_all_that_does_not_hold_is_named(folder: Path) -> None:
    path = folder / "before.json"
    path.write_text(json.dumps(recorded(folder, SCRIPT.replace('"0.7s"', '"0.4s"'))), encoding="utf-8")
    script = f"""{SCRIPT}
expect = [
    {{ at = "0.5s", state = "leap", pose = "00000000" }},
    {{ at = "0.64s", state = "combat" }},
    {{ at = "1s", events = ["hit ends"] }},
]"""
    result = played(folder, script, "--expect", path, "--quiet")
    assert result.status == 1 and result.out == ""
    lines = result.err.splitlines()
    assert len(lines) == 3
    for line, facts in zip(lines, ("script.toml expect 1 0.5 s idle leap 00000000", "script.toml expect 3 1 s hit ends",
                                   "before.json 0.416 s state combat.cut idle")):
        assert line.startswith("ossicle: ") and mentions(line, facts)


def test_a_recording_is_compared(folder: Path) -> None:
    path = folder / "before.json"
    path.write_text(json.dumps(recorded(folder)), encoding="utf-8")
    assert played(folder, SCRIPT, "--expect", path).status == 0
    result = played(folder, SCRIPT.replace('"0.7s"', '"0.4s"'), "--expect", path, "--quiet")
    assert result.status == 1 and mentions(result.err, "before.json 0.416 s state combat.cut idle")
    other = played(folder, SCRIPT.replace("16ms", "20ms"), "--expect", path, "--quiet")
    assert other.status == 1 and mentions(other.err, "before.json 16000 20000")
    shorter = played(folder, SCRIPT.replace('"4s"', '"3.2s"'), "--expect", path, "--quiet")
    assert shorter.status == 1 and mentions(shorter.err, "before.json 250 200")
    content = json.loads(path.read_text(encoding="utf-8"))
    for key, value in (("events", ["hit ends"]), ("place", [1, 2, 3, 4]), ("pose", "00000000"), ("switches", 3)):
        ticks = [dict(tick) for tick in content["ticks"]]
        ticks[100][key] = value
        path.write_text(json.dumps({**content, "ticks": ticks}), encoding="utf-8")
        changed = played(folder, SCRIPT, "--expect", path, "--quiet")
        assert changed.status == 1 and mentions(changed.err, f"before.json 1.616 s {key}"), key


@pytest.mark.parametrize("content", ["", "{", "[]", "{}", '{"ticks": []}', '{"tick_us": 1, "ticks": [{}]}',
                                     '{"tick_us": 1, "ticks": [4]}', '{"tick_us": 1, "ticks": {}}', "[" * 100_000])
def test_what_is_no_recording(content: str, folder: Path) -> None:
    (folder / "bad.json").write_text(content, encoding="utf-8")
    result = played(folder, SCRIPT, "--expect", folder / "bad.json", "--quiet")
    assert result.status == 1 and mentions(result.err, "bad.json --json")


# ---- bad input ----

@pytest.mark.parametrize(("script", "facts"), [
    ("tick = [", "script.toml"),
    ("ticks = 1", "ticks tick"),
    ('tick = "0s"', "tick 0s 250 ms"),
    ('tick = "251ms"', "tick 251ms 250 ms"),
    ("tick = true", "tick True"),
    ('length = "1e9s"', "length"),
    ("seed = -1", "seed -1"),
    ("seed = 4294967296", "seed 4294967296 4294967295"),
    ("seed = true", "seed True"),
    ("length = 90000", "length 90000 86,400"),
    ('tick = 0.000001\nlength = "2s"', "2,000,000 1,000,000"),
    ("length = 0", "0 ticks"),
    ('length = "1s"\ninputs = [{ at = 2 }]', "length 1s 2 s"),
    ("inputs = 4", "inputs at"),
    ("inputs = [4]", "inputs at"),
    ("inputs = [{ set = { jump = true } }]", "inputs 1 at"),
    ("inputs = [{ at = 1 }, { at = 2, sets = {} }]", "inputs 2 sets set"),
    ("inputs = [{ at = 1, set = 4 }]", "inputs 1 set 4"),
    ("inputs = [{ at = 1, set = { sped = 4 } }]", "inputs 1 sped speed"),
    ("inputs = [{ at = 1, set = { speed = true } }]", "inputs 1 speed True"),
    ('inputs = [{ at = 1, set = { speed = "1" } }]', "inputs 1 speed"),
    ("inputs = [{ at = 1, set = { speed = 40000 } }]", "inputs 1 speed 40000 32767"),
    ("inputs = [{ at = 1, set = { speed = nan } }]", "inputs 1 speed nan"),
    ("inputs = [{ at = 1, set = { grounded = 1 } }]", "inputs 1 grounded 1"),
    ("inputs = [{ at = 1, set = { jump = false } }]", "inputs 1 jump false"),
    ('inputs = [{ at = 1, set = { stance = "armd" } }]', "inputs 1 stance armd armed"),
    ('inputs = [{ at = 1, go = "combat" }]', "inputs 1 combat combat.cut"),
    ('inputs = [{ at = 1, over = "1s" }]', "inputs 1 over go"),
    ("inputs = [{ at = 1, appear = [1] }]", "inputs 1 appear"),
    ("inputs = [{ at = 1, appear = { w = 1 } }]", "inputs 1 appear w yaw"),
    ("inputs = [{ at = 1, appear = { x = 5000 } }]", "inputs 1 appear x 5000 2047"),
    ("inputs = [{ at = 1, appear = { yaw = 128.0 } }]", "inputs 1 appear yaw 128.0 127"),
    ('inputs = [{ at = 1, go = "idle", over = "80000s" }]', "inputs 1 over 16.78"),
    ("length = 1" + 400 * "0", "length"),
    ("expect = [{ at = 1, within = -1.0 }]", "expect 1 within -1"),
    ('expect = [{ at = 1, state = "lep" }]', "expect 1 lep leap"),
    ('expect = [{ at = 1, events = "hit" }]', "expect 1 events hit"),
    ('expect = [{ at = 1, events = ["hip"] }]', "expect 1 hip hit"),
    ('expect = [{ at = 1, pose = "abc" }]', "expect 1 pose abc"),
    ("expect = [{ at = 1, within = inf }]", "expect 1 within inf"),
    ("expect = [{ at = 1, stat = 1 }]", "expect 1 stat state"),
])
def test_errors_of_scripts(script: str, facts: str, folder: Path) -> None:
    result = played(folder, script)
    assert result.status == 1 and result.out == "" and len(result.err.splitlines()) == 1
    assert mentions(result.err, f"script.toml {facts}")


def test_errors_of_files(folder: Path) -> None:
    script = folder / "script.toml"
    (folder / "plain.ossb").write_bytes(plain_bank(biped()))
    for arguments, facts in (
            ((folder / "plain.ossb", "--script", script), "plain.ossb [graph]"),
            ((folder / "hero.glb", "--script", script), "hero.glb .toml .ossb"),
            ((folder / "hero.ossb", "--script", folder / "none.toml"), "none.toml"),
            ((folder / "hero.ossb", "--script", script, "--character", "x"), "--character"),
            ((folder / "hero.ossb", "--script", script, "--expect", folder / "none.json"), "none.json"),
            ((folder / "none.toml", "--script", script), "none.toml")):
        result = run_inside("play", *arguments, "--quiet")
        assert result.status == 1 and mentions(result.err, facts), arguments


def test_a_configuration_file_names_the_bank_that_was_built(folder: Path) -> None:
    write_bvh(folder / "walk.bvh")
    project, script = folder / "cast.toml", folder / "script.toml"
    graph = '[graph]\nstart = "go"\nlongest_step = "10ms"\n[graph.states]\ngo = { play = "walk" }\n'
    project.write_text(f'inputs = ["walk.bvh"]\neffort = "fast"\n[character.dog]\n[character.cat]\n{graph}'
                       .replace("[graph", "[character.cat.graph"), encoding="utf-8")
    script.write_text('length = "0.1s"\nexpect = [{ at = "0.1s", state = "go" }]', encoding="utf-8")
    before = run_inside("play", project, "--script", script, "--character", "cat")
    assert before.status == 1 and mentions(before.err, "cast.toml build")
    assert run_inside("build", project, "--quiet").status == 0
    assert run_inside("play", project, "--script", script, "--character", "cat").status == 0
    for more, facts in (((), "cast.toml --character dog cat"), (("--character", "dgo"), "dgo dog"),
                        (("--character", "dog"), "dog.ossb [graph]")):
        result = run_inside("play", project, "--script", script, *more)
        assert result.status == 1 and mentions(result.err, facts), more


def test_a_bank_whose_inputs_have_changed_is_not_played(folder: Path) -> None:
    write_bvh(folder / "walk.bvh")
    project, script = folder / "hero.toml", folder / "script.toml"
    text = ('inputs = ["*.bvh"]\neffort = "fast"\n[graph]\nstart = "go"\nlongest_step = "10ms"\n'
            '[graph.states]\ngo = { play = "walk" }\n')
    project.write_text(text, encoding="utf-8")
    script.write_text('length = "0.1s"', encoding="utf-8")

    def play() -> Any:
        return run_inside("play", project, "--script", script, "--quiet")

    def build() -> None:
        assert run_inside("build", project, "--quiet").status == 0
        assert play().status == 0

    build()
    project.write_text(text + "# the same settings in another file\n", encoding="utf-8")
    result = play()
    assert result.status == 1 and result.out == "" and mentions(result.err, "hero.toml hero.ossb build")
    build()
    before = (folder / "walk.bvh").read_bytes()
    (folder / "walk.bvh").write_bytes(before + b"\n")
    result = play()
    assert result.status == 1 and mentions(result.err, "hero.toml walk.bvh hero.ossb build")
    build()
    (folder / "run.bvh").write_bytes(before)
    result = play()
    assert result.status == 1 and mentions(result.err, "hero.toml hero.ossb build")
    (folder / "run.bvh").unlink()
    assert play().status == 0, "as it was when the bank was built"
    (folder / "hero.manifest.json").unlink()
    assert play().status == 0, "a bank without a manifest was not built from the file"
