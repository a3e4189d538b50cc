"""States that play mirror images of clips: the pose is mirrored, and so are the names of events."""
from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from c_programs import INCLUDES, RUNTIME, STRICT, build_program

from gltf_builder import turn, two_arms
from ossicle.bank.file import read_bank
from ossicle.generate.code import Code
from ossicle.generate.emit import generate
from mentions import mentions
from running import run_inside

FADED, LEFT = 6, 45  # ticks: after the transition to `other`, and before the one from it
ONE_Q20 = 1 << 20
ROUNDED_Q20 = 64
GRAPH = """\
inputs = ["hero.glb"]
effort = "fast"
clips."Walk" = { loop = true, events = [{ time = "0.1s", name = "left_foot" }] }
[clips."Walk2"]
mirror_of = "Walk"
[graph]
start = "walk"
transitions = [
    { from = "walk", to = "other", when = "mirrored", over = "100ms" },
    { from = "other", to = "both", when = "after(1s)", kind = "fade" },
]
[graph.parameters]
mirrored = false
share = { range = [0.0, 1.0] }
[graph.states]
walk = { play = "Walk" }
other = { play = "Walk2" }
both = { by = "share", blend = { Walk = 0.0, Walk2 = 1.0 } }
"""
SCRIPT = """
tick = "20ms"
length = "3s"
inputs = [
    { at = "0.5s", set = { mirrored = true } },
    { at = "2s", set = { share = 0.5 } },
]
"""
GAME = """
#include <stdio.h>

#include "hero_graph.h"

/* With an argument, 1 if the state `other` plays, 2 if from tick 25 on: prints both arms. */
int main(int count, char **arguments)
{
    static hero_graph hero;
    static hero_model model;
    if (hero_graph_start(&hero, &hero_embedded) != OSC_OK)
        return 1;
    for (uint32_t tick = 0; tick < 150; tick++) {
        hero.set.mirrored = count > 1 && arguments[1][0] != '2' ? arguments[1][0] == '1' : tick >= 25;
        hero.set.share_q16 = tick >= 100 ? 1 << 15 : 0;
        hero_graph_step(&hero, 20000, &model);
        if (count > 1)
            printf("%d %d %d %d %d %d\\n", model.joints[1].m[0], model.joints[1].m[1],
                   model.joints[2].m[0], model.joints[2].m[1], model.joints[1].m[3],
                   model.joints[2].m[3]);
        else
            printf("%08x\\n", osc_hash_words(OSC_HASH_START, &hero.pose, sizeof hero.pose / 4u));
    }
    return 0;
}
"""


def write_arms(folder: Path, right_m: float = 0.4) -> None:
    """Two arms, of which the left one moves more than the right one."""
    g = two_arms(right_m)
    times = np.arange(31) / 30
    g.animation("Walk", *((joint, "rotation", times, [turn("z", most * np.sin(2 * np.pi * time)) for time in times],
                           "LINEAR") for joint, most in ((1, 60), (2, 20))))
    g.write_glb(folder)


def built(made: Path, right_m: float = 0.4) -> Path:
    write_arms(made, right_m)
    (made / "hero.toml").write_text(GRAPH, encoding="utf-8")
    ran = run_inside("build", made / "hero.toml", "--quiet")
    assert ran.status == 0, ran.err
    return made


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(tmp_path_factory.mktemp("mirror"))


def ticks_of(folder: Path, script: str) -> list[dict[str, Any]]:
    (folder / "script.toml").write_text(script, encoding="utf-8")
    ran = run_inside("play", folder / "hero.ossb", "--script", folder / "script.toml", "--json")
    assert ran.status == 0, ran.err
    found: list[dict[str, Any]] = json.loads(ran.out)["ticks"]
    return found


def game_of(folder: Path) -> Path:
    sources = [path for path in generate(folder / "hero.ossb", folder, Code(embed=True)) if path.suffix == ".c"]
    (folder / "game.c").write_text(GAME, encoding="utf-8")
    return build_program("gcc", [*STRICT, "-O1", *INCLUDES, f"-I{folder}"], [folder / "game.c", *sources, *RUNTIME],
                         folder / "game")


@pytest.fixture(scope="module")
def game(folder: Path) -> Path:
    return game_of(folder)


def printed(game: Path, *arguments: str) -> list[str]:
    return subprocess.run([game, *arguments], capture_output=True, text=True, check=True).stdout.splitlines()


def test_a_script_plays_as_the_generated_code_does(folder: Path, game: Path) -> None:
    ticks = ticks_of(folder, SCRIPT)
    assert {tick["state"] for tick in ticks} == {"walk", "other", "both"}
    assert [tick["pose"] for tick in ticks] == printed(game)


def test_events_have_the_other_side(folder: Path) -> None:
    events = [event for tick in ticks_of(folder, SCRIPT) for event in tick["events"]]
    assert events[0] == "left_foot" and "right_foot" in events


def test_a_mirrored_state_shows_the_other_arm(game: Path) -> None:
    """The cosine and a sine of each arm's rotation about z, Q20, once the transition has ended."""
    walk, other = (np.array([line.split() for line in printed(game, mirrored)[FADED:LEFT]], int)
                   for mirrored in ("0", "1"))
    assert np.abs(walk[:, 1]).max() > ONE_Q20 // 2 > np.abs(walk[:, 3]).max()
    assert np.abs(other[:, [2, 0]] - walk[:, [0, 2]]).max() <= ROUNDED_Q20
    assert np.abs(other[:, [3, 1]] + walk[:, [1, 3]]).max() <= ROUNDED_Q20


