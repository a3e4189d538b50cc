"""Motion of .fbx files: pivots, additional rotations, orders of rotations, units, axes and several clips."""
from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from fbx_pose import models
from fbx_writer import Curves, FbxJoint, write_fbx
from import_matrices import model_pose
from ossicle.importers.importer import has_meshes, read_clips
from ossicle.importers.suffixes import CONVERTED
from ossicle.model.clip import Imported

pytestmark = pytest.mark.usefixtures("assimp")

CLOSE_MM = 0.001
CLOSE = 1e-5  # of axes
RATE = 30.0
FRAMES = 12
PRE, POST = {"PreRotation": (30.0, 40.0, 50.0)}, {"PostRotation": (20.0, -40.0, 10.0)}
TURNING, SCALING = {"RotationPivot": (3.0, 4.0, 5.0)}, {"ScalingPivot": (1.0, 2.0, 3.0)}
OFFSETS = {"RotationOffset": (1.0, 0.0, 2.0), "ScalingOffset": (-1.0, 2.0, 3.0)}
RIGS = {"plain": {}, "pre": PRE, "post": POST, "pre and post": PRE | POST, "pivot": TURNING,
        "all": PRE | POST | TURNING | SCALING | OFFSETS}
SPANS = {"T": (0.0, 10.0), "R": (0.0, 70.0), "S": (1.0, 0.3)}  # mean and amplitude
Y_UP = ((1, 1), (2, 1), (0, 1))
# up, front and right of a file, and where its x, y and z point in glTF
AXES = {"Y": (Y_UP, np.eye(3)),
        "Z of 3ds Max": (((2, 1), (1, -1), (0, 1)), np.array([[1, 0, 0], [0, 0, 1], [0, -1, 0]])),
        "X": (((0, 1), (2, 1), (1, -1)), np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1]]))}


def rig(order: int = 0, **properties: tuple[float, float, float]) -> list[FbxJoint]:
    return [FbxJoint("Hips", "", {"Lcl Translation": (1.0, 90.0, 2.0), **properties}, order),
            FbxJoint("Spine", "Hips", {"Lcl Translation": (1.0, 30.0, 2.0), "Lcl Rotation": (10.0, 20.0, 30.0),
                                       **properties}, order),
            FbxJoint("Head", "Spine", {"Lcl Translation": (0.0, 25.0, 2.0), **properties}, order)]


def waves(joints: Sequence[str], kinds: str, start: float = 0.0, frames: int = FRAMES) -> Curves:
    return {(joint, kind, axis): [
        (start + frame / RATE, SPANS[kind][0] + SPANS[kind][1] * float(np.sin(0.3 * frame + number)))
        for frame in range(frames)]
        for number, (joint, kind, axis) in enumerate((joint, kind, axis) for joint in joints for kind in kinds
                                                     for axis in "XYZ")}


def check(imported: Imported, joints: Sequence[FbxJoint], clips: dict[str, Curves], unit: float = 1.0,
          turn: np.ndarray = np.eye(3)) -> None:
    """Compares all frames of all clips with the formula of FBX."""
    assert [clip.name for clip in imported.clips] == list(clips)
    assert imported.skeleton.names == tuple(joint.name for joint in joints)
    for clip in imported.clips:
        curves = clips[clip.name]
        times = sorted({time for keys in curves.values() for time, _ in keys})
        assert clip.rate == RATE and len(clip.frames) == len(times)
        for seconds, frame in zip(times, np.asarray(clip.frames)):
            ours = model_pose(imported.skeleton.parents, frame)
            for model, theirs in zip(ours, models(joints, curves, seconds).values()):
                assert np.abs(model[:3, 3] - turn @ theirs[:3, 3] * unit / 100).max() * 1000 < CLOSE_MM * unit
                axes = [linear / np.linalg.norm(linear, axis=0) for linear in (model[:3, :3], turn @ theirs[:3, :3])]
                assert np.abs(axes[0] - axes[1]).max() < CLOSE


@pytest.mark.parametrize("name", RIGS)
def test_pivots_and_rotations(tmp_path: Path, name: str) -> None:
    joints = rig(**RIGS[name])
    clips = {"Nod": waves(["Spine", "Head"], "R", start=1.0), "Walk": waves(["Hips", "Spine", "Head"], "TR")}
    write_fbx(tmp_path / "hero.fbx", joints, clips)
    check(read_clips([tmp_path / "hero.fbx"]), joints, clips)


@pytest.mark.parametrize("name", ["plain", "pre", "pivot"])
def test_scales(tmp_path: Path, name: str) -> None:
    joints, clips = rig(**RIGS[name]), {"Grow": waves(["Head"], "RS")}
    write_fbx(tmp_path / "hero.fbx", joints, clips)
    check(read_clips([tmp_path / "hero.fbx"]), joints, clips)


@pytest.mark.parametrize("order", range(6))
@pytest.mark.parametrize("name", ["pre", "pivot"])
def test_orders_of_rotations(tmp_path: Path, order: int, name: str) -> None:
    joints, clips = rig(order, **RIGS[name]), {"Nod": waves(["Spine", "Head"], "R")}
    write_fbx(tmp_path / "hero.fbx", joints, clips)
    check(read_clips([tmp_path / "hero.fbx"]), joints, clips)


@pytest.mark.parametrize("name", AXES)
@pytest.mark.parametrize("unit", [1.0, 2.54, 100.0])
def test_units_and_axes(tmp_path: Path, name: str, unit: float) -> None:
    joints, clips = rig(**PRE), {"Walk": waves(["Hips", "Head"], "TR")}
    axes, turn = AXES[name]
    write_fbx(tmp_path / "hero.fbx", joints, clips, unit, axes)
    check(read_clips([tmp_path / "hero.fbx"]), joints, clips, unit, turn)


def test_left_handed_axes(tmp_path: Path) -> None:
    joints, clips = rig(), {"Walk": waves(["Hips", "Head"], "TR")}
    write_fbx(tmp_path / "hero.fbx", joints, clips, axes=((1, 1), (2, -1), (0, 1)))
    imported = read_clips([tmp_path / "hero.fbx"])
    ours = model_pose(imported.skeleton.parents, np.asarray(imported.clips[0].frames)[5])
    for name, model in models(joints, clips["Walk"], 5 / RATE).items():
        found = ours[imported.skeleton.names.index(name)]
        np.testing.assert_allclose(found[:3, 3], model[:3, 3] * [0.01, 0.01, -0.01], atol=CLOSE_MM / 1000)


def test_keys_of_each_axis_on_their_own(tmp_path: Path) -> None:
    joints = rig()
    clips = {"Nod": {("Head", "R", "X"): [(0.0, 0.0), (0.2, 60.0)], ("Head", "R", "Y"): [(0.0, 0.0), (0.1, 50.0)],
                     ("Hips", "T", "Z"): [(frame / RATE, frame / 10) for frame in range(7)]}}
    write_fbx(tmp_path / "hero.fbx", joints, clips)
    imported = read_clips([tmp_path / "hero.fbx"])
    (clip,) = imported.clips
    for frame in (0, 3, 6):  # those with keys of the head
        ours = model_pose(imported.skeleton.parents, np.asarray(clip.frames)[frame])
        theirs = models(joints, clips["Nod"], frame / RATE)["Head"]
        np.testing.assert_allclose(ours[2, :3, :3], theirs[:3, :3], atol=CLOSE)


def test_the_suffixes_have_meshes() -> None:
    assert all(has_meshes(Path(f"hero{suffix.upper()}")) for suffix in CONVERTED)
