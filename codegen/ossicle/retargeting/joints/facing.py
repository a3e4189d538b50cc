"""Tells left from right, and people from animals on four legs, by the positions of joints."""
from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ...base.arrays import Array
from ...base.portable_math import cross, dot, length, total
from .names import LEFT, RIGHT

_LEAST_BEND = 0.02  # limb lengths; a joint of a straighter limb bends to no side
_LEAST_FOOT = 0.05  # leg lengths; a shorter foot points nowhere
_LEAST_PARALLEL = -0.5  # cosine; legs farther apart are no pose, as without the rotations of some .bvh files
# The trunk of an animal on four legs leans from the line of the legs by more than this cosine, and its hands are lower
# than this share of the leg over its feet. Of people at rest, 2 to 16 degrees and 0.8 to 2.6; of a fox, 77 and 0.1.
_LEANING = 0.64  # 50 degrees
_LOW_HANDS = 0.5


def agreement(joints: Mapping[str, int], positions: Array) -> float:
    """Returns how clearly feet, knees and elbows agree that the left side is the left one: 1 if all do, -1 if all say
    the opposite, 0 if nothing tells. joints: by part, such as `left_foot`; positions: [P, J, 3], of some poses."""
    at = {part: positions[:, joint] for part, joint in joints.items()}
    at = {part: place[_are_poses(at)] for part, place in at.items()}
    middle = [_middle(at, part) for part in ("upper_leg", "foot")]
    shoulders = {"left_upper_arm", "right_upper_arm"}
    top = _middle(at, "upper_arm") if shoulders <= set(at) else 2.0 * middle[0] - middle[1]
    ahead = _unit(cross(at["left_upper_leg"] - at["right_upper_leg"], top - middle[0]))
    votes = [_vote(_pointing(at, side), ahead, 3.0) for side in (LEFT, RIGHT) if f"{side}_toes" in at]
    for side in (LEFT, RIGHT):
        votes.append(_vote(_bend(at, f"{side}_upper_leg", f"{side}_lower_leg", f"{side}_foot"), ahead, 1.0))
        if {f"{side}_{part}" for part in ("upper_arm", "lower_arm", "hand")} <= set(at):
            votes.append(_vote(_bend(at, f"{side}_upper_arm", f"{side}_lower_arm", f"{side}_hand"), -ahead, 1.0))
    most = sum(abs(vote) for vote in votes)
    return sum(votes) / most if most > 0.0 else 0.0


def is_on_four_legs(joints: Mapping[str, int], positions: Array) -> bool:
    """Returns whether the arms are legs, too: in the bind pose, the first one, and in most others."""
    at = {part: positions[:, joint] for part, joint in joints.items()}
    if not {"left_hand", "right_hand"} <= set(at):
        return False
    legs = _middle(at, "upper_leg") - _middle(at, "foot")
    trunk = _middle(at, "upper_arm") - _middle(at, "upper_leg")
    height = dot(_middle(at, "hand") - _middle(at, "foot"), _unit(legs))
    on_four = (dot(_unit(trunk), _unit(legs)) < _LEANING) & (height < _LOW_HANDS * length(legs))
    are_poses = _are_poses(at)
    return bool(on_four[0] or not are_poses[0]) and bool(np.median(on_four[are_poses]) if are_poses.any() else False)


def _are_poses(at: Mapping[str, Array]) -> Array:
    """Returns bool [P]: whether both legs point in about the same direction."""
    left, right = (_unit(at[f"{side}_foot"] - at[f"{side}_upper_leg"]) for side in (LEFT, RIGHT))
    return dot(left, right) > _LEAST_PARALLEL


def _middle(at: Mapping[str, Array], part: str) -> Array:
    return (at[f"left_{part}"] + at[f"right_{part}"]) / 2.0


def _vote(direction: Array, ahead: Array, weight: float) -> float:
    """Returns the weight if the mean of the directions points ahead, its negative if back, 0 if there is none."""
    along = dot(direction, ahead)
    return weight * float(np.sign(total(along))) if len(along) else 0.0


def _pointing(at: Mapping[str, Array], side: str) -> Array:
    """Returns the direction of a foot, square to the lower leg, in leg lengths."""
    leg = at[f"{side}_foot"] - at[f"{side}_lower_leg"]
    return _strong(_square(at[f"{side}_toes"] - at[f"{side}_foot"], leg), leg, _LEAST_FOOT)


def _bend(at: Mapping[str, Array], upper: str, lower: str, end: str) -> Array:
    """Returns the direction from the line between the ends of a limb to its middle joint."""
    line = at[end] - at[upper]
    return _strong(_square(at[lower] - at[upper], line), line, _LEAST_BEND)


def _strong(direction: Array, limb: Array, least: float) -> Array:
    """Returns the directions in lengths of the limb, 0 where they are shorter than `least`."""
    share = direction / np.maximum(length(limb)[..., None], 1e-9)
    return np.where(length(share)[..., None] < least, 0.0, share)


def _square(direction: Array, line: Array) -> Array:
    unit = _unit(line)
    return direction - dot(direction, unit)[..., None] * unit


def _unit(direction: Array) -> Array:
    return direction / np.maximum(length(direction)[..., None], 1e-9)
