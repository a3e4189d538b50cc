"""`ossicle decode BANK -o OUT.bvh`: the importer and the tests' own reader find the poses played."""
from __future__ import annotations

from pathlib import Path

import bvh_reader
import numpy as np
import pytest
from exported import ARM, BEAT, ROUND_TRIP_M, SHELL_M, Encoded, encoded
from gltf_builder import GltfBuilder, turn
from ossicle.importers.bvh import CENTIMETRE
from ossicle.importers.importer import read_clips
from running import write_bvh
from shell_measure import distances, model_matrices
from mentions import mentions

HALF_TURN = 180.0


def off_m(case: Encoded, folder: Path, clip: str, out: Path) -> float:
    """The difference between a file and the poses played, by the tests' own reader."""
    played, file = case.played(folder, clip), bvh_reader.read(out)
    order = [played.names.index(joint.name) for joint in file.joints]
    assert [joint.parent if joint.parent < 0 else order[joint.parent] for joint in file.joints] == [
        played.parents[joint] for joint in order]
    assert file.rate == pytest.approx(played.rate, rel=1e-9) and len(file.values) == len(played.frames)
    wanted = model_matrices(np.array(played.parents), played.frames.astype(float))[:, order]
    return float(distances(wanted, file.model_matrices(CENTIMETRE)[..., :3, :], SHELL_M).max())


@pytest.mark.parametrize("clip", ["Walk", "Spin", "Signal"])
def test_every_pose_is_the_one_that_is_played(hero: Encoded, tmp_path: Path, clip: str) -> None:
    out = hero.decoded(tmp_path / f"{clip}.bvh", "--clip", clip)
    assert off_m(hero, tmp_path, clip, out) <= ROUND_TRIP_M
    imported = read_clips([out])
    played, (again,) = hero.played(tmp_path, clip), imported.clips
    order = [played.names.index(name) for name in imported.skeleton.names]
    models = [model_matrices(parents, frames) for parents, frames in (
        (np.array(played.parents), played.frames.astype(float)), (imported.skeleton.parents, again.frames))]
    assert (again.name, again.rate) == (clip, pytest.approx(played.rate))
    assert distances(models[0][:, order], models[1], SHELL_M).max() <= ROUND_TRIP_M


def test_angles_go_on_without_a_jump(hero: Encoded, tmp_path: Path) -> None:
    """A reader may blend them: also where a joint turns round and round."""
    file = bvh_reader.read(hero.decoded(tmp_path / "spin.bvh", "--clip", "Spin"))
    turns = np.array([channel.endswith("rotation") for joint in file.joints for channel in joint.channels])
    angles = file.values[:, turns]
    assert np.abs(np.diff(angles, axis=0)).max() < HALF_TURN / 2
    assert np.ptp(angles, axis=0).max() > 2 * HALF_TURN


def test_a_joint_that_points_straight_up(tmp_path: Path) -> None:
    """There only the sum or the difference of two angles is known."""
    g, times = GltfBuilder(), np.arange(5) / 30
    g.node("Hips", children=[1])
    g.node("Arm", translation=[0, 1, 0])
    g.skin([0, 1])
    tilts = (89.999, 90.0, 90.0, 90.0, 90.001)

    def both(sign: float) -> list[list[float]]:
        a, b = np.radians(17.0) / 2, [np.radians(sign * tilt) / 2 for tilt in tilts]
        return [[np.cos(a) * np.sin(t), np.sin(a) * np.sin(t), np.sin(a) * np.cos(t), np.cos(a) * np.cos(t)] for t in b]
    for name, sign in (("up", 1.0), ("down", -1.0)):
        g.animation(name, (0, "rotation", times, both(sign), "LINEAR"),
                    (1, "rotation", times, [turn("y", 40 * f) for f in range(5)], "LINEAR"))
    case = encoded(tmp_path, g.write_glb(tmp_path), "--tolerance", "0.1mm")
    for name in ("up", "down"):
        out = case.decoded(tmp_path / f"{name}.bvh", "--clip", name)
        assert off_m(case, tmp_path, name, out) <= ROUND_TRIP_M


def test_joints_that_clips_move_are_placed(tmp_path: Path) -> None:
    g = GltfBuilder()
    g.node("Hips", translation=[0, 1, 0], children=[1, 2])
    g.node("Slide", translation=[0.1, 0, 0])
    g.node("Still", translation=[-0.1, 0, 0])
    g.skin([0, 1, 2])
    g.animation("Go", (1, "translation", [0, 1], [[0.1, 0, 0], [0.1, 0.4, 0]], "LINEAR"))
    case = encoded(tmp_path, g.write_glb(tmp_path))
    out = case.decoded(tmp_path / "Go.bvh", "--midpoints")
    file = bvh_reader.read(out)
    assert {joint.name: len(joint.channels) for joint in file.joints} == {"Hips": 6, "Slide": 6, "Still": 3}
    assert {joint.name: joint.offset.round(3).tolist() for joint in file.joints} == {
        "Hips": [0, 0, 0], "Slide": [10, 0, 0], "Still": [-10, 0, 0]}
    assert len(file.values) == 2 * case.summary["clips"][0]["frames"] - 1
    assert file.values[-1, 1] == pytest.approx(100.0, abs=1e-3)


def test_what_the_format_cannot_hold(odd: Encoded, tmp_path: Path) -> None:
    out = tmp_path / "x.bvh"
    ran = odd.decode(out, "--clip", BEAT)
    assert ran.status == 1 and repr(ARM) in ran.line and mentions(ran.line, ".bvh .glb")
    g = GltfBuilder()
    g.node("Hips")
    g.animation("Grow", (0, "scale", [0, 0.1], [[1, 1, 1], [1, 2, 1]], "LINEAR"))
    ran = encoded(tmp_path, g.write_glb(tmp_path)).decode(out)
    assert ran.status == 1 and mentions(ran.line, "Grow Hips 1 .bvh .glb")
    g = GltfBuilder()
    g.node("a")
    g.node("b")
    g.animation("Two", *((node, "rotation", [0, 0.1], [turn("x", 0), turn("x", 9)], "LINEAR") for node in (0, 1)))
    ran = encoded(tmp_path, g.write_glb(tmp_path)).decode(out)
    assert ran.status == 1 and mentions(ran.line, "b .bvh .glb")
    assert not out.exists()


def test_a_bvh_file_comes_back_as_it_was(tmp_path: Path) -> None:
    source = write_bvh(tmp_path / "walk.bvh", joints=("root bone", "b", "c"))
    case = encoded(tmp_path, source, "--tolerance", "0.1mm")
    out = case.decoded(tmp_path / "again.bvh")
    before, after = bvh_reader.read(source), bvh_reader.read(out)
    assert [joint.name for joint in after.joints] == [joint.name for joint in before.joints]
    assert distances(before.model_matrices(CENTIMETRE)[..., :3, :], after.model_matrices(CENTIMETRE)[..., :3, :],
                     SHELL_M).max() <= 1.1e-4
