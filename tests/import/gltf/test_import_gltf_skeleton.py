"""Nodes that become joints, into which the transforms of the others are folded."""
from __future__ import annotations

from pathlib import Path
from typing import Any

import import_matrices as matrices
import numpy as np
import pytest
from gltf_builder import GltfBuilder, simple, turn
from ossicle.importers.importer import read_clips
from ossicle.model.clip import ROTATION, SCALE, TRANSLATION, Imported, ImportProblem
from ossicle.model.import_options import ImportOptions
from mentions import mention_each, mentions

HALF = np.sqrt(0.5)
MOVE = [[0, 0, 0], [1, 0, 0]]


def load(g: GltfBuilder, folder: Path, **options: Any) -> Imported:
    return read_clips([g.write_glb(folder)], ImportOptions(**options))


def refused(g: GltfBuilder, folder: Path, message: str, **options: Any) -> None:
    with pytest.raises(ImportProblem) as caught:
        load(g, folder, **options)
    assert mentions(caught.value, message)


def test_parents_come_first_for_any_node_order(tmp_path: Path) -> None:
    g = GltfBuilder()
    g.node("Toe")
    g.node("Foot", children=[0])
    g.node("Head")
    g.node("Hips", children=[4, 2])
    g.node("Leg", children=[1])
    g.skin([0, 1, 2, 3, 4])
    g.animation("Walk", (0, "translation", [0, 1], MOVE, "LINEAR"))
    imported = load(g, tmp_path)
    assert imported.skeleton.names == ("Hips", "Leg", "Foot", "Toe", "Head")
    assert imported.skeleton.parents.tolist() == [-1, 0, 1, 2, 0]
    np.testing.assert_allclose(imported.clips[0].frames[-1, 3, TRANSLATION], [1, 0, 0])


def test_unskinned_hierarchy_takes_animated_nodes_and_all_above(tmp_path: Path) -> None:
    g = GltfBuilder()
    g.node("Scene", translation=[0, 0, 7], children=[1, 4])
    g.node("Door", children=[2, 3])
    g.node("Plain", children=[5])
    g.node("Unmoved")
    g.node("Lamp")
    g.node("Handle")
    g.animation("Open", (1, "rotation", [0, 1], [turn("y", 0)] * 2, "LINEAR"))
    g.animation("Turn", (5, "translation", [0, 1], MOVE, "LINEAR"))
    skeleton = load(g, tmp_path).skeleton
    assert skeleton.names == ("Scene", "Door", "Plain", "Handle")
    assert skeleton.parents.tolist() == [-1, 0, 1, 2]
    assert skeleton.inverse_bind is None
    np.testing.assert_allclose(skeleton.bind[0, TRANSLATION], [0, 0, 7])


def test_several_roots(tmp_path: Path) -> None:
    g = GltfBuilder()
    g.node("B")
    g.node("A")
    g.skin([1, 0])
    g.animation("Walk", (1, "translation", [0, 1], MOVE, "LINEAR"))
    skeleton = load(g, tmp_path).skeleton
    assert skeleton.names == ("B", "A")
    assert skeleton.parents.tolist() == [-1, -1]


def two_skins(first: list[int], second: list[int]) -> GltfBuilder:
    g = GltfBuilder()
    g.node("Hips", children=[1])
    g.node("Leg")
    g.node("Box")
    g.skin(first, name="Body")
    g.skin(second, name="Crate")
    for node in range(3):
        g.animation(f"Move{node}", (node, "translation", [0, 1], MOVE, "LINEAR"))
    return g


@pytest.mark.parametrize("choice", [1, "1", "Crate"])
def test_skin_is_chosen_by_index_or_name(tmp_path: Path, choice: int | str) -> None:
    imported = load(two_skins([0, 1], [2]), tmp_path, skin=choice)
    assert imported.skeleton.names == ("Box",)
    assert [clip.name for clip in imported.clips] == ["Move2"]


def test_skins_with_different_joints_need_a_choice(tmp_path: Path) -> None:
    refused(two_skins([0, 1], [2]), tmp_path, "hero.glb 0 2 1 Crate")


def test_wrong_choice_of_skin(tmp_path: Path) -> None:
    g = two_skins([0, 1], [2])
    refused(g, tmp_path, "hero.glb 2 0 1 Crate", skin=2)
    refused(g, tmp_path, "hero.glb Cape 0", skin="Cape")
    g.document["skins"][1]["name"] = "Body"
    refused(g, tmp_path, "hero.glb 0", skin="Body")
    del g.document["skins"]
    refused(g, tmp_path, "hero.glb 0", skin=0)


