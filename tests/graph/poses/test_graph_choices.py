"""States that choose one of several clips at each entry: at random by a seed, or in turn."""
from __future__ import annotations

from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
from graph_character import write_character
from graph_game import MS, TICK_US, Game, near, started
from mentions import mentions
from ossicle.bank.file import read_bank
from ossicle.bank.graph.records import Choice
from running import run_inside

GRAPH = """\
[graph]
start = "rest"
transitions = [
    { from = "rest", to = "fidget", when = "go" },
    { from = "fidget", to = "rest", when = "go" },
]
[graph.parameters]
go = "trigger"
[graph.states]
rest = { play = "Idle" }
fidget = { random = { Walk = 3, Run = 1 } }
"""
IN_TURN = GRAPH.replace("random = { Walk = 3, Run = 1 }", 'sequence = ["Walk", "Run", "Walk", "Jump"]')
AGAIN = """\
[graph]
start = "hits"
transitions = [{ from = "hits", to = "hits", when = "finished" }]
[graph.states.hits]
CHOICE
[graph.layers]
"""
ENTRIES = 10_000
# The first states that are chosen with seed 1, on every machine.
FIRST_OF_SEED_1 = "0000100011000000"


def entered(game: Game, entries: int) -> list[int]:
    """Enters the choice again and again. Returns the numbers of its states, from 0 on."""
    found = []
    for _ in range(entries):
        game.step(1, go=1)
        found.append(game.states.index(game.state) - game.states.index("fidget.1"))
        game.step(1, go=1)
        assert game.state == "rest"
    return found


def test_24_a_random_choice_follows_the_seed_and_the_weights(driver: Path, tmp_path: Path) -> None:
    with started(driver, tmp_path, GRAPH) as game:
        found = entered(game, ENTRIES)
    assert "".join(map(str, found[:len(FIRST_OF_SEED_1)])) == FIRST_OF_SEED_1
    counted = Counter(found)
    assert 0.73 * ENTRIES <= counted[0] <= 0.77 * ENTRIES and counted[0] + counted[1] == ENTRIES
    after = Counter(pairwise(found))  # no entry depends on the one before it
    assert 0.7 <= after[0, 0] / counted[0] <= 0.8 and 0.7 <= after[1, 0] / counted[1] <= 0.8


def test_each_of_five_clips_has_its_weight(driver: Path, tmp_path: Path) -> None:
    weights, entries = {"Walk": 1, "Run": 2, "Jump": 1, "Idle": 1, "Attack": 4}, 800
    names = ", ".join(f"{name} = {weight}" for name, weight in weights.items())
    with started(driver, tmp_path, GRAPH.replace("Walk = 3, Run = 1", names)) as game:
        counted = Counter(entered(game, entries))
        chosen = [state for state in game.states if state.startswith("fidget.")]
    assert len(chosen) == len(weights)
    assert sorted(round(9 * count / entries) for count in counted.values()) == sorted(weights.values())


def test_a_sequence_plays_its_clips_in_turn(driver: Path, tmp_path: Path) -> None:
    with started(driver, tmp_path, IN_TURN) as game:
        assert entered(game, 9) == [0, 1, 2, 3, 0, 1, 2, 3, 0]


def test_a_saved_state_chooses_again_what_it_did(driver: Path, tmp_path: Path) -> None:
    for graph in (GRAPH, IN_TURN):
        with started(driver, tmp_path, graph) as game:
            entered(game, 5)
            game.player.ask("save")
            expected = entered(game, 40)
            game.player.ask("load")
            assert entered(game, 40) == expected


@pytest.mark.parametrize("choice", ['random = ["Jump", "Attack", "Attack2"]',
                                    'sequence = ["Jump", "Attack"]\nspeed = -2.0'])
