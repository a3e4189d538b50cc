"""Clips are cut, sped up, reversed, and their loops closed, before they are encoded."""
from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from gltf_builder import GltfBuilder, turn
from hypothesis import example, given, settings, strategies as st
from made_clips import write_capture
from ossicle.encoding import native
from ossicle.encoding.encoder import BankResult, encode_clips
from ossicle.encoding.problems import EncodeProblem
from ossicle.encoding.settings import CLOSE, ClipRule, Settings
from ossicle.importers.importer import read_clips
from ossicle.model.clip import Clip, Imported, ImportProblem
from ossicle.model.import_options import ImportOptions
from ossicle.model.loops import closed
from ossicle.model.shell import shell_errors
from ossicle.model.editing.timing import Timing, retimed
from mentions import mentioning

LIMIT_M = 0.001
SHELL_M = 0.03


def swing(folder: Path, interpolation: str = "LINEAR", end: float = 0.0, unit: float = 1.0) -> Path:
    """A body that rises and an arm of three joints that swings, for 31 keys at 30 per second; at the end
    its place and turns differ from the beginning by `end`, metres and degrees."""
    g = GltfBuilder()
    g.node("Body", translation=[0, unit, 0], children=[1])
    g.node("Arm", translation=[0.4 * unit, 0, 0], children=[2])
    g.node("Hand", translation=[0.3 * unit, 0, 0])
    g.skin([0, 1, 2])
    times = np.arange(31) / 30
    phase = 2 * np.pi * times
    cubic = interpolation == "CUBICSPLINE"

    def keys(values: list[list[float]]) -> list:
        return [[[0.0] * len(value), value, [0.0] * len(value)] for value in values] if cubic else values

    g.animation("Swing", *(
        (joint, "rotation", times, keys([turn(axis, 40 * np.sin(p) * (joint + 1) / 2 + end * 100 * t)
                                         for p, t in zip(phase, times)]), interpolation)
        for joint, axis in ((1, "z"), (2, "y"))), (0, "translation", times, keys(
            [[end * unit * t, unit * (1 + 0.1 * np.sin(p)), 0] for p, t in zip(phase, times)]), interpolation))
    return g.write_glb(folder)


def encoded(paths: list[Path], rule: ClipRule, **options: object) -> tuple[Imported, BankResult, np.ndarray]:
    """The clips as read, the result, and the first clip's frames as the runtime plays them."""
    imported = read_clips(paths)
    result = encode_clips(imported, Settings(clips=(rule,), effort="fast", **options))
    played = native.decode_clip(native.bank_words(result.bank), 0, len(imported.skeleton.names), False)
    return imported, result, played.astype(np.float64)


@pytest.mark.parametrize(("rule", "frames", "rate"), [
    (ClipRule("Swing", start_s=0.2, end_s=0.7), range(6, 22), 30),
    (ClipRule("Swing", start_s=0.19, end_s=0.71), range(6, 22), 30),  # to whole frames
    (ClipRule("Swing", start_s=0.5), range(15, 31), 30),
    (ClipRule("Swing", speed=2.0), range(31), 60),
    (ClipRule("Swing", speed=0.8, end_s=0.5), range(16), 24),
    (ClipRule("Swing", reverse=True), range(30, -1, -1), 30),
    (ClipRule("Swing", reverse=True, start_s=0.1, end_s=0.4, speed=1.5), range(12, 2, -1), 45),
])
@pytest.mark.parametrize("kind", ["LINEAR", "capture"])
def test_the_bank_plays_the_part(tmp_path: Path, rule: ClipRule, frames: range, rate: int, kind: str) -> None:
    path = write_capture(tmp_path / "Swing.bvh", frames=31) if kind == "capture" else swing(tmp_path, kind)
    imported, result, played = encoded([path], rule)
    clip = result.sources[0]
    assert clip.rate == pytest.approx(rate) and len(played) == len(frames)
    off = shell_errors(imported.skeleton.parents, imported.clips[0].frames[list(frames)], played, SHELL_M)
    assert off.max() <= LIMIT_M + 1e-6


@settings(deadline=None, max_examples=40)
@example(0, 2, 0.40625, False, "STEP")  # too few keys to have a rate of their own
@given(st.integers(0, 20), st.integers(1, 10), st.floats(0.3, 3.0), st.booleans(),
       st.sampled_from(["LINEAR", "STEP", "CUBICSPLINE"]))
def test_a_part_is_the_same_motion(tmp_path_factory: pytest.TempPathFactory, first: int, length: int, speed: float,
                                   reverse: bool, interpolation: str) -> None:
    clip = read_clips([swing(tmp_path_factory.mktemp("swing"), interpolation)]).clips[0]
    start, end = first / 30, (first + length) / 30
    part = retimed(clip, Timing(start, end, speed, reverse))
    seconds = (np.arange(9) + 0.37) / 9 * (end - start)
    there = end - seconds if reverse else start + seconds
    np.testing.assert_allclose(part.curve.at(seconds / speed), clip.curve.at(there), atol=1e-6)
    assert part.curve.times[-1] == pytest.approx((end - start) / speed, abs=1e-6)
    assert len(part.curve.times) == length + 1
    if interpolation == "STEP":  # a frame that jumps has what comes after it
        soon = (np.arange(len(part.frames) - 1) + 0.5) / part.rate
        soon = soon[soon < part.curve.times[-1]]  # the jump of the end may lie between the last two frames
        np.testing.assert_allclose(part.frames[:len(soon)], part.curve.at(soon), atol=1e-9)
        assert not part.steps[0].any()
        assert part.steps[1:].any() == (not np.allclose(part.frames[1:], part.frames[:-1], atol=1e-6))


