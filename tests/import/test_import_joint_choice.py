"""Joints are left out; those below take over their motion."""
from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gltf_builder import U8, U16, GltfBuilder, turn
from import_matrices import model_pose, of
from hypothesis import given, settings, strategies as st
from ossicle.base.problem import SettingProblem
from ossicle.importers.importer import read_clips, read_groups
from ossicle.model.clip import Imported, ImportProblem
from ossicle.model.import_options import ImportOptions, Socket
from mentions import mention_each, mentioning

CHAIN = ("Root", "Hips", "Spine", "Hand", "Finger")


def chain(seed: int = 0, scale: Any = (1, 1, 1), interpolation: str = "LINEAR",
          moving: tuple[int, ...] = (0, 1, 2, 3, 4)) -> GltfBuilder:
    """A chain of joints with arbitrary rest poses; the clip Walk turns and moves some of them."""
    random = np.random.default_rng(seed)
    g = GltfBuilder()
    for number, name in enumerate(CHAIN):
        g.node(name, translation=random.normal(size=3).tolist(), rotation=_rotation(random),
               scale=list(scale) if number == 1 else [1, 1, 1], **_children(number))
    g.skin(list(range(5)), random.normal(size=(5, 4, 4)) * [[1], [1], [1], [0]] + np.diag([0, 0, 0, 1]))
    times = [0, 0.25, 0.5, 1]
    g.animation("Walk", *(channel for joint in moving for channel in (
        (joint, "rotation", times, [_rotation(random) for _ in times], interpolation),
        (joint, "translation", times, random.normal(size=(4, 3)), interpolation))))
    return g


def _children(number: int) -> dict[str, Any]:
    return {"children": [number + 1]} if number + 1 < len(CHAIN) else {}


def _rotation(random: np.random.Generator) -> list[float]:
    q = random.normal(size=4)
    return (q / np.linalg.norm(q)).tolist()


def models(imported: Imported, frames: np.ndarray) -> dict[str, np.ndarray]:
    """Model matrices [N, 4, 4] by joint."""
    poses = np.array([model_pose(imported.skeleton.parents, frame) for frame in frames])
    return {name: poses[:, joint] for joint, name in enumerate(imported.skeleton.names)}


def same_motion(whole: Imported, smaller: Imported) -> None:
    """The joints that stay are, in the bind pose and at all times, where they were."""
    for before, after in (((whole.skeleton.bind[None]), smaller.skeleton.bind[None]), *(
            (first.curve.at(TIMES), other.curve.at(TIMES)) for first, other in zip(whole.clips, smaller.clips)), *(
            (first.frames, other.frames) for first, other in zip(whole.clips, smaller.clips))):
        expected, found = models(whole, before), models(smaller, after)
        for name, matrices in found.items():
            np.testing.assert_allclose(matrices, expected[name], atol=1e-9)


TIMES = np.linspace(0.0, 1.0, 41)


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 2**32 - 1), st.sets(st.sampled_from(CHAIN), min_size=1, max_size=4),
       st.floats(0.1, 10.0), st.sampled_from(["LINEAR", "STEP"]))
def test_joints_that_stay_move_as_before(tmp_path_factory: pytest.TempPathFactory, seed: int, dropped: set[str],
                                         scale: float, interpolation: str) -> None:
    path = chain(seed, (scale,) * 3, interpolation).write_glb(tmp_path_factory.mktemp("chain"))
    whole, smaller = read_clips([path]), read_clips([path], ImportOptions(drop=tuple(sorted(dropped))))
    assert smaller.skeleton.names == tuple(name for name in CHAIN if name not in dropped)
    same_motion(whole, smaller)
    stayed = [CHAIN.index(name) for name in smaller.skeleton.names]
    np.testing.assert_array_equal(smaller.skeleton.inverse_bind, whole.skeleton.inverse_bind[stayed])
    assert smaller.clips[0].rate == whole.clips[0].rate


