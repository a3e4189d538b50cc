"""Root motion of fades: both states move the character by their weights, each as seen from where it is."""
from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from graph_banks import FRAMES, plain_bank
from graph_driver import Player
from graph_machines import base
from ossicle.bank.assembling import with_sections
from ossicle.bank.graph_layout import TAG
from ossicle.bank.graph_packing import pack_graph
from ossicle.bank.graph_records import FADE, FLAG, FOREVER, IS_SET, Atom, Graph, Parameter, State, Transition
from ossicle.bank.trajectories import TAG as TRAJECTORIES
from ossicle.bank.trajectories import pack_trajectories
from ossicle.model.trajectory.displacement import Trajectory

ONE_Q20 = 1 << 20
CLIPS = (list(FRAMES).index("Idle"), list(FRAMES).index("Walk"))
QUARTER_Q24 = 1 << 22  # of a revolution


def walk(frames: int, yaw_q24: int) -> Trajectory:
    """A metre a second, straight ahead of a character that faces along z or, a quarter turned, along x."""
    seconds = (frames - 1) / 30
    length_q20 = round(ONE_Q20 * seconds)
    start = np.array([0, 0, 0, yaw_q24])
    end = start + np.array([length_q20, 0, 0, 0] if yaw_q24 else [0, 0, length_q20, 0])
    return Trajectory(np.array([True, False, True, True]), start, end, (0, 0), np.zeros((0, 4), int), frames, seconds)


def test_22_the_path_of_clips_that_were_made_apart_stays_straight(driver: Path, tmp_path: Path) -> None:
    turns = tuple(Transition(target, FADE, 400_000, clauses=((Atom(IS_SET, target == 0),),)) for target in (1, 0))
    graph = Graph((Parameter("aside", FLAG, 0, 1, 0),), base(2), tuple(
        State(f"state {number}", clip, FOREVER, 1 << 16, transitions=(number,)) for number, clip in enumerate(CLIPS)),
        turns)
    counts = [list(FRAMES.values())[clip] for clip in CLIPS]
    trajectories = {clip: (walk(frames, yaw), frames) for clip, frames, yaw in zip(CLIPS, counts, (0, QUARTER_Q24))}
    path = tmp_path / "hero.ossb"
    path.write_bytes(with_sections(plain_bank(), {TAG: pack_graph(graph),
                                                  TRAJECTORIES: pack_trajectories(trajectories)}))
    with Player(driver, path) as player:
        assert player.status == 0
        for tick in range(200):
            x, _, z, yaw = player.step(16_000, [int(tick // 20 % 2)]).place
            assert abs(x) < ONE_Q20 // 1000 and abs(yaw) < 1 << 12, (tick, x, z, yaw)
            assert z / ONE_Q20 == pytest.approx((tick + 1) * 0.016, abs=0.002)
