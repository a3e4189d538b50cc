"""Midpoints of joints that turn fast below others that do: what makes up for errors at frames does
not do so between them."""
from __future__ import annotations

import numpy as np
import pytest

from encoding import Source, axis_angle, encode_source, make_source, rest

FRAMES = 400
JOINTS = 7
BONE_M = 0.25
SWAY = 0.15  # radians, of each of four waves
JERK_FRAMES = 3
MOST_OF_GENTLE = 1.5  # bytes of a clip with a jerk, to those of the same one without


def swaying_limb(seed: int, jerk: float) -> Source:
    """A chain of bones that sway; in the middle all of them turn within three frames, by angles of
    about `jerk` radians an axis."""
    rng, time = np.random.default_rng(seed), np.arange(FRAMES)[:, None]
    clip = rest(FRAMES, JOINTS)
    clip[:, 1:, 5] = BONE_M
    done = np.clip(time - FRAMES // 2, 0, JERK_FRAMES) / JERK_FRAMES
    for joint in range(JOINTS):
        turn = np.full((FRAMES, 3), 1e-12)
        for _ in range(4):
            turn += rng.normal(size=3) * SWAY * np.sin(time * rng.uniform(0.02, 0.15) + rng.uniform(0, 6, 3))
        turn += jerk * rng.normal(size=3) * done
        clip[:, joint, :4] = axis_angle(turn, np.linalg.norm(turn, axis=-1))
    return make_source([-1, *range(JOINTS - 1)], clip)


@pytest.mark.parametrize("effort", ["fast", "default"])
@pytest.mark.parametrize("tolerance_m", [1e-3, 1e-4])
def test_a_jerk_costs_little(tolerance_m: float, effort: str) -> None:
    """Three hard frames of four hundred do not make the whole clip dear."""
    for seed in range(4):
        hard, gentle = (encode_source(swaying_limb(seed, jerk), tolerance_m, effort=effort,
                                      codecs=("transform",)) for jerk in (0.6, 0.0))
        assert hard.verified and hard.error_m <= tolerance_m
        assert len(hard.data) < MOST_OF_GENTLE * len(gentle.data), f"seed {seed}"
