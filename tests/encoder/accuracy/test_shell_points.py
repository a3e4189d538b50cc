"""Every point of the shell, by random points: neither the three on the axes nor the formula."""
from __future__ import annotations

import ctypes
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from encoding import Source, make_source, played_back, rest, axis_angle
from hypothesis import given, settings
from random_clips import sources
from shell_measure import bind_matrices, model_matrices, shell_errors, with_midpoints
from test_encoder_round_trip import SLOW

from ossicle.encoding import native
from ossicle.encoding.encoder import encode
from ossicle.base.encoder_library import library_path
from ossicle.model.lengths import Tolerance
from ossicle.config.project import read_project

HERO = Path(__file__).resolve().parents[3] / "codegen/demo/hero.toml"
SHELL_M, TOLERANCE_M = 0.03, 1e-3
ROUNDING_M = 1e-7  # of the single precision that decoded clips come in
POINTS = 1_000_000
SHEARED = 1e-4  # cosine of axes that are not at right angles
NEAR = 0.02  # of the largest error, by which the farthest of a thousand points may miss it


def shell_points(count: int, seed: int) -> np.ndarray:
    """[count, 3], all over the shell."""
    points = np.random.default_rng(seed).normal(size=(count, 3))
    return SHELL_M * points / np.linalg.norm(points, axis=1, keepdims=True)


def point_errors(source: Source, played: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Metres [N, J, P]: how far each point of each joint's shell is off at each sample."""
    wanted = model_matrices(source.parents, with_midpoints(source.frames, source.breaks))
    off = wanted - model_matrices(source.parents, played)
    places = inverses(source)[:, :, :3] @ points.T
    return np.linalg.norm(off[..., :3] @ places + off[..., 3:], axis=-2)


def inverses(source: Source) -> np.ndarray:
    """[J, 3, 3]: from model space at the bind pose into the joints' own spaces. If the axes are at right angles,
    without rotation, which does not change a sphere."""
    bind = bind_matrices(source.parents, source.bind)[..., :3]
    lengths = np.linalg.norm(bind, axis=1)
    cosines = np.swapaxes(bind / lengths[:, None], 1, 2) @ (bind / lengths[:, None]) - np.eye(3)
    along = np.eye(3) / lengths[:, None]
    return np.where((np.abs(cosines).max((1, 2)) < SHEARED)[:, None, None], along, np.linalg.inv(bind))


def encoded(source: Source, points: str, codec: str) -> tuple[native.Report, np.ndarray]:
    skeleton = native.Skeleton(source.parents, source.bind)
    status, clip, report = native.encode_clip(
        skeleton, native.ClipInput(source.frames, source.steps),
        native.EncodeSettings(TOLERANCE_M, SHELL_M, codecs=(codec,), points=points))
    assert status == native.OK and clip is not None
    result = played_back(source, clip)
    assert result.verified
    return report, result.played


@pytest.mark.parametrize("codec", ["delta", "curve", "transform"])
@settings(SLOW, max_examples=8)
@given(source=sources())
def test_no_point_of_the_shell_is_over(codec: str, source: Source) -> None:
    report, played = encoded(source, "sphere", codec)
    errors = point_errors(source, played, shell_points(1000, 1))
    assert errors.max() <= report.sphere_error_m + ROUNDING_M
    assert report.sphere_error_m <= TOLERANCE_M
    assert report.error_m == report.sphere_error_m >= report.axes_error_m


@settings(SLOW, max_examples=15)
@given(source=sources())
def test_the_report_has_both_figures(source: Source) -> None:
    report, played = encoded(source, "axes", "delta")
    on_axes = shell_errors(source.parents, with_midpoints(source.frames, source.breaks), played, SHELL_M,
                           source.bind).max()
    errors = point_errors(source, played, shell_points(1000, 2))
    assert report.error_m == report.axes_error_m == pytest.approx(on_axes, abs=ROUNDING_M)
    assert errors.max() <= report.sphere_error_m + ROUNDING_M
    assert report.sphere_error_m <= (1.0 + NEAR) * errors.max() + ROUNDING_M


def squashed(frames: int) -> Source:
    """A chain that turns, stretches and shifts, with scales that differ by axis."""
    clip = rest(frames, 3)
    time = np.arange(frames) / 30.0
    for joint in range(3):
        clip[:, joint, :4] = axis_angle(np.array([1.0, joint, 0.5]), np.sin(2.0 * time + joint))
        clip[:, joint, 4] = 0.3 * np.cos(time)
        clip[:, joint, 7:10] += 0.4 * np.sin(np.outer(time, [1.0, 2.0, 3.0]) + joint)
    return make_source([-1, 0, 1], clip)


def test_a_million_points_hold() -> None:
    source = squashed(60)
    _, played = encoded(source, "sphere", "delta")
    samples = 3 * len(played)
    points = shell_points(POINTS // samples + 1, 3)
    errors = point_errors(source, played, points)
    assert errors.size >= POINTS
    assert errors.max() <= TOLERANCE_M


def test_the_demo_character_is_off_by_more_between_the_axes() -> None:
    wanted = replace(read_project(HERO).settings, max_ram_bytes=None, tolerance=Tolerance(metres=TOLERANCE_M))
    hero = [HERO.with_suffix(".glb")]
    axes, sphere = (encode(hero, replace(wanted, points=points)) for points in ("axes", "sphere"))
    assert max(clip.axes_error_mm for clip in axes.clips) <= 1.0
    assert max(clip.sphere_error_mm for clip in axes.clips) > 1.2
    assert max(clip.sphere_error_mm for clip in sphere.clips) <= 1.0
    assert axes.report()["points"] == "axes" and sphere.report()["points"] == "sphere"
    assert len(sphere.bank) > len(axes.bank)


def test_pruned_errors_agree() -> None:
    """The largest error may skip what a bound excludes: errors above the known one are the same to the bit, others do
    not exceed it."""
    measure = ctypes.CDLL(str(library_path())).enc_sphere_error2
    measure.restype = ctypes.c_double
    measure.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_double, ctypes.c_void_p, ctypes.c_double]
    random = np.random.default_rng(0)
    for size in np.repeat([1e-9, 1e-4, 1e-2, 1.0], 100):
        a, space = random.normal(size=12), np.append(np.ones(3), np.eye(3))
        b = a + size * random.normal(size=12)
        exact = measure(a.ctypes.data, b.ctypes.data, SHELL_M, space.ctypes.data, -1.0)
        for share in (0.0, 0.5, 0.999, 1.0, 1.001, 2.0):
            known = share * exact
            found = measure(a.ctypes.data, b.ctypes.data, SHELL_M, space.ctypes.data, known)
            assert found == exact if known < exact else found <= known
