"""The tolerance at the keys of the file and their midpoints, judged by a reader of our own
that was written from glTF's specification."""
from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from gltf_builder import GltfBuilder, turn
from pose_driver import Driver
from source_judge import ROUNDING_MM, worst_mm
from thinned import thinned

from ossicle.bank.file import describe, parse_bank
from ossicle.encoding.encoder import BankResult, EncodeProblem, encode
from ossicle.importers.importer import read_clips
from ossicle.model.key_rate import FREE, JITTER
from ossicle.model.lengths import Tolerance
from ossicle.model.import_options import ImportOptions
from ossicle.encoding.settings import ClipRule, Settings
from mentions import mentioning, mentions

TOLERANCE_MM = 0.5
FILM, NTSC = 24000 / 1001, 30000 / 1001

Curve = Callable[[np.ndarray], np.ndarray]


def limb(times: np.ndarray) -> np.ndarray:
    """Degrees of a quick swing that comes back to where it was after each second."""
    return 50 * np.sin(2 * np.pi * times) + 20 * np.sin(6 * np.pi * times)


def write_limb(path: Path, times: np.ndarray, mode: str = "LINEAR", angle: Curve = limb,
               more: list[tuple] = ()) -> Path:
    """A chain of three joints whose first two are keyed at these times; `more`: channels."""
    g = GltfBuilder()
    g.node("hip", children=[1], translation=[0, 1, 0])
    g.node("knee", children=[2], translation=[0, -0.5, 0])
    g.node("foot", translation=[0, -0.5, 0])
    for node, axis in ((0, "x"), (1, "z")):
        turns = [turn(axis, a) for a in np.atleast_1d(angle(times))]
        if mode == "CUBICSPLINE":
            step = 1e-4
            slopes = (np.array([turn(axis, a) for a in angle(times + step)])
                      - np.array([turn(axis, a) for a in angle(times - step)])) / (2 * step)
            turns = np.stack([slopes, turns, slopes], 1).reshape(-1, 4)
        if node == 0:
            g.animation("Swing", (node, "rotation", times, turns, mode))
        else:
            g.channel(0, node, "rotation", g.accessor(times), g.accessor(turns), mode)
    for node, kind, keys, values, how in more:
        g.channel(0, node, kind, g.accessor(keys), g.accessor(values), how)
    file = g.write_glb(path.parent)
    return file.rename(path)


def encoded(path: Path, tolerance_mm: float = TOLERANCE_MM, loop: bool = False, **options: object) -> BankResult:
    settings = Settings(tolerance=Tolerance(metres=tolerance_mm * 1e-3), importing=ImportOptions(**options),
                        clips=(ClipRule("*", loop=True),) if loop else ())
    return encode([path], settings, jobs=1)


def check_source(driver: Driver, path: Path, result: BankResult, tolerance_mm: float = TOLERANCE_MM) -> None:
    assert max(worst_mm(driver, path, result)) <= tolerance_mm + ROUNDING_MM
    assert result.warnings == []


@pytest.mark.parametrize(("rate", "loop"), thinned(
    [12.0, 15.0, FILM, 24.0, 25.0, NTSC, 30.0, 48.0, 60.0, 120.0], [False, True]))
def test_every_rate_of_modelling_tools(rate: float, loop: bool, tmp_path: Path, driver: Driver) -> None:
    count = round(rate)  # a whole swing, so that the ends are the same
    times = np.arange(count + 1) / rate
    path = write_limb(tmp_path / "limb.glb", times, angle=lambda t: limb(t * rate / count))
    result = encoded(path, loop=loop)
    (clip,) = result.clips
    assert clip.loop == loop
    assert (clip.frames - 1) / clip.rate == pytest.approx(times[-1], rel=1e-6)
    assert clip.rate == pytest.approx(rate if rate > 20 else 2 * rate, rel=1e-9)
    check_source(driver, path, result)


