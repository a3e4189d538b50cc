"""Turns of the pelvis on a character whose hips are wide and whose legs are short."""
from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from captures import hero
from disguises import models
from ossicle.base.arrays import Array
from ossicle.model.clip import ROTATION, TRANSLATION, Clip, Imported
from ossicle.model.rotations import inverse, multiply
from ossicle.retargeting.character import from_bind
from ossicle.retargeting.humanoid import Humanoid
from ossicle.retargeting.mapping import find_humanoid
from ossicle.retargeting.options import RetargetOptions
from ossicle.retargeting.corrections.pelvis import Pelvis
from ossicle.retargeting.retarget import Retargeted, retarget
from ossicle.retargeting.rig import rig_of
from ossicle.retargeting.corrections.two_bones import solved
from schemes import SCHEMES
from walkers import stocky

FRAMES, RATE = 61, 30.0
MOST = 2.7  # times the acceleration of the source, in leg lengths, and 2 m/s2
LEAVING = 1.2  # likewise, of a foot that leaves the ground
BEND = 0.1  # of the length of a leg
NEAR_DEGREES = 1.0
ROLL, YAW = 2, 1


def standing(frames: Array) -> Imported:
    idle: Clip = next(clip for clip in hero().clips if clip.name == "Idle")
    steps = np.zeros((len(frames), *idle.steps.shape[1:]), bool)
    return replace(hero(), clips=[replace(idle, frames=frames, steps=steps, curve=None)])


def turn(axis: int, degrees: Array) -> Array:
    result = np.zeros((len(degrees), 4))
    result[:, axis], result[:, 3] = np.sin(np.radians(degrees) / 2.0), np.cos(np.radians(degrees) / 2.0)
    return result


def pulse(begin: int, end: int) -> Array:
    """Returns a number that rises from 0 to 1 and falls again between two frames."""
    share: Array = np.sin(np.pi * np.clip((np.arange(FRAMES) - begin) / (end - begin), 0.0, 1.0)) ** 2
    return share


def hips_turn(axis: int, degrees: Array) -> Array:
    """Returns frames of a standing body whose hips turn with all that hangs below."""
    idle = next(clip for clip in hero().clips if clip.name == "Idle")
    frames = np.repeat(np.asarray(idle.frames)[:1], len(degrees), axis=0).copy()
    frames[:, 0, ROTATION] = multiply(turn(axis, degrees), frames[:, 0, ROTATION])
    return frames


def on_one_leg() -> Imported:
    """Returns a clip in which the right hip rises over a left leg that keeps its place, and the right leg lifts."""
    degrees = -25.0 * pulse(10, 50)
    frames = hips_turn(ROLL, degrees)
    names = hero().skeleton.names
    left, foot, right = (names.index(name) for name in ("left_upper_leg", "left_foot", "right_upper_leg"))
    hips = frames[:, 0, ROTATION]
    back = multiply(multiply(inverse(hips), turn(ROLL, -degrees)), hips)
    frames[:, left, ROTATION] = multiply(back, frames[:, left, ROTATION])
    frames[:, right, ROTATION] = multiply(turn(0, -40.0 * pulse(10, 50)), frames[:, right, ROTATION])
    place = models(hero().skeleton, frames)[:, foot, :, 3]
    frames[:, 0, TRANSLATION] -= place - place[0]
    return standing(frames)


def stepping() -> Imported:
    """Returns a clip in which the left foot rises, and steps down again, while the hips turn fast over both feet."""
    frames = hips_turn(YAW, 40.0 * pulse(15, 45))
    return standing(with_feet(frames, pulse(26, 50)[:, None] * (0.0, 0.15, 0.1), np.zeros((FRAMES, 3))))


def with_feet(frames: Array, left: Array, right: Array) -> Array:
    """Returns frames whose feet are where they stand, moved by offsets [F, 3]."""
    frames = frames.copy()
    rig, body = rig_of(hero().skeleton), find_humanoid(hero().skeleton)
    standing_at = rig.world(hips_turn(YAW, np.zeros(1))).positions[0]
    for leg, offset in ((body.left_leg, left), (body.right_leg, right)):
        limb, world = (leg.upper, leg.lower, leg.foot), rig.world(frames)
        goal = standing_at[leg.foot] + offset
        bones = solved(limb, world, goal, np.array([1.0, 0.0, 0.0]))
        bones[leg.foot] = np.repeat(world.rotations[:1, leg.foot], FRAMES, axis=0)
        above = world.rotations[:, rig.parents[leg.upper]]
        for joint in limb:
            frames[:, joint, ROTATION] = multiply(inverse(above), bones[joint])
            above = bones[joint]
    return frames


def wide(width: float) -> Imported:
    """Returns a character with this many times the usual width of hips."""
    character = SCHEMES["Mixamo"].skeleton()
    bind = character.bind.copy()
    for name in ("mixamorig:LeftUpLeg", "mixamorig:RightUpLeg"):
        bind[character.names.index(name), TRANSLATION] *= (width, 1.0, 1.0)
    return Imported(replace(character, bind=bind), [])


