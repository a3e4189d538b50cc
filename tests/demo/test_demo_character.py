"""The demo character: the committed file is the script's output, and valid glTF."""
from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import demo_glb
import numpy as np
import pytest
from other_processors import ENVIRONMENTS

DEMO = Path(__file__).resolve().parents[2] / "codegen" / "demo"
RATE_HZ = 30
LENGTHS_FRAMES = {"Idle": 72, "Walk": 30, "Run": 21, "Jump": 54, "Wave": 72, "Spin": 72, "Signal": 75}
LOOPS = ("Idle", "Walk", "Run", "Signal")
GROUND_SPEED_M_S = {"Walk": 1.2, "Run": 3.0}
TOUCH_MM = 1.5
SKATE_MM_PER_FRAME = 1.0
# Linear keys of three bending joints cut the corner at midpoints, most in fast moves.
BETWEEN_KEYS_MM = 6.0
UNIT_TOLERANCE = 1e-6
JOINTS = {"hips", "spine", "chest", "upper_chest", "neck", "head"} | {
    f"{side}_{part}" for side in ("left", "right")
    for part in ("upper_arm", "lower_arm", "hand", "upper_leg", "lower_leg", "foot")}


@pytest.fixture(scope="module")
def hero() -> demo_glb.Glb:
    return demo_glb.Glb(DEMO / "hero.glb")


def _author(output: Path, **environment: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-B", str(DEMO / "author_hero.py"), "-o", str(output)],
        capture_output=True, text=True, check=False, env=os.environ | environment)


@pytest.mark.parametrize("environment", [{"PYTHONHASHSEED": "0"}, {"PYTHONHASHSEED": "4242"}, *ENVIRONMENTS.values()])
def test_the_script_reproduces_the_committed_file(tmp_path: Path, environment: dict[str, str]) -> None:
    output = tmp_path / "again.glb"
    result = _author(output, **environment)
    assert result.returncode == 0, result.stderr
    assert output.read_bytes() == (DEMO / "hero.glb").read_bytes()


def test_an_unwritable_output_is_one_clear_line(tmp_path: Path) -> None:
    result = _author(tmp_path / "missing" / "hero.glb")
    assert result.returncode == 1
    assert result.stderr.count("\n") == 1 and "hero.glb" in result.stderr


def test_the_file_is_small_and_names_no_machine() -> None:
    data = (DEMO / "hero.glb").read_bytes()
    assert len(data) <= 161_000
    assert not re.search(rb"/(home|tmp|work|usr)/|20\d\d-\d\d", data)


def test_accessors_state_what_the_buffer_holds(hero: demo_glb.Glb) -> None:
    for number, accessor in enumerate(hero.document["accessors"]):
        values, view = hero.array(number), hero.document["bufferViews"][accessor["bufferView"]]
        assert view["byteOffset"] % 4 == 0 and view["byteLength"] == values.nbytes
        if values.dtype == np.dtype("<f4"):
            assert np.isfinite(values).all()
        if "min" in accessor:
            assert np.array_equal(values.min(axis=0), accessor["min"])
            assert np.array_equal(values.max(axis=0), accessor["max"])
    position = hero.document["meshes"][0]["primitives"][0]["attributes"]["POSITION"]
    assert "min" in hero.document["accessors"][position]


def test_skeleton_has_the_eighteen_joints_under_one_root(hero: demo_glb.Glb) -> None:
    joints = hero.document["skins"][0]["joints"]
    assert len(joints) == 18 and set(hero.names) == JOINTS
    roots = [n for n in joints if n not in hero.parents]
    assert [hero.document["nodes"][n]["name"] for n in roots] == ["hips"]
    assert all(hero.parents[n] < n for n in joints if n not in roots)
    for number in joints:
        node = hero.document["nodes"][number]
        assert abs(np.linalg.norm(node["rotation"]) - 1) < UNIT_TOLERANCE
        assert abs(node["rotation"][3]) < 0.999999, f"{node['name']} has no bind rotation"


def test_inverse_bind_matrices_undo_the_bind_pose(hero: demo_glb.Glb) -> None:
    skin = hero.document["skins"][0]
    inverse = hero.array(skin["inverseBindMatrices"]).reshape(-1, 4, 4).transpose(0, 2, 1)
    bind = hero.model(None)
    for name, matrix in zip(hero.names, inverse):
        assert np.allclose(matrix @ bind[name], np.eye(4), atol=2e-6), name


