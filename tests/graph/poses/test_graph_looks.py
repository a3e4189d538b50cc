"""Looks: an arm points at what the game names, within its limits."""
from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from graph_game import started
from graph_walker import write_walker
from ossicle.bank.file import read_bank
from running import run_inside

TICK_US, ONE_Q20 = 16_000, 1 << 20
ARM = np.array([0.4, 0.0, 0.0])  # where the arm is, in model space
GRAPH = """\
[graph]
start = "idle"
[graph.parameters]
far = "world point"
near = "point"
amount = { range = [0.0, 1.0], default = 1.0 }
[graph.states]
idle = { play = "Stand" }
[graph.looks.arm]
at = "NAME"
chain = { Arm = [1.0, "60deg"] }
forward = "x"
weight = "amount"
fade = "160ms"
lag = "LAG"
"""
FAR, NEAR = 1, 4  # places of the points among the values


def direction(rotation: list[int]) -> np.ndarray:
    """Where an arm with this rotation points."""
    x, y, z, w = np.array(rotation) / ONE_Q20
    return np.array([1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)])


def towards(angle_deg: float) -> np.ndarray:
    """A point two metres from the arm, beside its direction."""
    angle = math.radians(angle_deg)
    return ARM + 2.0 * np.array([math.cos(angle), 0.0, math.sin(angle)])


def look(driver: Path, folder: Path, points: list[np.ndarray], name: str = "near", lag: str = "0s",
         amount: float = 1.0) -> list[np.ndarray]:
    """Looks at a point in each tick. Returns where the arm points."""
    folder.mkdir(exist_ok=True)
    with started(driver, folder, GRAPH.replace("NAME", name).replace("LAG", lag)) as game:
        directions = []
        for point in points:
            values = [round(65536 * amount), *[0] * 6]
            at = FAR if name == "far" else NEAR
            values[at:at + 3] = [round(part * ONE_Q20) for part in point]
            game.player.step(TICK_US, values)
            directions.append(direction(game.player.pose(TICK_US)[1][4:8]))
        return directions


def angle_between(a: np.ndarray, b: np.ndarray) -> float:
    return math.degrees(math.acos(np.clip(a @ b / np.linalg.norm(a) / np.linalg.norm(b), -1.0, 1.0)))


@pytest.mark.parametrize("name", ["near", "far"])
def test_an_arm_turns_to_a_point_within_its_limit(driver: Path, tmp_path: Path, name: str) -> None:
    """The character stands at the origin, where both kinds of points are equal."""
    points = look(driver, tmp_path, [towards(40.0)] * 12, name)
    assert angle_between(points[-1], towards(40.0) - ARM) < 0.1
    turned = [angle_between(point, np.array([1.0, 0.0, 0.0])) for point in points]
    assert turned == sorted(turned) and 2.0 < turned[0] < 8.0  # a tenth of the fade


def test_an_arm_turns_away_from_a_point_behind_and_rests_between(driver: Path, tmp_path: Path) -> None:
    """From 60 to 70 degrees it stays as it is, at its limit."""
    points = look(driver, tmp_path, [*[towards(40.0)] * 12, *[towards(66.0)] * 12, *[towards(100.0)] * 12])
    ahead = np.array([1.0, 0.0, 0.0])
    assert 59.0 < angle_between(points[23], ahead) < 61.0
    assert angle_between(points[-1], ahead) < 0.1
    assert max(angle_between(before, after) for before, after in zip(points, points[1:])) < 21.0


def test_a_point_beyond_the_limit_at_the_start_is_not_looked_at(driver: Path, tmp_path: Path) -> None:
    assert angle_between(look(driver, tmp_path, [towards(75.0)] * 12)[-1], np.array([1.0, 0.0, 0.0])) < 0.1


def test_the_weight_scales_the_rotation(driver: Path, tmp_path: Path) -> None:
    turned = angle_between(look(driver, tmp_path, [towards(40.0)] * 12, amount=0.5)[-1], np.array([1.0, 0.0, 0.0]))
    assert 18.0 < turned < 22.0


def test_eyes_follow_a_point_with_a_lag(driver: Path, tmp_path: Path) -> None:
    """After its time constant of 96 ms, in six ticks, 1 - (6 / 7)^6 = 60 % of the way."""
    points = look(driver, tmp_path, [*[towards(0.0)] * 12, *[towards(30.0)] * 6], lag="96ms")
    assert 17.0 < angle_between(points[-1], np.array([1.0, 0.0, 0.0])) < 20.0


def test_eyes_are_lengths(tmp_path: Path) -> None:
    graph = '[graph]\nstart = "walk"\n[graph.parameters]\ngoal = "point"\n[graph.states]\nwalk = { play = "Walk" }\n' \
        '[graph.looks.hand]\nat = "goal"\nchain = { hand = 1.0 }\neyes = ["2cm", 0, "-1cm"]\n'
    ran = run_inside("build", write_walker(tmp_path, graph), "--quiet")
    assert ran.status == 0, ran.err
    [look] = read_bank(tmp_path / "hero.ossb").graph.looks
    assert list(look.eyes_q20) == [round(0.02 * ONE_Q20), 0, round(-0.01 * ONE_Q20)]
