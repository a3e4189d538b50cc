"""Transfers motions of an actor to a character with other proportions, axes and joints."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..base.arrays import Array
from ..base.portable_math import dot, length
from ..model.mesh.mesh import Mesh
from ..model.rotations import between, inverse, multiply, rotate, slerp
from .body_frames import FORWARD
from .character import Character, Motion
from .corrections.feet import Foot, goal_of, raised, sinking
from .corrections.hands import lowness, nearness
from .options import RetargetOptions
from .parts import SIDES, arm_of, partners_of
from .corrections.pelvis import Pelvis
from .pose import Poser, with_chains
from .rig import World
from .corrections.sole_points import Skin, skin_of, soles_of
from .corrections.soles import Sole
from .corrections.twists import with_twists
from .corrections.two_bones import solved

_SAME_POSE = 1e-8  # of the dot products of rotations: the first and last pose of a loop
_HINGE = np.array([0.0, 1.0, 0.0])


@dataclass(frozen=True, eq=False)
class Transferred:
    """A motion of the character. frames: its local transforms [F, J, 10]; world: the same, Y-up; actor: the positions
    of the actor's joints in its place [F, N, 3]; stands: bool [F, 2]; lowest: the height of the lowest vertex of its
    feet [F], None if no mesh tells it."""

    frames: Array
    world: World
    actor: Array
    stands: Array
    lowest: Array | None


class BodyTransfer:
    """The transfer of motions from an actor to a character."""

    def __init__(self, actor: Character, character: Character, options: RetargetOptions, mesh: Mesh | None) -> None:
        self._actor, self._character, self._options = actor, character, options
        self._poser = Poser(character.rig, character.body, character.bind, character.up)
        partners, _ = partners_of(actor.body, character.body)
        self._pairs = [(theirs, joint) for joint, theirs in partners.items()]
        self._constants = self._by_frames() if options.rest_pose is None else self._by_rest(options.rest_pose)
        self._pelvis = Pelvis(actor, character)
        self._ratio = character.leg_m / actor.leg_m
        self._travel = options.scale or self._ratio
        self._soles: dict[int, Sole] = {}
        self._ankles: list[float] = []
        self._skins: list[Skin] = []
        for leg in character.legs:
            soles, ankle_m = soles_of(character.rig, leg, character.bind, character.frames, mesh, character.ankle_m)
            self._soles.update(soles)
            self._ankles.append(ankle_m)
            if mesh is not None:
                self._skins.append(skin_of(character.rig, leg, character.frames, mesh))

    def _by_frames(self) -> list[Array]:
        return [multiply(self._actor.frames[theirs], inverse(self._character.frames[joint]))
                for theirs, joint in self._pairs]

    def _by_rest(self, pose: Array) -> list[Array]:
        """Returns the constants between joints if a pose of the actor corresponds to the character's bind pose, except
        for its heading."""
        actor, character = self._actor, self._character
        rest = actor.rig.world(pose[None]).rotated(actor.up)
        ahead = [rotate(multiply(world.rotations[0, body.hips], frames[body.hips]), FORWARD) * (1.0, 0.0, 1.0)
                 for world, body, frames in ((rest, actor.body, actor.frames),
                                             (character.bind, character.body, character.frames))]
        turn = between(*(line / length(line) for line in ahead))
        return [multiply(inverse(multiply(turn, rest.rotations[0, theirs])), character.bind.rotations[0, joint])
                for theirs, joint in self._pairs]

    def apply(self, motion: Motion) -> Transferred:
        """Returns a motion of the character."""
        body, world, loops = self._character.body, motion.world, _loops(motion.world)
        rotations = {joint: multiply(world.rotations[:, theirs], constant)
                     for (theirs, joint), constant in zip(self._pairs, self._constants)}
        if self._options.feet:
            rotations[body.hips] = self._pelvis.softened(rotations[body.hips], motion.rate, loops)
        rotations = with_chains(body, self._character.bind, rotations)
        if self._options.hands:
            rotations.update(self._with_hands(motion, rotations))
        hips = np.zeros((len(world.positions), 3))
        pose = self._poser.posed(rotations, hips)
        ankle_m = sum(self._ankles) / 2.0
        actor = self._placed(world.positions, ankle_m)
        hips = _middle(actor, self._actor) - _middle(pose.positions, self._character)
        if self._options.feet:
            hips[:, 1] += self._pelvis.rise(rotations[body.hips], motion, loops)
            hips, rotations = self._with_feet(motion, World(pose.rotations, pose.positions + hips[:, None]), rotations)
        if self._options.planted_hands:
            rotations.update(self._with_planted_hands(motion, self._poser.posed(rotations, hips)))
        for arm in (body.left_arm, body.right_arm):
            if arm is not None:
                rotations = with_twists(self._character.rig, arm, self._character.bind, self._character.frames,
                                        rotations)
        pose = self._poser.posed(rotations, hips)
        lowest = [low for skin in self._skins if (low := skin.lowest(pose)) is not None]
        return Transferred(self._poser.transforms(pose, rotations), pose, actor, motion.stands,
                           np.stack(lowest).min(axis=0) if lowest else None)

    def _with_hands(self, motion: Motion, rotations: dict[int, Array]) -> dict[int, Array]:
        """Returns the rotations of both bones of the arms, with hands together where they are in the motion; none if
        one of the hands is missing."""
        pose = self._poser.posed(rotations, np.zeros((len(motion.world.positions), 3)))
        theirs, ours = (list(_arms(body).values()) for body in (self._actor, self._character))
        if len(theirs) < 2 or len(ours) < 2:
            return {}
        apart, own = (world.positions[:, arms[1][2]] - world.positions[:, arms[0][2]]
                      for world, arms in ((motion.world, theirs), (pose, ours)))
        weight = nearness(length(apart) / self._actor.leg_m)
        half = (self._ratio * apart - own) / 2.0
        result: dict[int, Array] = {}
        for arm, move in zip(ours, (-half, half)):
            result.update(self._reached(arm, pose, pose.positions[:, arm[2]] + move, weight))
        return result

    def _with_planted_hands(self, motion: Motion, pose: World) -> dict[int, Array]:
        """Returns the rotations of both bones of the arms, with hands on the ground where they are in the motion."""
        ours, result = _arms(self._character), dict[int, Array]()
        leg_m = self._character.leg_m
        for side, theirs in _arms(self._actor).items():
            if side in ours:
                wrist = motion.world.positions[:, theirs[2]]
                goal = self._placed(wrist, self._ratio * (self._actor.ankle_m - self._actor.ground_m))
                result.update(self._reached(ours[side], pose, goal, lowness(goal[:, 1] / leg_m)))
        return result

    def _reached(self, arm: tuple[int, int, int], pose: World, goal: Array, weight: Array) -> dict[int, Array]:
        """Returns the rotations of both bones of an arm, turned towards a goal [F, 3] of the wrist by a share [F]."""
        hinge = rotate(self._character.frames[arm[0]], _HINGE)
        return {joint: slerp(pose.rotations[:, joint], turn, weight)
                for joint, turn in solved(arm, pose, goal, hinge).items()}

    def _placed(self, positions: Array, ankle_m: float) -> Array:
        """Returns positions of the actor [F, ..., 3] in the place and size of the character, standing at the height of
        its ankles."""
        result = positions * (self._travel, self._ratio, self._travel)
        result[..., 1] += ankle_m - self._ratio * self._actor.ankle_m
        return result

    def _with_feet(self, motion: Motion, pose: World, rotations: dict[int, Array]) -> tuple[Array, dict[int, Array]]:
        """Returns positions of the hips and rotations with which feet stand. pose: by rotations alone."""
        legs, loops = self._character.legs, _loops(motion.world)
        feet, goals = [], []
        for number, (theirs, leg) in enumerate(zip(self._actor.legs, legs)):
            hip, ankle = (motion.world.positions[:, joint] for joint in (theirs.upper, theirs.foot))
            rest_m = self._ankles[number]
            feet.append(Foot(self._placed(ankle, rest_m), length(ankle - hip) / self._actor.leg_m,
                             motion.stands[:, number]))
            goals.append(goal_of(feet[-1], pose.positions[:, leg.foot], rest_m, self._character.leg_m, motion.rate,
                                 loops))
        heights = [goal[:, 1] for goal in goals]
        placed, result = self._reaching(pose, rotations, feet, goals, heights, motion.rate, loops)
        if self._skins:
            lowest = [skin.lowest(placed) for skin in self._skins]
            goals = [goal if low is None else raised(goal, low, motion.rate, loops) for goal, low in zip(goals, lowest)]
            placed, result = self._reaching(pose, rotations, feet, goals, heights, motion.rate, loops)
        return placed.positions[:, self._character.body.hips], result

    def _reaching(self, pose: World, rotations: dict[int, Array], feet: Sequence[Foot], goals: Sequence[Array],
                  heights: Sequence[Array], rate: float, loops: bool) -> tuple[World, dict[int, Array]]:
        """Returns poses whose ankles are at the goals [F, 3], and the rotations of their joints. heights: of ankles
        [F], for which soles are above the ground."""
        legs, rotations = self._character.legs, dict(rotations)
        starts = [pose.positions[:, leg.upper] for leg in legs]
        sunk = np.zeros_like(starts[0])
        sunk[:, 1] = -sinking(starts, goals, feet, self._character.leg_m, rate, loops)
        pose = World(pose.rotations, pose.positions + sunk[:, None])
        for leg, goal, height in zip(legs, goals, heights):
            hinge = rotate(self._character.frames[leg.upper], _HINGE)
            rotations.update(solved((leg.upper, leg.lower, leg.foot), pose, goal, hinge))
            rotations[leg.foot] = self._levelled(rotations, leg.foot, height)
            if leg.toes is not None and leg.toes in rotations:
                ball = rotate(rotations[leg.foot], self._character.rig.offsets[leg.toes])
                rotations[leg.toes] = self._levelled(rotations, leg.toes, height + ball[:, 1])
        return self._poser.posed(rotations, pose.positions[:, self._character.body.hips]), rotations

    def _levelled(self, rotations: dict[int, Array], joint: int, height: Array) -> Array:
        return self._soles[joint].limited(rotations[joint], height, self._character.frames[joint])


def _middle(positions: Array, character: Character) -> Array:
    """Returns the middle of the hip joints [F, 3]."""
    left, right = character.legs
    middle: Array = (positions[:, left.upper] + positions[:, right.upper]) / 2.0
    return middle


def _arms(character: Character) -> dict[str, tuple[int, int, int]]:
    """Returns, by side, the joints of the arms that have a hand: of the upper and the lower arm, and the wrist."""
    arms = {side: arm_of(character.body, side) for side in SIDES}
    return {side: (arm.upper, arm.lower, arm.hand) for side, arm in arms.items()
            if arm is not None and arm.hand is not None}


def _loops(world: World) -> bool:
    """Returns whether the last pose equals the first one, except for its place."""
    return len(world.rotations) > 2 and bool(
        (np.abs(dot(world.rotations[0], world.rotations[-1])) >= 1.0 - _SAME_POSE).all())