def test_it_stands_on_the_ground_facing_forward(hero: demo_glb.Glb) -> None:
    attributes = hero.document["meshes"][0]["primitives"][0]["attributes"]
    points = hero.array(attributes["POSITION"])
    assert abs(points[:, 1].min()) < 0.002 and abs(points[:, 1].max() - 1.75) < 0.01
    bind = {name: matrix[:3, 3] for name, matrix in hero.model(None).items()}
    assert bind["left_hand"][0] > 0.4 and bind["right_hand"][0] < -0.4
    feet = points[points[:, 1] < 0.05]
    ahead, behind = feet[:, 2].max() - bind["left_foot"][2], bind["left_foot"][2] - feet[:, 2].min()
    assert ahead > 2 * behind > 0


def test_the_skin_is_sound(hero: demo_glb.Glb) -> None:
    primitives = hero.document["meshes"][0]["primitives"]
    attributes = primitives[0]["attributes"]
    points, normals, joints, weights = (hero.array(attributes[key]) for key in (
        "POSITION", "NORMAL", "JOINTS_0", "WEIGHTS_0"))
    assert len(points) == len(normals) == len(joints) == len(weights)
    assert (weights.astype(int).sum(axis=1) == 255).all()
    assert set(joints[weights > 0]) == set(range(18)), "a joint moves no skin"
    assert (joints[weights == 0] == 0).all()
    assert np.abs(np.linalg.norm(normals, axis=1) - 1).max() < UNIT_TOLERANCE
    used = set()
    for primitive in primitives:
        corners = points[hero.array(primitive["indices"]).reshape(-1, 3)].astype(float)
        used |= set(hero.array(primitive["indices"])[:, 0].tolist())
        faces = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        shown = normals[hero.array(primitive["indices"]).reshape(-1, 3)[:, 0]]
        assert ((faces * shown).sum(axis=1) > 0).all(), "a triangle is wound against its normal"
    assert used == set(range(len(points)))
    assert len(hero.document["materials"]) == len(primitives) == 2


@pytest.mark.parametrize("name", LENGTHS_FRAMES)
def test_clip_is_well_formed(hero: demo_glb.Glb, name: str) -> None:
    clip = hero.clip(name)
    ends = set()
    for joint, path, mode, times, rows in hero.channels(clip):
        where = f"{name}: {joint} {path}"
        assert joint in JOINTS and (path == "rotation" or joint == "hips"), where
        per_key = 3 if mode == "CUBICSPLINE" else 1
        assert len(rows) == per_key * len(times), where
        assert times[0] == 0 and (np.diff(times) > 0).all(), where
        assert np.abs(times * RATE_HZ - np.round(times * RATE_HZ)).max() < 1e-5, where
        values = rows[1::3] if per_key == 3 else rows
        if path == "rotation":
            assert np.abs(np.linalg.norm(values, axis=1) - 1).max() < UNIT_TOLERANCE, where
            assert ((values[1:] * values[:-1]).sum(axis=1) >= 0).all(), where
        if len(times) > 1:
            ends.add(round(times[-1] * RATE_HZ))
            assert np.abs(values - values[0]).max() > 1e-4, f"{where} does not move"
    assert ends == {LENGTHS_FRAMES[name]}


def test_clips_mix_the_three_interpolations(hero: demo_glb.Glb) -> None:
    assert [clip["name"] for clip in hero.document["animations"]] == list(LENGTHS_FRAMES)
    modes = {name: {mode for _, _, mode, times, _ in hero.channels(hero.clip(name))
                    if len(times) > 1} for name in LENGTHS_FRAMES}
    assert modes["Signal"] == {"LINEAR", "CUBICSPLINE", "STEP"}
    assert all("STEP" not in found for name, found in modes.items() if name != "Signal")
    assert modes["Idle"] == {"CUBICSPLINE"}
    assert all(modes[name] == {"LINEAR"} for name in modes if name not in ("Idle", "Signal"))


@pytest.mark.parametrize("name", LOOPS)
def test_loop_closes_exactly(hero: demo_glb.Glb, name: str) -> None:
    for joint, path, mode, times, rows in hero.channels(hero.clip(name)):
        if mode == "CUBICSPLINE":
            assert np.array_equal(rows[1], rows[-2]), f"{joint} {path}"
            assert np.array_equal(rows[2], rows[-3]), f"{joint} {path}: kink at the seam"
        else:
            assert np.array_equal(rows[0], rows[-1]), f"{joint} {path}"


