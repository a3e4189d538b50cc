"""Measures how well a motion of a character fits that of its actor."""
from __future__ import annotations

import numpy as np

from ..base.arrays import Array
from ..base.portable_math import DEGREES_PER_RADIAN, angle_of, cross, dot, length, total
from ..model.actor import Actor
from ..model.clip_measure import ClipMeasure
from ..model.rotations import inverse, rotate
from .character import Character, Motion
from .corrections.contacts import spans
from .humanoid import Humanoid
from .parts import SIDES, arm_of, leg_of
from .rig import World
from .transfer import Transferred


def measure_of(actor: Character, character: Character, motion: Motion, result: Transferred, slide_mm: float
               ) -> ClipMeasure:
    """Returns the differences of a transferred motion from its source. slide_mm: the furthest that a foot slides."""
    theirs, ours = _bones(actor.body), _bones(character.body)
    angles = np.stack([_angles(motion.world, theirs[bone], result.world, ours[bone])
                       for bone in ours if bone in theirs])
    ground_mm = None if result.lowest is None else 1000.0 * max(0.0, -float(result.lowest.min()))
    mean = float(total(angles.reshape(-1))) / angles.size
    return ClipMeasure(float(angles.max()) * DEGREES_PER_RADIAN, mean * DEGREES_PER_RADIAN, slide_mm, ground_mm)


def actor_of(actor: Character, character: Character, motion: Motion, result: Transferred) -> Actor:
    """Returns the actor of a transferred motion in the character's space, without bones above its hips."""
    below = {actor.body.hips}
    for joint, parent in enumerate(actor.rig.parents):
        if parent in below:
            below.add(joint)
    parents = tuple(parent if parent in below else -1 for parent in actor.rig.parents)
    feet = actor.body.left_leg.foot, actor.body.right_leg.foot
    return Actor(parents, feet, motion.rate,
                 rotate(inverse(character.up), result.actor), result.stands,
                 1000.0 * _slides_of(actor, character, result))


def _slides_of(actor: Character, character: Character, result: Transferred) -> Array:
    """Returns metres [F, 2]: how far each standing foot has moved since its contact began, beyond the actor's foot."""
    slides = np.zeros(result.stands.shape)
    for number, (theirs, ours) in enumerate(zip(actor.legs, character.legs)):
        apart = (result.world.positions[:, ours.foot] - result.actor[:, theirs.foot])[:, ::2]
        for begin, end in spans(result.stands[:, number]):
            slides[begin:end, number] = length(apart[begin:end] - apart[begin])
    return slides


def _bones(body: Humanoid) -> dict[str, tuple[int, int]]:
    """Returns the joints at both ends of the bones of the limbs, by name."""
    bones: dict[str, tuple[int, int]] = {}
    for side in SIDES:
        arm, leg = arm_of(body, side), leg_of(body, side)
        bones.update({f"{side} upper leg": (leg.upper, leg.lower), f"{side} lower leg": (leg.lower, leg.foot)})
        if arm is not None:
            bones[f"{side} upper arm"] = arm.upper, arm.lower
            if arm.hand is not None:
                bones[f"{side} lower arm"] = arm.lower, arm.hand
    return bones


def _angles(theirs: World, their_bone: tuple[int, int], ours: World, our_bone: tuple[int, int]) -> Array:
    """Returns the angles [F] between two bones, in radians."""
    a, b = (world.positions[:, bone[1]] - world.positions[:, bone[0]]
            for world, bone in ((theirs, their_bone), (ours, our_bone)))
    return angle_of(length(cross(a, b)), dot(a, b))
