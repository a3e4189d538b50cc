"""Nodes that move, stretch or mirror above joints, whether or not the skin lists them."""
from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gltf_builder import GltfBuilder
from hypothesis import given, settings, strategies as st
from node_positions import check_positions
from ossicle.importers.importer import read_clips
from ossicle.model.clip import Imported, ImportProblem
from ossicle.model.import_options import ImportOptions
from mentions import mentioning

CHAIN = ("World", "Armature", "Hips", "Twist", "Leg", "Foot")
JOINTS = ("Hips", "Leg", "Foot")
TIMES = [0, 0.25, 0.5, 1]
STILL = "Still"


def chain(moving: Any, scales: Any = (), joints: Any = JOINTS, seed: int = 0) -> GltfBuilder:
    """Nodes one below the other, of which some are joints; Walk turns and shifts the moving ones, in Still they repeat
    their rest."""
    random = np.random.default_rng(seed)
    g = GltfBuilder()
    rest = {}
    for number, name in enumerate(CHAIN):
        rest[name] = _rotation(random), random.normal(size=3).tolist()
        g.node(name, rotation=rest[name][0], translation=rest[name][1],
               **({"scale": list(dict(scales)[name])} if name in dict(scales) else {}),
               **({"children": [number + 1]} if number + 1 < len(CHAIN) else {}))
    g.skin([CHAIN.index(name) for name in joints])
    g.animation("Walk", *(channel for name in moving for channel in (
        (CHAIN.index(name), "rotation", TIMES, [_rotation(random) for _ in TIMES], "LINEAR"),
        (CHAIN.index(name), "translation", TIMES, random.normal(size=(4, 3)), "STEP"))))
    g.animation(STILL, *((number, "rotation", [0, 1], [rest[name][0]] * 2, "LINEAR")
                         for number, name in enumerate(CHAIN)))
    return g


def _rotation(random: np.random.Generator) -> list[float]:
    q = random.normal(size=4)
    return (q / np.linalg.norm(q)).astype("<f4").tolist()


def check(g: GltfBuilder, folder: Path, joints: Any, **options: Any) -> Imported:
    path = g.write_glb(folder)
    imported = read_clips([path], ImportOptions(**options))
    assert imported.skeleton.names == tuple(name for name in CHAIN if name in joints)
    check_positions(imported, path, {name: CHAIN.index(name) for name in joints})
    return imported


@settings(deadline=None, max_examples=20)
@given(st.sets(st.sampled_from(CHAIN)), st.sets(st.sampled_from(CHAIN), min_size=1), st.integers(0, 2**32 - 1))
def test_a_moving_node_above_a_joint_is_a_joint(tmp_path_factory: pytest.TempPathFactory, moving: set[str],
                                                joints: set[str], seed: int) -> None:
    lowest = max(map(CHAIN.index, joints))
    wanted = joints | {name for name in moving if CHAIN.index(name) < lowest}
    ordered = [name for name in CHAIN if name in joints]
    g = chain(moving | joints, joints=ordered, seed=seed)
    check(g, tmp_path_factory.mktemp("chain"), wanted)


def test_nodes_that_repeat_their_rest_stay_folded(tmp_path: Path) -> None:
    assert not check(chain(JOINTS), tmp_path, JOINTS).warnings


def test_only_chosen_clips_make_joints(tmp_path: Path) -> None:
    check(chain([*JOINTS, "Armature", "Twist"]), tmp_path, JOINTS, only=(STILL,))


def test_dropped_ancestors_are_no_joints(tmp_path: Path) -> None:
    imported = read_clips([chain([*JOINTS, "Armature", "Twist"]).write_glb(tmp_path)], ImportOptions(ancestors="drop"))
    assert imported.skeleton.names == ("Hips", "Twist", "Leg", "Foot")
    assert len(imported.warnings) == 1 and "Armature" in imported.warnings[0] and "World" not in imported.warnings[0]


def test_a_node_that_appears_from_nothing(tmp_path: Path) -> None:
    """The bind pose hides it, which has no inverse."""
    g = chain(JOINTS)
    g.document["nodes"][1]["scale"] = [0, 0, 0]
    g.animation("Appear", (1, "scale", [0, 1], [[0.5] * 3, [1] * 3], "LINEAR"))
    imported = read_clips([g.write_glb(tmp_path)])
    assert imported.skeleton.names == ("Armature", *JOINTS)
    assert np.isfinite(imported.skeleton.inverse_bind).all()


@pytest.mark.parametrize("scale",
                         [(-1, 1, 1), (1, -1, 1), (2, 2, -2), (-0.5, -0.5, 0.5), (-3, -3, -3), (0.01, 0.01, -0.01)])
@pytest.mark.parametrize("others", [{}, {"World": (2, -2, 2)}, {"Hips": (1, -1.5, 0.5), "Twist": (1, 1, -1)}])
def test_mirrored_nodes_are_folded(tmp_path: Path, scale: Any, others: dict[str, Any]) -> None:
    check(chain(JOINTS, {"Armature": scale, **others}), tmp_path, JOINTS)
    matrix = chain(JOINTS, others)
    basis = np.eye(4)
    basis[:3, :3] = np.diag(scale)
    node = matrix.document["nodes"][1]
    del node["rotation"], node["translation"]
    matrix.document["animations"].pop()
    node["matrix"] = basis.ravel().tolist()
    check(matrix, tmp_path, JOINTS)


@pytest.mark.parametrize("scale", [(1, 2, 1), (-1, 2, 3), (0.01, 0.01, 0.02), (1, 0, 1)])
@pytest.mark.parametrize("stretched", ["World", "Armature", "Twist"])
def test_stretched_nodes_are_joints(tmp_path: Path, scale: Any, stretched: str) -> None:
    check(chain(JOINTS, {stretched: scale}), tmp_path, [*JOINTS, stretched])


@pytest.mark.parametrize("stretch",
                         [{"scale": [0, 0, 0]}, {"matrix": [1, 0.5, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]}])
def test_a_node_that_cannot_be_folded_is_reported_with_the_remedy(tmp_path: Path, stretch: dict[str, Any]) -> None:
    g = chain(JOINTS)
    g.document["animations"].pop()
    g.document["nodes"][1] = {"name": "Armature", "children": [2]} | stretch
    path = g.write_glb(tmp_path)
    with pytest.raises(ImportProblem, match=mentioning("hero.glb Hips Armature --ancestors")):
        read_clips([path])
    assert read_clips([path], ImportOptions(ancestors="drop")).skeleton.names == JOINTS
