"""Layers: clips over parts of the pose, which fade in and out."""
from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from graph_game import MS, Game, near, q16, started

FULL = 1 << 15
GRAPH = """\
[sets]
arm = ["Arm"]
[masks]
arm = { set = "arm" }
[graph]
start = "idle"
transitions = [
    { from = "idle", to = "leap", when = "jump" },
    { from = "leap", to = "idle", when = "finished" },
]
[graph.parameters]
amount = { range = [0.0, 1.0], default = 1.0 }
armed = false
jump = "trigger"
wave = "trigger"
[graph.states]
idle = { play = "Idle" }
leap = { play = "Jump" }
"""
BARE = GRAPH[GRAPH.index("[graph]"):].replace('wave = "trigger"\n', "")
GESTURE = """\
[[graph.layers]]
name = "gesture"
mask = "arm"
one_shot = { wave = "Attack" }
while = "not in(leap)"
"""
AIM = """\
[[graph.layers]]
name = "aim"
start = "off"
weight = "amount"
fade = "100ms"
states = { off = { play = "none" }, on = { play = "Walk" }, shoot = { play = "Attack2" } }
transitions = [
    { from = "*", to = "off", when = "not armed", over = 0 },
    { from = "off", to = "on", when = "armed" },
    { from = "on", to = "shoot", when = "wave" },
    { from = "shoot", to = "on", when = "finished" },
]
"""
NOD = """\
[[graph.layers]]
name = "nod"
play = "Nod"
weight = 0.5
fade = 0
"""


@pytest.fixture
def gesture(driver: Path, tmp_path: Path) -> Iterator[Game]:
    """A character with a clip that a trigger starts, in a layer over the arm."""
    with started(driver, tmp_path, GRAPH + GESTURE) as game:
        yield game


def test_19_a_second_trigger_waits_and_a_third_begins_at_the_end(gesture: Game) -> None:
    """The clip lasts 600 ms. Its weight rises for 200 ms, and is 0 where it ends."""
    game = gesture
    game.run(16 * MS, wave=1)
    assert game.states[game.layer().state] == "gesture.wave" and game.layer().envelope_us == 16 * MS
    game.run(184 * MS, 8 * MS)
    assert game.layer().weight_q15 == FULL
    game.run(184 * MS, 8 * MS, wave=1)  # at 200 ms: expires at 350 ms
    assert game.layer().weight_q15 == FULL
    game.run(96 * MS, 8 * MS)
    assert game.layer().envelope_us == near(120 * MS)
    game.run(16 * MS, 8 * MS, wave=1)  # at 480 ms: taken at 600 ms
    game.run(120 * MS, 8 * MS)
    assert game.states[game.layer().state] == "gesture.wave" and game.layer().state_us == near(16 * MS)
    assert game.layer().envelope_us == near(16 * MS)
    hits = [text for text in game.passed if text.startswith("gesture.wave hit")]
    assert hits == ["gesture.wave hit begin", "gesture.wave hit end"]


def test_20_a_layer_whose_while_ends_fades_out_in_silence(gesture: Game) -> None:
    """From where it is. It then stops."""
    game = gesture
    game.run(192 * MS, wave=1)
    game.run(96 * MS, jump=1)
    assert game.layer().envelope_us == 96 * MS and game.states[game.layer().state] == "gesture.wave"
    game.run(96 * MS)
    assert game.layer().envelope_us == 0 and game.layer().weight_q15 == 0
    game.run(16 * MS)
    assert game.states[game.layer().state] == "gesture.none"
    assert not [text for text in game.passed if text.startswith("gesture")]


def test_a_layer_whose_while_holds_again_goes_on(driver: Path, tmp_path: Path) -> None:
    """Before it has faded out."""
    graph = GRAPH + GESTURE.replace("not in(leap)", "not armed")
    with started(driver, tmp_path, graph) as game:
        game.run(192 * MS, wave=1)
        game.run(64 * MS, armed=1)
        assert game.layer().envelope_us == 128 * MS
        game.run(32 * MS)
        assert game.layer().envelope_us == 160 * MS and game.layer().state_us == 288 * MS
        assert [text for text in game.passed if text.startswith("gesture")] == ["gesture.wave hit begin late"]


def test_21_each_machine_has_its_own_copy_of_a_trigger(driver: Path, tmp_path: Path) -> None:
    graph = GRAPH.replace('when = "jump"', 'when = "wave"').replace('jump = "trigger"\n', "") + \
        GESTURE.replace("not in(leap)", "not armed")
    with started(driver, tmp_path, graph) as game:
        game.step(wave=1)
        assert (game.state, game.states[game.layer().state]) == ("leap", "gesture.wave")


def test_a_state_that_plays_nothing_lets_the_clip_before_it_fade_out(driver: Path, tmp_path: Path) -> None:
    with started(driver, tmp_path, GRAPH + AIM) as game:
        game.run(160 * MS, armed=1)
        assert game.layer().weight_q15 == FULL and game.states[game.layer().state] == "aim.on"
        game.run(48 * MS)
        assert game.states[game.layer().state] == "aim.off" and game.layer().envelope_us == 52 * MS
        game.run(16 * MS, armed=1, amount=q16(0.5))
        assert game.layer().envelope_us == 68 * MS
        assert abs(game.layer().weight_q15 - FULL * 0.34) <= 2


def test_layers_change_the_pose_by_their_mask_and_weight(driver: Path, tmp_path: Path) -> None:
    """The body, which the mask leaves out, moves as without layers."""
    poses = {}
    for name, layers in (("none", ""), ("gesture", GESTURE), ("nod", NOD), ("aim", AIM)):
        folder = tmp_path / name
        folder.mkdir()
        with started(driver, folder, (GRAPH if layers in (GESTURE, AIM) else BARE) + layers) as game:
            values = {"wave": 1} if layers in (GESTURE, AIM) else {}
            game.run(80 * MS, **values, armed=1)
            _, poses[name] = game.player.pose(80 * MS)
    bodies = {name: pose[:4] for name, pose in poses.items()}
    arms = {name: pose[4:8] for name, pose in poses.items()}
    assert bodies["gesture"] == bodies["none"]
    assert len(set(map(tuple, arms.values()))) == len(arms)


@pytest.mark.parametrize("seed", range(8))
def test_time_can_be_cut_anywhere(driver: Path, tmp_path: Path, seed: int) -> None:
    """States, clocks, weights, events and triggers of layers do not depend on the lengths of steps."""
    random = Random(seed)
    graph = GRAPH.replace('wave = "trigger"', 'wave = { trigger = "300ms" }') + GESTURE + AIM + NOD
    with started(driver, tmp_path, graph) as game:
        for number in range(150):
            values = [{"jump": int(random.random() < 0.2), "wave": int(random.random() < 0.3),
                       "armed": int(random.random() < 0.5), "amount": q16(random.random())}.get(name, default)
                      for name, default in game.parameters]
            total_us = random.randrange(1, 250_000)
            game.player.ask("save")
            whole = game.player.cut(total_us, 1_000_000, 1, values)
            game.player.ask("load")
            parts = game.player.cut(total_us, random.choice([3000, 40_000]), number, values)
            assert (parts.machines, parts.ages_us) == (whole.machines, whole.ages_us), f"stretch {number}"
            assert sorted(parts.events) == sorted(whole.events), f"stretch {number}"
