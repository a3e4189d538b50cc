"""Swings and dashes that two neighbouring frames cannot blend: the bank interpolates as the file does, or a warning
names the place. Judged by a reader that was written from glTF's specification, and by the runtime."""
from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from fast_clips import TIMES, write_clips
from gltf_builder import GltfBuilder, turn
from pose_driver import Driver
from source_judge import ROUNDING_MM, worst_mm

from ossicle.encoding.encoder import BankResult, encode
from ossicle.encoding.settings import Settings
from ossicle.model.import_options import ImportOptions
from ossicle.model.lengths import Tolerance
from mentions import mentions, numbers

TOLERANCE_MM = 1.0
CLIPS = 8  # in a file


def encoded(path: Path, **options: object) -> BankResult:
    return encode([path], Settings(tolerance=Tolerance(metres=TOLERANCE_MM * 1e-3), effort="fast",
                                   importing=ImportOptions(**options)), jobs=1)


def warned(result: BankResult) -> dict[str, dict[str, object]]:
    """The joints and times that warnings about motion between frames name, by clip."""
    return {clip.name: {"joint": joint, "seconds": numbers(warning, "s")[0], "mm": numbers(warning, "mm")[0]}
            for warning in result.warnings if numbers(warning, "s") and numbers(warning, "mm")
            for clip in result.clips if mentions(warning, clip.name)
            for joint in result.skeleton.names if mentions(warning, joint)}


def check_clips(driver: Driver, path: Path, result: BankResult, never: bool) -> None:
    """never: no warning is accepted."""
    warnings = warned(result)
    for number, clip in enumerate(result.clips):
        worst = max(worst_mm(driver, path, result, number))
        if clip.name in warnings:
            assert not never, result.warnings
            most = max(worst_mm(driver, path, result, number, frames=True))
            stated = float(warnings[clip.name]["mm"])
            assert worst * 0.999 - ROUNDING_MM <= stated <= most * 1.001 + ROUNDING_MM, clip.name
            assert warnings[clip.name]["joint"] in result.skeleton.names
        else:
            assert worst <= TOLERANCE_MM + ROUNDING_MM, (path.name, clip.name)


def files(short: int, long: int) -> list[object]:
    """Seeds: the tests use the first ones, `scons roots` all."""
    return [pytest.param(seed, marks=pytest.mark.exhaustive if seed >= short else ()) for seed in range(long)]


@pytest.mark.parametrize("seed", files(6, 250))
def test_motion_within_a_rate_is_followed(seed: int, tmp_path: Path, driver: Driver) -> None:
    path = write_clips(tmp_path / f"hero{seed}.glb", seed, CLIPS, ("grid", "sparse"), any_size=False)
    result = encoded(path)
    check_clips(driver, path, result, never=True)
    assert not any(clip.breaks for clip in result.clips)


@pytest.mark.parametrize("seed", files(6, 1000))
def test_every_error_is_within_the_tolerance_or_in_a_warning(seed: int, tmp_path: Path, driver: Driver) -> None:
    path = write_clips(tmp_path / f"hero{seed}.glb", seed, CLIPS, TIMES, any_size=True)
    check_clips(driver, path, encoded(path), never=False)


def write_swing(path: Path, degrees: list[float], rate: float = 24.0, mode: str = "LINEAR") -> Path:
    """An arm of half a metre that turns by these angles, a key a frame."""
    g = GltfBuilder()
    g.node("shoulder", children=[1])
    g.node("hand", translation=[0.5, 0, 0])
    g.skin([0, 1])
    g.animation("Punch", (0, "rotation", np.arange(len(degrees)) / rate, [turn("z", a) for a in degrees], mode))
    return g.write_glb(path.parent, path.name)


