"""Banks of files whose joints are not simply those of a skin, against the files' own nodes."""
from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from exported import Encoded, animation_of, encoded, off_m, times_of
from gltf_builder import GltfBuilder, turn
from gltf_reader import Gltf
from running import run_inside

TOLERANCE_M = 1e-3  # of `encode`
ROUNDING_M = 1e-5
TIMES = [0, 0.4, 0.8, 1.2]
NODES = ("rig", "root", "arm", "fore", "hand")


def character(joints: tuple[int, ...] = (1, 2, 3, 4), names: tuple[str, ...] = NODES, **rig: Any) -> GltfBuilder:
    """A chain of nodes whose last four turn in the clip Wave."""
    g = GltfBuilder()
    for number, name in enumerate(names):
        g.node(name, translation=[0.02, 0.25, 0.01], rotation=turn("z", 5 * number),
               **(rig if number == 0 else {}), **({"children": [number + 1]} if number < 4 else {}))
    g.skin(list(joints))
    g.animation("Wave", *((node, "rotation", TIMES, [turn("xyz"[(node + step) % 3], 25 * step) for step in range(4)],
                           "LINEAR") for node in range(1, 5)))
    return g


def overlapping() -> GltfBuilder:
    g = character((1, 2, 3))
    g.skin([3, 4])
    return g


def still_at_the_root() -> GltfBuilder:
    """The clip moves the last two of three joints with one name."""
    g = character(names=("rig", "b", "b", "b", "t"))
    del g.document["animations"][0]["channels"][0]
    return g


def moving() -> GltfBuilder:
    g = character((2, 4))
    g.channel(0, 0, "translation", g.accessor(TIMES), g.accessor([[step, 0, 0] for step in range(4)]), "LINEAR")
    return g


# What is read, and the nodes of its joints by name.
CASES: dict[str, tuple[GltfBuilder, dict[str, int]]] = {
    "between and above joints": (moving(), {name: number for number, name in enumerate(NODES)}),
    "overlapping skins": (overlapping(), {name: number for number, name in enumerate(NODES) if number}),
    "equal names": (character(names=("rig", "b", "b", "b", "t")), {"b": 1, "b.001": 2, "b.002": 3, "t": 4}),
    "equal names, of which one stands still": (still_at_the_root(), {"b": 1, "b.001": 2, "b.002": 3, "t": 4}),
    "mirrored": (character(scale=[1, -1, 1]), {name: number for number, name in enumerate(NODES) if number}),
    "mirrored and small": (character(scale=[-0.5] * 3), {name: number for number, name in enumerate(NODES) if number}),
    "stretched": (character(scale=[1, 2, -0.5]), {name: number for number, name in enumerate(NODES)}),
}


@pytest.fixture(scope="module", params=CASES)
def case(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Encoded, dict[str, int]]:
    folder = tmp_path_factory.mktemp("joints")
    g, nodes = CASES[request.param]
    return encoded(folder, g.write_embedded(folder)), nodes


def models(file: Gltf, name: str, nodes: list[int], times: np.ndarray) -> np.ndarray:
    """Model matrices [T, J, 3, 4], of which the axes have length 1, as folded scales are in lengths."""
    found = file.models(animation_of(file, name), times)
    return np.stack([found[node][:, :3] for node in nodes], 1)


def test_joints_are_where_the_nodes_are(case: tuple[Encoded, dict[str, int]], tmp_path: Path) -> None:
    bank, nodes = case
    clip = bank.played(tmp_path, "Wave", "--midpoints")
    assert set(clip.names) == set(nodes)
    file = Gltf(bank.source)
    wanted = models(file, "Wave", [nodes[name] for name in clip.names], times_of(clip))
    rest = file.models(None, np.zeros(1))
    size = abs(np.linalg.det(rest[NODES.index("rig")][0, :3, :3])) ** (1 / 3) if len(nodes) == 4 else 1.0
    wanted[..., :3] /= size
    # The points are 3 cm from a joint before it is stretched, here by 2 at most; the tolerance holds for 3 cm after
    # that.
    assert off_m(clip, wanted) <= (2.0 if "rig" in nodes else 1.0) * TOLERANCE_M + ROUNDING_M


def test_decoded_clips_move_the_nodes_of_the_source(case: tuple[Encoded, dict[str, int]], tmp_path: Path) -> None:
    bank, nodes = case
    clip = bank.played(tmp_path, "Wave")
    file = Gltf(bank.decoded(tmp_path / "beside.glb", "--source", bank.source))
    order = [nodes[name] for name in clip.names]
    again = models(file, "Wave (decoded)", order, times_of(clip))
    wanted = models(file, "Wave", order, times_of(clip))
    np.testing.assert_allclose(again[..., 3], wanted[..., 3], atol=2 * TOLERANCE_M)
    np.testing.assert_allclose(again[..., :3], wanted[..., :3], atol=0.05)


def test_a_character_and_a_file_of_motions(tmp_path: Path) -> None:
    """As a settings file names them. The file of motions has another rest pose and no skin."""
    both, motions = character(), character()
    both.write_glb(tmp_path, "both.glb")
    del both.document["animations"]
    both.write_glb(tmp_path, "rig.glb")
    del motions.document["skins"]
    for node in motions.document["nodes"][1:]:
        node["rotation"] = [0, 0, 0, 1]
    motions.write_glb(tmp_path, "wave.glb")
    config = tmp_path / "hero.toml"
    config.write_text('inputs = ["rig.glb", "wave.glb"]\noutput = "hero.ossb"\neffort = "fast"\n')
    ran = run_inside("build", config)
    assert ran.status == 0 and ran.err == "", ran
    bank = Encoded(tmp_path / "both.glb", tmp_path / "hero.ossb", {})
    clip = bank.played(tmp_path, "Wave", "--midpoints")
    assert tuple(clip.names) == NODES[1:]
    wanted = models(Gltf(bank.source), "Wave", [NODES.index(name) for name in clip.names], times_of(clip))
    assert off_m(clip, wanted) <= TOLERANCE_M + ROUNDING_M
