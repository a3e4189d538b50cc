"""The measurements of a character: its body frames, the length of its legs and the height of its ankles."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..base.arrays import Array
from ..base.portable_math import dot, length, total
from ..model.clip import Skeleton
from ..model.rotations import IDENTITY, between
from .body_frames import UP, Evidence, body_frames, leg_length
from .corrections.contacts import quantile, stands
from .humanoid import Humanoid, Leg, RetargetProblem
from .rig import Rig, World, rig_of

_HUMAN_LEG_M = 0.8  # limits of contacts are for a leg of this length
_UPRIGHT = 0.8  # cosine between the line from ankles to the head and the vertical of a body that stands
_LEVEL = 0.3  # cosine; below, a trunk counts as level
_LOWEST_ANKLES = 0.05  # the share of standing ankles below the height of an ankle at rest
_UPRIGHT_HIPS = 0.7  # leg lengths from the ankles to the hips of a body that stands, rather than sits
_LEAST_BONE_M = 1e-6
_ANKLE = 0.1  # leg lengths from the ground to an ankle of a person
_MOST_FRAMES = 4000  # that are evidence


@dataclass(frozen=True, eq=False)
class Motion:
    """A clip in the world of a character. stands: bool [F, 2], the contacts of the left and the right foot."""

    world: World
    rate: float
    stands: Array

    def lies(self, body: Humanoid) -> bool:
        """Returns whether the trunk is level in most frames."""
        trunk = self.world.positions[:, _top(body)] - self.world.positions[:, body.hips]
        return float(np.median(trunk[:, 1] - _LEVEL * length(trunk))) < 0.0


@dataclass(frozen=True, eq=False)
class Character:
    """up [4]: the rotation that turns its model space to Y-up. bind: its bind pose in that space. frames: by joint,
    see body_frames. leg_m: the mean length of its legs; ankle_m: the height of an ankle at rest."""

    rig: Rig
    body: Humanoid
    up: Array
    bind: World
    frames: dict[int, Array]
    leg_m: float
    ankle_m: float

    @property
    def ground_m(self) -> float:
        """The height of the ground: as far below an ankle at rest as the lowest joint of a bind pose that stands, at
        least as far as that of a person."""
        ankle_m = _ANKLE * self.leg_m
        if _standing_up(self.bind, self.body) is not None:
            ankle_m = max(ankle_m, _ankle_m(self.bind, self.body) - float(self.bind.positions[0, :, 1].min()))
        return self.ankle_m - ankle_m

    @property
    def legs(self) -> tuple[Leg, Leg]:
        return self.body.left_leg, self.body.right_leg


def from_bind(skeleton: Skeleton, body: Humanoid) -> Character | None:
    """Returns a character whose bind pose stands upright, else None."""
    rig = rig_of(skeleton)
    bind = rig.world(skeleton.bind[None])
    up = _standing_up(bind, body)
    if up is None:
        return None
    bind = bind.rotated(up)
    frames = body_frames(Evidence(body, bind, bind, np.ones((1, 2), bool), False))
    return Character(rig, body, up, bind, frames, _leg_m(bind, body, skeleton.names), _ankle_m(bind, body))


def from_motion(skeleton: Skeleton, body: Humanoid, clips: Sequence[tuple[Array, float]]
                ) -> tuple[Character, list[Motion]]:
    """Returns a character whose pose is derived from clips, and the clips in its world. clips: local transforms
    [F, J, 10] with their rates."""
    rig = rig_of(skeleton)
    bind = rig.world(skeleton.bind[None])
    worlds = [rig.world(frames) for frames, _ in clips]
    up = _standing_up(bind, body)
    if up is None:
        up = _axis_up(total(np.stack([total(_height(world, body)) for world in worlds])))
    leg_m = _leg_m(bind, body, skeleton.names)
    metre = leg_m / _HUMAN_LEG_M
    motions = []
    for world, (_, rate) in zip(worlds, clips):
        if not np.array_equal(up, IDENTITY):
            world = world.rotated(up)
        hips = world.positions[:, body.hips]
        standing = [stands(world.positions[:, leg.foot], hips, rate, metre) for leg in (body.left_leg, body.right_leg)]
        motions.append(Motion(world, rate, np.stack(standing, axis=1)))
    step = sum(len(frames) for frames, _ in clips) // _MOST_FRAMES + 1
    seen = World(np.concatenate([motion.world.rotations[::step] for motion in motions]),
                 np.concatenate([motion.world.positions[::step] for motion in motions]))
    stance = np.concatenate([motion.stands[::step] for motion in motions])
    frames = body_frames(Evidence(body, seen, bind.rotated(up), stance, True))
    ankles = np.stack([seen.positions[:, leg.foot, 1] for leg in (body.left_leg, body.right_leg)], axis=1)
    upright = seen.positions[:, body.hips, 1] - ankles.min(axis=1) > _UPRIGHT_HIPS * leg_m
    resting = next((rests for rests in (stance & upright[:, None], stance) if rests.any()), None)
    ankle_m = quantile(ankles.min(axis=1) if resting is None else ankles[resting], _LOWEST_ANKLES)
    return Character(rig, body, up, bind.rotated(up), frames, leg_m, ankle_m), motions


def _leg_m(bind: World, body: Humanoid, names: Sequence[str]) -> float:
    """Returns the mean length of the legs. Raises RetargetProblem for a bone without length."""
    for leg in (body.left_leg, body.right_leg):
        for upper, lower in ((leg.upper, leg.lower), (leg.lower, leg.foot)):
            if not length(bind.positions[0, upper] - bind.positions[0, lower]) > _LEAST_BONE_M:
                raise RetargetProblem(f"joint {names[lower]}: is at the position of {names[upper]} in the bind pose, "
                                      "but a leg needs two bones; name other joints in its map, or correct the pose")
    return (leg_length(bind, body.left_leg) + leg_length(bind, body.right_leg)) / 2.0


def _ankle_m(bind: World, body: Humanoid) -> float:
    return float(bind.positions[0, body.left_leg.foot, 1] + bind.positions[0, body.right_leg.foot, 1]) / 2.0


def _top(body: Humanoid) -> int:
    return next(joint for joint in (body.head, *body.neck[::-1], *body.trunk[::-1], body.hips) if joint is not None)


def _height(world: World, body: Humanoid) -> Array:
    """Returns the lines from the ankles to the head [F, 3]."""
    ankles = world.positions[:, body.left_leg.foot] + world.positions[:, body.right_leg.foot]
    height: Array = world.positions[:, _top(body)] - ankles / 2.0
    return height


def _standing_up(bind: World, body: Humanoid) -> Array | None:
    """Returns the rotation to Y-up of a bind pose that stands, else None."""
    hips = (bind.positions[0, body.left_leg.upper] + bind.positions[0, body.right_leg.upper]) / 2.0
    line = _height(bind, body)[0]
    axis = np.eye(3)[int(np.argmax(np.abs(line)))]
    axis = axis * np.sign(dot(axis, line))
    over = bind.positions[0, _top(body)] - hips
    for leg in (body.left_leg, body.right_leg):
        down = hips - bind.positions[0, leg.foot]
        if dot(axis, down) < _UPRIGHT * length(down) or dot(axis, over) < _UPRIGHT * length(over):
            return None
    return _axis_up(line)


def _axis_up(line: Array) -> Array:
    """Returns the rotation to Y-up from the axis that is nearest to a vector [3]."""
    axis = int(np.argmax(np.abs(line)))
    return IDENTITY if axis == 1 and line[1] > 0.0 else between(np.eye(3)[axis] * np.sign(line[axis]), UP)