@pytest.mark.parametrize("degrees", [101.0, 124.0, 150.0, 179.0])
def test_a_swing_doubles_the_rate(degrees: float, tmp_path: Path, driver: Driver) -> None:
    path = write_swing(tmp_path / "arm.glb", [0, 5, 10, 10 + degrees, 12 + degrees, 10, 5])
    result = encoded(path)
    check_clips(driver, path, result, never=True)
    assert result.clips[0].rate == 48.0 and not result.clips[0].breaks


def test_a_slower_swing_does_not(tmp_path: Path) -> None:
    assert encoded(write_swing(tmp_path / "arm.glb", [0, 5, 100, 5])).clips[0].rate == 24.0


@pytest.mark.parametrize("fps", [24.0, 30.0])
def test_a_chosen_rate_that_is_too_low_names_one_that_is_not(fps: float, tmp_path: Path, driver: Driver) -> None:
    path = write_swing(tmp_path / "arm.glb", [0, 5, 10, 134, 136, 10, 5])
    result = encoded(path, fps=fps)
    check_clips(driver, path, result, never=False)
    named = warned(result)["Punch"]
    assert named["joint"] == "hand" and 2 / 24 - 1e-4 < float(named["seconds"]) < 5 / 24
    (advice,) = re.findall(r"--fps ([0-9.]+)", result.warnings[0])
    better = encoded(path, fps=float(advice))
    assert better.warnings == []
    check_clips(driver, path, better, never=True)


def test_steps_stay_jumps(tmp_path: Path) -> None:
    result = encoded(write_swing(tmp_path / "arm.glb", [0, 5, 10, 134, 136], mode="STEP"))
    assert result.warnings == [] and result.clips[0].rate == 24.0
    assert [frame for frame, *_ in result.clips[0].breaks] == [1, 2, 3, 4]


def test_a_dash_that_no_rate_follows_is_a_jump_with_a_warning(tmp_path: Path) -> None:
    g = GltfBuilder()
    g.node("hip")
    g.animation("Dash",
                (0, "translation", np.arange(4) / 24, [[0, 0, 0], [0, 0, 0.1], [0, 0, 50], [0, 0, 50]], "LINEAR"))
    result = encoded(g.write_glb(tmp_path, "hero.glb"))
    named = warned(result)["Dash"]
    assert named["joint"] == "hip" and float(named["seconds"]) == pytest.approx(1.5 / 24, rel=1e-3)
    assert float(named["mm"]) == pytest.approx(49900 / 2, rel=1e-3)
    assert result.clips[0].rate == 24.0 and [frame for frame, *_ in result.clips[0].breaks] == [2]


@pytest.mark.parametrize("apart", [0, 3])
def test_a_dash_that_no_rate_follows_leaves_others_alone(apart: int, tmp_path: Path, driver: Driver) -> None:
    """A swing that twice the rate follows is followed, at the same time and later."""
    g = GltfBuilder()
    g.node("hip")
    g.node("shoulder", children=[2])
    g.node("hand", translation=[0.5, 0, 0])
    g.skin([0, 1, 2])
    times = np.arange(8) / 30
    swing = [turn("z", angle) for angle in np.repeat([0, 150], [2 + apart, 6 - apart])]
    g.animation("Dash", (0, "translation", times, [[0, 0, 30 * (key > 1)] for key in range(8)], "LINEAR"),
                (1, "rotation", times, swing, "LINEAR"))
    path = g.write_glb(tmp_path, "hero.glb")
    result = encoded(path)
    (clip,) = result.clips
    assert clip.rate == 60.0 and {joint for _, joint, _ in clip.breaks} == {"hip"}
    named = warned(result)["Dash"]
    assert named["joint"] == "hip" and 1 / 30 < float(named["seconds"]) < 2 / 30
    assert float(named["mm"]) == pytest.approx(max(worst_mm(driver, path, result, frames=True)), rel=1e-3)
    assert worst_mm(driver, path, result, joints=("shoulder", "hand"))[1] <= TOLERANCE_MM + ROUNDING_MM


CUT_S = (1e-6, 1e-4, 2e-4)  # between the two keys of a cut


