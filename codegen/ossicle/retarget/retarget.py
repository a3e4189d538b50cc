"""Transfers the motion of one skeleton to another."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from ..base.arrays import Array
from ..base.portable_math import dot, length
from ..model.clip import TRACK_KINDS, Clip, Imported, ImportProblem, Skeleton
from ..model.clip_measure import ClipMeasure
from ..model.mesh.mesh import Mesh
from ..model.rotations import inverse, multiply, rotate
from ..model.samples import stored
from .character import Character, Motion, from_bind, from_motion
from .feet import Foot, goal_of, sinking, solved
from .humanoid import Humanoid
from .options import RetargetOptions
from .parts import parts_of
from .pose import posed, transforms_of, with_chains
from .rig import World
from .soles import Sole, soles_of

_SAME = 1e-4  # of quaternions and in metres: the first and last pose of a loop


@dataclass(frozen=True, eq=False)
class Retargeted:
    """The clips of a source for the skeleton of a character. unmapped: the joints of the character that keep their bind
    pose."""

    imported: Imported
    source_map: Humanoid | None
    target_map: Humanoid | None
    measures: list[ClipMeasure] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    unmapped: tuple[str, ...] = ()


def retarget(source: Imported, target: Skeleton, options: RetargetOptions = RetargetOptions(), mesh: Mesh | None = None,
             target_clips: Sequence[Clip] = ()) -> Retargeted:
    """Returns the clips of a source for the skeleton of a character. mesh: of the character, whose soles stay above the
    ground; target_clips: clips of the character, which replace a bind pose that does not stand. Raises
    RetargetProblem."""
    same = same_skeleton(rig_of(source.skeleton), rig_of(target))
    if same is not None:
        return _joint_by_joint(source, same, options)
    source_map = find_humanoid(source.skeleton, source.clips, options.map)
    target_map = find_humanoid(target, target_clips, options.target_map)
    return transferred(source, source_map, target, target_map, options, mesh, target_clips)


def _joint_by_joint(source: Imported, same: Same, options: RetargetOptions) -> Retargeted:
    rest = None if options.rest_pose is None else same.source.world(options.rest_pose[None])
    constants = constants_of(same, rest)
    if options.scale is not None:
        same = replace(same, ratio=options.scale)
    made = [_clip(clip, transferred_frames(same, constants, np.asarray(clip.frames))) for clip in source.clips]
    return Retargeted(replace(source, skeleton=same.target.skeleton, clips=made), None, None)


def transferred(source: Imported, source_map: Humanoid, target: Skeleton, target_map: Humanoid,
                options: RetargetOptions = RetargetOptions(), mesh: Mesh | None = None,
                target_clips: Sequence[Clip] = ()) -> Retargeted:
    clips = [(np.asarray(clip.frames), clip.rate) for clip in source.clips]
    actor, motions = from_motion(source.skeleton, source_map, clips)
    character = from_bind(target, target_map)
    if character is None:
        if not target_clips:
            raise ImportProblem("the bind pose does not stand upright; give a file of the character with a clip")
        character, _ = from_motion(target, target_map, [(np.asarray(clip.frames), clip.rate) for clip in target_clips])
    transfer = _Transfer(actor, character, options, mesh)
    made = [replace(clip, frames=stored(transfer.frames_of(motion)),
                    steps=np.zeros((len(motion.world.positions), len(target.names), len(TRACK_KINDS)), bool),
                    curve=None, follows_curve=False)
            for clip, motion in zip(source.clips, motions)]
    unmapped = tuple(name for joint, name in enumerate(target.names) if joint not in transfer.turned_joints)
    return Retargeted(replace(source, skeleton=target, clips=made), source_map, target_map, unmapped=unmapped)


class _Transfer:
    """The transfer of motions from an actor to a character."""

    def __init__(self, actor: Character, character: Character, options: RetargetOptions, mesh: Mesh | None) -> None:
        self._actor, self._character, self._feet = actor, character, options.feet
        theirs, ours = parts_of(actor.body), parts_of(character.body)
        # Joint of the actor, joint of the character, and the constant rotation between them.
        self._pairs = [(theirs[part], joint, multiply(actor.frames[theirs[part]], inverse(character.frames[joint])))
                       for part, joint in ours.items()
                       if part in theirs and theirs[part] in actor.frames and joint in character.frames]
        self._ratio = options.scale or character.leg_m / actor.leg_m
        self._soles: dict[int, Sole] = {}
        self._ankles = []
        for leg in character.legs:
            soles, ankle_m = soles_of(character.rig, leg, character.zero, character.frames, mesh, character.ankle_m)
            self._soles.update(soles)
            self._ankles.append(character.ankle_m if ankle_m is None else ankle_m)
        self.turned_joints: set[int] = set()

    def frames_of(self, motion: Motion) -> Array:
        """Returns a clip of the character [F, J, 10]."""
        rig, body = self._character.rig, self._character.body
        turned = {joint: multiply(motion.world.rotations[:, theirs], constant)
                  for theirs, joint, constant in self._pairs}
        turned = with_chains(rig, body, self._character.zero, turned)
        self.turned_joints |= turned.keys()
        hips = np.zeros((len(motion.world.positions), 3))
        world = posed(rig, turned, body.hips, hips)
        middles = [(w.positions[:, b.left_leg.upper] + w.positions[:, b.right_leg.upper]) / 2.0
                   for w, b in ((motion.world, self._actor.body), (world, body))]
        hips = self._scaled(middles[0], sum(self._ankles) / 2.0) - middles[1]
        if self._feet:
            turned, hips = self._with_feet(motion, turned, hips, world)
        world = posed(rig, turned, body.hips, hips)
        if not np.array_equal(self._character.up, (0.0, 0.0, 0.0, 1.0)):
            world = world.turned(inverse(self._character.up))
        return transforms_of(rig, world, turned, body.hips)

    def _scaled(self, positions: Array, ankle_m: float) -> Array:
        """Returns positions of the actor [F, 3] in the world of the character."""
        result = self._ratio * positions
        result[:, 1] += ankle_m - self._ratio * self._actor.ankle_m
        return result

    def _with_feet(self, motion: Motion, turned: dict[int, Array], hips: Array, world: World
                   ) -> tuple[dict[int, Array], Array]:
        """Returns rotations and positions of the hips with which feet stand. world: the poses with the hips at 0."""
        legs, loops = self._character.legs, _loops(motion.world)
        feet, goals = [], []
        for number, (theirs, leg) in enumerate(zip(self._actor.legs, legs)):
            hip, ankle = motion.world.positions[:, theirs.upper], motion.world.positions[:, theirs.foot]
            foot = Foot(self._scaled(ankle, self._ankles[number]), length(ankle - hip) / self._actor.leg_m,
                        motion.stands[:, number])
            feet.append(foot)
            goals.append(goal_of(foot, world.positions[:, leg.foot] + hips, self._ankles[number],
                                 self._character.leg_m, loops))
        starts = [world.positions[:, leg.upper] + hips for leg in legs]
        lengths = [self._character.leg_m] * 2
        hips = hips.copy()
        hips[:, 1] -= sinking(starts, goals, feet, lengths, motion.rate, loops)
        world = World(world.rotations, world.positions + hips[:, None])
        turned = dict(turned)
        for leg, goal in zip(legs, goals):
            hinge = rotate(self._character.frames[leg.upper], np.array([0.0, 1.0, 0.0]))
            turned.update(solved(leg, world, goal, hinge))
            self._level(turned, leg.foot, goal[:, 1])
            if leg.toes is not None and leg.toes in turned:
                ball = rotate(turned[leg.foot], self._character.rig.offsets[leg.toes])
                self._level(turned, leg.toes, goal[:, 1] + ball[:, 1])
        return turned, hips

    def _level(self, turned: dict[int, Array], joint: int, height: Array) -> None:
        turned[joint] = self._soles[joint].limited(turned[joint], height, self._character.frames[joint])


def _loops(world: World) -> bool:
    """Returns whether the last pose equals the first one, except for its place."""
    first, last = world.rotations[0], world.rotations[-1]
    return len(world.rotations) > 2 and bool((1.0 - np.abs(dot(first, last)) < _SAME * _SAME).all())