def test_a_moving_joint_makes_the_joint_below_follow_a_curve(tmp_path: Path) -> None:
    """The product of two turns at constant speed is none, so the file is followed between frames."""
    moving = chain(moving=(1, 2)).write_glb(tmp_path, "moving.glb")
    still = chain(moving=(2,)).write_glb(tmp_path, "still.glb")
    assert not read_clips([moving], ImportOptions(drop=("Hips",))).clips[0].curve.linear
    assert read_clips([still], ImportOptions(drop=("Hips",))).clips[0].curve.linear
    assert read_clips([moving], ImportOptions(drop=("Hand", "Finger"))).clips[0].curve.linear


def test_jumps_of_a_dropped_joint_are_jumps_of_the_one_below(tmp_path: Path) -> None:
    g = GltfBuilder()
    g.node("Hips", children=[1])
    g.node("Leg", translation=[0, -1, 0])
    g.skin([0, 1])
    g.animation("Step", (0, "rotation", [0, 1, 2], [turn("x", 0), turn("x", 40), turn("x", 40)], "STEP"))
    clip = read_clips([g.write_glb(tmp_path)], ImportOptions(drop=("Hips",))).clips[0]
    frame = round(clip.rate)
    assert clip.steps[frame, 0].tolist() == [True, True, False]
    assert clip.steps.sum() == 2


def test_keys_of_a_dropped_leaf_do_not_count(tmp_path: Path) -> None:
    """A control whose keys lie on no rate, and last longer, changes neither rate nor length."""
    g = chain(moving=(0, 1, 2))
    g.channel(0, 4, "translation", g.accessor([0, 0.0123, 0.51237, 1.7]), g.accessor(np.zeros((4, 3))), "LINEAR")
    path = g.write_glb(tmp_path)
    whole, smaller = read_clips([path]).clips[0], read_clips([path], ImportOptions(drop=("Finger",))).clips[0]
    assert smaller.curve.times.tolist() == [0, 0.25, 0.5, 1, pytest.approx(1.7)]
    assert smaller.rate % 4.0 == 0.0 != whole.rate % 4.0  # keys are on frames
    assert (len(smaller.frames) - 1) / smaller.rate == pytest.approx((len(whole.frames) - 1) / whole.rate, abs=0.05)


def test_uneven_scale_above_a_joint_that_turns(tmp_path: Path) -> None:
    path = chain(scale=(1, 2, 1)).write_glb(tmp_path)
    with pytest.raises(ImportProblem, match=mentioning("hero.glb Hips 1 2")):
        read_clips([path], ImportOptions(drop=("Hips",)))
    assert read_clips([path], ImportOptions(drop=("Hand",))).skeleton.names == ("Root", "Hips", "Spine", "Finger")


def test_scale_that_becomes_uneven(tmp_path: Path) -> None:
    g = chain(moving=(2,))
    g.channel(0, 1, "scale", g.accessor([0, 0.5, 1]), g.accessor([[1, 1, 1], [1, 1.5, 1], [1, 1, 1]]), "LINEAR")
    with pytest.raises(ImportProblem, match=mentioning("hero.glb Walk Hips 1")):
        read_clips([g.write_glb(tmp_path)], ImportOptions(drop=("Hips",)))


def test_uneven_scale_above_a_joint_that_does_not_turn(tmp_path: Path) -> None:
    g = GltfBuilder()
    g.node("Hips", scale=[1, 2, 3], children=[1])
    g.node("Leg", translation=[1, -1, 1], scale=[2, 2, 2])
    g.skin([0, 1])
    g.animation("Go", (1, "translation", [0, 1], [[1, -1, 1], [0, 5, 0]], "LINEAR"))
    path = g.write_glb(tmp_path)
    whole, smaller = read_clips([path]), read_clips([path], ImportOptions(keep=("Leg",)))
    same_motion(whole, smaller)


@pytest.mark.parametrize(("options", "expected"), [
    ({"drop": ("*i*",)}, ("Root", "Hand")),
    ({"drop": ("*i*",), "keep": ("Spine", "Fi*")}, ("Root", "Spine", "Hand", "Finger")),
    ({"keep": ("H*",)}, ("Hips", "Hand")),
])
def test_patterns(tmp_path: Path, options: dict[str, Any], expected: tuple[str, ...]) -> None:
    path = chain().write_glb(tmp_path)
    assert read_clips([path], ImportOptions(**options)).skeleton.names == expected
    groups, _ = read_groups([path], ImportOptions(**options))
    assert groups[0].skeleton.names == expected


