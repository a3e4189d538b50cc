"""A layer's chains have to be closed by themselves to loop, not just the whole body."""
from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "encoder"))

from encoding import axis_angle, rest  # noqa: E402
from ossicle.encoding.encoder import BankResult, EncodeProblem, encode_clips  # noqa: E402
from ossicle.model.clip import Clip, Imported, Skeleton  # noqa: E402
from ossicle.encoding.settings import ClipRule, Settings  # noqa: E402
from mentions import mentions, numbers

TOLERANCE_MM = 1.0  # of Settings()
FRAMES = 30
BONE_M = 0.3


def drifting(drift: float) -> Imported:
    """hips, spine and head in a chain that sways and is back at the end, but that the hips have
    turned by `drift` radians about z, which the spine takes back: as a whole the head stays."""
    time = np.linspace(0.0, 1.0, FRAMES)
    frames = rest(FRAMES, 3)
    z, turned = np.array([0.0, 0.0, 1.0]), drift * time
    frames[:, 0, :4] = axis_angle(z, turned)
    frames[:, 1, :4] = axis_angle(z, -turned)
    frames[:, 1, 4], frames[:, 1, 5] = BONE_M * np.cos(turned), -BONE_M * np.sin(turned)
    frames[:, 2, :4] = axis_angle(np.array([1.0, 0.0, 0.0]), 0.3 * np.sin(2 * np.pi * time))
    frames[:, 2, 4] = BONE_M
    skeleton = Skeleton(("hips", "spine", "head"), np.array([-1, 0, 1], np.int32), frames[0])
    return Imported(skeleton, [Clip("nod", 30.0, frames, np.zeros((FRAMES, 3, 3), bool), "nod.glb")], [])


def encode(drift: float, mode: str) -> BankResult:
    rule = ClipRule("nod", loop=True, mode=mode)
    return encode_clips(drifting(drift), Settings(effort="fast", clips=(rule,)))


def test_ends_that_differ_below_the_roots_are_named() -> None:
    """The hips' own shell is 0.9 mm off at the end, the head under exact hips 19 mm."""
    drift = 0.9e-3 / 0.03
    assert encode(drift, "full-body").clips[0].error_mm <= TOLERANCE_MM
    gap_mm = 1e3 * drift * (2 * BONE_M + 0.03)
    with pytest.raises(EncodeProblem) as problem:
        encode(drift, "layer")
    line = str(problem.value)
    assert mentions(line, f"nod.glb nod head {FRAMES - 1}")
    assert any(number == pytest.approx(gap_mm, rel=0.01) for number in numbers(line))
    assert mentions(line, "spine full-body")


def test_chains_that_are_closed_within_the_tolerance_loop() -> None:
    drift = 0.9e-3 / (2 * BONE_M + 0.03)
    clip = encode(drift, "layer").clips[0]
    assert clip.loop and clip.mode == "layer"
    assert 0.4 * 0.9 <= clip.chain_error_mm <= TOLERANCE_MM