@pytest.mark.parametrize("seconds", [0.01, 0.3777, 0.5171, 1.2345])
def test_the_last_key_is_the_end(seconds: float, tmp_path: Path, driver: Driver) -> None:
    times = np.array([0.0, 0.41 * seconds, seconds])
    path = write_limb(tmp_path / "limb.glb", times, angle=lambda t: 30 * t / seconds)
    result = encoded(path)
    (clip,) = result.clips
    assert clip.frames - 1 == pytest.approx(times[-1] * clip.rate, abs=JITTER)
    check_source(driver, path, result)


def test_a_loop_may_have_any_length(tmp_path: Path, driver: Driver) -> None:
    times = np.arange(41) / 40 * 0.8377
    path = write_limb(tmp_path / "limb.glb", times, angle=lambda t: limb(t / 0.8377))
    result = encoded(path, loop=True)
    assert (result.clips[0].frames - 1) / result.clips[0].rate == pytest.approx(0.8377, rel=1e-6)
    check_source(driver, path, result)


@pytest.mark.parametrize("fps", [24.0, 30.0, 50.0])
def test_a_rate_that_is_chosen_still_reaches_the_last_key(fps: float, tmp_path: Path) -> None:
    times = np.array([0.0, 0.4, 1.013])
    path = write_limb(tmp_path / "limb.glb", times, angle=lambda t: 30 * t)
    (clip,) = read_clips([path], ImportOptions(fps=fps)).clips
    assert clip.rate == fps
    assert times[-1] <= (len(clip.frames) - 1) / fps < times[-1] + 1 / fps
    np.testing.assert_allclose(clip.frames[-1, 0, :4], turn("x", 30 * times[-1]), atol=1e-6)


def test_keys_on_no_rate_hold_the_tolerance(tmp_path: Path, driver: Driver) -> None:
    times = np.cumsum(np.random.default_rng(3).uniform(0.02, 0.09, 40))
    path = write_limb(tmp_path / "limb.glb", times, angle=lambda t: 0.1 * limb(t))
    result = encoded(path)
    assert result.clips[0].source_error_mm is not None
    check_source(driver, path, result)


@pytest.mark.parametrize(("times", "multiple"), [
    (0.137 + np.arange(49) / 24, 7),  # 0.137 s are 23.016 frames at seven times the rate
    (np.r_[np.arange(17), np.arange(20.8, 28)] / 24, 5)])
def test_keys_between_frames_and_behind_a_gap(times: np.ndarray, multiple: int, tmp_path: Path, driver: Driver) -> None:
    """Keys 24 times a second from 0.137 s on, and with a gap of 4.8 frames."""
    path = write_limb(tmp_path / "limb.glb", times)
    result = encoded(path, 1.0)
    assert result.clips[0].rate == 24.0 * multiple
    check_source(driver, path, result, 1.0)


def test_times_that_are_rounded_hold_the_tolerance(tmp_path: Path, driver: Driver) -> None:
    path = write_limb(tmp_path / "limb.glb", np.round(np.arange(49) / 24, 3), angle=lambda t: 0.2 * limb(t))
    result = encoded(path)
    assert result.clips[0].rate == 24.0
    check_source(driver, path, result)


@pytest.mark.parametrize("tolerance_mm", [5.0, 0.5])
def test_splines_are_sampled_until_they_hold(tolerance_mm: float, tmp_path: Path, driver: Driver) -> None:
    path = write_limb(tmp_path / "limb.glb", np.arange(11) / 10, "CUBICSPLINE")
    result = encoded(path, tolerance_mm)
    assert result.clips[0].rate % 30 == 0 and result.clips[0].rate > 30
    check_source(driver, path, result, tolerance_mm)


def test_steps_between_frames_of_other_tracks(tmp_path: Path, driver: Driver) -> None:
    path = write_limb(tmp_path / "limb.glb", np.arange(25) / 24, more=[
        (2, "translation", [0.0, 0.25, 0.5], [[0, -0.5, 0], [0.1, -0.5, 0], [0, -0.6, 0]], "STEP")])
    result = encoded(path)
    keys, _ = worst_mm(driver, path, result)  # at the midpoint the track has not jumped yet
    assert keys <= TOLERANCE_MM + ROUNDING_MM
    assert {frame for frame, _, _ in result.clips[0].breaks} == {6, 12}


