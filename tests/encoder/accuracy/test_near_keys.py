"""Two keys at nearly the same time: a jump if they differ by more than the motion beside them covers in a frame, and
two keys of that motion otherwise. Judged by a reader that was written from glTF's specification, and by the runtime."""
from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from gltf_builder import GltfBuilder, turn
from pose_driver import Driver
from source_judge import ROUNDING_MM, worst_mm

from ossicle.encoding.encoder import BankResult, encode
from ossicle.encoding.settings import ClipRule, Settings
from ossicle.model.lengths import Tolerance
from mentions import mentions, numbers

TOLERANCE_MM = 1.0
RATE = 30
KEYS = np.arange(RATE + 1) / RATE
KINDS = ("translation", "rotation", "scale")


def encoded(path: Path, *rules: ClipRule) -> BankResult:
    return encode([path], Settings(tolerance=Tolerance(metres=TOLERANCE_MM * 1e-3), effort="fast", clips=rules), jobs=1)


def motion(kind: str, seconds: float, behind: float = 0.0) -> list[float]:
    """A value that changes at a constant speed. behind: the size of a jump that lies before."""
    if kind == "rotation":
        return turn("z", 200.0 * seconds + 150.0 * behind)
    return [0.0, 0.0, 3.0 * seconds + 5.0 * behind] if kind == "translation" else [1.0 + seconds + behind] * 3


def written(path: Path, kind: str, times: list[float], values: list[list[float]], mode: str) -> Path:
    """A hand half a metre from the hip that these keys move. A spline has the line's slopes; those at jumps are 0."""
    g = GltfBuilder()
    g.node("hip", children=[1])
    g.node("hand", translation=[0.5, 0, 0])
    g.skin([0, 1])
    if mode == "CUBICSPLINE":
        keys = np.array(values, float)
        slopes = np.diff(keys, axis=0) / np.diff(times)[:, None]
        slopes[np.diff(times) < 3e-4] = 0.0
        steady = np.pad(slopes, ((1, 1), (0, 0)), "edge")
        steady[:-1] = np.where(steady[:-1] == 0.0, steady[1:], steady[:-1])
        values = np.stack([steady[:-1], keys, steady[1:]], axis=1).tolist()
    g.animation("Walk", (0, kind, np.array(times), values, mode),
                (1, "rotation", KEYS, [turn("x", 30.0 * time) for time in KEYS], "LINEAR"))
    return g.write_glb(path.parent, path.name)


