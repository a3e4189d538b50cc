"""Limbs: hands that reach for points, and feet that stay where they came down."""
from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from figures import figure
from graph_driver import Player
from graph_walker import JOINTS, write_walker
from ossicle.base.arrays import Array
from ossicle.bank.file import read_bank
from ossicle.bank.graph.records import POINT
from running import run_inside

TICK_US, ONE_Q20, TURN_Q24 = 16_000, 1 << 20, 1 << 24
REACHED_M = 1e-4  # how near a hand comes to a point within its reach
HELD_M = figure("feet.held_mm") / 1000
PLANTED_M = 1e-3  # how far a planted foot moves at most while two states play
SLIDE_M = 0.07  # how far the feet of the walk slide on the ground at least
FADED_TICKS = 11  # more than the fade of 150 ms
ARM_M = 0.55
GRAPH = """\
[graph]
start = "STATE"
[graph.parameters]
goal = "world point"
near = "point"
elbow = "point"
amount = { range = [0.0, 1.0], default = 1.0 }
[graph.states]
stand = { play = "Stand" }
walk = { play = "Walk" }
"""
ONLY_STATE = "stand = { play = \"Stand\" }\n", "walk = { play = \"Walk\" }\n"
ARM = '[graph.limbs.arm]\njoints = ["upper_arm", "lower_arm", "hand"]\nbend = "y"\n'
FEET = "".join(f'[graph.limbs.{side}]\njoints = ["thigh_{side}", "shin_{side}", "foot_{side}"]\n'
               f'lock = "foot_{side}_planted"\n' for side in "lr")
ORIGIN = (0, 0, 0, 0)


class Walker:
    """A character of this graph. names: of its parameters, points last."""

    def __init__(self, player: Player, names: list[tuple[str, bool]]) -> None:
        self.player, self._names = player, names
        self.place: tuple[int, ...] = ORIGIN
        self.hashes: list[int] = []

    def tick(self, time_us: int = TICK_US, amount: float = 1.0, **points: Array) -> dict[str, Array]:
        """Takes a step. Returns where the joints are in model space, metres."""
        values: list[int] = []
        for name, is_point in self._names:
            values += [round(part * ONE_Q20) for part in points.get(name, (0.0, 0.0, 0.0))] if is_point else [
                round(65536 * amount)]
        self.place = self.player.step(time_us, values).place
        self.hashes.append(self.player.pose(time_us)[0])
        answer = np.array([int(word) for word in self.player.ask("joints")]).reshape(-1, 3) / ONE_Q20
        return dict(zip(JOINTS, answer))

    def in_world(self, point: Array) -> Array:
        """A point of model space in the world."""
        x, y, z, yaw = self.place
        angle = 2.0 * np.pi * yaw / TURN_Q24
        return np.array([x, y, z]) / ONE_Q20 + [point[0] * np.cos(angle) + point[2] * np.sin(angle), point[1],
                                                point[2] * np.cos(angle) - point[0] * np.sin(angle)]

    def turn(self, degrees: float) -> None:
        """Turns the character where it stands."""
        x, y, z, yaw = self.place
        self.place = (x, y, z, yaw + round(degrees / 360.0 * TURN_Q24))
        self.player.ask("place", *self.place)


@contextmanager
def walking(driver: Path, folder: Path, limbs: str, state: str = "stand", scale: float = 1.0,
            graph: str = GRAPH) -> Iterator[Walker]:
    folder.mkdir(exist_ok=True)
    graph = graph.replace("STATE", state)
    for line in ONLY_STATE:
        graph = graph.replace(line, line if line.startswith(state) else "")
    ran = run_inside("build", write_walker(folder, graph + limbs, scale), "--quiet")
    assert ran.status == 0, ran.err
    parsed = read_bank(folder / "hero.ossb").graph
    assert parsed is not None
    with Player(driver, folder / "hero.ossb") as player:
        assert player.status == 0
        yield Walker(player, [(parameter.name, parameter.kind == POINT) for parameter in parsed.parameters])


def distance(a: Array, b: Array) -> float:
    return float(np.linalg.norm(a - b))


# ---- points ----


@pytest.mark.parametrize("scale", [0.5, 1.0, 2.0])
@pytest.mark.parametrize("point", ["near", "goal"])
def test_a_hand_reaches_points_within_its_reach(driver: Path, tmp_path: Path, point: str, scale: float) -> None:
    """In model space, and in the world, wherever the character stands."""
    random = np.random.default_rng(1)
    with walking(driver, tmp_path, ARM + f'to = "{point}"\nfade = "0s"\n', scale=scale) as walker:
        shoulder = walker.tick()["upper_arm"]
        for _ in range(30):
            walker.player.ask("place", *random.integers(-1 << 22, 1 << 22, 4))
            way = random.normal(size=3)
            to = shoulder + scale * random.uniform(0.1, 0.99 * ARM_M) * way / np.linalg.norm(way)
            walker.tick(0)  # the place
            joints = walker.tick(**{point: to if point == "near" else walker.in_world(to)})
            assert distance(joints["hand"], to) < REACHED_M * scale


