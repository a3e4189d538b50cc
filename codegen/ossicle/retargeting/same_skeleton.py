"""Transfers motion between files of one skeleton, whose joints have other names, axes, units or rest poses.

Joint by joint, model rotations of the result are those of the source times a constant A. If both bind poses are the
same pose, A is the rotation between them, and the result is exact. A bind pose that differs is known only as far as
bones tell: A is a guess, turned by the least rotation that points the bones at the joints below. The guess is that of
the body frames, or else leaves the local bind rotation as it is. Positions of joints are exact in any case.
"""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ..base.arrays import Array
from ..base.portable_math import cross, length
from ..model.clip import ROTATION, SCALE, TRANSLATION
from ..model.rotations import IDENTITY, between, frame, inverse, multiply, quarter_turns, rotate
from .body_frames import UP
from .joint_pairs import AnimatedRig, Pairing, by_name
from .rig import Rig, World

_SAME_LENGTH = 1e-3  # relative; bones that differ by more have different lengths
_MOST_DIFFERENT = 0.25  # of the joints, such as control joints, may have other lengths
_LEAST_FIXED = 0.5  # share of the joints that must not travel, so that lengths of bones can be compared
_BETTER = 0.5  # times the distances of joints, for a quarter turn that explains them better than another one
_FITS = 1e-4  # of the length of a bone: rounding of files
_STILL = 1e-6  # metres; smaller differences from the bind pose are rounding


@dataclass(frozen=True, eq=False)
class Same:
    """joints: the joint of the source for each of the character, -1 for those that the source lacks, which keep their
    bind pose. turn [4]: from the bind pose of the source to that of the character, in quarters; ratio: metres of the
    character per metre of the source; has_pose: whether both bind poses are the same pose; has_lengths: whether bones
    have the same lengths, apart from the ratio."""

    source: Rig
    target: Rig
    joints: list[int]
    turn: Array
    ratio: float
    has_pose: bool
    has_lengths: bool

    @property
    def shared(self) -> list[int]:
        """The joints of the character that the source has."""
        return [joint for joint, other in enumerate(self.joints) if other >= 0]


def same_skeleton(source: AnimatedRig, target: AnimatedRig) -> Same | None:
    """Returns how the joints of a source and of a character correspond, or None if their skeletons are different.
    Joints correspond by their names, or else by their places in the bind pose, whatever the axes of model space."""
    ours, theirs = (rig.world(rig.skeleton.bind[None]) for rig in (target.rig, source.rig))
    named = by_name(source.rig, target.rig)
    ratio = _ratio(source, target, named)
    pairing = Pairing(source, target, ratio)
    best: tuple[float, list[int], Array] | None = None
    for turn in quarter_turns():
        moved = theirs.rotated(turn)
        places = ratio * moved.positions[0]
        joints = named or pairing.by_position(World(moved.rotations[0], places), ours[0])
        if joints is not None:
            shared = [joint for joint, other in enumerate(joints) if other >= 0]
            others = [joints[joint] for joint in shared]
            error = float(length(ours.positions[0, shared] - places[others]).max())
            if best is None or error < _BETTER * best[0]:
                best = error, joints, turn
    if best is None:
        return None
    error, joints, turn = best
    has_lengths = _has_lengths(source, target, joints, ratio)
    if not has_lengths and named is None:
        return None
    return Same(source.rig, target.rig, joints, turn, ratio, error <= _SAME_LENGTH * target.size, has_lengths)


def _ratio(source: AnimatedRig, target: AnimatedRig, joints: list[int] | None) -> float:
    """Returns the ratio of the lengths of bones: the median of ratios, or the ratio of medians if it is unknown which
    joints correspond."""
    if joints is not None:
        pairs = [(joint, other) for joint, other in enumerate(joints) if other >= 0 and target.rig.parents[joint] >= 0]
        ours, theirs = (length(animated.rig.offsets[[pair[side] for pair in pairs]].reshape(-1, 3))
                        for side, animated in enumerate((target, source)))
        known = (ours > _STILL) & (theirs > _STILL)
        return float(np.median(ours[known] / theirs[known])) if known.any() else 1.0
    medians = []
    for animated in (target, source):
        fixed = [joint for joint, parent in enumerate(animated.rig.parents) if parent >= 0
                 and (joint in animated.bones or target.is_still or source.is_still)]
        sizes = length(animated.rig.offsets[fixed])
        sizes = sizes[sizes > _STILL]
        medians.append(float(np.median(sizes)) if len(sizes) else 1.0)
    return medians[0] / medians[1]