def test_joints_that_no_clip_moves_do_not_jump(tmp_path: Path) -> None:
    """The right shoulder is 2 cm nearer to the middle, so the shoulders of a mirror image are elsewhere. Transitions
    and blends move them there."""
    game = game_of(built(tmp_path, 0.38))
    shoulders = np.array([line.split() for line in printed(game, "2")], int)[:, 4:] / ONE_Q20
    for tick, left, right in ((24, 0.4, -0.38), (35, 0.38, -0.4), (99, 0.4, -0.38), (149, 0.39, -0.39)):
        assert np.abs(shoulders[tick] - (left, right)).max() < 1e-4
    assert np.abs(np.diff(shoulders[:100], axis=0)).max() < 0.4 * 0.02  # the transition takes five ticks


def test_the_graph_states_what_it_needs(folder: Path) -> None:
    graph = read_bank(folder / "hero.ossb").graph
    assert graph is not None and graph.mirrors


FLIPPED = """\
inputs = ["hero.glb"]
effort = "fast"
clips."Walk" = { loop = true, events = [{ time = "0.1s", name = "left_foot" }] }
[clips."Walk2"]
mirror_of = "Walk"
[graph]
start = "walk"
over = "0s"
transitions = [
    { from = "walk", to = "other", when = "pause" },
    { from = "other", to = "walk", when = "not pause and not blends" },
    { from = "other", to = "both", when = "not pause" },
]
[graph.parameters]
flipped = false
pause = false
blends = false
share = { range = [0.0, 1.0] }
[graph.states]
walk = { play = "Walk", mirror = "flipped" }
other = { play = "Walk2", mirror = true }
both = { by = "share", blend = { Walk = 0.0 }, mirror = "flipped", stride = { Walk = "50cm" } }
"""
FLIPS = """
tick = "20ms"
length = "2.5s"
inputs = [
    { at = "0.5s", set = { flipped = true } },
    { at = "1s", set = { pause = true } },
    { at = "1.5s", set = { pause = false } },
]
"""


def flipped(folder: Path, graph: str, script: str = FLIPS) -> list[dict[str, Any]]:
    write_arms(folder)
    (folder / "hero.toml").write_text(graph, encoding="utf-8")
    ran = run_inside("build", folder / "hero.toml", "--quiet")
    assert ran.status == 0, ran.err
    return ticks_of(folder, script)


def test_a_flag_mirrors_a_state_when_it_is_entered(tmp_path: Path) -> None:
    """It does not change a state that plays. A state that mirrors a mirror image plays the original."""
    ticks = flipped(tmp_path, FLIPPED)
    assert [ticks[tick]["state"] for tick in (0, 49, 60, 80)] == ["walk.1", "walk.1", "other", "walk.2"]
    assert [event for tick in ticks for event in tick["events"]] == ["left_foot", "left_foot", "right_foot"]
    assert [tick["pose"] for tick in ticks[50:75]] == [tick["pose"] for tick in ticks[:25]]
    from_start = flipped(tmp_path, FLIPPED.replace("flipped = false", "flipped = true"))
    assert from_start[0]["state"] == "walk.2"
    assert [tick["pose"] for tick in from_start[:45]] == [tick["pose"] for tick in ticks[75:120]]


def test_a_flag_mirrors_a_blend(tmp_path: Path) -> None:
    """The strides of its clips are those of their originals."""
    graph = FLIPPED.replace("blends = false", "blends = true")
    both = flipped(tmp_path, graph)
    assert both[80]["state"] == "both.2" and both[-1]["place"][2] > both[80]["place"][2]
    stated = graph.replace("Walk = 0.0", "Walk2 = 0.0").replace("Walk = \"50cm\"", "Walk2 = \"50cm\"")
    plain = flipped(tmp_path, stated.replace("}, mirror = \"flipped\", stride", "}, stride"))
    assert plain[80]["state"] == "both"
    for mine, other in zip(both[75:], plain[75:]):
        assert (mine["pose"], mine["place"]) == (other["pose"], other["place"])


@pytest.mark.parametrize(("old", "new", "facts"), [
    ('mirror_of = "Walk"', 'loop = false', "states.walk mirror Walk mirror_of"),
    ('"Walk", mirror = "flipped"', '"Walk", mirror = "fliped"', "states.walk mirror 'fliped' 'flipped'"),
    ('"Walk", mirror = "flipped"', '"Walk", mirror = "share"', "states.walk mirror 'share' number flag"),
    ('"Walk", mirror = "flipped"', '"Walk", mirror = 1', "states.walk mirror 1 true flag"),
    ('"Walk", mirror = "flipped"', '"Walk", mirror = ""', "states.walk mirror '' true flag"),
    ('play = "Walk", mirror', 'random = ["Walk", "Walk2"], mirror', "states.walk 'mirror'"),
])
def test_states_that_cannot_be_mirrored(tmp_path: Path, old: str, new: str, facts: str) -> None:
    assert old in FLIPPED
    write_arms(tmp_path)
    text = FLIPPED.replace(old, new, 1)
    if "loop = false" in new:
        text = text.replace('[clips."Walk2"]\nloop = false\n', "").replace('"Walk2", mirror = true', '"Walk"')
    (tmp_path / "hero.toml").write_text(text, encoding="utf-8")
    ran = run_inside("build", tmp_path / "hero.toml", "--quiet")
    assert ran.status == 1 and mentions(ran.err.splitlines()[-1], f"hero.toml [graph] {facts}"), ran.err
