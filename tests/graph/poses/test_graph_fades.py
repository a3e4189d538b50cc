"""Transitions of the kind fade: two states play, and nothing pops when another transition interrupts them."""
from __future__ import annotations

from contextlib import AbstractContextManager
from itertools import pairwise
from math import acos, degrees
from pathlib import Path

import pytest
from graph_character import write_character
from graph_driver import Player
from graph_game import MS, TICK_US, Game, q16, started
from ossicle.bank.file import read_bank
from ossicle.bank.graph.ram import FADE_BYTES, character_parts
from running import run_inside

GRAPH = """\
[graph]
start = "idle"
transitions = [
    { from = "idle", to = "move", when = "speed >= 0.2", kind = "fade", over = "400ms" },
    { from = "move", to = "idle", when = "speed < 0.2", kind = "fade", over = "400ms" },
    { from = "*", to = "hit", when = "hurt", kind = "fade" },
    { from = "hit", to = "idle", when = "finished", kind = "fade" },
]
[graph.parameters]
speed = { range = [0.0, 6.0], unit = "m/s" }
hurt = "trigger"
[graph.states]
idle = { play = "Idle" }
hit = { play = "Attack" }
[graph.states.move]
by = "speed"
blend = { Walk = 1.4, Run = 4.5 }
sync = ["left_foot", "right_foot"]
stride = { Walk = "70cm", Run = "90cm" }
"""


def playing(driver: Path, folder: Path, graph: str = GRAPH) -> AbstractContextManager[Game]:
    return started(driver, folder, graph)


def arm(player: Player, elapsed_us: int) -> list[float]:
    """Evaluates the pose, and returns the rotation of the arm."""
    _, numbers = player.pose(elapsed_us)
    return [value / (1 << 30) for value in numbers[4:8]]


def angle(one: list[float], other: list[float]) -> float:
    product = sum(a * b for a, b in zip(one, other)) / (sum(a * a for a in one) * sum(b * b for b in other)) ** 0.5
    return degrees(2 * acos(min(1.0, abs(product))))


def test_a_fade_needs_players_poses_and_memory_for_two_states(tmp_path: Path) -> None:
    assert run_inside("build", write_character(tmp_path, GRAPH), "--quiet").status == 0
    bank = read_bank(tmp_path / "hero.ossb")
    assert bank.graph is not None
    assert (bank.graph.player_count, bank.graph.pose_count, bank.graph.fade_count) == (4, 2, 1)
    plain = tmp_path / "plain"
    plain.mkdir()
    assert run_inside("build", write_character(plain, GRAPH.replace(', kind = "fade"', "")), "--quiet").status == 0
    without = read_bank(plain / "hero.ossb")
    assert without.graph is not None and (without.graph.player_count, without.graph.pose_count) == (2, 1)
    fading, inertia = (next(size for part, size in character_parts(each).items() if "inertia" in part)
                       for each in (bank, without))
    assert fading == inertia + FADE_BYTES


@pytest.mark.parametrize(("kind", "words"), [('"blend"', ("kind", "blend")), ("2", ("kind", "2")),
                                             ('["fade"]', ("kind", "fade"))])
def test_unknown_kinds_are_errors(tmp_path: Path, kind: str, words: tuple[str, ...]) -> None:
    ran = run_inside("build", write_character(tmp_path, GRAPH.replace('"fade", over', f"{kind}, over")), "--quiet")
    assert ran.status != 0 and all(word in ran.err for word in ("transition 1", "unknown", *words))


def test_14_only_the_current_state_reports(driver: Path, tmp_path: Path) -> None:
    """To move and back after 80 ms: the feet of the walk that fades out are silent."""
    with playing(driver, tmp_path) as game:
        game.run(160 * MS)
        game.run(80 * MS, speed=q16(1.4))
        assert game.passed == ["move left_foot mark"] and game.state == "move"
        game.run(800 * MS)
        assert game.state == "idle" and game.passed == ["move left_foot mark"]