@pytest.mark.parametrize(("options", "message"), [
    ({"drop": ("*hnad*",)}, "--drop *hnad* Hand"),
    ({"keep": ("Spin",), "drop": ("H*",)}, "--keep Spin Spine"),
    ({"drop": ("*",)}, "--drop --keep Hips Hand Finger"),
    ({"drop": ("unweighted",)}, "--drop"),
])
def test_mistakes(tmp_path: Path, options: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingProblem, match=mentioning(message)):
        read_clips([chain().write_glb(tmp_path)], ImportOptions(**options))


def meshed(joints: list[list[int]], weights: list[list[float]], component: int = U8) -> GltfBuilder:
    """The chain Root - Hips - Leg, controls Pole and Target - Tip, and a Slot with a sword below Hips;
    the mesh has these weights."""
    g = GltfBuilder()
    g.node("Root", children=[1, 3, 4])
    g.node("Hips", children=[2, 6])
    g.node("Leg")
    g.node("Pole")
    g.node("Target", children=[5])
    g.node("Tip")
    g.node("Slot", children=[7])
    g.node("Sword", mesh=1)
    g.node("Body", mesh=0, skin=0)
    g.skin([0, 1, 2, 3, 4, 5, 6])
    g.document["meshes"] = [
        {"primitives": [{"attributes": {"JOINTS_0": g.accessor(joints, component),
                                        "WEIGHTS_0": g.accessor(weights)}}]},
        {"primitives": [{"attributes": {}}]}]
    g.animation("Walk", (1, "translation", [0, 1], [[0, 0, 0], [1, 0, 0]], "LINEAR"))
    return g


@pytest.mark.parametrize("component", [U8, U16])
def test_joints_that_carry_nothing(tmp_path: Path, component: int) -> None:
    g = meshed([[1, 2, 3, 0], [2, 4, 0, 0]], [[0.5, 0.5, 0, 0], [1, 0, 0, 0]], component)
    path = g.write_glb(tmp_path)
    assert mention_each(read_clips([path]).warnings, ["hero.glb 3 7 Pole Target Tip --drop --keep"])
    assert read_clips([path]).carrying == {"Hips", "Leg", "Slot"}
    smaller = read_clips([path], ImportOptions(drop=("unweighted",)))
    assert smaller.skeleton.names == ("Root", "Hips", "Leg", "Slot") and smaller.warnings == []
    kept = read_clips([path], ImportOptions(drop=("unweighted",), keep=("Tip",)))
    assert set(kept.skeleton.names) == {"Root", "Hips", "Leg", "Tip", "Slot"} and kept.warnings == []


def test_weights_of_one_file_hold_for_all(tmp_path: Path) -> None:
    character = meshed([[1, 2, 0, 0]], [[0.5, 0.5, 0, 0]])
    motion = meshed([[1, 2, 0, 0]], [[0.5, 0.5, 0, 0]])
    del motion.document["meshes"]
    for node in motion.document["nodes"]:
        node.pop("mesh", None)
    motion.document["animations"][0]["name"] = "Run"
    paths = [character.write_glb(tmp_path, "a.glb"), motion.write_glb(tmp_path, "b.glb")]
    imported = read_clips(paths, ImportOptions(drop=("unweighted",)))
    assert imported.skeleton.names == ("Root", "Hips", "Leg", "Slot")
    assert [clip.name for clip in imported.clips] == ["Walk", "Run"]
    assert imported.carrying == {"Hips", "Leg", "Slot"}


def test_a_dropped_joint_with_vertices_is_mentioned(tmp_path: Path) -> None:
    path = meshed([[1, 2, 0, 0]], [[0.5, 0.5, 0, 0]]).write_glb(tmp_path)
    assert mention_each(read_clips([path], ImportOptions(drop=("Leg", "unweighted"))).warnings, ["hero.glb Leg"])