def test_skins_with_the_same_joints_count_as_one(tmp_path: Path) -> None:
    imported = load(two_skins([0, 1], [1, 0]), tmp_path)
    assert imported.skeleton.names == ("Hips", "Leg")
    assert len(imported.warnings) == 2  # Move2 skipped, Box ignored


def test_differing_inverse_bind_matrices_are_a_warning(tmp_path: Path) -> None:
    g = simple()
    moved = np.repeat(np.eye(4)[None], 2, axis=0)
    moved[1, 0, 3] = 5
    g.skin([0, 1], moved)
    imported = load(g, tmp_path)
    assert mentions(imported.warnings[0], "0 1")
    np.testing.assert_array_equal(imported.skeleton.inverse_bind, [np.eye(4)] * 2)


def test_inverse_bind_follows_the_joint_order(tmp_path: Path) -> None:
    g = GltfBuilder()
    g.node("Hips", children=[1])
    g.node("Leg")
    g.skin([1, 0], [matrices.of(translation=[1, 2, 3]), matrices.of(rotation=turn("x", 90))])
    g.animation("Walk", (0, "translation", [0, 1], MOVE, "LINEAR"))
    inverse = load(g, tmp_path).skeleton.inverse_bind
    np.testing.assert_allclose(inverse[0], matrices.of(rotation=turn("x", 90)), atol=1e-7)
    np.testing.assert_allclose(inverse[1, :3, 3], [1, 2, 3])


def test_same_name_outside_the_skeleton_is_fine(tmp_path: Path) -> None:
    g = simple()
    g.node("Leg")
    assert load(g, tmp_path).skeleton.names == ("Hips", "Leg")


@pytest.mark.parametrize("axis", "xyz")
@pytest.mark.parametrize("degrees", [0, 10, 90, 135, 180, -120])
def test_matrix_nodes_are_decomposed(tmp_path: Path, axis: str, degrees: float) -> None:
    rotation, scale = turn(axis, degrees), [1.5, 0.5, 2]
    g = GltfBuilder()
    matrix = matrices.of(rotation, [1, 2, 3], scale)
    g.node("Leg", matrix=matrix.T.ravel().tolist())
    g.animation("Walk", (0, "translation", [0, 1], [[1, 2, 3]] * 2, "LINEAR"))
    bind = load(g, tmp_path).skeleton.bind[0]
    np.testing.assert_allclose(matrices.from_transform(bind), matrix, atol=1e-12)
    np.testing.assert_allclose(bind[SCALE], scale)
    assert abs(np.dot(bind[ROTATION], rotation)) == pytest.approx(1)


def test_mirroring_matrix_becomes_negative_scale(tmp_path: Path) -> None:
    g = GltfBuilder()
    matrix = matrices.of(turn("y", 30), [0, 0, 0], [1, -2, 1])
    g.node("Leg", matrix=matrix.T.ravel().tolist())
    g.animation("Walk", (0, "translation", [0, 1], [[0, 0, 0]] * 2, "LINEAR"))
    bind = load(g, tmp_path).skeleton.bind[0]
    np.testing.assert_allclose(matrices.from_transform(bind), matrix, atol=1e-12)
    np.testing.assert_allclose(bind[SCALE], [-1, 2, 1])


@pytest.mark.parametrize(
    ("entry", "value", "message"),
    [
        (4, 0.5, "hero.glb Leg"),
        (3, 0.5, "hero.glb Leg 0.5 0 1"),
        (0, 0.0, "hero.glb Leg"),
    ],
)
def test_unusable_matrices(tmp_path: Path, entry: int, value: float, message: str) -> None:
    g = simple()
    matrix = np.eye(4).ravel().tolist()
    matrix[entry] = value
    g.document["nodes"][1] = {"name": "Leg", "matrix": matrix}
    refused(g, tmp_path, message)


def armature(**properties: Any) -> GltfBuilder:
    """`simple` below a node Armature that is no joint."""
    g = simple()
    g.node("Armature", children=[0], **properties)
    return g