@pytest.mark.parametrize("mode", ["LINEAR", "CUBICSPLINE"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_key_twice_on_a_moving_track_is_no_jump(kind: str, mode: str, tmp_path: Path, driver: Driver) -> None:
    times = sorted([*KEYS, 5 / RATE + 1e-6, 10 / RATE - 1e-4, 20 / RATE + 1e-4, 25 / RATE + 2e-4])
    path = written(tmp_path / "hero.glb", kind, times, [motion(kind, time) for time in times], mode)
    result = encoded(path)
    assert max(worst_mm(driver, path, result, frames=True)) <= TOLERANCE_MM + ROUNDING_MM
    assert (result.clips[0].breaks, result.warnings) == ([], [])


def test_keys_nearer_than_a_jump_throughout_are_no_jumps(tmp_path: Path) -> None:
    """Only where such keys leave the motion, they jump."""
    times = np.arange(4000) / 8000
    values = [motion("translation", time, behind=time >= 0.25) for time in times]
    (clip,) = encoded(written(tmp_path / "hero.glb", "translation", list(times), values, "LINEAR")).clips
    assert [frame for frame, *_ in clip.breaks] == [round(0.25 * clip.rate)]


@pytest.mark.parametrize("kind", KINDS)
def test_channels_with_the_same_keys_jump_by_themselves(kind: str, tmp_path: Path, driver: Driver) -> None:
    times = [0.0, 0.5, 0.5001, 1.0]
    other = {"translation": "rotation", "rotation": "scale", "scale": "translation"}[kind]
    g = GltfBuilder()
    g.node("hip", children=[1])
    g.node("hand", translation=[0.5, 0, 0])
    g.skin([0, 1])
    keys = g.accessor(times)
    animation = g.animation("Walk")
    for node, track, jumps in ((0, kind, True), (0, other, False), (1, kind, False)):
        values = [motion(track, time * (not jumps), jumps * (time > 0.5)) for time in times]
        g.channel(animation, node, track, keys, g.accessor(values), "LINEAR")
    path = g.write_glb(tmp_path)
    result = encoded(path)
    assert {(frame, joint, track) for frame, joint, track in result.clips[0].breaks} == {(15, "hip", kind)}
    assert result.warnings == []
    away = np.setdiff1d(np.arange(61) / 60, [0.5, 29 / 60])
    assert worst_mm(driver, path, result, times=away)[0] <= TOLERANCE_MM + ROUNDING_MM


@pytest.mark.parametrize(("kind", "late"), [("translation", -1.0), ("translation", 0.0), ("translation", 0.5),
                                            ("rotation", 0.0), ("scale", 0.5)])
def test_a_spline_jumps_at_its_frame(kind: str, late: float, tmp_path: Path, driver: Driver) -> None:
    """late: from the frame to the first key of the jump, in distances of both."""
    first = 0.5 + late * 1e-4
    times = [0.0, first, first + 1e-4, 1.0]
    values = [motion(kind, 0.0, behind) for behind in (0.0, 0.0, 1.0, 1.0)]
    path = written(tmp_path / "hero.glb", kind, times, values, "CUBICSPLINE")
    result = encoded(path)
    (clip,) = result.clips
    assert (clip.rate, [frame for frame, *_ in clip.breaks], result.warnings) == (RATE, [15], [])
    away = np.concatenate([np.arange(30) / 60, np.arange(31, 61) / 60])
    assert worst_mm(driver, path, result, times=away)[0] <= TOLERANCE_MM + ROUNDING_MM


@pytest.mark.parametrize(("mode", "late"), [("LINEAR", -1.0), ("LINEAR", 0.0), ("LINEAR", 0.5), ("CUBICSPLINE", 0.0),
                                            ("STEP", -1.0)])
def test_a_jump_in_reverse_is_at_its_frame(mode: str, late: float, tmp_path: Path, driver: Driver) -> None:
    first = 0.5 + late * 1e-4
    times = np.array([0.0, first, first + 1e-4, 1.0])
    values = [motion("translation", 0.0, behind) for behind in (0.0, 0.0, 1.0, 1.0)]
    result = encoded(written(tmp_path / "hero.glb", "translation", list(times), values, mode),
                     ClipRule("Walk", reverse=True))
    (clip,) = result.clips
    assert (clip.rate, [frame for frame, *_ in clip.breaks], result.warnings) == (RATE, [15], [])
    g = GltfBuilder()
    g.node("hip", children=[1])
    g.node("hand", translation=[0.5, 0, 0])
    g.skin([0, 1])
    g.animation("Walk", (0, "translation", [0.0, 0.4999, 0.5, 1.0], values[::-1], "LINEAR"),
                (1, "rotation", KEYS, [turn("x", 30.0 * time) for time in KEYS[::-1]], "LINEAR"))
    backwards = g.write_glb(tmp_path, "backwards.glb")
    away = np.concatenate([np.arange(29) / 60, np.arange(31, 61) / 60])
    assert worst_mm(driver, backwards, result, times=away)[0] <= TOLERANCE_MM + ROUNDING_MM


@pytest.mark.parametrize("mode", ["LINEAR", "CUBICSPLINE"])
@pytest.mark.parametrize("kind", ["translation", "rotation"])
def test_a_jump_of_a_moving_track_is_reported(kind: str, mode: str, tmp_path: Path, driver: Driver) -> None:
    """The bank holds the frame before it."""
    times = sorted([*KEYS, 0.5001])
    values = [motion(kind, time, behind=time > 0.5) for time in times]
    path = written(tmp_path / "hero.glb", kind, times, values, mode)
    result = encoded(path)
    (clip,) = result.clips
    assert (clip.rate, [frame for frame, *_ in clip.breaks]) == (RATE, [15])
    held = worst_mm(driver, path, result, times=np.array([29 / 60]))[0]
    assert held > 10.0
    (warning,) = result.warnings
    assert mentions(warning, "Walk hip") or mentions(warning, "Walk hand")
    assert 14 / RATE < numbers(warning, "s")[0] < 0.5 and numbers(warning, "mm")[0] == pytest.approx(held, rel=0.01)
    away = np.setdiff1d(np.arange(61) / 60, [0.5, 29 / 60])
    assert worst_mm(driver, path, result, times=away)[0] <= TOLERANCE_MM + ROUNDING_MM