@pytest.mark.parametrize("damage", ["draco", "type", "range"])
def test_meshes_that_cannot_be_read_say_nothing(tmp_path: Path, damage: str) -> None:
    g = meshed([[1, 2, 0, 0]], [[0.5, 0.5, 0, 0]])
    primitive = g.document["meshes"][0]["primitives"][0]
    if damage == "draco":
        primitive["extensions"] = {"KHR_draco_mesh_compression": {}}
    elif damage == "type":
        primitive["attributes"]["JOINTS_0"] = primitive["attributes"]["WEIGHTS_0"]
    else:
        primitive["attributes"]["JOINTS_0"] = 999
    imported = read_clips([g.write_glb(tmp_path)])
    assert imported.warnings == [] and imported.carrying is None


def test_a_socket_becomes_a_joint(tmp_path: Path) -> None:
    g = chain(moving=(0, 3))
    g.node("Grip", translation=[0.1, 0, 0], rotation=turn("x", 30), scale=[2, 2, 2], children=[6])
    g.node("Blade", translation=[0, 0.2, 0], rotation=turn("y", 50))
    g.document["nodes"][3]["children"].append(5)
    path = g.write_glb(tmp_path)
    plain, socketed = read_clips([path]), read_clips([path],
                                                     ImportOptions(sockets=(Socket("Bl*"),), drop=("Hand", "Finger")))
    assert socketed.skeleton.names == ("Root", "Hips", "Spine", "Blade") and socketed.warnings == []
    hand = models(plain, plain.clips[0].frames)["Hand"]
    grip = of(turn("x", 30), [0.1, 0, 0], [2, 2, 2]) @ of(turn("y", 50), [0, 0.2, 0])
    blade = models(socketed, socketed.clips[0].frames)["Blade"]
    np.testing.assert_allclose(blade[..., 3], (hand @ grip)[..., 3], atol=1e-9)
    np.testing.assert_allclose(2.0 * blade[:, :3, :3], (hand @ grip)[:, :3, :3], atol=1e-9)
    bind = model_pose(socketed.skeleton.parents, socketed.skeleton.bind)
    np.testing.assert_allclose(socketed.skeleton.inverse_bind[3] @ bind[3], np.eye(4), atol=1e-9)
    np.testing.assert_array_equal(socketed.skeleton.inverse_bind[:3], plain.skeleton.inverse_bind[:3])


def test_a_socket_that_moves(tmp_path: Path) -> None:
    """Motion of nodes that are no joints is ignored with a warning, unless they are sockets."""
    g = chain(moving=(0,))
    g.node("Lid")
    g.document["nodes"][4]["children"] = [5]
    g.channel(0, 5, "translation", g.accessor([0, 1]), g.accessor([[0, 0, 0], [0, 3, 0]]), "LINEAR")
    path = g.write_glb(tmp_path)
    assert "Lid" in read_clips([path]).warnings[0]
    imported = read_clips([path], ImportOptions(sockets=(Socket("Lid"),)))
    assert imported.warnings == [] and imported.clips[0].frames[-1, 5, 4:7].tolist() == [0, 3, 0]


@pytest.mark.parametrize("interpolation", ["LINEAR", "STEP"])
def test_files_of_motions_need_no_sockets(tmp_path: Path, interpolation: str) -> None:
    character, motion = chain(), chain(interpolation=interpolation)
    character.node("Grip", translation=[0.1, 0, 0], rotation=turn("x", 30), children=[6])
    character.node("Blade", translation=[0, 0.2, 0])
    character.document["nodes"][2]["children"].append(5)
    motion.document["animations"][0]["name"] = "Run"
    paths = [character.write_glb(tmp_path, "a.glb"), motion.write_glb(tmp_path, "b.glb")]
    imported = read_clips(paths, ImportOptions(sockets=(Socket("Grip"), Socket("Blade")), drop=("Hips",)))
    walk, run = imported.clips
    assert set(imported.skeleton.names) == {*CHAIN, "Grip", "Blade"} - {"Hips"}
    poses = models(imported, run.frames)
    other = read_clips(paths[1:])
    expected = models(other, other.clips[0].frames)
    np.testing.assert_allclose(poses["Finger"], expected["Finger"], atol=1e-9)
    np.testing.assert_allclose(poses["Blade"], expected["Spine"] @ of(turn("x", 30), [0.1, 0, 0]) @ of(
        translation=[0, 0.2, 0]), atol=1e-9)
    np.testing.assert_array_equal(run.curve.at(np.arange(len(run.frames)) / run.rate, 0.01 / run.rate)[:-1],
                                  run.frames[:-1])
    assert run.steps.any() == (interpolation == "STEP") and run.curve.joints == walk.curve.joints


