"""A file with a character, and files with motions for it: tracks move the joints that have the names of their nodes.

The judge is a file made by hand that has the character's nodes and the motions' tracks."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gltf_builder import Channel, GltfBuilder, turn
from node_positions import check_positions
from ossicle.importers.importer import read_clips, read_groups, read_separately
from ossicle.model.clip import Imported, ImportProblem
from ossicle.model.import_options import ImportOptions, Socket
from mentions import mentioning, mentions

TREE = {"Armature": None, "Hips": "Armature", "Spine": "Hips", "Hand": "Spine", "Finger": "Hand", "Leg": "Hips"}
JOINTS = tuple(TREE)[1:]
TIMES = [0, 0.5, 1]
IDENTITY = {"rotation": [0, 0, 0, 1], "scale": [1, 1, 1]}

# A clip's tracks, by the names of their nodes.
Tracks = Mapping[tuple[str, str], list[Any]]


def nodes(g: GltfBuilder, tree: Mapping[str, str | None], **others: Any) -> dict[str, int]:
    """Adds a character whose rest pose turns every joint. others: what nodes of these names have instead."""
    numbers = {name: number for number, name in enumerate(tree)}
    for number, (name, parent) in enumerate(tree.items()):
        own = {"translation": [0.1 * number, 0.5, 0], "rotation": turn("xyz"[number % 3], 20 + 10 * number)}
        children = [numbers[child] for child, above in tree.items() if above == name]
        g.node(name, **({"children": children} if children else {}), **own | others.get(name, {}))
    return numbers


def character(**others: Any) -> GltfBuilder:
    g = GltfBuilder()
    numbers = nodes(g, TREE, **others)
    g.skin([numbers[name] for name in JOINTS])
    return g


def motion(*clips: tuple[str, Tracks], tree: Mapping[str, str | None] = TREE, **others: Any) -> GltfBuilder:
    g = GltfBuilder()
    numbers = nodes(g, tree, **{name: IDENTITY for name in tree} | others)
    animate(g, numbers, clips)
    return g


def animate(g: GltfBuilder, numbers: Mapping[str, int], clips: Any) -> None:
    for name, tracks in clips:
        channels: list[Channel] = [(numbers[node], kind, TIMES, keys, "LINEAR") for (node, kind), keys in tracks.items()
                                   if node in numbers]
        g.animation(name, *channels)


def tracks(*names: str, seed: int = 0, shifted: tuple[str, ...] = ()) -> Tracks:
    random = np.random.default_rng(seed)
    turns = {(name, "rotation"): [turn("xyz"[step], float(random.uniform(-90, 90))) for step in range(3)]
             for name in names}
    return turns | {(name, "translation"): random.normal(size=(3, 3)).tolist() for name in shifted}


def check(folder: Path, rig: GltfBuilder, files: Mapping[str, tuple[GltfBuilder, list[tuple[str, Tracks]]]],
          joints: tuple[str, ...] = JOINTS, **options: Any) -> Imported:
    """Reads the rig and the files, and compares with a file that has the rig's nodes and all tracks."""
    paths = [rig.write_glb(folder, "rig.glb")]
    paths += [g.write_glb(folder, name) for name, (g, _) in files.items()]
    imported = read_clips(paths, ImportOptions(**options))
    numbers = {node["name"]: number for number, node in enumerate(rig.document["nodes"])}
    animate(rig, numbers, [clip for _, clips in files.values() for clip in clips])
    check_positions(imported, rig.write_glb(folder, "judge.glb"), {name: numbers[name] for name in joints})
    return imported


def test_clips_move_the_skeleton_of_the_first_file(tmp_path: Path) -> None:
    walk, run = ("Walk", tracks(*JOINTS, shifted=("Hips",))), ("Run", tracks(*JOINTS, seed=1))
    imported = check(tmp_path, character(), {"walk.glb": (motion(walk), [walk]), "run.glb": (motion(run), [run])})
    assert [(clip.name, clip.source) for clip in imported.clips] == [("Walk", "walk.glb"), ("Run", "run.glb")]
    assert imported.skeleton.inverse_bind is not None
    # Below an armature that turns in the character's file alone.
    assert [warning.partition(": ")[0] for warning in imported.warnings] == ["walk.glb", "run.glb"]


def test_a_rest_pose_that_no_clip_shows_needs_no_warning(tmp_path: Path) -> None:
    walk = ("Walk", tracks(*JOINTS))
    armature = character().document["nodes"][0]["rotation"]
    g = motion(walk, Armature={"rotation": armature})
    assert check(tmp_path, character(), {"walk.glb": (g, [walk])}).warnings == []