def test_ancestors_fold_into_the_root(tmp_path: Path) -> None:
    """Blender's usual export: a Z-up armature in centimetres."""
    g = armature(rotation=turn("x", -90), scale=[0.01] * 3, translation=[0, 0, 5])
    g.document["nodes"][0]["translation"] = [10, 20, 100]
    imported = load(g, tmp_path)
    bind = imported.skeleton.bind
    np.testing.assert_allclose(bind[0, TRANSLATION], [0.1, 1, 4.8], atol=1e-7)
    np.testing.assert_allclose(bind[0, ROTATION], [-HALF, 0, 0, HALF], atol=1e-7)
    np.testing.assert_allclose(bind[1, TRANSLATION], [0, -0.005, 0], atol=1e-9)
    np.testing.assert_allclose(bind[:, SCALE], 1)
    np.testing.assert_allclose(imported.clips[0].frames[:, 0], [bind[0]] * 31)
    np.testing.assert_allclose(imported.clips[0].frames[-1, 1, ROTATION], [0, 0, HALF, HALF], atol=1e-7)


def test_ancestors_drop(tmp_path: Path) -> None:
    g = armature(rotation=turn("x", -90), scale=[0.01, 7, 0.01], translation=[0, 0, 5])
    bind = load(g, tmp_path, ancestors="drop").skeleton.bind
    np.testing.assert_allclose(bind[:, TRANSLATION], [[0, 1, 0], [0, -0.5, 0]])
    np.testing.assert_allclose(bind[:, ROTATION], [[0, 0, 0, 1]] * 2)


def test_z_up_and_scale(tmp_path: Path) -> None:
    """A source in centimetres whose Z points up: (1, 2, 3) cm becomes (0.01, 0.03, -0.02) m."""
    g = simple()
    g.document["nodes"][0]["translation"] = [1, 2, 3]
    imported = load(g, tmp_path, up="z", scale=0.01)
    for transform in (imported.skeleton.bind[0], imported.clips[0].frames[7, 0]):
        np.testing.assert_allclose(transform[TRANSLATION], [0.01, 0.03, -0.02], atol=1e-12)
        np.testing.assert_allclose(transform[ROTATION], [-HALF, 0, 0, HALF])
    np.testing.assert_allclose(imported.skeleton.bind[1, TRANSLATION], [0, -0.005, 0])


NODES = {
    # name: (parent, rotation, translation, scale)
    "World": (None, turn("x", -90), [1, 2, 3], [2, 2, 2]),
    "Armature": ("World", turn("z", 30), [0.5, 0, 0], [0.1, 0.1, 0.1]),
    "Hips": ("Armature", turn("y", 40), [3, 10, 0], [1, 1.5, 0.8]),
    "Offset": ("Hips", turn("x", 15), [1, 1, 0], [4, 4, 4]),
    "Leg": ("Offset", turn("z", -20), [0, -5, 1], [1, 1, 1]),
    "Pivot": ("Leg", turn("y", 77), [0, 0, 2], [0.5, 0.5, 0.5]),
    "Socket": ("Pivot", turn("x", 5), [0, 1, 2], [3, 3, 3]),
    "Foot": ("Socket", turn("x", 60), [0, -4, 0], [1, 2, 1]),
}
JOINTS = ("Hips", "Leg", "Foot")


def folded_hero(folder: Path, **options: Any) -> tuple[Imported, dict[str, np.ndarray], np.ndarray]:
    """NODES imported, their model matrices in the source, and the source's inverse binds."""
    names = list(NODES)
    g = GltfBuilder()
    model: dict[str, np.ndarray] = {}
    for name, (parent, rotation, translation, scale) in NODES.items():
        children = [names.index(child) for child in names if NODES[child][0] == name]
        g.node(name, rotation=rotation, translation=translation, scale=scale, children=children)
        local = matrices.of(rotation, translation, scale)
        model[name] = local if parent is None else model[parent] @ local
    rng = np.random.default_rng(1)
    inverse_bind = rng.normal(size=(3, 4, 4)).astype("<f4").astype(float)
    inverse_bind[:, 3] = [0, 0, 0, 1]
    g.skin([names.index(joint) for joint in JOINTS], inverse_bind)
    hips = names.index("Hips")
    g.animation("Walk", (hips, "translation", [0, 1], [[3, 10, 0]] * 2, "LINEAR"))
    return load(g, folder, **options), model, inverse_bind


