"""Swings and dashes that two neighbouring frames cannot blend: the file interpolates, and so does the bank, or a
warning says where it does not. Judged by a reader that was written from glTF's specification, and by the runtime."""
from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from fast_clips import TIMES, write_clips
from gltf_builder import GltfBuilder, turn
from pose_driver import Driver
from source_judge import ROUNDING_MM, worst_mm

from ossicle.encode.encoder import BankResult, encode
from ossicle.encode.settings import Settings
from ossicle.model.clip import ImportOptions
from ossicle.model.lengths import Tolerance

TOLERANCE_MM = 1.0
CLIPS = 8  # in a file
WARNED = re.compile(r"(?P<file>\S+): clip (?P<clip>\S+): joint (?P<joint>\S+): at (?P<seconds>[0-9.e-]+) s it is "
                    r"(?P<mm>[0-9.e+]+) mm ")


def encoded(path: Path, **options: object) -> BankResult:
    return encode([path], Settings(tolerance=Tolerance(metres=TOLERANCE_MM * 1e-3), effort="fast",
                                   importing=ImportOptions(**options)), jobs=1)


def warned(result: BankResult) -> dict[str, dict[str, str]]:
    """What the warnings about motion between frames name, by clip."""
    return {found["clip"]: found.groupdict() for found in map(WARNED.match, result.warnings) if found}


def check_clips(driver: Driver, path: Path, result: BankResult, never: bool) -> None:
    """never: whether no warning is accepted."""
    warnings = warned(result)
    for number, clip in enumerate(result.clips):
        worst = max(worst_mm(driver, path, result, number))
        if clip.name in warnings:
            assert not never, result.warnings
            assert float(warnings[clip.name]["mm"]) == pytest.approx(worst, rel=1e-3, abs=ROUNDING_MM), clip.name
            assert warnings[clip.name]["joint"] in result.skeleton.names
        else:
            assert worst <= TOLERANCE_MM + ROUNDING_MM, (path.name, clip.name)


def files(short: int, long: int) -> list[object]:
    """Seeds, of which the tests take the first ones, and `scons roots` all."""
    return [pytest.param(seed, marks=pytest.mark.exhaustive if seed >= short else ()) for seed in range(long)]


@pytest.mark.parametrize("seed", files(6, 250))
def test_what_a_rate_can_follow_is_followed(seed: int, tmp_path: Path, driver: Driver) -> None:
    path = write_clips(tmp_path / f"hero{seed}.glb", seed, CLIPS, ("grid", "sparse"), any_size=False)
    result = encoded(path)
    check_clips(driver, path, result, never=True)
    assert result.warnings == [] and not any(clip.breaks for clip in result.clips)


@pytest.mark.parametrize("seed", files(6, 1000))
def test_every_error_is_within_the_tolerance_or_in_a_warning(seed: int, tmp_path: Path, driver: Driver) -> None:
    path = write_clips(tmp_path / f"hero{seed}.glb", seed, CLIPS, TIMES, any_size=True)
    check_clips(driver, path, encoded(path), never=False)
