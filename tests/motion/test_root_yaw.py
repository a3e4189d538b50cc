"""The yaw of a trajectory is that of the hips: bows, leans and twisted bind poses do not turn it."""
from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from gltf_builder import GltfBuilder, turn
from ossicle.bank.file import parse_bank
from ossicle.encoding.encoder import encode_clips
from ossicle.encoding.settings import ClipRule, Settings
from ossicle.importers.importer import read_clips
from ossicle.model import rotations
from ossicle.model.trajectory.extraction import joint_path
from ossicle.model.trajectory.components import YAWS
from running import run_inside
from mentions import mentions

YAW_LIMIT_DEGREES = 2.0
FRAMES = 61
HEADING = 70.0  # degrees, of the first frame
TURNED = 30.0  # of the clip


def both(*turns: list[float]) -> list[float]:
    """Rotations, the first applied last."""
    result = np.array(turns[0])
    for other in turns[1:]:
        result = rotations.multiply(result, np.array(other))
    return result.tolist()


BINDS = {"upright": turn("y", 0), "lying": turn("x", -90), "captured": both(turn("z", 90), turn("x", 55)),
         "tilted": both(turn("x", 50), turn("z", 40))}


def motion(folder: Path, bind: list[float], lean: float, turned: float = TURNED) -> Path:
    """Hips that turn at an even rate while they bow and come up again, on a skeleton whose bind pose is another one.
    They carry a frame of their own, in which the first frame is not the bind pose."""
    g = GltfBuilder()
    g.node("Hips", translation=[0, 0.9, 0], rotation=bind, children=[1])
    g.node("Chest", translation=[0.0, 0.4, 0.0])
    g.skin([0, 1])
    share = np.linspace(0, 1, FRAMES)
    own = both(turn("z", 90), turn("x", 20))
    keys = [both(turn("y", HEADING + turned * s), turn("x", lean * math.sin(math.pi * s)), own) for s in share]
    path = [[0.5 * s, 0.9, s] for s in share]
    g.animation("Bow", (0, "translation", share, path, "LINEAR"), (0, "rotation", share, keys, "LINEAR"))
    return g.write_glb(folder)


def yaw_of(path: Path, by: str = "first") -> np.ndarray:
    """The yaw in degrees from the first frame."""
    imported = read_clips([path])
    yaw = 360 * joint_path(imported.clips[0], imported.skeleton, 0, by)[:, 3]
    return yaw - yaw[0]


@pytest.mark.parametrize("lean", [0.0, 30.0, 80.0])
@pytest.mark.parametrize("bind", BINDS)
def test_a_bow_does_not_turn_a_trajectory(tmp_path: Path, bind: str, lean: float) -> None:
    off = yaw_of(motion(tmp_path, BINDS[bind], lean)) - TURNED * np.linspace(0, 1, FRAMES)
    assert np.abs(off).max() <= YAW_LIMIT_DEGREES


@pytest.mark.parametrize("turned", [0.0, TURNED, 400.0, -1000.0])
def test_the_bank_has_the_turn_of_the_hips(tmp_path: Path, turned: float) -> None:
    rule = ClipRule("Bow", root_motion=("x", "z", "yaw"), root_tolerance_m=1e-3)
    imported = read_clips([motion(tmp_path, BINDS["captured"], 60.0, turned)])
    trajectory = parse_bank(encode_clips(imported, Settings(clips=(rule,), effort="fast")).bank).trajectories[0]
    assert 360 * trajectory.end[trajectory.components.index("yaw")] == pytest.approx(turned, abs=0.2)


def test_the_bind_pose_may_be_the_reference(tmp_path: Path) -> None:
    path = motion(tmp_path, BINDS["tilted"], 80.0)
    off = yaw_of(path, "bind") - TURNED * np.linspace(0, 1, FRAMES)
    assert np.abs(off).max() > 5.0  # which is why it is not the default
    assert yaw_of(path, "bind")[-1] == pytest.approx(TURNED, abs=1e-3)


@pytest.mark.parametrize("by", YAWS)
def test_an_upright_turn_is_the_same_by_any_reference(tmp_path: Path, by: str) -> None:
    path = motion(tmp_path, both(turn("z", 90), turn("x", 20)), 0.0, 400.0)
    if by == "x":  # points up
        by = "z"
    assert yaw_of(path, by) == pytest.approx(400.0 * np.linspace(0, 1, FRAMES), abs=1e-3)


def test_an_axis_is_followed_over_the_ground(tmp_path: Path) -> None:
    """The first frame faces where the axis does, as seen from the bind pose; then the axis leads."""
    path = motion(tmp_path, BINDS["upright"], 40.0)
    imported = read_clips([path])
    frames = imported.clips[0].frames[:, 0, :4]
    points = rotations.rotate(frames, np.tile([0.0, 0.0, 1.0], (FRAMES, 1)))
    heading = np.degrees(np.unwrap(np.arctan2(points[:, 0], points[:, 2])))
    got = 360 * joint_path(imported.clips[0], imported.skeleton, 0, "z")[:, 3]
    assert (got - heading) / 360 == pytest.approx(np.rint((got - heading) / 360), abs=1e-6)
    assert abs(got[0]) <= 180.0


def test_clips_face_at_first_as_the_bind_pose(tmp_path: Path) -> None:
    """Clips that were captured at different headings agree in place."""
    rule = ClipRule("Bow", root_motion=("x", "z", "yaw"), root_tolerance_m=1e-3)
    imported = read_clips([motion(tmp_path, both(turn("z", 90), turn("x", 20)), 0.0)])
    frames = encode_clips(imported, Settings(clips=(rule,), effort="fast")).sources[0].frames
    relative = rotations.multiply(frames[:, 0, :4], imported.skeleton.bind[0, :4] * (-1, -1, -1, 1))
    assert np.degrees(2 * np.arctan2(relative[:, 1], relative[:, 3])) == pytest.approx(np.zeros(FRAMES), abs=0.5)


@pytest.mark.parametrize(("line", "problem"), [
    ('root_yaw = "frist"', "first"), ('root_yaw = 1', "root_yaw"),
    ('root_yaw = "y"', "root_yaw y Hips"),
])
def test_bad_references_are_refused(tmp_path: Path, line: str, problem: str) -> None:
    config = tmp_path / "bow.toml"
    config.write_text(f'root_motion = "yaw"\n{line}\n', encoding="utf-8")
    message = run_inside("encode", motion(tmp_path, BINDS["upright"], 0.0), "-o", tmp_path / "bow.ossb",
                         "--config", config)
    assert message.status != 0 and mentions(message.line, problem)


def test_the_file_names_a_reference(tmp_path: Path) -> None:
    path, sizes = motion(tmp_path, BINDS["tilted"], 80.0), {}
    for by in ("first", "bind"):
        config, bank = tmp_path / f"{by}.toml", tmp_path / f"{by}.ossb"
        config.write_text('root_motion = "yaw"\nroot_tolerance = "1mm"\nroot_yaw = "bind"\n[clips."Bow"]\nroot_yaw = '
                          f'"{by}"\n', encoding="utf-8")
        assert run_inside("encode", path, "-o", bank, "--config", config, "--quiet").status == 0
        [trajectory] = parse_bank(bank.read_bytes()).trajectories.values()
        assert 360 * trajectory.end[0] == pytest.approx(TURNED, abs=0.2)
        sizes[by] = bank.stat().st_size
    assert sizes["bind"] > sizes["first"]  # as it turns there and back
