"""Finds in each joint's own axes the frame that plays the part of a body frame, from poses.

Neither local axes nor a zero pose mean anything across skeletons. Bones, hinges, the lines between hips and shoulders
and the soles of standing feet do: a joint's frame is the rotation, in its own axes, that points along them. In a
retargeted pose, frames of corresponding joints are equal. x is left, y up and z forward in hips, chest and feet; x is
the bone and y the hinge of an upper or lower limb, about which the joint below bends.
"""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..base.arrays import Array
from ..base.portable_math import cross, dot, length, total
from ..model.rotations import between, frame, inverse, mean, multiply, quarter_turns, rotate
from .humanoid import Arm, Humanoid, Leg
from .parts import SIDES, arm_of, fingers_of, leg_of
from .rig import World

LEFT = np.array([1.0, 0.0, 0.0])
UP = np.array([0.0, 1.0, 0.0])
FORWARD = np.array([0.0, 0.0, 1.0])
_LEAST_BEND = 0.1  # sine; the plane of straighter limbs is noise
_AGREEMENT = 0.5  # of the planes of a bent limb, below which they are noise
_CONVENTION = 0.5  # cosine; a bind pose that bends further from the usual hinge is no evidence
_TINY = 1e-9  # metres; bones without length have no direction
_SHORT = 0.05  # leg lengths; shorter bones have no direction
_SQUARE = 0.9063  # cosine of 25 degrees; a mean head that is as near to the axes of the chest has these axes
_PASSES = 3  # in the search for the frames in which a foot is flattest


@dataclass(frozen=True, eq=False)
class Evidence:
    """Poses of a body. world: F of them. bind: the bind pose, F = 1: lengths, and rotations that the poses cannot
    tell. stance: bool [F, 2], the frames in which the left and right feet stand. moves: whether the poses are a
    motion, not a bind pose."""

    body: Humanoid
    world: World
    bind: World
    stance: Array
    moves: bool

    def at(self, joint: int) -> Array:
        """Returns the positions of a joint [F, 3]."""
        position: Array = self.world.positions[:, joint]
        return position

    def local(self, joint: int, vectors: Array) -> Array:
        """Returns the mean of vectors [F, 3] in the axes of a joint."""
        return total(rotate(inverse(self.world.rotations[:, joint]), vectors)) / len(vectors)

    def framed(self, joint: int, rotation: Array) -> Array:
        """Returns the frames [F, 4] of a joint in model space."""
        return multiply(self.world.rotations[:, joint], rotation)

    def relative(self, above: int, below: int) -> Array:
        """Returns the rotation [4] of a joint relative to another one in the bind pose."""
        return multiply(inverse(self.bind.rotations[0, above]), self.bind.rotations[0, below])


def body_frames(seen: Evidence) -> dict[int, Array]:
    """Returns the frame [4] of each joint of a body, in its own axes."""
    body = seen.body
    frames: dict[int, Array] = {body.hips: _hips(seen)}
    forward = rotate(seen.framed(body.hips, frames[body.hips]), FORWARD)
    chest = body.trunk[-1] if body.trunk else body.hips
    if body.trunk:
        frames[chest] = _chest(seen, frames)
    if body.head is not None:
        frames[body.head] = _mean_frame(seen, chest, body.head, frames, seen.moves)
    for number, side in enumerate(SIDES):
        arm, leg = arm_of(body, side), leg_of(body, side)
        if arm is not None:
            for clavicle in arm.clavicles[-1:]:
                frames[clavicle] = _mean_frame(seen, chest, clavicle, frames, False)
            frames.update(_arm(seen, arm, forward))
            if arm.hand is not None:
                for joint in (joint for chain in fingers_of(body, side).values() for joint in chain):
                    frames[joint] = multiply(inverse(seen.relative(arm.hand, joint)), frames[arm.hand])
        frames.update(_limb(seen, (leg.upper, leg.lower, leg.foot), -forward))
        frames.update(_foot(seen, leg, forward, seen.stance[:, number]))
    return frames


def _hips(seen: Evidence) -> Array:
    body = seen.body
    left = seen.at(body.left_leg.upper) - seen.at(body.right_leg.upper)
    above = [joint for joint in (*body.trunk, *body.neck, body.head) if joint is not None]
    far = _SHORT * leg_length(seen.bind, body.left_leg)
    for joint in above:
        up = seen.at(joint) - seen.at(body.hips)
        if length(up).min() > far:
            break
    else:
        up = seen.at(body.hips) - (seen.at(body.left_leg.foot) + seen.at(body.right_leg.foot)) / 2.0
    return frame(seen.local(body.hips, left), seen.local(body.hips, up))


