"""States whose position in their clip is a parameter."""
from __future__ import annotations

import json
from pathlib import Path

import pytest
from graph_character import RATE_HZ, write_character
from graph_game import MS, q16, started
from mentions import mentions
from ossicle.bank.clips import ONE_Q11
from running import run_inside

GRAPH = """\
[graph]
start = "idle"
transitions = [
    { from = "idle", to = "aim", when = "aims", over = "100ms" },
    { from = "aim", to = "idle", when = "not aims or turn >= 0.99 and after(1s)", kind = "fade" },
]
[graph.parameters]
turn = { range = [-1.0, 1.0] }
lean = { range = [0.0, 1.0], slew = "400ms" }
aims = false
[graph.states]
idle = { play = "Idle" }
aim = { play = "Jump", position = "turn" }
[[graph.layers]]
name = "nod"
play = "Nod"
position = "lean"
"""
END_Q11 = round(0.9 * RATE_HZ) * ONE_Q11
NOD_END_Q11 = round(0.5 * RATE_HZ) * ONE_Q11


def test_a_parameter_moves_through_the_clip(driver: Path, tmp_path: Path) -> None:
    """Its range is the whole clip. The state reports no events, and is never finished."""
    with started(driver, tmp_path, GRAPH) as game:
        game.run(160 * MS)
        for turn, share in ((-1.0, 0.0), (-3.0, 0.0), (0.0, 0.5), (0.5, 0.75), (1.0, 1.0), (7.0, 1.0), (-0.5, 0.25)):
            game.step(aims=1, turn=q16(turn))
            assert game.state == "aim" and game.now is not None
            assert game.now.position_q11 == pytest.approx(share * END_Q11, abs=END_Q11 / (1 << 15))
        assert game.passed == []
        game.run(1200 * MS, aims=1, turn=q16(-1))
        assert game.state == "aim"
        game.step(aims=1, turn=q16(1))
        assert game.now is not None and game.now.switches == 2  # to idle and back
        game.step()
        assert game.state == "idle" and game.passed == []


def test_positions_follow_slewed_numbers(driver: Path, tmp_path: Path) -> None:
    with started(driver, tmp_path, GRAPH) as game:
        game.run(200 * MS, tick_us=MS, lean=q16(1))
        assert game.layer().position_q11 == pytest.approx(NOD_END_Q11 / 2, rel=0.01)
        game.run(300 * MS, tick_us=MS, lean=q16(1))
        assert game.layer().position_q11 == NOD_END_Q11


def test_the_pose_is_that_of_the_clip(driver: Path, tmp_path: Path) -> None:
    """A state that plays the clip shows the same pose where it has the same position."""
    graph = GRAPH[:GRAPH.index("[[graph.layers]]")].replace(', over = "100ms"', ', kind = "cut"')
    poses = []
    for number, text in enumerate((graph, graph.replace(', position = "turn"', ""))):
        folder = tmp_path / str(number)
        folder.mkdir()
        with started(driver, folder, text) as game:
            if number == 0:
                game.step(aims=1, turn=q16(-1))
                game.step(aims=1, turn=q16(-0.5))
            else:
                game.run(225 * MS, tick_us=45 * MS, aims=1)
            assert game.now is not None and game.now.position_q11 == pytest.approx(END_Q11 / 4, abs=1)
            poses.append(game.player.pose(MS)[1])
    assert poses[0] == pytest.approx(poses[1], abs=64) and len(set(poses[0])) > 2  # Q20


def test_inspect_names_the_parameter(tmp_path: Path) -> None:
    assert run_inside("build", write_character(tmp_path, GRAPH), "--quiet").status == 0
    graph = json.loads(run_inside("inspect", tmp_path / "hero.ossb", "--json").out)["graph"]
    assert {"name": "aim", "clips": ["Jump"], "position": "turn"} in graph["states"]
    assert mentions(run_inside("inspect", tmp_path / "hero.ossb").out.splitlines(), "aim Jump turn")


@pytest.mark.parametrize(("old", "new", "words"), [
    ('position = "turn" }', 'position = "turn", speed = 2.0 }', ("aim", "position", "speed")),
    ('position = "turn" }', 'position = "turn", loops = 2 }', ("aim", "position", "loops")),
    ('position = "turn" }', 'position = 0.5 }', ("aim", "position", "0.5")),
    ('position = "turn" }', 'position = "trun" }', ("aim", "position", "trun", "turn")),
    ('position = "turn" }', 'position = "aims" }', ("aim", "position", "aims", "flag")),
    ('"Jump", position', '"Stand", position', ("aim", "position", "Stand", "one frame")),
    ('when = "not aims or', 'when = "finished or', ("transition 2", "finished", "aim", "position", "parameter")),
    ('when = "not aims or', 'when = "at(land) or', ("transition 2", "aim", "turn", "events")),
    ('when = "not aims or', 'when = "inside(air) or', ("transition 2", "aim", "turn", "events")),
    ('to = "aim", when = "aims"', 'to = "aim", start_at = "0.1s", when = "aims"', ("transition 1", "start_at", "aim")),
    ('aim = { play = "Jump", position = "turn" }', 'aim = { blend = { Walk = 0.0 }, by = "turn", position = "turn" }',
     ("aim", "blend", "position")),
])
def test_what_a_position_excludes(tmp_path: Path, old: str, new: str, words: tuple[str, ...]) -> None:
    assert GRAPH.count(old) == 1
    ran = run_inside("build", write_character(tmp_path, GRAPH.replace(old, new)), "--quiet")
    assert ran.status != 0 and all(word in ran.err for word in words), ran.err