def test_a_point_beyond_reach_stretches_the_arm_towards_it(driver: Path, tmp_path: Path) -> None:
    to = np.array([1.0, 2.0, 1.0])
    with walking(driver, tmp_path, ARM + 'to = "near"\nfade = "0s"\n') as walker:
        joints = walker.tick(near=to)
    way = joints["hand"] - joints["upper_arm"]
    assert np.linalg.norm(way) == pytest.approx(ARM_M, abs=REACHED_M)
    assert distance(way / ARM_M, (to - joints["upper_arm"]) / distance(to, joints["upper_arm"])) < 1e-3


def test_a_soft_arm_stays_behind_a_point_near_its_reach(driver: Path, tmp_path: Path) -> None:
    with walking(driver, tmp_path, ARM + 'to = "near"\nfade = "0s"\nsoften = 0.9\n') as walker:
        shoulder = walker.tick()["upper_arm"]
        joints = walker.tick(near=shoulder + np.array([0.0, 0.0, 0.98 * ARM_M]))
    assert 0.9 * ARM_M < distance(joints["hand"], shoulder) < 0.97 * ARM_M


@pytest.mark.parametrize("side", [-1.0, 1.0])
def test_the_elbow_bends_to_its_point(driver: Path, tmp_path: Path, side: float) -> None:
    with walking(driver, tmp_path, ARM + 'to = "near"\npole = "elbow"\nfade = "0s"\n') as walker:
        shoulder = walker.tick()["upper_arm"]
        joints = walker.tick(near=shoulder + np.array([0.3, 0.0, 0.0]), elbow=shoulder + np.array([0.1, side, 0.0]))
    assert side * (joints["lower_arm"] - shoulder)[1] > 0.1 and abs(joints["lower_arm"][2] - shoulder[2]) < 0.002


def test_a_hand_comes_in_the_time_of_its_fade_and_goes_with_its_weight(driver: Path, tmp_path: Path) -> None:
    """It fades in while the weight is not 0, and out with the last weight."""
    to = np.array([0.4, 1.5, 0.3])
    with walking(driver, tmp_path, ARM + 'to = "near"\nweight = "amount"\n') as walker:
        rest = walker.tick(amount=0.0)["hand"]
        coming = [distance(walker.tick(near=to)["hand"], to) for _ in range(FADED_TICKS)]
        half = distance(walker.tick(amount=0.5, near=to)["hand"], to)
        leaving = [distance(walker.tick(amount=0.0, near=to)["hand"], rest) for _ in range(FADED_TICKS)]
    assert coming == sorted(coming, reverse=True) and coming[-1] < REACHED_M < coming[-3]
    assert 0.2 < half / distance(rest, to) < 0.8
    assert leaving == sorted(leaving, reverse=True) and leaving[-1] == 0.0


def test_a_weight_of_zero_changes_nothing(driver: Path, tmp_path: Path) -> None:
    hashes = []
    for limbs in ("", ARM + 'to = "near"\nweight = 0\n', FEET.replace("lock", "weight = 0\nlock")):
        with walking(driver, tmp_path / str(len(hashes)), limbs, "walk") as walker:
            for _ in range(80):
                walker.tick()
            hashes.append(walker.hashes)
    assert hashes[0] == hashes[1] == hashes[2]


# ---- feet ----


def slides(walker: Walker, ticks: int, degrees: float = 0.0) -> list[float]:
    """Walks, and turns by so much in a tick. Returns how far each foot moves in the world while it is on the ground,
    which is the first three tenths of its half of the cycle."""
    begun: dict[str, Array] = {}
    farthest: dict[str, float] = {}
    found = []
    for tick in range(1, ticks + 1):
        joints = walker.tick()
        for side, late in (("l", 0.0), ("r", 0.5)):
            foot = walker.in_world(joints[f"foot_{side}"])
            on_ground = 0.1 < (tick * TICK_US / 1e6 + late) % 1.0 < 0.4
            if on_ground and side in begun:
                farthest[side] = max(farthest.get(side, 0.0), distance(foot, begun[side]))
            elif on_ground:
                begun[side] = foot
            elif side in begun:
                found.append(farthest.pop(side))
                del begun[side]
        walker.turn(degrees)
    return found