def write_cut(path: Path, first: float, second: float, kind: str) -> Path:
    """Walks to `first`, and is elsewhere from `second` on."""
    g = GltfBuilder()
    g.node("hip", children=[1])
    g.node("hand", translation=[0.5, 0, 0])
    g.skin([0, 1])
    before, after = {"translation": ([0, 0, 0], [0, 0, 5]), "rotation": (turn("z", 0), turn("z", 150)),
                     "scale": ([1, 1, 1], [3, 3, 3])}[kind]
    g.animation("Cut", (0, kind, [0, first, second, 1], [before, before, after, after], "LINEAR"),
                (1, "rotation", np.arange(31) / 30, [turn("z", angle) for angle in range(31)], "LINEAR"))
    return g.write_glb(path.parent, path.name)


@pytest.mark.parametrize("kind", ["translation", "rotation", "scale"])
@pytest.mark.parametrize("apart", CUT_S)
@pytest.mark.parametrize("late", [-1.0, 0.0, 0.5])
def test_a_cut_near_a_frame_is_there(late: float, apart: float, kind: str, tmp_path: Path, driver: Driver) -> None:
    """late: from the frame to the first key, in distances of both."""
    first = 0.5 + late * apart
    path = write_cut(tmp_path / "hero.glb", first, first + apart, kind)
    result = encoded(path)
    (clip,) = result.clips
    assert result.warnings == [] and clip.rate == 30.0
    assert [frame for frame, *_ in clip.breaks] == [15]
    times = np.concatenate([np.arange(15) / 30, [0.5083], np.arange(31, 61) / 60])
    assert worst_mm(driver, path, result, times=times)[0] <= TOLERANCE_MM + ROUNDING_MM


def test_a_cut_just_behind_the_start_is_at_the_start(tmp_path: Path, driver: Driver) -> None:
    path = write_cut(tmp_path / "hero.glb", 1e-4, 2e-4, "translation")
    result = encoded(path)
    assert result.warnings == [] and result.clips[0].breaks == []
    assert worst_mm(driver, path, result, times=np.arange(1, 61) / 60)[0] <= TOLERANCE_MM + ROUNDING_MM


def test_a_cut_between_frames_is_at_the_next_one(tmp_path: Path) -> None:
    result = encoded(write_cut(tmp_path / "hero.glb", 0.51, 0.5101, "translation"))
    assert [frame for frame, *_ in result.clips[0].breaks] == [round(np.ceil(0.5101 * result.clips[0].rate))]


@pytest.mark.parametrize("frames", [2, 4])
def test_a_dash_whose_middle_is_a_frame_is_reported(frames: int, tmp_path: Path, driver: Driver) -> None:
    """At keys and midpoints the bank is exact."""
    g = GltfBuilder()
    g.node("hip")
    g.animation("Dash", (0, "translation", np.array([0, 30, 30 + frames, 60]) / 30,
                         [[0, 0, 0], [0, 0, 0], [0, 0, 40 * frames], [0, 0, 40 * frames]], "LINEAR"))
    path = g.write_glb(tmp_path, "hero.glb")
    result = encoded(path)
    worst = max(worst_mm(driver, path, result, frames=True))
    assert worst > 10_000.0 and max(worst_mm(driver, path, result)) <= TOLERANCE_MM
    assert float(warned(result)["Dash"]["mm"]) == pytest.approx(worst, rel=1e-3)