@pytest.mark.parametrize(
    ("options", "world"),
    [
        ({}, np.eye(4)),
        ({"scale": 0.25}, np.diag([0.25, 0.25, 0.25, 1])),
        (
            {"scale": 0.25, "up": "z"},
            np.array([[0.25, 0, 0, 0], [0, 0, 0.25, 0], [0, -0.25, 0, 0], [0, 0, 0, 1]]),
        ),
    ],
)
def test_folding_keeps_skinning_and_joint_positions(tmp_path: Path, options: dict[str, Any], world: np.ndarray) -> None:
    imported, source, inverse_bind = folded_hero(tmp_path, **options)
    skeleton = imported.skeleton
    for locals_ in (skeleton.bind, imported.clips[0].frames[13]):
        model = matrices.model_pose(skeleton.parents, locals_)
        for j, name in enumerate(JOINTS):
            expected = world @ source[name]
            np.testing.assert_allclose(model[j, :3, 3], expected[:3, 3], atol=1e-6)
            np.testing.assert_allclose(model[j] @ skeleton.inverse_bind[j], expected @ inverse_bind[j], atol=2e-6)
    np.testing.assert_allclose(skeleton.bind[:, SCALE], [[1, 1.5, 0.8], [1, 1, 1], [1, 2, 1]])


def test_drop_keeps_nodes_between_joints(tmp_path: Path) -> None:
    imported, source, _ = folded_hero(tmp_path, ancestors="drop")
    model = matrices.model_pose(imported.skeleton.parents, imported.skeleton.bind)
    above = np.linalg.inv(source["Armature"])
    for j, name in enumerate(JOINTS):
        np.testing.assert_allclose(model[j, :3, 3], (above @ source[name])[:3, 3], atol=1e-6)


@pytest.mark.parametrize("properties", [{"scale": [0, 0, 0]}, {"matrix": np.diag([0.0, 0, 0, 1]).ravel().tolist()}])
def test_unusable_ancestors(tmp_path: Path, properties: dict[str, Any]) -> None:
    refused(armature(**properties), tmp_path, "hero.glb Hips Armature")


def test_sheared_ancestor(tmp_path: Path) -> None:
    matrix = np.eye(4)
    matrix[1, 0] = 0.5
    g = armature(matrix=matrix.ravel().tolist())
    refused(g, tmp_path, "hero.glb Hips Armature")


def test_animated_ancestor(tmp_path: Path) -> None:
    g = armature()
    g.animation("Run", (2, "translation", [0, 1], MOVE, "LINEAR"), (0, "translation", [0, 1], MOVE, "LINEAR"))
    imported = load(g, tmp_path)
    assert (imported.skeleton.names, imported.warnings) == (("Armature", "Hips", "Leg"), [])
    imported = load(g, tmp_path, ancestors="drop")
    assert mention_each(imported.warnings, ["hero.glb Armature"])


@pytest.mark.parametrize("kind", ["LINEAR", "STEP", "CUBICSPLINE"])
def test_ancestor_keyed_at_its_rest_is_static(tmp_path: Path, kind: str) -> None:
    g = armature(rotation=turn("x", 30))
    key, zero = [-c for c in turn("x", 30)], [0, 0, 0, 0]
    keys = [[zero, key, zero]] * 2 if kind == "CUBICSPLINE" else [key] * 2
    g.animation("Run", (2, "rotation", [0, 1], keys, kind), (0, "translation", [0, 1], MOVE, "LINEAR"))
    assert len(load(g, tmp_path).clips) == 2
    if kind == "CUBICSPLINE":
        h = armature()
        tangents = [[zero, [0, 0, 0, 1], [0.1, 0, 0, 0]]] * 2
        h.animation("Run", (2, "rotation", [0, 1], tangents, kind), (0, "translation", [0, 1], MOVE, "LINEAR"))
        assert load(h, tmp_path).skeleton.names == ("Armature", "Hips", "Leg")


def test_animated_node_between_joints(tmp_path: Path) -> None:
    g = GltfBuilder()
    g.node("Hips", children=[1])
    g.node("Plain", children=[2])
    g.node("Leg")
    g.skin([0, 2])
    g.animation("Walk", (1, "translation", [0, 1], MOVE, "LINEAR"), (2, "translation", [0, 1], MOVE, "LINEAR"))
    for ancestors in ("fold", "drop"):
        assert load(g, tmp_path, ancestors=ancestors).skeleton.names == ("Hips", "Plain", "Leg")


def test_folded_nodes_in_centimetres_may_round(tmp_path: Path) -> None:
    """Exporters repeat the rest pose of such nodes in keys, with the precision of singles."""
    g = armature(translation=[0.0, 98.76543, 0.0], scale=[0.01] * 3)
    place = [[0.0, 98.76543 + off, 0.0] for off in (0.0, 2e-5)]
    g.animation("Still", (2, "translation", [0, 1], place, "LINEAR"),
                (1, "rotation", [0, 1], [turn("y", 0)] * 2, "LINEAR"))
    assert [clip.name for clip in load(g, tmp_path).clips][-1] == "Still"