def test_what_is_chosen_does_not_depend_on_the_steps(driver: Path, tmp_path: Path, choice: str) -> None:
    """Each clip is played to its end, at exact moments."""
    graph = AGAIN.replace("[graph.layers]\n", "").replace("CHOICE", choice)
    with started(driver, tmp_path, graph) as game:
        moments = []
        for tick_us in (TICK_US, 1000, 90_000):
            game.player.ask("load" if moments else "save")
            game.passed.clear()
            game.run(9 * 1_000_000, tick_us)
            moments.append((game.now.machines, list(game.passed)) if game.now else None)
        assert moments[0] == moments[1] == moments[2] and len(moments[0][1]) > 10


def test_a_choice_is_entered_once_at_one_moment(driver: Path, tmp_path: Path) -> None:
    """Whichever clip is chosen: otherwise two of its states could follow each other."""
    graph = GRAPH.replace('from = "fidget", to = "rest", when = "go"', 'from = "*", to = "fidget", when = "more"')
    graph = graph.replace('go = "trigger"', 'go = "trigger"\nmore = false')
    with started(driver, tmp_path, graph) as game:
        game.step(1, go=1, more=1)
        assert game.now is not None and game.now.switches == 1
        game.run(160 * MS, more=1)  # a pattern does not include any of its states
        assert game.state_us == near(160 * MS + 1)


def test_what_a_choice_becomes(tmp_path: Path) -> None:
    ran = run_inside("build", write_character(tmp_path, GRAPH), "--quiet")
    assert ran.status == 0, ran.err
    graph = read_bank(tmp_path / "hero.ossb").graph
    assert graph is not None
    assert [state.name for state in graph.states] == ["rest", "fidget.1", "fidget.2"]
    assert graph.choices == (Choice(1, 2, (3, 1)),)
    assert [(group.name, group.first, group.count) for group in graph.groups] == [("fidget", 1, 2)]
    assert graph.states[1].transitions == graph.states[2].transitions == (1,)
    lines = run_inside("inspect", tmp_path / "hero.ossb").out.splitlines()
    [row] = [line for line in lines if mentions(line, "fidget.1 fidget.2 weights")]
    assert row.index("fidget.2") < row.index("weights")


@pytest.mark.parametrize(("old", "new", "facts"), [
    ("random = { Walk = 3, Run = 1 }", 'random = "Walk"', "states.fidget random 'Walk' Fidget1"),
    ("random = { Walk = 3, Run = 1 }", "random = { Walk = 3 }", "states.fidget random 1 play"),
    ("random = { Walk = 3, Run = 1 }", f"random = {['Walk'] * 17}".replace("'", '"'), "states.fidget random 17 16"),
    ("random = { Walk = 3, Run = 1 }", 'sequence = { Walk = 3, Run = 1 }', "states.fidget sequence Cut"),
    ("random = { Walk = 3, Run = 1 }", 'sequence = ["Walk", 2]', "states.fidget sequence 2"),
    ("Walk = 3", "Walk = 0", "states.fidget random.Walk 0 1 255"),
    ("Walk = 3", "Walk = 256", "states.fidget random.Walk 256 255"),
    ("Walk = 3", "Walk = 0.75", "states.fidget random.Walk 0.75 whole"),
    ("Walk = 3", "Walk = true", "states.fidget random.Walk True"),
    ("Walk = 3", "Wlk = 3", "states.fidget 'Wlk' 'Walk'"),
    ("fidget = { ", 'fidget = { play = "Walk", ', "states.fidget random play"),
    ("fidget = { ", 'fidget = { sequence = ["Walk", "Run"], ', "states.fidget random sequence"),
    ("fidget = { ", 'fidget = { sync = "length", ', "states.fidget 'sync'"),
    ('to = "fidget", ', 'to = "fidget.2", ', "transition 1 to 'fidget.2' fidget"),
    ('to = "fidget", ', 'to = "fidget", start_at = "0.1s", ', "transition 1 start_at fidget remove"),
    ('start = "rest"', 'start = "fidget.1"', "start 'fidget.1' fidget"),
])
def test_a_choice_that_is_refused(tmp_path: Path, old: str, new: str, facts: str) -> None:
    ran = run_inside("build", write_character(tmp_path, GRAPH.replace(old, new)), "--quiet")
    assert ran.status == 1 and mentions(ran.err.splitlines()[-1], f"hero.toml [graph] {facts}"), ran.err