def _has_lengths(source: AnimatedRig, target: AnimatedRig, joints: list[int], ratio: float) -> bool:
    """Returns whether the bones have the same lengths. Joints that travel, such as control joints, have none."""
    inner = [joint for joint, parent in enumerate(target.rig.parents) if parent >= 0 and joints[joint] >= 0]
    others = [joints[joint] for joint in inner]
    differs = ~_equal(length(target.rig.offsets[inner]), ratio * length(source.rig.offsets[others]))
    if int(np.count_nonzero(differs)) <= _MOST_DIFFERENT * len(inner):
        return True
    fixed = np.isin(inner, target.bones) & np.isin(others, source.bones)
    count = int(np.count_nonzero(fixed))
    return count >= _LEAST_FIXED * len(inner) and int(np.count_nonzero(differs & fixed)) <= _MOST_DIFFERENT * count


def _equal(ours: Array, theirs: Array) -> Array:
    equal: Array = np.abs(ours - theirs) <= _SAME_LENGTH * np.maximum(ours, theirs) + _STILL
    return equal


def constants_of(same: Same, rest: World | None, guesses: Mapping[int, Array]) -> Array:
    """Returns A [J, 4] of each joint of the character. rest: the pose of the source that corresponds to the character's
    bind pose, F = 1, or None if that is only known from bones; guesses: of some joints of the character."""
    source, target = same.source, same.target
    ours = target.world(target.skeleton.bind[None]).rotations[0]
    if rest is not None:
        return multiply(inverse(multiply(same.turn, rest.rotations[0, same.joints])), ours)
    theirs = source.world(source.skeleton.bind[None]).rotations[0]
    result = np.empty((len(ours), 4))
    for joint, parent in enumerate(target.parents):
        other = same.joints[joint]
        if joint in guesses:
            guess = guesses[joint]
        elif parent < 0:
            guess = multiply(inverse(multiply(same.turn, theirs[other])), ours[joint])
        else:
            guess = multiply(inverse(source.rotations[other]), multiply(result[parent], target.rotations[joint]))
        result[joint] = multiply(_correction(same, joint, guess), guess)
    return result


def _correction(same: Same, joint: int, guess: Array) -> Array:
    """Returns the rotation [4] with which the bones of a joint fit those of the source."""
    below = [child for child, parent in enumerate(same.target.parents) if parent == joint and same.joints[child] >= 0]
    ours = rotate(guess, same.target.offsets[below]).reshape(-1, 3)
    theirs = same.ratio * same.source.offsets[[same.joints[child] for child in below]].reshape(-1, 3)
    size = length(theirs)
    bones = np.flatnonzero((size > _STILL) & _equal(length(ours), size))
    ours, theirs, size = ours[bones], theirs[bones], size[bones]
    fits = length(ours - theirs) <= _FITS * size
    if fits.all():
        return IDENTITY
    longest = int(np.argmax(size))
    beside = length(cross(theirs, theirs[longest])) / size
    second = int(np.argmax(beside))
    if beside[second] > _SAME_LENGTH * size[longest]:
        turn = multiply(frame(theirs[longest], theirs[second]), inverse(frame(ours[longest], ours[second])))
        if (length(rotate(turn, ours) - theirs) <= _SAME_LENGTH * size).all():
            return turn
    if fits.any():
        return IDENTITY
    return between(ours[longest] / length(ours[longest]), theirs[longest] / size[longest])


def transferred_frames(same: Same, constants: Array, frames: Array, travel: float) -> Array:
    """Returns local transforms [F, J, 10] of the character from those of the source. Bones of other lengths keep
    these, and their offsets from the bind pose are scaled. travel: metres of the character's roots per metre of the
    source's."""
    source, target, shared = same.source, same.target, same.shared
    others = [same.joints[joint] for joint in shared]
    their_rotation, their_translation = source.rigid(frames)
    rotation, translation = target.rigid(np.repeat(target.skeleton.bind[None], len(frames), axis=0))
    rest = source.rigid(source.skeleton.bind)[1]
    world = between(UP, rotate(same.turn, UP))
    for joint, other in zip(shared, others):
        parent = target.parents[joint]
        above = world if parent < 0 else inverse(constants[parent])
        rotation[:, joint] = multiply(multiply(above, their_rotation[:, other]), constants[joint])
        keeps = not same.has_lengths and parent >= 0
        moved = their_translation[:, other] - (rest[other] if keeps else 0.0)
        ratio = travel if parent < 0 else same.ratio
        moved = rotate(above, ratio * source.above(other) * moved) / target.above(joint)
        moved = moved + (translation[0, joint] if keeps else 0.0)
        if np.abs(moved - translation[0, joint]).max() > _STILL:
            translation[:, joint] = moved
    result = np.repeat(target.skeleton.bind[None], len(frames), axis=0)
    rotation, translation = target.local(rotation, translation)
    result[:, shared, ROTATION], result[:, shared, TRANSLATION] = rotation[:, shared], translation[:, shared]
    bind = source.skeleton.bind[others, SCALE]
    result[:, shared, SCALE] *= np.where(bind == 0.0, 1.0, frames[:, others, SCALE] / np.where(bind == 0.0, 1.0, bind))
    return result
