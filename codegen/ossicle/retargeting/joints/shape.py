"""Finds arms and legs by the shape of a skeleton: pairs of chains with equal bones, two of which are long."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from ...base.arrays import Array
from ...base.portable_math import dot, length, total
from ...base.sides import with_other_sides
from .facing import agreement
from .tree import Tree

# The confidence of limbs that were found by shape, of those of which another pair is nearly as long, and of those whose
# sides nothing tells.
ALIKE, RIVALLED, SIDELESS = 0.7, 0.5, 0.3
_SAME_LENGTH = 0.1  # by how much bones of both sides may differ, as a share
_LEAST_RATIO = 0.45  # of the shorter to the longer bone of a limb
_LEAST_LIMB = 0.15  # of the longest way down the tree
_REST_WEIGHT = 0.3  # of the bones beyond hand or foot, which are short, against the two bones of the limb
_NO_LENGTH = 1e-3  # of the longest way; a shorter bone has no length
_RIVAL = 0.85  # of the length of the arms
_MOST = 48  # chains at a joint, and pairs, that are compared: the longest; hair may have hundreds
_SEGMENT = 0.02  # the difference of the lengths of a bone's segments, as a share
_STRAIGHT = 0.999  # cosine of the angle between segments


@dataclass(frozen=True)
class _Limb:
    """The joints at the ends of two long bones, and the next one, if there is any."""

    upper: int
    lower: int
    end: int
    next: int | None
    bones: tuple[float, float]
    offset: float  # of the upper joint from the one that carries both limbs


@dataclass(frozen=True)
class _Pair:
    """A limb on each side, and the joint that carries both, -1 if they are different trees."""

    first: _Limb
    second: _Limb
    carrier: int
    length: float


def limbs_by_shape(tree: Tree, positions: Array, usable: frozenset[int]) -> tuple[dict[str, int], dict[str, float]]:
    """Returns joints by part and the confidence of limbs, like named_limbs; nothing unless there are two legs and two
    arms.

    positions: [P, J, 3], of some poses. usable: joints that may be part of the body.
    """
    shape = _Shape(tree, positions, usable)
    pairs = sorted(shape.pairs(), key=lambda pair: -pair.length)[:_MOST]
    both = [(legs, arms) for legs in pairs for arms in pairs if _are_legs_and_arms(tree, legs, arms, positions)]
    if not both:
        return {}, {}
    legs, arms = max(both, key=lambda found: found[0].length + found[1].length)
    joints = _named(legs, "leg", legs.first, legs.second)
    joints |= _named(arms, "arm", *(arms.first, arms.second)[::1 if _same_side(legs, arms, positions) else -1])
    head = shape.head(legs, arms)
    joints |= {} if head is None else {"head": head}
    rivals = [pair for pair in pairs if pair not in (legs, arms) and pair.length > _RIVAL * arms.length
              and _is_apart(tree, pair, legs, arms)]
    trust = RIVALLED if rivals else ALIKE
    sided = agreement(joints, positions)
    if sided < 0.0:
        joints = {with_other_sides(part) if "_" in part else part: joint for part, joint in joints.items()}
    trust = SIDELESS if abs(sided) < 1.0 / 3.0 else trust
    limbs = [f"{side} {limb}" for side in ("left", "right") for limb in ("arm", "leg")]
    return joints, {**dict.fromkeys(limbs, trust), "head": ALIKE}


class _Shape:
    def __init__(self, tree: Tree, positions: Array, usable: frozenset[int]) -> None:
        self.tree, self.positions, self.usable = tree, positions, usable
        parents = np.array(tree.parents)
        steps = positions - np.where((parents >= 0)[:, None], positions[:, parents], positions)
        self.lengths = np.median(length(steps), axis=0).tolist()
        reach = [0.0] * len(parents)
        for joint in range(len(parents) - 1, -1, -1):
            if parents[joint] >= 0 and joint in usable:
                reach[parents[joint]] = max(reach[parents[joint]], reach[joint] + self.lengths[joint])
        self.reach, self.longest = reach, max(reach)

    def pairs(self) -> Iterator[_Pair]:
        """Yields limbs with equal bones whose chains begin at the same joint, or are trees of their own."""
        tree = self.tree
        beginnings: dict[int, list[int]] = {}
        for joint in sorted(self.usable):
            beginnings.setdefault(self._carrier(joint), []).append(joint)
        for carrier, joints in beginnings.items():
            begins = [joint for joint in joints if tree.parents[joint] == carrier
                      or self.lengths[joint] > _NO_LENGTH * self.longest]
            limbs = sorted((limb for limb in map(self._limb, begins) if limb is not None),
                           key=lambda limb: -sum(limb.bones))[:_MOST]
            for first, second in combinations(limbs, 2):
                if self._are_alike(first, second) and not (tree.is_below(first.end, second.upper)
                                                           or tree.is_below(second.end, first.upper)):
                    yield _Pair(first, second, carrier, sum(first.bones) + sum(second.bones))

    def head(self, legs: _Pair, arms: _Pair) -> int | None:
        """Returns the end of the chain that continues the trunk beyond the arms, up to where it branches."""
        places = self.positions
        along = places[:, arms.carrier] - (places[:, legs.first.upper] + places[:, legs.second.upper]) / 2.0
        others = [joint for joint in self.tree.children[arms.carrier] if joint in self.usable and not any(
            self.tree.is_below(arm.end, joint) for arm in (arms.first, arms.second))]
        if not others:
            return None
        head = max(others, key=lambda joint: float(total(
            dot(places[:, self._farthest(joint)] - places[:, arms.carrier], along))))
        while len(self.tree.children[head]) == 1 and self.tree.children[head][0] in self.usable:
            head = self.tree.children[head][0]
        return head

    def _farthest(self, joint: int) -> int:
        return self._chain(joint)[-1]

    def _carrier(self, joint: int) -> int:
        """Returns the next joint above that is elsewhere."""
        above = self.tree.parents[joint]
        while above >= 0 and self.tree.parents[above] >= 0 and self.lengths[above] <= _NO_LENGTH * self.longest:
            above = self.tree.parents[above]
        return above

    def _limb(self, begin: int) -> _Limb | None:
        """Returns the two long bones, with short ones beyond, of the chain that begins here and reaches farthest; None
        if all are too short. Bones may be divided into segments."""
        chain = self._chain(begin)
        whole = [joint for place, joint in enumerate(chain) if not 0 < place < len(chain) - 1
                 or not self._is_segment(*chain[place - 1:place + 2])]
        return self._long_bones(whole) or self._long_bones(chain)

    def _chain(self, begin: int) -> list[int]:
        """Returns the joints of the longest way down, without joints of no length."""
        chain, joint = [begin], begin
        while children := [child for child in self.tree.children[joint] if child in self.usable]:
            joint = max(children, key=lambda child: self.reach[child] + self.lengths[child])
            if self.lengths[joint] > _NO_LENGTH * self.longest:
                chain.append(joint)
        return chain

    def _long_bones(self, chain: Sequence[int]) -> _Limb | None:
        bones = [float(np.median(length(self.positions[:, low] - self.positions[:, high])))
                 for high, low in zip(chain, chain[1:])]
        best, found = 0.0, None
        for place, (upper, lower) in enumerate(zip(bones, bones[1:])):
            score = upper + lower - _REST_WEIGHT * sum(bones[place + 2:])
            if score > best and upper + lower >= _LEAST_LIMB * self.longest \
                    and min(upper, lower) >= _LEAST_RATIO * max(upper, lower):
                best = score
                after = chain[place + 3] if place + 3 < len(chain) else None
                found = _Limb(chain[place], chain[place + 1], chain[place + 2], after, (upper, lower),
                              sum(bones[:place]) + self.lengths[chain[0]])
        return found

    def _is_segment(self, high: int, middle: int, low: int) -> bool:
        """Returns whether a joint only divides a straight bone into equal parts, in all poses."""
        before = self.positions[:, middle] - self.positions[:, high]
        after = self.positions[:, low] - self.positions[:, middle]
        lengths = length(before), length(after)
        return bool(np.all(np.abs(lengths[0] - lengths[1]) <= _SEGMENT * lengths[0]) and np.all(
            dot(before, after) >= _STRAIGHT * lengths[0] * lengths[1]))

    def _are_alike(self, first: _Limb, second: _Limb) -> bool:
        lengths = zip((*first.bones, first.offset), (*second.bones, second.offset))
        return all(abs(ours - theirs) <= _SAME_LENGTH * max(ours, theirs) + _NO_LENGTH * self.longest
                   for ours, theirs in lengths)


def _is_apart(tree: Tree, pair: _Pair, *others: _Pair) -> bool:
    """Returns whether no limb of a pair contains one of the others."""
    return not any(tree.is_below(ours.end, theirs.upper) or tree.is_below(theirs.end, ours.upper)
                   for other in others for ours in (pair.first, pair.second) for theirs in (other.first, other.second))


def _are_legs_and_arms(tree: Tree, legs: _Pair, arms: _Pair, positions: Array) -> bool:
    """Returns whether the first pair can be legs if the second one is arms: their carrier is nearer to the joint that
    carries all, or they are longer."""
    if legs is arms or not _is_apart(tree, legs, arms):
        return False
    if legs.carrier < 0 or arms.carrier < 0:
        return legs.carrier < 0
    common = tree.common([legs.carrier, arms.carrier])
    if common is None:
        return legs.length >= arms.length
    far = [float(total(length(positions[:, pair.carrier] - positions[:, common]))) for pair in (legs, arms)]
    return bool(far[0] < far[1] or far[0] == far[1] and legs.length >= arms.length)


def _same_side(legs: _Pair, arms: _Pair, positions: Array) -> bool:
    """Returns whether the first leg and the first arm are on the same side."""
    across = [positions[:, pair.first.upper] - positions[:, pair.second.upper] for pair in (legs, arms)]
    return float(total(dot(*across))) >= 0.0


def _named(pair: _Pair, limb: str, left: _Limb, right: _Limb) -> dict[str, int]:
    ends = ("hand", "") if limb == "arm" else ("foot", "toes")
    joints: dict[str, int] = {}
    for side, found in (("left", left), ("right", right)):
        joints |= {f"{side}_upper_{limb}": found.upper, f"{side}_lower_{limb}": found.lower,
                   f"{side}_{ends[0]}": found.end}
        if ends[1] and found.next is not None:
            joints[f"{side}_{ends[1]}"] = found.next
    return joints
