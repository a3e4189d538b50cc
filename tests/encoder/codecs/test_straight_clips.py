"""Clips whose source is linear between few keys, such as animations of 24 frames a second with a gap that puts them on
a grid of 120: linear keys where the source has them."""
from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from gltf_builder import GltfBuilder
from pose_driver import Driver
from source_judge import ROUNDING_MM, worst_mm

from ossicle.encoding.encoder import BankResult, encode
from ossicle.encoding.settings import Settings
from ossicle.model.lengths import Tolerance
from ossicle.model.rotations import multiply, normalise

TOLERANCE_MM = 1.0
JOINTS = 8
GAP_FRAMES = np.concatenate([np.arange(0, 81, 5), np.arange(104, 140, 5)])  # of a 120th of a second
MOST_BYTES = 850  # 1,212 with keys that are not linear
FRAMES = 84
MOST_UNEVEN_BYTES = 848  # 924 with keys that are not linear, 868 with keys that are not at corners


def write_limb(path: Path, frames: list[np.ndarray], rate: float, size: float, seed: int) -> Path:
    """A chain of joints. frames: of the keys of each joint; size: of a turn, in half a radian per frame."""
    rng = np.random.default_rng(seed)
    g = GltfBuilder()
    for joint in range(JOINTS):
        g.node(f"j{joint}", translation=[0, 0.15, 0], **({"children": [joint + 1]} if joint + 1 < JOINTS else {}))
    g.skin(list(range(JOINTS)))
    channels = []
    for joint, at in enumerate(frames):
        keys = [np.array([0.0, 0.0, 0.0, 1.0])]
        for gap in np.diff(at):
            keys.append(normalise(multiply(keys[-1], np.append(rng.normal(0, size * gap, 3), 1.0))))
        channels.append((joint, "rotation", at / rate, keys, "LINEAR"))
    g.animation("Run", *channels)
    return g.write_glb(path.parent, path.name)


def encoded(path: Path, effort: str) -> BankResult:
    return encode([path], Settings(tolerance=Tolerance(metres=TOLERANCE_MM * 1e-3), effort=effort, codec="curve"),
                  jobs=1)


@pytest.mark.parametrize("effort", ["fast", "default"])
def test_linear_keys_are_kept(effort: str, tmp_path: Path, driver: Driver) -> None:
    path = write_limb(tmp_path / "limb.glb", [GAP_FRAMES] * JOINTS, 120.0, 0.008, seed=4)
    result = encoded(path, effort)
    (clip,) = result.clips
    assert (clip.rate, clip.codec, result.warnings) == (120.0, "curve", [])
    assert clip.bytes <= MOST_BYTES
    assert max(worst_mm(driver, path, result)) <= TOLERANCE_MM + ROUNDING_MM


def test_keys_are_where_lines_meet(tmp_path: Path, driver: Driver) -> None:
    rng = np.random.default_rng(5)
    frames = [np.unique(np.append(rng.choice(FRAMES, FRAMES // 8, replace=False), [0, FRAMES - 1]))
              for _ in range(JOINTS)]
    path = write_limb(tmp_path / "limb.glb", frames, 24.0, 0.03, seed=1)
    result = encoded(path, "default")
    (clip,) = result.clips
    assert (clip.rate, result.warnings) == (24.0, [])
    assert clip.bytes <= MOST_UNEVEN_BYTES
    assert max(worst_mm(driver, path, result)) <= TOLERANCE_MM + ROUNDING_MM