@pytest.mark.parametrize("degrees", [0.0, 0.5])
@pytest.mark.parametrize("scale", [0.5, 1.0])
def test_a_foot_stays_where_it_came_down(driver: Path, tmp_path: Path, degrees: float, scale: float) -> None:
    """The walk is made with feet that slide; the game turns it, too."""
    with walking(driver, tmp_path / "free", "", "walk", scale) as walker:
        free = slides(walker, 300, degrees)
    with walking(driver, tmp_path / "held", FEET, "walk", scale) as walker:
        held = slides(walker, 300, degrees)
    assert len(free) == len(held) >= 8
    assert min(free) > SLIDE_M * scale and max(held) < HELD_M * scale
    if scale == 1.0:
        assert round(100 * max(free)) == figure("feet.turned_slide_cm" if degrees else "feet.slide_cm")


def test_a_foot_goes_on_without_a_jump(driver: Path, tmp_path: Path) -> None:
    """A foot does not jump when it is locked or released. Without the limb it moves by up to 4 cm in a tick."""
    with walking(driver, tmp_path, FEET, "walk") as walker:
        feet = [walker.in_world(walker.tick()["foot_l"]) for _ in range(200)]
    assert max(distance(before, after) for before, after in zip(feet, feet[1:])) < 0.055


def test_a_foot_that_is_left_behind_is_let_go(driver: Path, tmp_path: Path) -> None:
    """Until it comes down again, if the character is moved farther than half a leg. Then it keeps its pose."""
    with walking(driver, tmp_path / "free", "", "walk") as walker:
        free = [walker.tick()["foot_l"] for _ in range(30)]
    with walking(driver, tmp_path / "held", FEET, "walk") as walker:
        held = [walker.tick()["foot_l"] for _ in range(8)]
        x, y, z, yaw = walker.place
        walker.player.ask("place", x + ONE_Q20, y, z, yaw)
        held += [walker.tick()["foot_l"] for _ in range(22)]
    assert distance(free[7], held[7]) > 0.01
    assert all(distance(free[tick], held[tick]) < 0.001 for tick in range(8 + FADED_TICKS, 24))


def test_a_character_that_appears_holds_its_feet_there(driver: Path, tmp_path: Path) -> None:
    with walking(driver, tmp_path, FEET, "walk") as walker:
        for _ in range(8):
            walker.tick()
        walker.player.ask("appear", 5 * ONE_Q20, 0, 0, 0)
        feet = [walker.in_world(walker.tick()["foot_l"]) for _ in range(10)]
    assert max(distance(feet[0], foot) for foot in feet) < HELD_M


def test_a_saved_character_goes_on_with_the_same_bits(driver: Path, tmp_path: Path) -> None:
    hashes = []
    for saves in (False, True):
        with walking(driver, tmp_path / str(saves), FEET + ARM + 'to = "goal"\n', "walk") as walker:
            for tick in range(150):
                if saves and tick % 7 == 0:
                    walker.player.ask("save")
                    walker.player.ask("load")
                walker.tick(goal=np.array([0.3, 1.4, 0.02 * tick]))
            hashes.append(walker.hashes)
    assert hashes[0] == hashes[1]


IN_STEP = """\
[graph]
start = "walk"
transitions = [
    { from = "walk", to = "stride", when = "amount < 0.5", kind = "step", over = "400ms" },
    { from = "stride", to = "walk", when = "amount >= 0.5", kind = "step", over = "400ms" },
]
[graph.parameters]
amount = { range = [0.0, 1.0], default = 1.0 }
[graph.states]
walk = { by = "amount", blend = { Walk = 0.0 } }
stride = { by = "amount", blend = { Walk = 0.0 }, stride = { Walk = "1.3m" } }
"""


def test_planted_feet_stay_during_a_fade_in_step(driver: Path, tmp_path: Path) -> None:
    """The second state moves the character faster than its feet. A foot that is on the ground when the fade begins
    stays there until its step."""
    moved = {}
    for limbs in ("", FEET):
        with walking(driver, tmp_path / f"{len(limbs)}", limbs, graph=IN_STEP) as walker:
            walker.player.ask("save")
            moved[limbs] = [distance_of_step(walker, share) for share in (0.12, 0.2, 0.3, 0.62, 0.7, 0.8)]
    assert max(moved[FEET]) < PLANTED_M < min(moved[""])


def distance_of_step(walker: Walker, share: float) -> float:
    """Walks to a share of the cycle and fades to the other state. Returns how far the foot moves in the world that is
    on the ground then, up to the end of its half of the cycle."""
    side = "l" if share < 0.5 else "r"
    walker.player.ask("load")
    begun, farthest = None, 0.0
    for tick in range(1, int((0.4 + (share > 0.5) / 2) * 1e6 / TICK_US)):
        foot = walker.in_world(walker.tick(amount=float(tick * TICK_US / 1e6 < share))[f"foot_{side}"])
        if tick * TICK_US / 1e6 >= share:
            begun = foot if begun is None else begun
            farthest = max(farthest, distance(foot, begun))
    return farthest
