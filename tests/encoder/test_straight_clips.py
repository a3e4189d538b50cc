"""Clips whose source is linear between few keys, such as animations of 24 frames a second with a gap that puts them on a
grid of 120: linear keys where the source has them."""
from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from gltf_builder import GltfBuilder
from pose_driver import Driver
from source_judge import ROUNDING_MM, worst_mm

from ossicle.encode.encoder import BankResult, encode
from ossicle.encode.settings import Settings
from ossicle.model.lengths import Tolerance
from ossicle.model.rotations import multiply, normalise

TOLERANCE_MM = 1.0
JOINTS = 8
FRAMES = np.concatenate([np.arange(0, 81, 5), np.arange(104, 140, 5)])  # of a 120th of a second
MOST_BITS = 32  # of a key of three components, with all that the clip has besides


def write_limb(path: Path, frames: np.ndarray) -> Path:
    """A chain of joints that turn from key to key by up to a few degrees about any axis."""
    rng = np.random.default_rng(4)
    g = GltfBuilder()
    for joint in range(JOINTS):
        g.node(f"j{joint}", translation=[0, 0.15, 0], **({"children": [joint + 1]} if joint + 1 < JOINTS else {}))
    g.skin(list(range(JOINTS)))
    channels = []
    for joint in range(JOINTS):
        turns = normalise(np.append(rng.normal(0, 0.04, (len(frames), 3)), np.ones((len(frames), 1)), axis=1))
        keys = [turns[0]]
        for turn in turns[1:]:
            keys.append(multiply(keys[-1], turn))
        channels.append((joint, "rotation", frames / 120, keys, "LINEAR"))
    g.animation("Run", *channels)
    return g.write_glb(path.parent, path.name)


def encoded(path: Path, effort: str) -> BankResult:
    return encode([path], Settings(tolerance=Tolerance(metres=TOLERANCE_MM * 1e-3), effort=effort, codec="curve"), jobs=1)


@pytest.mark.parametrize("effort", ["fast", "default"])
def test_linear_keys_are_kept(effort: str, tmp_path: Path, driver: Driver) -> None:
    path = write_limb(tmp_path / "limb.glb", FRAMES)
    result = encoded(path, effort)
    (clip,) = result.clips
    assert (clip.rate, clip.codec, result.warnings) == (120.0, "curve", [])
    assert 8 * clip.bytes <= MOST_BITS * JOINTS * len(FRAMES)
    assert max(worst_mm(driver, path, result)) <= TOLERANCE_MM + ROUNDING_MM