def _chest(seen: Evidence, frames: dict[int, Array]) -> Array:
    body, chest = seen.body, seen.body.trunk[-1]
    over = next((joint for joint in (*body.neck, body.head) if joint is not None and length(
        seen.at(joint) - seen.at(chest)).min() > _SHORT * leg_length(seen.bind, body.left_leg)), None)
    if body.left_arm is None or body.right_arm is None or over is None:
        return multiply(inverse(seen.relative(body.hips, chest)), frames[body.hips])
    left = seen.at(body.left_arm.upper) - seen.at(body.right_arm.upper)
    return frame(seen.local(chest, left), seen.local(chest, seen.at(over) - seen.at(chest)))


def _mean_frame(seen: Evidence, above: int, joint: int, frames: dict[int, Array], is_square: bool) -> Array:
    """Returns the frame of a joint that equals, on average, that of the joint above. is_square: whether the axes of the
    joint are probably those of a body."""
    relative = multiply(inverse(seen.framed(above, frames[above])), seen.world.rotations[:, joint])
    found = mean(relative)
    if is_square:
        found = _squared(found)
    return inverse(found)


def _squared(rotation: Array) -> Array:
    """Returns the rotation between axes that is nearest to a rotation, if one is near."""
    choices = quarter_turns()
    half = np.abs(dot(choices, rotation))
    best = int(np.argmax(half))
    return choices[best] if 2.0 * half[best] * half[best] - 1.0 >= _SQUARE else rotation


def _arm(seen: Evidence, arm: Arm, forward: Array) -> dict[int, Array]:
    if arm.hand is None:
        bone = seen.local(arm.upper, seen.at(arm.lower) - seen.at(arm.upper))
        hinge = seen.local(arm.upper, cross(seen.at(arm.lower) - seen.at(arm.upper), forward))
        upper = frame(bone, hinge)
        return {arm.upper: upper, arm.lower: multiply(inverse(seen.relative(arm.upper, arm.lower)), upper)}
    frames = _limb(seen, (arm.upper, arm.lower, arm.hand), forward)
    frames[arm.hand] = multiply(inverse(seen.relative(arm.lower, arm.hand)), frames[arm.lower])
    return frames


def _limb(seen: Evidence, joints: tuple[int, int, int], bends: Array) -> dict[int, Array]:
    """Returns the frames of the upper and lower bone of a limb. bends [F, 3]: the direction in which the lower bone of
    a straight limb bends."""
    upper, lower, end = joints
    bone, next_bone = seen.at(lower) - seen.at(upper), seen.at(end) - seen.at(lower)
    bone, next_bone = (line / np.maximum(length(line), _TINY)[:, None] for line in (bone, next_bone))
    usual = seen.local(upper, cross(bone, bends))
    turns = cross(bone, next_bone)
    turns = np.where(length(turns)[:, None] > _LEAST_BEND, turns, 0.0)
    hinge = seen.local(upper, turns)
    size = length(hinge)
    is_noise = size <= _AGREEMENT * float(total(length(turns))) / len(turns)
    if is_noise or not seen.moves and dot(hinge, usual) < _CONVENTION * size * length(usual):
        hinge = usual
    above = frame(seen.local(upper, bone), hinge)
    # The lower bone's own motion cannot tell its hinge, because pronation turns it.
    relative = seen.relative(upper, lower)
    bent = rotate(relative, seen.local(lower, next_bone))
    straight = between(bent / np.maximum(length(bent), _TINY), rotate(above, LEFT))
    return {upper: above, lower: multiply(inverse(multiply(straight, relative)), above)}


def _foot(seen: Evidence, leg: Leg, forward: Array, stance: Array) -> dict[int, Array]:
    """Returns the frames of a foot and its toes, which are level where the foot stands flat."""
    stands = np.flatnonzero(stance) if stance.any() else np.arange(len(stance))
    rotations = seen.world.rotations[stands]
    ahead = forward[stands] if leg.toes is None else (seen.at(leg.toes) - seen.at(leg.foot))[stands]
    flat, chosen = np.arange(len(stands)), max(len(stands) // 2, 1)
    for _ in range(_PASSES):
        up = total(rotate(inverse(rotations[flat, leg.foot]), UP))
        tilt = dot(rotate(rotations[:, leg.foot], up), UP)
        flat = np.sort(np.lexsort((-tilt,))[:chosen])
    level = frame(cross(UP, ahead[flat]), np.broadcast_to(UP, (len(flat), 3)))
    frames = {joint: mean(multiply(inverse(rotations[flat, joint]), level))
              for joint in (leg.foot, leg.toes) if joint is not None}
    return frames


def leg_length(bind: World, leg: Leg) -> float:
    """Returns the length of a leg from the hip joint to the ankle."""
    upper, lower, foot = (bind.positions[0, joint] for joint in (leg.upper, leg.lower, leg.foot))
    return float(length(lower - upper) + length(foot - lower))