@pytest.mark.parametrize("degrees", [120.0, 150.0])
def test_a_spline_that_no_rate_follows_is_reported(degrees: float, tmp_path: Path, driver: Driver) -> None:
    """With keys on frames, the frames of a spline are exact at every rate, and the motion between them is not."""
    g = GltfBuilder()
    g.node("shoulder", children=[1])
    g.node("hand", translation=[1, 0, 0])
    g.skin([0, 1])
    keys = [[[0, 0, 0, 0], turn("z", angle), [0, 0, 0, 0]] for angle in (0, degrees, 0, 0)]
    g.animation("Punch", (0, "rotation", np.array([0, 1, 2, 30]) / 30, np.array(keys).reshape(-1, 4), "CUBICSPLINE"))
    path = g.write_glb(tmp_path, "hero.glb")
    result = encoded(path)
    worst = max(worst_mm(driver, path, result, frames=True))
    assert worst > TOLERANCE_MM
    assert float(warned(result)["Punch"]["mm"]) == pytest.approx(worst, rel=1e-3)


BVH = """HIERARCHY
ROOT hip
{
 OFFSET 0 100 0
 CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
 JOINT hand
 {
  OFFSET 50 0 0
  CHANNELS 3 Zrotation Xrotation Yrotation
  End Site
  {
   OFFSET 50 0 0
  }
 }
}
MOTION
Frames: %d
Frame Time: %.7f
"""


def write_capture(path: Path, rows: list[tuple[float, float, float]], rate: int = 30) -> Path:
    """rows: centimetres along x, and degrees of the hip and of the hand about z."""
    lines = [f"{x} 100 0 {hip} 0 0 {hand} 0 0" for x, hip, hand in rows]
    path.write_text(BVH % (len(rows), 1.0 / rate) + "\n".join(lines) + "\n")
    return path


def test_frames_of_a_capture_are_linear_keys(tmp_path: Path, driver: Driver) -> None:
    """At the midpoint of a swing of 124 degrees the hand has rotated by 62."""
    rows = [(0, 0, 0), (0, 0, 3), (0, 0, 127), (0, 0, 128)]
    result = encoded(write_capture(tmp_path / "arm.bvh", rows))
    (clip,) = result.clips
    assert (clip.rate, clip.frames, clip.breaks, result.warnings) == (60.0, 7, [], [])
    assert clip.error_mm <= TOLERANCE_MM


@pytest.mark.parametrize(("rate", "followed"), [(30, 60.0), (60, 120.0), (120, None)])
def test_motion_too_fast_for_a_body_is_a_cut(rate: int, followed: float | None, tmp_path: Path) -> None:
    """For example from a T-pose to the first frame of a capture, at 120 frames a second."""
    path = write_capture(tmp_path / "arm.bvh", [(0, 0, 0), (0, 110, 3), (0, 111, 4), (0, 112, 5)], rate)
    result = encoded(path)
    assert result.clips[0].rate == (followed or rate)
    assert [frame for frame, *_ in result.clips[0].breaks] == ([] if followed else [1])
    if followed:
        assert result.warnings == []
        return
    named = warned(result)["arm"]
    assert named["joint"] == "hand" and float(named["seconds"]) == pytest.approx(0.5 / rate, rel=1e-3)
    (advice,) = re.findall(r"--fps ([0-9.]+)", result.warnings[0])
    better = encoded(path, fps=float(advice))
    assert better.warnings == [] and better.clips[0].rate == 2 * rate and not better.clips[0].breaks


def test_a_wrap_of_angles_is_no_motion(tmp_path: Path) -> None:
    """Captures write the same rotation as 179 or as -181 degrees."""
    rows = [(0, 170, 0), (0, 179, -90), (0, -172, 268), (0, -165, -93), (0, 197, -95)]
    (clip,) = encoded(write_capture(tmp_path / "arm.bvh", rows)).clips
    assert clip.rate == 30.0 and clip.breaks == []


def test_a_capture_that_leaps_too_far_says_so(tmp_path: Path) -> None:
    result = encoded(write_capture(tmp_path / "arm.bvh", [(0, 0, 0), (5, 0, 0), (5000, 0, 0), (5005, 0, 0)]))
    named = warned(result)["arm"]
    assert named["joint"] == "hip" and float(named["seconds"]) == pytest.approx(1.5 / 30, rel=1e-3)
    assert [frame for frame, *_ in result.clips[0].breaks] == [2]