@pytest.mark.parametrize(("rule", "message"), [
    (ClipRule("*", start_s=0.8, end_s=0.8), "0.8s 1s"),
    (ClipRule("*", start_s=2.0), "2s 1s"),
    (ClipRule("*", end_s=1.5), "1.5s 1s"),
])
@pytest.mark.parametrize("kind", ["LINEAR", "capture"])
def test_cuts_that_leave_nothing(tmp_path: Path, rule: ClipRule, message: str, kind: str) -> None:
    path = write_capture(tmp_path / "Swing.bvh", frames=31) if kind == "capture" else swing(tmp_path)
    with pytest.raises(ImportProblem, match=mentioning(f"{path.name} Swing {message}")):
        encoded([path], rule)


def test_a_part_at_a_forced_rate(tmp_path: Path) -> None:
    imported = read_clips([swing(tmp_path)], ImportOptions(fps=20.0))
    clip = retimed(imported.clips[0], Timing(0.5, 1.0, 1.0, False))
    assert clip.rate == 20.0 and len(clip.frames) == 11 and not clip.follows_curve


@pytest.mark.parametrize("interpolation", ["LINEAR", "STEP", "CUBICSPLINE"])
def test_a_loop_is_closed(tmp_path: Path, interpolation: str) -> None:
    path = swing(tmp_path, interpolation, end=0.01)
    with pytest.raises(EncodeProblem, match=mentioning("0 1mm --close-loop Swing")):
        encoded([path], ClipRule("Swing", loop=True))
    imported, result, played = encoded([path], ClipRule("Swing", loop=CLOSE))
    before, after = imported.clips[0], result.sources[0]
    parents = imported.skeleton.parents
    gap = shell_errors(parents, before.frames[:1], before.frames[-1:], SHELL_M).max()
    [report] = result.clips
    assert report.loop and report.closed_gap_mm == pytest.approx(gap * 1e3, abs=1e-3)
    assert 10.0 < report.closed_gap_mm < 40.0 and report.closed_gap_joint == "Hand"
    assert shell_errors(parents, after.frames[:1], after.frames[-1:], SHELL_M).max() < 1e-9
    stride = round(after.rate / before.rate)
    moved = shell_errors(parents, before.frames, after.frames[::stride], SHELL_M).max()
    assert report.closed_moved_mm == pytest.approx(moved * 1e3, abs=0.1)
    if interpolation != "STEP":
        assert moved <= 0.6 * gap
    assert shell_errors(parents, after.frames[:-1], played[:len(after.frames) - 1], SHELL_M).max() <= LIMIT_M + 1e-6


def test_closing_changes_speeds_evenly(tmp_path: Path) -> None:
    """The seam has the speeds of the file, but for the gap's share of a frame."""
    clip = read_clips([swing(tmp_path, end=0.01)]).clips[0]
    moved = closed(clip).frames[..., 4:7] - clip.frames[..., 4:7]
    np.testing.assert_allclose(np.diff(moved[:, 0, 0]), -0.01 / 30, atol=1e-9)
    assert moved[0, 0, 0] == pytest.approx(0.005) and moved[-1, 0, 0] == pytest.approx(-0.005)
    np.testing.assert_array_equal(moved[:, 1:], 0.0)


def test_a_turn_between_opposite_quaternions_is_no_gap() -> None:
    frames = np.zeros((4, 1, 10))
    frames[:, 0, 3], frames[..., 7:] = (1.0, 1.0, -1.0, -1.0), 1.0
    clip = Clip("spin", 30.0, frames, np.zeros((4, 1, 3), bool), "spin.bvh")
    np.testing.assert_array_equal(closed(clip).frames, frames)


def test_a_loop_of_a_capture_is_closed(tmp_path: Path) -> None:
    path = write_capture(tmp_path / "Swing.bvh", frames=31)
    imported = read_clips([path])
    gap = shell_errors(imported.skeleton.parents, imported.clips[0].frames[:1], imported.clips[0].frames[-1:],
                       SHELL_M).max()
    assert gap > 0.002
    _, result, _ = encoded([path], ClipRule("*", loop=CLOSE), loop_limit_m=2.0 * gap)
    assert result.clips[0].closed_gap_mm == pytest.approx(gap * 1e3, abs=1e-3)
    with pytest.raises(EncodeProblem, match=mentioning(f"{gap * 1000.0:.3f}mm --close-loop loop_limit")):
        encoded([path], ClipRule("*", loop=CLOSE), loop_limit_m=0.5 * gap)


@pytest.mark.parametrize("unit", [0.02, 1.0, 150.0])
def test_the_limit_does_not_depend_on_the_unit(tmp_path: Path, unit: float) -> None:
    """Files in centimetres are a hundred times larger; so are the gaps of their loops."""
    _, result, _ = encoded([swing(tmp_path, end=0.002, unit=unit)], ClipRule("*", loop=CLOSE))
    assert result.clips[0].closed_gap_mm > 2.0 * unit
    with pytest.raises(EncodeProblem, match=mentioning("--close-loop")):
        encoded([swing(tmp_path, end=0.1, unit=unit)], ClipRule("*", loop=CLOSE))


def test_a_cut_comes_before_the_loop(tmp_path: Path) -> None:
    """A quarter of the period ends far from its beginning; half of it does not."""
    path = swing(tmp_path)
    with pytest.raises(EncodeProblem, match=mentioning("--close-loop")):
        encoded([path], ClipRule("*", loop=CLOSE, start_s=0.0, end_s=0.25))
    _, result, _ = encoded([path], ClipRule("*", loop=CLOSE, start_s=0.0, end_s=0.5))
    assert result.clips[0].loop and result.clips[0].frames == 16
