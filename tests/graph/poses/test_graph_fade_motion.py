"""Root motion under transitions: each clip moves the character as seen from where it is, in whatever direction it was
made."""
from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from gltf_builder import GltfBuilder, turn
from graph_driver import Player
from running import run_inside

SPEED_M_S, TICK_US, TICKS = 1.0, 16_000, 120
DRIFT_M = 1e-4  # rounding: 2^-20 m a step, and the yaw of the clips
TABLES = """\
inputs = ["hero.glb"]
effort = "fast"
root_motion = "xz yaw"
root_joint = "root"
clips."Ahead" = { loop = true }
clips."Aside" = { loop = true }
[graph]
start = "ahead"
transitions = [
    { from = "ahead", to = "aside", when = "turned", kind = "KIND" },
    { from = "aside", to = "ahead", when = "not turned", kind = "KIND" },
]
[graph.parameters]
turned = false
[graph.states]
ahead = { play = "Ahead" }
aside = { play = "Aside" }
"""


def write_character(folder: Path, kind: str) -> Path:
    """A joint that walks along z, and in another clip, turned by 90 degrees, along x: both times straight ahead."""
    g = GltfBuilder()
    g.node("root", children=[1])
    g.node("body", translation=[0, 1, 0])
    g.skin([0, 1])
    times = np.arange(31) / 30
    for name, degrees, direction in (("Ahead", 0, (0, 0, 1)), ("Aside", 90, (1, 0, 0))):
        g.animation(name, (0, "translation", times, [[SPEED_M_S * time * x for x in direction] for time in times],
                           "LINEAR"),
                    (0, "rotation", times, [turn("y", degrees)] * len(times), "LINEAR"))
    g.write_glb(folder)
    path = folder / "hero.toml"
    path.write_text(TABLES.replace("KIND", kind), encoding="utf-8")
    return path


@pytest.mark.parametrize("kind", ["fade", "inertia", "cut"])
def test_22_the_path_of_clips_made_in_different_directions_is_straight(driver: Path, tmp_path: Path, kind: str) -> None:
    ran = run_inside("build", write_character(tmp_path, kind), "--quiet")
    assert ran.status == 0, ran.err
    with Player(driver, tmp_path / "hero.ossb") as player:
        for tick in range(TICKS):
            place = player.step(TICK_US, [int(tick // 15 % 2)]).place
            x, y, z = (value / (1 << 20) for value in place[:3])
            assert abs(x) < DRIFT_M and y == 0 and abs(place[3]) <= 64
            assert z == pytest.approx(SPEED_M_S * (tick + 1) * TICK_US / 1e6, abs=2e-3)
