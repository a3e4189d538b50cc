"""Hands that are near each other, or near the ground."""
from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from captures import hero
from disguises import models
from ossicle.base.arrays import Array
from ossicle.model.clip import ROTATION, Imported, Skeleton
from ossicle.model.rotations import inverse, multiply
from ossicle.retargeting.humanoid import Humanoid
from ossicle.retargeting.mapping import find_humanoid
from ossicle.retargeting.options import RetargetOptions
from ossicle.retargeting.retarget import Retargeted, retarget
from ossicle.retargeting.rig import rig_of
from ossicle.retargeting.corrections.two_bones import solved
from schemes import SCHEMES
from walkers import stocky

NEAR = 1e-6
TOGETHER = 0.3  # leg lengths between wrists, up to which their distance is kept
FREE = 0.6
FRAMES = 31
MOST_STEP = 3.0  # relative to that of the source, in a frame
HAND_M, GROUND_M, SLIDE_M = 0.06, 0.03, 0.002  # the height of the wrist of a resting hand, how near, and a slide
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
    assert result.source_map and result.character_map
    return (apart(source.skeleton, source.clips[0].frames, result.source_map),
            apart(result.imported.skeleton, result.imported.clips[0].frames, result.character_map))


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


def crawling() -> tuple[Imported, Array]:
    """Returns a clip in which the body bends down, rests on its hands while it sways, and rises again, and the frames
    in which the hands rest."""
    clip, skeleton = hero().clips[0], hero().skeleton
    rig, body = rig_of(skeleton), find_humanoid(skeleton)
    frames, time = np.repeat(skeleton.bind[None], 91, axis=0), np.arange(91)
    down = np.clip(np.minimum(time - 10, 80 - time) / 20.0, 0.0, 1.0)
    down = down * down * (3.0 - 2.0 * down)
    half = np.zeros((91, 4))
    half[:, 0] = np.sin(np.radians(75.0) / 2.0 * down)
    half[:, 1] = 0.08 * np.sin(time / 5.0) * down
    half[:, 3] = np.sqrt(1.0 - half[:, 0] ** 2 - half[:, 1] ** 2)
    frames[:, 0, ROTATION] = multiply(half, frames[:, 0, ROTATION])
    frames[:, 0, 5] -= 0.62 * down
    standing = rig.world(skeleton.bind[None]).positions[0]
    for side, sign in (("left", 1.0), ("right", -1.0)):
        arm, leg = getattr(body, f"{side}_arm"), getattr(body, f"{side}_leg")
        for limb, place, share in (((leg.upper, leg.lower, leg.foot), standing[leg.foot], np.ones(91)),
                                   ((arm.upper, arm.lower, arm.hand), np.array([0.25 * sign, HAND_M, 0.4]), down)):
            world = rig.world(frames)
            goal = world.positions[:, limb[2]]
            above = world.rotations[:, rig.parents[limb[0]]]
            bones = solved(limb, world, goal + share[:, None] * (place - goal), np.array([1.0, 0.0, 0.0]))
            bones[limb[2]] = np.broadcast_to((0.0, 0.0, 0.0, 1.0), above.shape)
            for joint in limb:
                frames[:, joint, ROTATION] = multiply(inverse(above), bones[joint])
                above = bones[joint]
    steps = np.zeros((91, *clip.steps.shape[1:]), bool)
    return replace(hero(), clips=[replace(clip, name="crawl", frames=frames, steps=steps, curve=None)]), down >= 1.0


def wrists(imported: Imported, body: Humanoid | None) -> Array:
    """Returns the positions of both wrists [F, 2, 3]."""
    assert body is not None and body.left_arm and body.right_arm
    position = models(imported.skeleton, np.asarray(imported.clips[0].frames))[..., 3]
    return position[:, [body.left_arm.hand, body.right_arm.hand]]


PLANTED = [Imported(SCHEMES[scheme].skeleton(), []) for scheme in ("Mixamo", "Unreal mannequin")]


@pytest.mark.parametrize("stands", [True, False])
@pytest.mark.parametrize("person", PLANTED)
def test_hands_on_the_ground_stay_there(person: Imported, stands: bool) -> None:
    """At the height that they have in the source, in the size of the character, whether or not the bind pose of the
    source stands on the ground."""
    source, rests = crawling()
    if not stands:
        leans = source.skeleton.bind.copy()
        leans[0, ROTATION] = multiply(np.array([0.4, 0.0, 0.0, np.sqrt(1.0 - 0.16)]), leans[0, ROTATION])
        source = replace(source, skeleton=replace(source.skeleton, bind=leans, inverse_bind=None))
    theirs = wrists(source, find_humanoid(source.skeleton, source.clips))[rests]
    assert np.ptp(theirs, axis=0).max() < NEAR
    plain, planted = (retarget(source, person, RetargetOptions(planted_hands=chosen)) for chosen in (False, True))
    slides = [np.ptp(wrists(result.imported, result.character_map)[rests], axis=0).max() for result in (plain, planted)]
    assert slides[1] < NEAR < SLIDE_M < slides[0]
    height = wrists(planted.imported, planted.character_map)[rests][..., 1]
    assert np.abs(height - HAND_M).max() < GROUND_M


@pytest.mark.parametrize("person", PLANTED)
def test_hands_over_the_ground_stay_as_they_are(person: Imported) -> None:
    source, _ = crawling()
    plain, planted = (wrists(result.imported, result.character_map) for result in (
        retarget(source, person), retarget(source, person, RetargetOptions(planted_hands=True))))
    assert np.abs(plain - planted)[:10].max() < NEAR


def test_planted_hands_move_without_jumps() -> None:
    source, _ = crawling()
    result = retarget(source, stocky(), RetargetOptions(planted_hands=True))
    ours, theirs = (np.linalg.norm(np.diff(wrists(imported, body), axis=0), axis=-1).max()
                    for imported, body in ((result.imported, result.character_map), (source, result.source_map)))
    assert ours < MOST_STEP * theirs


def test_a_hand_without_a_partner_is_left_alone() -> None:
    source, _ = crawling()
    options = RetargetOptions(planted_hands=True, map={"left_hand": ""})
    plain, planted = (retarget(source, PLANTED[0], one) for one in (replace(options, planted_hands=False), options))
    differences = np.abs(wrists(plain.imported, plain.character_map) - wrists(planted.imported, planted.character_map))
    assert differences[:, 0].max() < NEAR < differences[:, 1].max()
