"""Skins of a file that are one character, and joints that no skin lists."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gltf_builder import GltfBuilder, turn
from gltf_reader import Gltf
from node_positions import check_positions, models
from ossicle.importers.importer import read_clips
from ossicle.model.clip import Imported, ImportProblem
from ossicle.model.import_options import ImportOptions, Socket
from mentions import mentioning

# Each node and the one that it hangs on. Two rigs stand in one scene.
TREE = {"Scene": None, "Rig": "Scene", "Hips": "Rig", "Spine": "Hips", "Neck": "Spine", "Head": "Neck", "Eye": "Head",
        "Leg": "Hips", "Skirt": "Rig", "Sword": "Scene", "Rig2": "Scene", "Wheel": "Rig2", "Lamp": "Scene"}
NODES = {name: number for number, name in enumerate(TREE)}
TIMES = [0, 0.5, 1]


def scene(*skins: Sequence[str], moving: Sequence[str] = (), **extras: Any) -> GltfBuilder:
    """All nodes but Scene, Rig and Rig2, or the given ones, turn and travel."""
    random = np.random.default_rng(1)
    g = GltfBuilder()
    for name in TREE:
        children = [NODES[child] for child, parent in TREE.items() if parent == name]
        g.node(name, translation=random.normal(size=3).tolist(), rotation=turn("x", 20), **({"children": children}
                                                                                            if children else {}))
    for number, skin in enumerate(skins):
        matrices = random.normal(size=(len(skin), 4, 4)) * [[1], [1], [1], [0]] + np.diag([0, 0, 0, 1])
        index = g.skin([NODES[name] for name in skin], matrices, f"Skin{number}")
        g.document["skins"][index].update(extras)
    g.animation("Walk", *(channel for name in moving or [name for name in TREE if name[:3] not in ("Sce", "Rig")]
                          for channel in (
        (NODES[name], "rotation", TIMES, [turn("xyz"[step], 30 * step + NODES[name]) for step in range(3)], "LINEAR"),
        (NODES[name], "translation", TIMES, random.normal(size=(3, 3)), "LINEAR"))))
    return g


def check(g: GltfBuilder, folder: Path, *joints: str, **options: Any) -> Imported:
    path = g.write_glb(folder)
    imported = read_clips([path], ImportOptions(**options))
    check_positions(imported, path, {name: NODES[name] for name in joints})
    return imported


ONE_CHARACTER: Mapping[str, Sequence[Sequence[str]]] = {
    "overlap": (("Hips", "Spine", "Neck"), ("Neck", "Head")),
    "a part of it": (("Hips", "Spine", "Neck", "Head"), ("Neck", "Head")),
    "a part of it, first": (("Neck", "Head"), ("Hips", "Spine", "Neck", "Head")),
    "one below the other": (("Hips", "Spine"), ("Head", "Eye")),
    "one above the other": (("Head", "Eye"), ("Hips", "Spine")),
    "a shared joint, no more": (("Leg", "Head"), ("Neck", "Head")),
    "side by side": (("Hips", "Leg"), ("Skirt",)),
    "a third one between": (("Leg",), ("Eye",), ("Hips",)),
}


@pytest.mark.parametrize("case", ONE_CHARACTER)
def test_skins_of_one_character(tmp_path: Path, case: str) -> None:
    skins = ONE_CHARACTER[case]
    joints = dict.fromkeys(name for skin in skins for name in skin)
    between = {name for joint in joints for name in above(joint)} - {"Rig", "Scene"}
    imported = check(scene(*skins), tmp_path, *joints, *between - {*joints})
    skeleton = imported.skeleton
    assert skeleton.skin_joints == tuple(joints)
    file = Gltf(tmp_path / "hero.glb")
    wanted: dict[str, np.ndarray] = {}
    for skin, names in zip(file.document["skins"], skins):
        for name, matrix in zip(names, file.values(skin["inverseBindMatrices"])):
            wanted.setdefault(name, matrix.reshape(4, 4).T)
    bind = models(skeleton.parents, skeleton.bind[None])[0]
    for joint, name in enumerate(skeleton.names):
        undone = wanted.get(name, np.linalg.inv(bind[joint]))
        np.testing.assert_allclose(skeleton.inverse_bind[joint], undone, atol=1e-6)


def above(name: str) -> list[str]:
    found = []
    while (name := TREE[name]) is not None:
        found.append(name)
    return found


def test_a_common_root_that_the_skins_name(tmp_path: Path) -> None:
    check(scene(("Hips",), ("Sword",), skeleton=NODES["Scene"]), tmp_path, "Hips", "Sword")


@pytest.mark.parametrize(("skins", "moving", "joints"), [
    ((("Spine",), ("Wheel",)), ("Scene", "Spine", "Wheel"), ("Scene", "Spine", "Wheel")),
    ((("Head",), ("Leg",)), ("Hips", "Neck", "Leg"), ("Hips", "Neck", "Head", "Leg")),
    ((("Head",), ("Leg",), ("Skirt",)), ("Rig", "Leg"), ("Rig", "Head", "Leg", "Skirt")),
])
def test_a_node_above_several_skins_that_moves(tmp_path: Path, skins: Sequence[Sequence[str]], moving: Sequence[str],
                                               joints: Sequence[str]) -> None:
    check(scene(*skins, moving=moving), tmp_path, *joints)


@pytest.mark.parametrize("moving", [("Rig", "Rig2"), ("Hips", "Wheel")])
def test_below_a_node_at_rest_are_other_characters(tmp_path: Path, moving: Sequence[str]) -> None:
    with pytest.raises(ImportProblem, match=mentioning("hero.glb")):
        check(scene(("Spine",), ("Wheel",), moving=moving), tmp_path)


@pytest.mark.parametrize("others", [(), (("Spine", "Leg"),), (("Skirt",), ("Head",))])
def test_other_characters_need_a_choice(tmp_path: Path, others: Sequence[Sequence[str]]) -> None:
    g = scene(("Hips", "Spine"), ("Wheel",), *others)
    with pytest.raises(ImportProblem, match=mentioning("hero.glb 0 Skin0 1 Skin1 --skin")):
        check(g, tmp_path)
    assert check(g, tmp_path, "Wheel", skin="Skin1").skeleton.names == ("Wheel",)
    check(g, tmp_path, "Hips", "Spine", skin=0)


def test_several_skins_are_chosen(tmp_path: Path) -> None:
    g = scene(("Hips", "Spine"), ("Wheel",), ("Skirt",))
    check(g, tmp_path, "Hips", "Spine", "Skirt", skin="Skin2,0")
    with pytest.raises(ImportProblem, match=mentioning("Skin3")):
        check(g, tmp_path, skin="Skin2,Skin3")


def test_no_skin_takes_all_that_moves(tmp_path: Path) -> None:
    g = scene(("Hips", "Head"), ("Wheel",), moving=("Spine", "Sword", "Wheel"))
    imported = check(g, tmp_path, "Scene", "Rig", "Hips", "Spine", "Head", "Sword", "Rig2", "Wheel", skin="none")
    assert imported.warnings == []
    g.document["skins"][1]["name"] = "none"
    check(g, tmp_path, "Wheel", skin="none")


def test_nodes_that_the_skin_does_not_list(tmp_path: Path) -> None:
    """A mesh of the head, and a clip of the whole body."""
    g = scene(("Neck", "Head"))
    imported = check(g, tmp_path, "Hips", "Spine", "Neck", "Head")
    warning, = imported.warnings
    assert warning.startswith("hero.glb: ") and all(name in warning for name in (
        "Eye", "Leg", "Skirt", "Sword", "Wheel", "Lamp")) and "Rig" not in warning
    words = warning.rpartition("with ")[2].split()
    sockets = tuple(Socket(name) for name in words[1::2])
    assert words[::2] == ["--socket"] * len(sockets)
    assert check(g, tmp_path, *imported.skeleton.names, "Eye", "Leg", "Skirt", "Sword", "Wheel", "Lamp",
                 sockets=sockets).warnings == []


def test_a_node_that_is_no_joint_and_does_not_move(tmp_path: Path) -> None:
    g = scene(("Hips",), moving=("Hips",))
    rest = g.document["nodes"][NODES["Lamp"]]
    g.animation("Still", (NODES["Lamp"], "translation", [0, 1], [rest["translation"]] * 2, "LINEAR"),
                (NODES["Hips"], "rotation", [0, 1], [turn("x", 0), turn("x", 9)], "LINEAR"))
    assert check(g, tmp_path, "Hips").warnings == []


def test_a_node_whose_weights_move(tmp_path: Path) -> None:
    g = scene(("Hips",), moving=("Hips",))
    places = g.accessor([[0, 0, 0]] * 3)
    g.document["meshes"] = [{"name": "face", "primitives": [{"attributes": {"POSITION": places},
                                                             "targets": [{"POSITION": places}]}]}]
    face = g.node("Face", mesh=0)
    del g.document["animations"]
    g.animation("Talk", (face, "weights", [0, 1], [[0], [1]], "LINEAR"))
    imported = read_clips([g.write_glb(tmp_path)])
    assert imported.warnings == [] and list(imported.clips[0].curves) == ["face.0"]


@pytest.mark.parametrize(("raw", "wanted"), [
    (("Bone", "Bone", "Bone", "Tip"), ("Bone", "Bone.001", "Bone.002", "Tip")),
    (("Bone", "Bone.001", "Bone", "Bone"), ("Bone", "Bone.001", "Bone.002", "Bone.003")),
    (("Bone", "Bone", "Bone.001", "Tip"), ("Bone", "Bone.002", "Bone.001", "Tip")),
    (("A", "B", "B", "A"), ("A", "B", "B.001", "A.001")),
])
@pytest.mark.parametrize("skinned", [True, False])
def test_equal_names_become_distinct(tmp_path: Path, raw: Sequence[str], wanted: Sequence[str], skinned: bool) -> None:
    """Nodes are in the order of the file from the last joint to the first."""
    g = GltfBuilder()
    for number, name in enumerate(reversed(raw)):
        g.node(name, translation=[0, number, 1], **({"children": [number - 1]} if number else {}))
    if skinned:
        g.skin([3, 2, 1, 0])
    g.animation("Walk", *((node, "rotation", TIMES, [turn("x", 10 * node * step) for step in range(3)], "LINEAR")
                          for node in range(4)))
    path = g.write_glb(tmp_path)
    imported = read_clips([path])
    assert imported.skeleton.names == tuple(wanted)
    check_positions(imported, path, {name: 3 - joint for joint, name in enumerate(wanted)})
    assert len(imported.warnings) == len({name for name in raw if raw.count(name) > 1})
    for warning, name in zip(imported.warnings, [name for name in dict.fromkeys(raw) if raw.count(name) > 1]):
        assert warning.startswith("hero.glb: ") and all(
            name_used in warning for name_used, before in zip(wanted, raw) if before == name)


def test_a_joint_of_the_skin_keeps_its_name(tmp_path: Path) -> None:
    """A node above that moves has the same one."""
    g = scene(("Hips", "Leg"), moving=("Rig", "Hips"))
    g.document["nodes"][NODES["Rig"]]["name"] = "Hips"
    path = g.write_glb(tmp_path)
    imported = read_clips([path])
    assert imported.skeleton.names == ("Hips.001", "Hips", "Leg")
    check_positions(imported, path, {"Hips.001": NODES["Rig"], "Hips": NODES["Hips"], "Leg": NODES["Leg"]})