def test_spin_turns_twice_through_both_hemispheres(hero: demo_glb.Glb) -> None:
    clip = hero.clip("Spin")
    frames = range(LENGTHS_FRAMES["Spin"] + 1)
    headings = [np.arctan2(*hero.model(clip, f / RATE_HZ)["hips"][[0, 2], 2]) for f in frames]
    turned = np.degrees(np.unwrap(headings))
    assert turned[-1] - turned[0] == pytest.approx(720, abs=0.01)
    assert np.abs(np.diff(turned)).max() < 40, "too fast for 30 frames a second"
    rotations = np.array([hero.pose(clip, f / RATE_HZ)["hips"][0] for f in frames])
    assert ((rotations[1:] * rotations[:-1]).sum(axis=1) > 0.9).all(), "sign flips in mid-turn"
    for component in (1, 3):
        assert rotations[:, component].max() > 0.95 and rotations[:, component].min() < -0.95


def _sole_points(hero: demo_glb.Glb, side: str) -> np.ndarray:
    """Return the sole's corners in the foot joint's frame, (N, 4) homogeneous."""
    attributes = hero.document["meshes"][0]["primitives"][0]["attributes"]
    points = hero.array(attributes["POSITION"])
    owner = hero.array(attributes["JOINTS_0"])[:, 0]
    sole = points[(owner == hero.names.index(f"{side}_foot")) & (points[:, 1] < 1e-4)]
    assert len(sole) > 8
    homogeneous = np.c_[np.unique(sole, axis=0), np.ones(len(np.unique(sole, axis=0)))]
    return homogeneous @ np.linalg.inv(hero.model(None)[f"{side}_foot"]).T


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("name", GROUND_SPEED_M_S)
def test_feet_move_with_the_ground_while_they_touch_it(hero: demo_glb.Glb, name: str, side: str) -> None:
    clip, sole = hero.clip(name), _sole_points(hero, side)
    path_mm = np.array([
        (sole @ hero.model(clip, f / RATE_HZ)[f"{side}_foot"].T)[:, :3] * 1000
        for f in range(LENGTHS_FRAMES[name] + 1)])
    assert path_mm[:, :, 1].min() > -TOUCH_MM, "a foot sinks into the ground"
    touching = (path_mm[1:, :, 1] < TOUCH_MM) & (path_mm[:-1, :, 1] < TOUCH_MM)
    steps = (path_mm[1:] - path_mm[:-1])[touching]
    per_frame = GROUND_SPEED_M_S[name] * 1000 / RATE_HZ
    assert np.abs(steps[:, 2] + per_frame).max() < SKATE_MM_PER_FRAME
    assert np.abs(steps[:, 0]).max() < SKATE_MM_PER_FRAME
    share = touching.any(axis=1).mean()
    assert (0.5 < share < 0.65) if name == "Walk" else (0.25 < share < 0.4)


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", LENGTHS_FRAMES)
def test_nothing_sinks_into_the_ground_between_keys(hero: demo_glb.Glb, name: str) -> None:
    clip = hero.clip(name)
    soles = {side: _sole_points(hero, side) for side in ("left", "right")}
    for half in range(2 * LENGTHS_FRAMES[name] + 1):
        model = hero.model(clip, half / (2 * RATE_HZ))
        for side, sole in soles.items():
            low_mm = (sole @ model[f"{side}_foot"].T)[:, 1].min() * 1000
            assert low_mm > -BETWEEN_KEYS_MM, f"{name}, frame {half / 2}: {side} {low_mm:.1f}"


def test_jump_flies_under_gravity(hero: demo_glb.Glb) -> None:
    clip = hero.clip("Jump")
    height = np.array([hero.model(clip, f / RATE_HZ)["hips"][1, 3] for f in range(55)])
    falling = np.diff(height[16:32], 2) * RATE_HZ**2
    assert np.abs(falling + 9.81).max() < 0.02
    assert height.max() - height[0] > 0.3 and height[0] - height.min() > 0.2


def test_wave_moves_the_right_hand_only(hero: demo_glb.Glb) -> None:
    clip = hero.clip("Wave")
    hands = {side: np.array([hero.model(clip, f / RATE_HZ)[f"{side}_hand"][:3, 3]
                             for f in range(73)]) for side in ("left", "right")}
    assert hands["right"][20:50, 1].min() > 1.5
    swings = np.diff(np.sign(np.diff(hands["right"][15:55, 0])))
    assert np.count_nonzero(swings) >= 4
    assert np.ptp(hands["left"], axis=0).max() < 0.12
