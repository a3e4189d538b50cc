"""Pairs the joints of two files of one skeleton by their names, or by their places in the bind pose and their motion.

Neither places nor axes tell joints at one place apart, such as control joints that no bone has moved yet. Their clips
do: a joint turns and moves against the one above it by as much per frame, whatever its axes and its bind pose.
"""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from os.path import commonprefix

import numpy as np

from ..base.arrays import Array
from ..base.portable_math import dot, length, total
from ..model.rotations import inverse, multiply
from .rig import Rig, World

_LEAST_SHARED = 0.5  # share of the joints that have the same names in both skeletons
_SAME_PLACE = 1e-6  # metres; smaller differences are rounding
_SAME_MOTION = 1e-6  # sine of half a turn, or sizes of a skeleton, per frame; smaller differences are rounding
_NEAR = 1e-3  # share of a skeleton's size; the same joint is nearer if the poses are equal
_TRAVELS = 1e-4  # share of a skeleton's size per frame; less is rounding
_SAME_AXES = 1e-6  # below 1, of the dot product of rotations


@dataclass(frozen=True, eq=False)
class AnimatedRig:
    """A skeleton with its clips: local transforms [F, J, 10]."""

    rig: Rig
    clips: Sequence[Array]

    @cached_property
    def movements(self) -> Array:
        """How each joint moves against the one above [J, 2]: the mean turn (the sine of its half) and the mean travel
        in metres, per frame of all clips. 0 without clips."""
        sums, count = np.zeros((len(self.rig.parents), 2)), 0
        above = np.stack([self.rig.above(joint) for joint in range(len(self.rig.parents))])
        for frames in self.clips:
            if len(frames) > 1:
                rotation, translation = self.rig.rigid(np.asarray(frames))
                turns = multiply(inverse(rotation[:-1]), rotation[1:])
                steps = (translation[1:] - translation[:-1]) * above
                sums += np.stack([total(length(turns[..., :3])), total(length(steps))], axis=1)
                count += len(frames) - 1
        return sums / max(count, 1)

    @cached_property
    def size(self) -> float:
        """The size of the bind pose in metres."""
        return size_of(self.rig.world(self.rig.skeleton.bind[None])[0])

    @cached_property
    def bones(self) -> list[int]:
        """The joints that do not travel, whose distances from the joints above are lengths of bones."""
        return np.flatnonzero(self.movements[:, 1] <= _TRAVELS * self.size).tolist()

    @cached_property
    def is_still(self) -> bool:
        return not self.movements.any()


def by_name(source: Rig, target: Rig) -> list[int] | None:
    """Returns the source's joint for each of the target's, -1 for those that it lacks. Each joint that both have hangs
    below the same one, and one skeleton has all names of the other, perhaps after a prefix of its own."""
    ours, theirs = target.skeleton.names, source.skeleton.names
    if not set(ours) & set(theirs):
        ours, theirs = (tuple(name[len(commonprefix(names)):] for name in names) for names in (ours, theirs))
    number = {name: joint for joint, name in enumerate(theirs)}
    joints = [number.get(name, -1) for name in ours]
    shared = [joint for joint, other in enumerate(joints) if other >= 0]
    agrees = len(shared) >= _LEAST_SHARED * max(len(joints), len(number)) \
        and len(shared) == min(len(joints), len(number)) \
        and all((-1 if target.parents[joint] < 0 else joints[target.parents[joint]]) == source.parents[joints[joint]]
                for joint in shared)
    return joints if agrees else None


class Pairing:
    """The search for the joints of a source that are those of a character, one pose of both."""

    def __init__(self, source: AnimatedRig, target: AnimatedRig, ratio: float) -> None:
        """ratio: metres of the target per metre of the source."""
        self._source, self._target, self._ratio = source, target, ratio
        self._below = [animated.rig.tree.subtrees for animated in (source, target)]

    def by_position(self, theirs: World, ours: World) -> list[int] | None:
        """Returns the source's joint for each of the target's: that of the nearest place below the same joint with as
        many joints below. theirs, ours: the bind pose, in the place and size of the target."""
        source, target = self._source.rig, self._target.rig
        if len(source.parents) != len(target.parents):
            return None
        free = set(range(len(source.parents)))
        joints: list[int] = []
        for joint, parent in enumerate(target.parents):
            above = -1 if parent < 0 else joints[parent]
            choices = [other for other in sorted(free) if source.parents[other] == above
                       and len(self._below[0][other]) == len(self._below[1][joint])]
            if not choices:
                return None
            joints.append(self._chosen(joint, choices, theirs, ours))
            free.remove(joints[-1])
        return joints

    def _chosen(self, joint: int, choices: list[int], theirs: World, ours: World) -> int:
        """Returns the nearest choice. A joint that travels, and has no choice at its place, gets the one that moves
        most like it. Ties are decided by the places of the joints below, then by axes, then by motion."""
        apart = length(theirs.positions - ours.positions[joint])
        if joint not in self._target.bones and apart[choices].min() > _NEAR * size_of(ours):
            choices = self._moving_alike(joint, choices)
        choices = _least(choices, apart[choices], _SAME_PLACE)
        if len(choices) == 1:
            return choices[0]
        choices = _least(choices, np.array([self._apart(joint, other, theirs, ours) for other in choices]),
                         _SAME_PLACE)
        alike = np.abs(dot(theirs.rotations, ours.rotations[joint]))
        choices = [other for other in choices if alike[other] >= 1.0 - _SAME_AXES] or choices
        choices = self._moving_alike(joint, choices)
        return max(choices, key=lambda other: float(alike[other]))

    def _moving_alike(self, joint: int, choices: list[int]) -> list[int]:
        """Returns the choices that move most like a joint; all if one of the files does not move. The travel counts in
        sizes of the skeleton, beside the sine of half the turn, so that units do not matter."""
        if len(choices) == 1 or self._source.is_still or self._target.is_still:
            return choices
        moves = self._source.movements[choices] * (1.0, self._ratio) - self._target.movements[joint]
        return _least(choices, length(moves / (1.0, self._target.size)), _SAME_MOTION)

    def _apart(self, joint: int, other: int, theirs: World, ours: World) -> float:
        """Returns the largest distance of a joint below a target's joint from the nearest one below the source's."""
        a, b = ours.positions[self._below[1][joint]], theirs.positions[self._below[0][other]]
        return float(length(a[:, None] - b).min(axis=1).max())


def _least(choices: list[int], values: Array, same: float) -> list[int]:
    """Returns the choices with the least value, and those that differ from it by rounding. same: the most of this."""
    return [other for other, value in zip(choices, values) if value <= values.min() + same]


def size_of(pose: World) -> float:
    """Returns the largest extent of a pose, positions [J, 3]."""
    return float((pose.positions.max(axis=0) - pose.positions.min(axis=0)).max())