def test_a_joint_that_is_a_socket_stays(tmp_path: Path) -> None:
    path = meshed([[1, 2, 0, 0]], [[0.5, 0.5, 0, 0]]).write_glb(tmp_path)
    kept = read_clips([path], ImportOptions(sockets=(Socket("Tip"),), drop=("unweighted",)))
    assert set(kept.skeleton.names) == {"Root", "Hips", "Leg", "Slot", "Tip"} and kept.warnings == []


@pytest.mark.parametrize(("socket", "message"), [("Sord", "--socket Sord Sword"), ("Bones*", "--socket Bones* Hips")])
def test_a_socket_that_is_no_node(tmp_path: Path, socket: str, message: str) -> None:
    path = meshed([[1, 2, 0, 0]], [[0.5, 0.5, 0, 0]]).write_glb(tmp_path)
    with pytest.raises(SettingProblem, match=mentioning(message)):
        read_clips([path], ImportOptions(sockets=(Socket(socket),)))


def test_sockets_get_names(tmp_path: Path) -> None:
    character, motion = chain(), chain()
    character.node("Grip.001", translation=[0.1, 0, 0])
    character.document["nodes"][2]["children"].append(5)
    motion.document["animations"][0]["name"] = "Run"
    paths = [character.write_glb(tmp_path, "a.glb"), motion.write_glb(tmp_path, "b.glb")]
    plain = read_clips(paths, ImportOptions(sockets=(Socket("Grip*"),)))
    imported = read_clips(paths, ImportOptions(
        sockets=(Socket("Grip*", "sword"), Socket("Finger", "ring")), drop=("*",), keep=("Hips", "Spine", "Hand")))
    assert imported.skeleton.names == ("Hips", "Spine", "Hand", "ring", "sword")
    assert imported.skeleton.skin_joints == ("Hips", "Hips", "Spine", "Hand", "ring")
    for first, other in zip(plain.clips, imported.clips):
        expected, found = models(plain, first.frames), models(imported, other.frames)
        np.testing.assert_allclose(found["sword"], expected["Grip.001"], atol=1e-9)
        np.testing.assert_allclose(found["ring"], expected["Finger"], atol=1e-9)


@pytest.mark.parametrize(("sockets", "message"), [
    ([("*", "sword")], "* Hips Hand Finger"),
    ([("Hand", "Root")], "Hand"),
    ([("Hand", "sword"), ("Finger", "sword")], "Hand"),
    ([("Hnad", "sword")], "Hnad Hand"),
])
def test_names_of_sockets_that_cannot_be_given(sockets: list[tuple[str, str]], message: str, tmp_path: Path) -> None:
    path = chain().write_glb(tmp_path)
    with pytest.raises(SettingProblem, match=mentioning(message)):
        read_clips([path], ImportOptions(sockets=tuple(Socket(*socket) for socket in sockets)))
    assert read_clips([path], ImportOptions(sockets=(Socket("Hand", "Hand"),))).skeleton.names == CHAIN


def test_files_may_differ_in_joints_that_are_dropped(tmp_path: Path) -> None:
    paths = [chain().write_glb(tmp_path, "a.glb"), chain().write_glb(tmp_path, "b.glb")]
    g = chain()
    g.document["nodes"][4]["name"] = "Other"
    g.document["animations"][0]["name"] = "Run"
    g.write_glb(tmp_path, "b.glb")
    imported = read_clips(paths, ImportOptions(drop=("Finger", "Other")))
    assert imported.skeleton.names == CHAIN[:4] and len(imported.clips) == 2


def test_a_mesh_whose_buffer_is_missing_does_no_harm(tmp_path: Path) -> None:
    g = meshed([[1, 2, 0, 0]], [[0.5, 0.5, 0, 0]])
    g.document["buffers"] = [{"byteLength": len(g.binary)}, {"byteLength": 64, "uri": "mesh.bin"}]
    g.document["bufferViews"][0] |= {"buffer": 1, "byteOffset": 0}
    imported = read_clips([g.write_glb(tmp_path)])
    assert len(imported.clips) == 1 and imported.warnings == []
