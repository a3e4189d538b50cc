"""Feet of clips that begin or end in the air."""
from __future__ import annotations

import numpy as np
import pytest
from ossicle.base.arrays import Array
from ossicle.model.clip import TRANSLATION
from ossicle.retargeting.options import RetargetOptions
from ossicle.retargeting.retarget import retarget
from test_wide_hips import FRAMES, YAW, hips_turn, places, standing, wide, with_feet

LANDING = 20
CONTACT = LANDING + 1  # a foot that falls is too fast before
HEIGHT_M, DEGREES = 0.3, 3.0  # per frame
NEAR_M = 1e-5


def landing() -> Array:
    """Returns frames of a body that falls onto its feet, on which its hips then turn at once."""
    lift = HEIGHT_M * np.maximum(1.0 - np.arange(FRAMES) / LANDING, 0.0)
    frames = hips_turn(YAW, DEGREES * np.clip(np.arange(FRAMES) - CONTACT, 0, 10))
    frames[:, 0, TRANSLATION.start + 1] += lift
    up = lift[:, None] * (0.0, 1.0, 0.0)
    return with_feet(frames, up, up)


@pytest.mark.parametrize("ends", [False, True])
def test_at_an_end_of_a_clip_feet_in_the_air_keep_the_offset_of_the_contact(ends: bool) -> None:
    """What the hips do during the contact does not move them."""
    frames = landing()
    source, air = standing(frames[::-1] if ends else frames), slice(-LANDING, None) if ends else slice(LANDING)
    character = wide(0.5)
    foot = character.skeleton.names.index("mixamorig:LeftFoot")
    placed, free = (places(retarget(source, character, RetargetOptions(feet=feet)).imported)[:, foot, ::2]
                    for feet in (True, False))
    assert np.ptp((placed - free)[air], axis=0).max() < NEAR_M