@pytest.mark.parametrize("armature", [{"scale": [0.01] * 3}, {"scale": [-1, 1, 1]}, {"rotation": turn("x", -90)}])
def test_the_nodes_above_are_those_of_the_character(tmp_path: Path, armature: dict[str, Any]) -> None:
    walk = ("Walk", tracks(*JOINTS))
    without = {name: parent for name, parent in TREE.items() if name != "Armature"} | {"Hips": None}
    imported = check(tmp_path, character(Armature=armature), {"walk.glb": (motion(walk, tree=without), [walk])})
    assert any(mentions(warning, "Hips") for warning in imported.warnings)


def test_units_of_the_character(tmp_path: Path) -> None:
    """Joints scale in its rest pose, which the file of motions does not repeat."""
    walk = ("Walk", tracks(*JOINTS, shifted=("Spine",)))
    check(tmp_path, character(Hips={"scale": [0.01] * 3}, Hand={"scale": [1, 2, 3]}),
          {"walk.glb": (motion(walk), [walk])})


def test_unmoved_joints_stay_as_in_the_character(tmp_path: Path) -> None:
    walk = ("Walk", tracks("Hips", "Spine"))
    imported = check(tmp_path, character(), {
        "walk.glb": (motion(walk, Leg=IDENTITY | {"translation": [0, 0.6, 0]}), [walk])})
    warning, = [warning for warning in imported.warnings if mentions(warning, "walk.glb rig.glb Hand Finger Leg")]
    assert "Spine" not in warning


def test_joints_that_are_missing_stay_at_rest(tmp_path: Path) -> None:
    walk = ("Walk", tracks("Spine", "Hand"))
    partly = {"Spine": None, "Hand": "Spine"}
    imported = check(tmp_path, character(), {"walk.glb": (motion(walk, tree=partly), [walk])})
    assert any(all(name in warning for name in ("Hips", "Finger", "Leg", "rig.glb")) for warning in imported.warnings)


def test_nodes_that_the_character_lacks(tmp_path: Path) -> None:
    """One of them has the name of a joint, too."""
    walk = ("Walk", tracks(*JOINTS, "Tail"))
    g = motion(walk, tree=TREE | {"Tail": "Hips"})
    g.node("Hips")
    g.document["nodes"].insert(0, g.document["nodes"].pop())  # all numbers of nodes are one larger
    for node in g.document["nodes"]:
        if "children" in node:
            node["children"] = [child + 1 for child in node["children"]]
    for channel in g.document["animations"][0]["channels"]:
        channel["target"]["node"] += 1
    imported = check(tmp_path, character(), {"walk.glb": (g, [walk])})
    assert any("Tail" in warning and "rig.glb" in warning and "--socket" not in warning
               for warning in imported.warnings)


def test_a_prop_of_the_character_that_a_clip_moves(tmp_path: Path) -> None:
    walk = ("Walk", tracks(*JOINTS, "Sword"))
    tree = TREE | {"Sword": "Hand"}
    rig = GltfBuilder()
    numbers = nodes(rig, tree)
    rig.skin([numbers[name] for name in JOINTS])
    imported = check(tmp_path, rig, {"walk.glb": (motion(walk, tree=tree), [walk])})
    assert any(mentions(warning, "--socket") for warning in imported.warnings)
    rig.document.pop("animations")
    imported = check(tmp_path, rig, {"walk.glb": (motion(walk, tree=tree), [walk])}, (*JOINTS, "Sword"),
                     sockets=(Socket("Sword"),))
    assert not any("Sword" in warning for warning in imported.warnings)


@pytest.mark.parametrize("skinned", [True, False])
def test_a_node_above_that_only_a_later_file_moves(tmp_path: Path, skinned: bool) -> None:
    """It is a joint in all files."""
    idle, walk, run = (("Idle", tracks(*JOINTS)), ("Walk", tracks(*JOINTS, shifted=("Armature",))),
                       ("Run", tracks(*JOINTS, seed=1)))
    rig = character()
    animate(rig, {name: number for number, name in enumerate(TREE)}, [idle])
    if not skinned:
        del rig.document["skins"]
    files = {"walk.glb": (motion(walk), [walk]), "run.glb": (motion(run), [run])}
    imported = check(tmp_path, rig, files, tuple(TREE))
    assert [clip.name for clip in imported.clips] == ["Idle", "Walk", "Run"]


def second_skeleton(g: GltfBuilder) -> None:
    wheel = g.node("Wheel", translation=[5, 0, 0])
    g.skin([list(TREE).index(name) for name in JOINTS])
    g.skin([wheel])


def skin_of_the_finger(g: GltfBuilder) -> None:
    g.skin([list(TREE).index("Finger")])


def shear_above(g: GltfBuilder) -> None:
    g.document["nodes"][0] = {"name": "Armature", "children": [1],
                              "matrix": [1, 0, 0, 0, 0.5, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]}
    g.skin([list(TREE).index(name) for name in JOINTS])


