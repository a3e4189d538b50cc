"""What a game sees: the scenarios that users of animation graphs know, each with its exact result."""
from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from graph_character import write_character
from graph_game import MS, TICK_US, Game, near, q16, started
from running import run_inside

GRAPH = """\
[graph]
start = "idle"
transitions = [
    { from = ["idle", "move"], to = "leap", when = "jump and grounded", over = "120ms" },
    { from = "idle", to = "move", when = "speed >= 0.2" },
    { from = "move", to = "idle", when = "speed < 0.2" },
    { from = ["idle", "move"], to = "combat", when = "attack" },
    { from = "combat.cut", to = "combat.stab", when = "attack and inside(combo)" },
    { from = ["leap", "combat"], to = "idle", when = "finished" },
]
[graph.parameters]
speed = { range = [0.0, 6.0], unit = "m/s" }
grounded = true
jump = "trigger"
attack = { trigger = "300ms" }
[graph.states]
idle = { play = "Idle" }
move = { play = "Walk" }
leap = { play = "Jump" }
combat = { start = "cut", states = { cut = { play = "Attack" }, stab = { play = "Attack2" } } }
"""
Start = Callable[..., AbstractContextManager[Game]]


@pytest.fixture
def play(driver: Path, tmp_path: Path) -> Start:
    """Returns a function that starts a game with a graph."""
    return lambda graph=GRAPH: started(driver, tmp_path, graph)


def test_1_a_written_number_acts_at_once(play: Start) -> None:
    with play() as game:
        game.run(160 * MS)
        game.step(speed=q16(1.4))
        assert (game.state, game.state_us) == ("move", TICK_US)
        assert game.passed == ["move left_foot mark"]


def test_2_a_trigger_is_taken_and_consumed(play: Start) -> None:
    with play() as game:
        game.step(jump=1)
        assert game.now.switches == 1 and (game.state, game.state_us) == ("leap", TICK_US)
        assert game.now.ages_us[0] == 0xFFFFFFFF


@pytest.mark.parametrize(("late_ms", "leaps"), [(96, True), (144, True), (192, False)])
def test_3_4_a_trigger_waits_for_its_time(play: Start, late_ms: int, leaps: bool) -> None:
    with play() as game:
        game.run(late_ms * MS, grounded=0, jump=1)
        assert game.state == "idle"
        game.run(640 * MS)
        assert (game.state == "leap") == leaps
        if leaps:
            assert game.state_us == 640 * MS


def test_5_a_jump_near_the_end_of_a_jump(play: Start) -> None:
    """Two switches at one moment: idle is never played."""
    with play() as game:
        game.step(jump=1)
        game.run(784 * MS)
        game.run(TICK_US, jump=1)
        game.run(160 * MS)
        assert game.state == "leap" and game.state_us == near(976 * MS - 900 * MS)
        assert game.passed.count("leap end mark") == 1 and not any(text.startswith("idle") for text in game.passed)


def test_6_time_that_is_left_is_played_by_the_next_state(play: Start) -> None:
    with play() as game:
        game.step(TICK_US, jump=1)
        game.run(834 * MS, 1000)
        game.step(200 * MS)
        assert game.state == "idle" and game.state_us == near(150 * MS)
        assert game.passed == ["leap air begin", "leap air end", "leap land mark", "leap end mark"]


def test_7_a_long_step_counts_as_the_longest(play: Start) -> None:
    with play() as game:
        game.step(1_000_000)
        assert game.state_us == 250 * MS


@pytest.mark.parametrize(("at_ms", "states"), [(100, ["cut", "stab"]), (350, ["stab"]), (550, ["cut"])])
def test_9_10_11_a_combo_has_a_window(play: Start, at_ms: int, states: list[str]) -> None:
    with play() as game:
        game.run(at_ms * MS, at_ms * 100, attack=1)
        assert game.state == "combat.cut"
        game.step(1, attack=1)
        game.run(199 * MS + 999, 1000)
        until_us = at_ms * MS + 200 * MS
        if at_ms == 100:
            assert game.state == "combat.stab" or game.state_us == near(300 * MS)
            game.run(16 * MS, 1000)
            assert game.state == "combat.stab" and game.state_us == near(until_us + 16 * MS - 300 * MS)
            assert game.passed == ["combat.cut hit begin", "combat.cut hit end", "combat.cut combo begin",
                                   "combat.cut combo end cut"]
        elif at_ms == 350:
            assert game.state == "combat.stab" and game.state_us == 200 * MS
        else:
            assert game.state == "combat.cut" and game.state_us == near(until_us - 600 * MS)


def test_12_a_window_that_begins_within_a_step(play: Start) -> None:
    with play() as game:
        game.run(280 * MS, 140 * MS, attack=1)
        game.step(250 * MS, attack=1)
        assert game.state == "combat.stab" and game.state_us == near(230 * MS)


def test_13_a_span_ends_once_when_its_state_is_left(play: Start) -> None:
    with play(GRAPH.replace('transitions = [\n', 'transitions = [\n'
                            '    { from = "combat.cut", to = "move", when = "speed >= 0.2" },\n')) as game:
        game.run(250 * MS, 125 * MS, attack=1)
        assert game.passed == ["combat.cut hit begin"]
        game.step(speed=q16(1.0))
        assert game.passed == ["combat.cut hit begin", "combat.cut hit end cut", "move left_foot mark"]


def test_18_states_that_change_for_ever_are_an_error(play: Start, tmp_path: Path) -> None:
    endless = GRAPH.replace('transitions = [\n', 'transitions = [\n'
                            '    { from = "move", to = "idle", when = "speed >= 0.1" },\n')
    ran = run_inside("build", write_character(tmp_path, endless), "--quiet")
    assert ran.status == 1 and "speed" in ran.err


def test_25_numbers_are_held_at_their_ranges(play: Start) -> None:
    with play() as game:
        game.step(speed=q16(-1))
        assert game.state == "idle"
        game.step(speed=q16(9))
        assert game.state == "move"


def test_speed_0_never_ends(play: Start) -> None:
    graph = GRAPH.replace('leap = { play = "Jump" }', 'leap = { play = "Jump", speed = "pace" }').replace(
        'grounded = true', 'grounded = true\npace = { range = [0.0, 2.0], default = 1.0 }')
    with play(graph) as game:
        game.step(jump=1)
        game.run(3_000_000, pace=0)
        assert game.state == "leap"
        game.run(884 * MS + TICK_US, pace=q16(1.0))
        assert game.state == "idle"


@pytest.mark.parametrize("offset_us", [-2, -1, 0, 1, 2])
def test_a_request_at_a_mark_forgets_the_mark(play: Start, offset_us: int) -> None:
    """The mark of the state that is left is none of the state that is entered."""
    graph = """\
[graph]
start = "a"
transitions = [{ from = "a", to = "c", when = "jump and at(right_foot)" }, { from = "a", to = "b", when = "jump" },
               { from = "b", to = "c", when = "at(right_foot)" }]
parameters.jump = "trigger"
states = { a = { play = "Run" }, b = { play = "Walk" }, c = { play = "Idle" } }
"""
    with play(graph) as game:
        game.run(250 * MS)
        game.step(50 * MS + offset_us)
        assert game.player.ask("go", game.states.index("b"), 0) == ["0"]
        game.step(TICK_US)
        assert (game.state, game.state_us) == ("b", TICK_US)
