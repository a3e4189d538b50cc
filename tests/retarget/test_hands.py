"""Hands that are near each other."""
from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from captures import hero
from disguises import models
from ossicle.base.arrays import Array
from ossicle.model.clip import ROTATION, Imported, Skeleton
from ossicle.model.rotations import multiply
from ossicle.retargeting.humanoid import Humanoid
from ossicle.retargeting.options import RetargetOptions
from ossicle.retargeting.retarget import Retargeted, retarget
from schemes import SCHEMES
from walkers import stocky

NEAR = 1e-6
TOGETHER = 0.3  # leg lengths between wrists, up to which their distance is kept
FREE = 0.6
FRAMES = 31
MOST_STEP = 3.0  # relative to that of the source, in a frame
APART = 0.02  # leg lengths: without the option, the hands of a stocky character are further from where they should be


def clapping() -> Imported:
    """Returns a clip in which the bent arms of the demo character swing to the front, until the hands meet."""
    skeleton, clip = hero().skeleton, hero().clips[0]
    frames = np.tile(skeleton.bind, (FRAMES, 1, 1))
    for side, sign in (("left", -1.0), ("right", 1.0)):
        upper, lower = (skeleton.names.index(f"{side}_{bone}_arm") for bone in ("upper", "lower"))
        swing = sign * np.linspace(0.0, 75.0, FRAMES)
        for joint, axis, degrees in ((upper, 1, swing), (lower, 0, np.full(FRAMES, 50.0))):
            half, turn = np.radians(degrees) / 2.0, np.zeros((FRAMES, 4))
            turn[:, axis], turn[:, 3] = np.sin(half), np.cos(half)
            frames[:, joint, ROTATION] = multiply(turn, frames[:, joint, ROTATION])
    steps = np.zeros((FRAMES, *clip.steps.shape[1:]), bool)
    return replace(hero(), clips=[replace(clip, name="clap", frames=frames, steps=steps, curve=None)])


def apart(skeleton: Skeleton, frames: Array, body: Humanoid) -> Array:
    """Returns the vectors [F, 3] from the left to the right wrist, in leg lengths."""
    position = models(skeleton, frames)[..., 3]
    assert body.left_arm and body.right_arm and body.left_arm.hand and body.right_arm.hand
    leg = body.left_leg
    size = sum(np.linalg.norm(position[0, a] - position[0, b])
               for a, b in ((leg.upper, leg.lower), (leg.lower, leg.foot)))
    lines: Array = (position[:, body.right_arm.hand] - position[:, body.left_arm.hand]) / size
    return lines


def both(source: Imported, result: Retargeted) -> tuple[Array, Array]:
    assert result.source_map and result.target_map
    return (apart(source.skeleton, source.clips[0].frames, result.source_map),
            apart(result.imported.skeleton, result.imported.clips[0].frames, result.target_map))


@pytest.fixture(params=["stocky", "Mixamo", "Unreal mannequin"])
def character(request: pytest.FixtureRequest) -> Imported:
    return stocky() if request.param == "stocky" else Imported(SCHEMES[request.param].skeleton(), [])


def test_hands_meet_as_in_the_source(character: Imported) -> None:
    source = clapping()
    theirs, ours = both(source, retarget(source, character, RetargetOptions(hands=True)))
    together = np.linalg.norm(theirs, axis=1) <= TOGETHER
    assert 3 <= together.sum() < FRAMES
    assert np.abs(ours - theirs)[together].max() < NEAR


def test_without_the_option_they_do_not() -> None:
    source = clapping()
    theirs, ours = both(source, retarget(source, stocky()))
    together = np.linalg.norm(theirs, axis=1) <= TOGETHER
    assert np.abs(ours - theirs)[together].max() > APART


def test_hands_that_are_far_apart_stay_as_they_are(character: Imported) -> None:
    source = clapping()
    joined = retarget(source, character, RetargetOptions(hands=True))
    free = np.linalg.norm(both(source, joined)[0], axis=1) >= FREE
    assert 3 <= free.sum() < FRAMES
    plain = retarget(source, character)
    differences = np.abs(np.asarray(joined.imported.clips[0].frames) - np.asarray(plain.imported.clips[0].frames))
    assert differences[free].max() < NEAR


def test_arms_move_without_jumps(character: Imported) -> None:
    source = clapping()
    clip, = retarget(source, character, RetargetOptions(hands=True)).imported.clips
    position = models(character.skeleton, np.asarray(clip.frames))[..., 3]
    theirs = models(source.skeleton, np.asarray(source.clips[0].frames))[..., 3]
    steps = [np.linalg.norm(np.diff(place, axis=0), axis=-1).max() for place in (position, theirs)]
    assert steps[0] < MOST_STEP * steps[1]