@pytest.mark.parametrize(("change", "moved", "warned"), [
    (second_skeleton, JOINTS, "Hips"),
    (skin_of_the_finger, ("Leg",), "Hips"),
    (shear_above, JOINTS, "rig.glb Hips Armature"),
])
def test_a_rig_that_is_not_used_may_be_unusable(tmp_path: Path, change: Callable[[GltfBuilder], None],
                                                moved: tuple[str, ...], warned: str) -> None:
    walk = ("Walk", tracks(*moved))
    g = motion(walk)
    change(g)
    with pytest.raises(ImportProblem):
        read_clips([g.write_glb(tmp_path, "walk.glb")])
    imported = check(tmp_path, character(), {"walk.glb": (g, [walk])})
    assert any(mentions(warning, warned) for warning in imported.warnings)


def test_two_characters_with_the_names_of_the_joints(tmp_path: Path) -> None:
    """Either might be meant."""
    g = motion(("Walk", tracks(*JOINTS)))
    others = {name: len(TREE) + number for number, name in enumerate(TREE)}
    for number, (name, place) in enumerate(others.items()):
        below = [others[child] for child, above in TREE.items() if above == name]
        g.node(name, translation=[0.1 * number, 0.5, 0], **({"children": below} if below else {}))
    g.skin([list(TREE).index(name) for name in JOINTS])
    g.skin([others[name] for name in JOINTS])
    with pytest.raises(ImportProblem, match=mentioning("walk.glb")):
        read_clips([character().write_glb(tmp_path, "rig.glb"), g.write_glb(tmp_path, "walk.glb")])


def test_equal_names(tmp_path: Path) -> None:
    def chain() -> GltfBuilder:
        g = GltfBuilder()
        for number in range(3):
            g.node("Bone", translation=[0, 0.3, 0], **({"children": [number + 1]} if number < 2 else {}))
        return g
    rig, walk = chain(), chain()
    rig.skin([0, 1, 2])
    walk.document["nodes"][1]["rotation"] = turn("x", 30)
    channels: list[Channel] = [(node, "rotation", TIMES, [turn("y", 10 * node), turn("z", 40), turn("x", 60)], "LINEAR")
                               for node in range(3)]
    walk.animation("Walk", *channels)
    imported = read_clips([rig.write_glb(tmp_path, "rig.glb"), walk.write_glb(tmp_path, "walk.glb")])
    rig.animation("Walk", *channels)
    check_positions(imported, rig.write_glb(tmp_path, "judge.glb"), {"Bone": 0, "Bone.001": 1, "Bone.002": 2})


@pytest.mark.parametrize(("tree", "others", "facts"), [
    (TREE | {"Hand": "Leg"}, {}, "Hand Leg"),
    (TREE | {"Hand": None}, {}, "Hand"),
    ({"Hips": None, "Hand": "Hips"}, {}, "Hand Hips"),
    ({"Wheel": None}, {}, "rig.glb"),
    (TREE, {name: {"translation": [0, 50, 0]} for name in TREE}, "rig.glb"),
])
def test_files_that_do_not_belong_together(tmp_path: Path, tree: Mapping[str, str | None], others: Any,
                                           facts: str) -> None:
    g = motion(("Walk", tracks(*tree)), tree=tree, **others)
    with pytest.raises(ImportProblem, match=mentioning(f"walk.glb {facts}")):
        read_clips([character().write_glb(tmp_path, "rig.glb"), g.write_glb(tmp_path, "walk.glb")])


def test_files_without_clips(tmp_path: Path) -> None:
    rig = character().write_glb(tmp_path, "rig.glb")
    walk = motion(("Walk", tracks(*JOINTS))).write_glb(tmp_path, "walk.glb")
    other = character()
    other.animation("Pan", (other.node("Camera"), "translation", [0, 1], [[0, 0, 0], [0, 0, 1]], "LINEAR"))
    both = other.write_glb(tmp_path, "both.glb")
    with pytest.raises(ImportProblem, match=mentioning("rig.glb")):
        read_clips([rig])
    with pytest.raises(ImportProblem, match=mentioning("both.glb")):
        read_clips([both])
    with pytest.raises(ImportProblem, match=mentioning("both.glb")):
        read_clips([both, walk], ImportOptions(exclude=("Walk",)))
    assert [clip.name for clip in read_clips([both, walk]).clips] == ["Walk"]
    with pytest.raises(ImportProblem, match=mentioning("rig.glb")):
        read_clips([walk, rig])
    groups, left_out = read_groups([rig, walk], ImportOptions())
    assert [[clip.name for clip in group.clips] for group in groups] == [["Walk"]] and left_out == []
    assert [[clip.name for clip in file.clips] for file in read_separately([rig, walk], ImportOptions())] == [[],
                                                                                                              ["Walk"]]
