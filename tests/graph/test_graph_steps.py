"""Transitions of the kind step: two states play while one fades into the other, with their feet together."""
from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from graph_character import write_character
from graph_game import MS, TICK_US, Game, started
from ossicle.bank.file import read_bank
from ossicle.bank.graph.layout import NEEDS_STEPS
from running import run_inside

STRIDES_M = {"Walk": 0.7, "Run": 0.9}
STEPS_S = {"Walk": 0.5, "Run": 0.3}
GRAPH = """\
[graph]
start = "walk"
transitions = [
    { from = "walk", to = "run", when = "fast", kind = "step", over = "400ms" },
    { from = "run", to = "walk", when = "not fast and not stays", kind = "step", over = "400ms" },
    { from = "walk", to = "run", when = "now and at(left_foot)", kind = "step", over = "400ms" },
    { from = ["walk", "run"], to = "idle", when = "still", kind = "fade" },
    { from = "idle", to = "walk", when = "not still" },
]
[graph.parameters]
pace = { range = [0.0, 6.0], unit = "m/s" }
fast = false
stays = false
now = { trigger = "1s" }
still = false
[graph.states]
idle = { play = "Idle" }
walk = { by = "pace", blend = { Walk = 1.4 }, sync = ["left_foot", "right_foot"], stride = { Walk = "70cm" } }
run = { by = "pace", blend = { Run = 4.5 }, sync = ["left_foot", "right_foot"], stride = { Run = "90cm" } }
"""


def feet_of(game: Game) -> list[str]:
    return [event.split()[1] for event in game.passed if event.endswith("_foot mark")]


def test_a_graph_with_steps_states_what_it_needs(tmp_path: Path) -> None:
    assert run_inside("build", write_character(tmp_path, GRAPH), "--quiet").status == 0
    bank = read_bank(tmp_path / "hero.ossb")
    assert bank.graph is not None and bank.graph.has_steps
    assert (bank.graph.player_count, bank.graph.pose_count, bank.graph.fade_count) == (4, 2, 1)
    section = next(section for section in bank.sections if section.tag == "GRPH")
    assert section.cut(bank.words)[6] & NEEDS_STEPS


def test_feet_alternate_whenever_the_state_changes(driver: Path, tmp_path: Path) -> None:
    """Both states have one phase: its marks are reported once, wherever a step begins, ends or is interrupted."""
    random = Random(5)
    with started(driver, tmp_path, GRAPH) as game:
        for _ in range(300):
            fast, time_us = int(random.random() < 0.5), random.choice([20, 90, 300, 700]) * MS
            game.run(time_us, tick_us=random.choice([TICK_US, 1700, 90_000]), fast=fast)
        feet = feet_of(game)
    assert len(feet) > 150 and feet[0] == "left_foot"
    assert all(before != after for before, after in pairwise(feet))


def test_a_mark_at_which_a_step_begins_is_reported_once(driver: Path, tmp_path: Path) -> None:
    with started(driver, tmp_path, GRAPH) as game:
        game.run(608 * MS)
        game.step(now=1, stays=1)
        game.run(500 * MS, stays=1)
        assert game.state == "run"
        assert [event for event in game.passed if "left_foot" in event or "right" in event] == [
            "walk left_foot mark", "walk right_foot mark", "run left_foot mark"]


def test_a_step_begins_where_the_feet_are(driver: Path, tmp_path: Path) -> None:
    """A quarter of a step has passed: the next foot comes down after three quarters of a step, which are between those
    of the clips, and the character moves as far as the foot comes."""
    with started(driver, tmp_path, GRAPH) as game:
        game.run(125 * MS, tick_us=MS)
        assert game.now is not None
        before_us, before_m = game.clock_us, game.now.place[2] / (1 << 20)
        assert before_m == pytest.approx(0.7 / 4, rel=0.01)
        while len(feet_of(game)) < 2:
            game.step(MS, fast=1)
        time_s, length_m = (game.clock_us - before_us) / 1e6, game.now.place[2] / (1 << 20) - before_m
    steps = sorted(0.75 * step for step in STEPS_S.values())
    strides = sorted(0.75 * stride for stride in STRIDES_M.values())
    assert steps[0] < time_s < steps[1] and strides[0] < length_m < strides[1]


def test_the_speed_changes_without_a_jump(driver: Path, tmp_path: Path) -> None:
    """From 1.4 m/s to 3 m/s in 400 ms."""
    with started(driver, tmp_path, GRAPH) as game:
        places = []
        for tick in range(80):
            places.append(game.step(fast=int(tick > 20)).place[2] / (1 << 20))
    speeds = [(after - before) / TICK_US * 1e6 for before, after in pairwise(places)]
    assert speeds[10] == pytest.approx(1.4, rel=0.01) and speeds[-1] == pytest.approx(3.0, rel=0.01)
    assert max(abs(after - before) for before, after in pairwise(speeds)) < 0.15


def test_a_step_from_a_state_that_was_not_shown_is_inertia(driver: Path, tmp_path: Path) -> None:
    """The blend begins at its first mark."""
    with started(driver, tmp_path, GRAPH) as game:
        game.run(100 * MS, fast=1)  # no time has passed in walk
        assert game.state == "run" and feet_of(game) == ["left_foot"]


def test_a_saved_step_continues_with_the_same_bits(driver: Path, tmp_path: Path) -> None:
    with started(driver, tmp_path, GRAPH) as game:
        game.run(160 * MS)
        game.run(80 * MS, fast=1)
        game.player.pose(TICK_US)
        game.player.ask("save")
        hashes = []
        for _ in range(2):
            shown = []
            for tick in range(60):
                moment = game.step(fast=int(tick // 9 % 2 == 0))
                shown.append((game.player.pose(TICK_US), moment.place, moment.machines))
            hashes.append(shown)
            game.player.ask("load")
        assert hashes[0] == hashes[1]


@pytest.mark.parametrize(("old", "new", "words"), [
    ('"run", when = "fast", kind = "step", over = "400ms"', '"run", when = "fast", kind = "step", over = "0s"',
     ("transition 1", "step", "no time", "over")),
    ('to = "idle", when = "still", kind = "fade"', 'to = "idle", when = "still", kind = "step"',
     ("transition 4", "step", "idle", "blend")),
    ('from = "idle", to = "walk", when = "not still"', 'from = "idle", to = "walk", when = "not still", kind = "step"',
     ("transition 5", "step", "idle", "blend")),
    ('run = { by = "pace", blend = { Run = 4.5 }, sync = ["left_foot", "right_foot"]',
     'run = { by = "pace", blend = { Run = 4.5 }, sync = ["right_foot", "left_foot"]',
     ("transition 1", "step", "walk", "run", "sync")),
])
def test_states_that_do_not_keep_step_are_errors(tmp_path: Path, old: str, new: str, words: tuple[str, ...]) -> None:
    assert GRAPH.count(old) == 1
    ran = run_inside("build", write_character(tmp_path, GRAPH.replace(old, new)), "--quiet")
    assert ran.status != 0 and all(word in ran.err for word in words), ran.err