def test_a_chosen_rate_that_misses_the_keys_is_reported(tmp_path: Path, driver: Driver) -> None:
    path = write_limb(tmp_path / "limb.glb", np.arange(25) / 24)
    result = encoded(path, fps=30.0)
    (clip,) = result.clips
    keys, halves = worst_mm(driver, path, result)
    assert max(keys, halves) == pytest.approx(clip.source_error_mm, abs=ROUNDING_MM)
    assert clip.error_mm <= TOLERANCE_MM < clip.source_error_mm
    (warning,) = result.warnings
    assert mentions(warning, f"limb.glb Swing {clip.source_joint}")
    assert mentions(warning, f"{clip.source_error_mm:.4g}mm")
    assert mentions(warning, "24")
    report = result.report()["clips"][0]
    assert json.loads(json.dumps(report))["source_error_mm"] == clip.source_error_mm


def test_a_chosen_rate_that_has_the_keys_says_nothing(tmp_path: Path, driver: Driver) -> None:
    path = write_limb(tmp_path / "limb.glb", np.arange(25) / 24)
    check_source(driver, path, encoded(path, fps=48.0))


def test_keys_that_no_rate_follows_are_reported(tmp_path: Path) -> None:
    times = np.array([0.0, 0.1003, 0.1013, 0.2027, 0.3391, 0.34, 0.4142, 0.55555])
    path = write_limb(tmp_path / "limb.glb", times, angle=lambda t: 40 * (np.arange(len(t)) % 2))
    result = encoded(path, 0.05)
    (warning,) = result.warnings
    assert mentions(warning, "480")
    assert result.clips[0].source_error_mm > 0.05


def test_where_no_rate_follows_the_lowest_is_taken_that_is_nearly_the_best(tmp_path: Path) -> None:
    times = np.array([0.0, 0.1003, 0.1103, 0.1217, 0.3391, 0.3503, 0.4142, 0.55555])
    path = write_limb(tmp_path / "limb.glb", times, angle=lambda t: 40 * (np.arange(len(t)) % 2))
    (chosen,) = encoded(path, 0.05).clips
    errors = {rate: encoded(path, 0.05, fps=rate).clips[0].source_error_mm for rate in FREE * np.arange(1, 17)}
    nearly_best = 2.0 * min(errors.values())
    assert chosen.rate == pytest.approx(next(rate for rate in errors if errors[rate] <= nearly_best))
    assert FREE < chosen.rate < max(errors)


@pytest.mark.parametrize(("tolerance_mm", "facts"), [(0.3, "knee 117.5 192"), (0.1, "knee 230 384")])
def test_a_message_names_the_rate_of_its_frame(tolerance_mm: float, facts: str, tmp_path: Path) -> None:
    """Higher rates are tried, too; the message is about the first one that is close to the file."""
    path = write_limb(tmp_path / "limb.glb", np.arange(25) / 24, "CUBICSPLINE")
    settings = Settings(tolerance=Tolerance(metres=tolerance_mm * 1e-3))
    with pytest.raises(EncodeProblem, match=mentioning(facts)):
        encode([path], settings.with_preset("unreal4-fixed32", "preset"))


def test_several_clips_have_their_own_rates(tmp_path: Path) -> None:
    g = GltfBuilder()
    g.node("hip")
    for name, rate in (("Film", 24.0), ("Game", 60.0), ("Show", NTSC)):
        times = np.arange(31) / rate
        g.animation(name, (0, "rotation", times, [turn("x", a) for a in limb(times)], "LINEAR"))
    result = encoded(g.write_glb(tmp_path))
    assert [clip.rate for clip in result.clips] == [24.0, 60.0, pytest.approx(NTSC)]
    assert [clip["rate"] for clip in describe(parse_bank(result.bank))["clips"]] == [
        pytest.approx(rate, abs=1e-4) for rate in (24.0, 60.0, NTSC)]