def test_nothing_pops_when_fades_interrupt_each_other(driver: Path, tmp_path: Path) -> None:
    """In each tick the arm moves by no more than its clips, the share of a fade and the offset that it leaves. The
    fastest clip, Jump, moves it by 5.3 degrees; states are at most 76 degrees apart, of which a fade of a second has
    1.9 in a tick, and an offset, which is smaller, 3.7."""
    def largest(kind: str) -> float:
        graph = GRAPH.replace('play = "Attack"', 'play = "Jump"').replace('"400ms"', '"1s"')
        folder = tmp_path / kind
        folder.mkdir()
        if kind == "cut":
            graph = graph.replace(', over = "1s"', "").replace('"fade"', '"cut"')
        with playing(driver, folder, graph.replace('"fade" },', '"fade", over = "1s" },')) as game:
            shown = []
            for tick in range(600):
                game.step(speed=q16((0, 1.4)[tick // 5 % 2]), hurt=int(tick % 17 == 11))
                shown.append(arm(game.player, TICK_US))
        return max(angle(one, other) for one, other in pairwise(shown))
    assert largest("fade") < 5.3 + 1.9 + 3.7 < largest("cut")


def test_the_pose_moves_from_one_clip_to_the_other(driver: Path, tmp_path: Path) -> None:
    """At the ends of a fade only one state shows: the poses are those of the same graph with cuts."""
    cut = GRAPH.replace('kind = "fade", over = "400ms"', 'kind = "cut"')
    poses = []
    for number, graph in enumerate((GRAPH, cut)):
        folder = tmp_path / str(number)
        folder.mkdir()
        with playing(driver, folder, graph) as game:
            shown = []
            for tick in range(60):
                game.step(speed=q16(1.4 if tick >= 10 else 0))
                shown.append(arm(game.player, TICK_US))
            poses.append(shown)
    same = [angle(one, other) < 0.001 for one, other in zip(*poses)]
    assert all(same[:10]) and not any(same[12:30]) and all(same[36:])


def test_the_character_moves_by_the_weights(driver: Path, tmp_path: Path) -> None:
    """While a walk fades in over 400 ms, the character comes half as far as it would, and then at full speed."""
    with playing(driver, tmp_path) as game:
        game.run(160 * MS)
        game.run(400 * MS, speed=q16(1.4))
        assert game.now is not None and game.now.place[2] / (1 << 20) == pytest.approx(1.4 * 0.4 / 2, rel=0.01)
        game.run(400 * MS, speed=q16(1.4))
        assert game.now.place[2] / (1 << 20) == pytest.approx(1.4 * 0.6, rel=0.01)


def test_a_state_that_no_time_has_shown_does_not_fade(driver: Path, tmp_path: Path) -> None:
    """Two switches at one moment: the character moves with the last state at once."""
    first = """transitions = [
    { from = "idle", to = "hit", when = "hurt", kind = "fade" },
    { from = "hit", to = "move", when = "speed >= 0.2", kind = "fade", over = "400ms" },
"""
    with playing(driver, tmp_path, GRAPH.replace("transitions = [\n", first)) as game:
        game.run(160 * MS)
        game.step(speed=q16(1.4), hurt=1)
        assert game.now is not None and game.now.switches == 2 and game.state == "move"
        game.run(400 * MS - TICK_US, speed=q16(1.4))
        assert game.now.place[2] / (1 << 20) == pytest.approx(1.4 * 0.4, rel=0.01)


def test_a_saved_fade_continues_with_the_same_bits(driver: Path, tmp_path: Path) -> None:
    with playing(driver, tmp_path) as game:
        game.run(160 * MS, speed=q16(1.4))
        game.run(80 * MS)
        game.player.pose(TICK_US)
        game.player.ask("save")
        hashes = []
        for _ in range(2):
            shown = []
            for tick in range(40):
                moment = game.step(speed=q16(3.0 if tick > 6 else 0))
                shown.append((game.player.pose(TICK_US), moment.place, moment.machines))
            hashes.append(shown)
            game.player.ask("load")
        assert hashes[0] == hashes[1]


def test_a_fade_that_interrupts_another_begins_at_the_switch(driver: Path, tmp_path: Path) -> None:
    """The offset is that of the moment of the switch, no matter how much later the next pose is shown."""
    graph = GRAPH.replace('play = "Attack"', 'play = "Jump"').replace('"fade" },', '"fade", over = "400ms" },')
    graph = graph.replace("transitions = [\n", """transitions = [
    { from = "hit", to = "move", when = "speed >= 0.2", kind = "fade", over = "400ms" },
""")
    shown = []
    for number, parts_ms in enumerate(((100,), (1, 99))):
        folder = tmp_path / str(number)
        folder.mkdir()
        with playing(driver, folder, graph) as game:
            for tick in range(20):
                game.step(hurt=int(tick == 12))
                arm(game.player, TICK_US)
            for part_ms in parts_ms:
                game.step(part_ms * MS, speed=q16(1.4))
                pose = arm(game.player, part_ms * MS)
            shown.append(pose)
    assert angle(*shown) < 0.5