def places(imported: Imported) -> Array:
    position: Array = models(imported.skeleton, np.asarray(imported.clips[0].frames))[..., 3]
    return position


def leg_m(position: Array, body: Humanoid) -> float:
    leg = body.left_leg
    return float(sum(np.linalg.norm(position[0, a] - position[0, b])
                     for a, b in ((leg.upper, leg.lower), (leg.lower, leg.foot))))


def accelerations(source: Imported, result: Retargeted) -> list[tuple[float, float]]:
    """Returns the largest accelerations of knees and feet in leg lengths of the source, of source and result."""
    assert result.source_map is not None and result.character_map is not None
    theirs, ours = places(source), places(result.imported)
    ratio = leg_m(ours, result.character_map) / leg_m(theirs, result.source_map)
    pairs = []
    for side in ("left_leg", "right_leg"):
        for joint in ("lower", "foot"):
            a, b = (getattr(getattr(body, side), joint) for body in (result.source_map, result.character_map))
            pairs.append(tuple(float(np.linalg.norm(np.diff(place, 2, axis=0), axis=-1).max()) * RATE * RATE
                               for place in (theirs[:, a], ours[:, b] / ratio)))
    return pairs  # type: ignore[return-value]


def test_a_fast_turn_moves_knees_and_feet_about_as_fast_as_in_the_source() -> None:
    source = standing(hips_turn(YAW, 40.0 * pulse(20, 32)))
    for theirs, ours in accelerations(source, retarget(source, stocky())):
        assert ours <= MOST * theirs + 2.0


def test_a_foot_leaves_the_ground_at_the_speed_that_it_has_there() -> None:
    """Though hips that turn would move it on."""
    source = stepping()
    pairs = accelerations(source, retarget(source, stocky()))
    theirs, ours = pairs[1]
    assert ours <= LEAVING * theirs + 2.0


def test_a_slow_turn_stays_as_it_is() -> None:
    """It tells where the body goes: the hips face where those of the source do."""
    source = standing(hips_turn(YAW, np.linspace(0.0, 80.0, FRAMES)))
    character = stocky()
    free, placed = (retarget(source, character, RetargetOptions(feet=feet)).imported for feet in (False, True))
    hips = character.skeleton.names.index("hips")
    ours, wanted = (models(character.skeleton, np.asarray(found.clips[0].frames))[10:-10, hips, :, :3]
                    for found in (placed, free))
    assert np.abs(ours - wanted).max() < np.radians(NEAR_DEGREES)


@pytest.mark.parametrize("name", ["chest", "head", "upperarm.l"])
def test_the_upper_body_turns_as_before(name: str) -> None:
    source = standing(hips_turn(YAW, 40.0 * pulse(20, 32)))
    character = stocky()
    joint = character.skeleton.names.index(name)
    ours, wanted = (models(character.skeleton, np.asarray(found.imported.clips[0].frames))[:, joint, :, :3]
                    for found in (retarget(source, character),
                                  retarget(source, character, RetargetOptions(feet=False))))
    assert np.abs(ours - wanted).max() < 1e-9


def test_the_leg_that_carries_the_body_bends_as_in_the_source() -> None:
    """The hips rise, because the hip joint of that leg would sink."""
    source = on_one_leg()
    result = retarget(source, stocky())
    stretch = []
    for imported, body in ((source, result.source_map), (result.imported, result.character_map)):
        assert body is not None
        position, leg = places(imported), body.left_leg
        apart = np.linalg.norm(position[:, leg.foot] - position[:, leg.upper], axis=-1)
        stretch.append(apart / leg_m(position, body))
    assert np.abs(np.diff(stretch, axis=0)).max() < BEND


def test_hips_that_are_not_wider_turn_as_in_the_source() -> None:
    source, character = standing(hips_turn(YAW, 40.0 * pulse(20, 32))), wide(0.5)
    hips = character.skeleton.names.index("mixamorig:Hips")
    ours, wanted = (np.asarray(found.imported.clips[0].frames)[:, hips, ROTATION]
                    for found in (retarget(source, character),
                                  retarget(source, character, RetargetOptions(feet=False))))
    assert np.abs(ours - wanted).max() < 1e-9


def test_a_pelvis_that_turns_back_in_one_frame() -> None:
    """Its mean direction is then opposite, and as long as the part that remains."""
    skeleton = hero().skeleton
    bind = skeleton.bind.copy()
    for name in ("left_upper_leg", "right_upper_leg"):
        bind[skeleton.names.index(name), TRANSLATION] *= (4.0, 1.0, 1.0)
    actor, character = (from_bind(each, find_humanoid(each)) for each in (skeleton, replace(skeleton, bind=bind)))
    assert actor is not None and character is not None
    rotation = turn(YAW, np.zeros(9))
    rotation[4] = 0.0, 1.0, 0.0, 0.0
    softened = Pelvis(actor, character).softened(rotation, 10.0, False)
    assert np.abs(np.linalg.norm(softened, axis=1) - 1.0).max() < 1e-9
