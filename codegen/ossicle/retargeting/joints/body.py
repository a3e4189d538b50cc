"""Completes a body whose limbs are known: hips, trunk, neck, head, collar bones, twist joints and fingers."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile

from ..humanoid import Arm, Humanoid, Leg
from .named_limbs import STATED
from .names import ARM, FINGERS, LEFT, LEG, RIGHT, NamedPart
from .tree import Tree

_UNNAMED = 0.8  # the confidence of hips, trunk and head whose names say nothing


def assemble(tree: Tree, parts: Sequence[NamedPart], joints: Mapping[str, int], chosen: Mapping[str, int | None],
             confidence: Mapping[str, float]) -> Humanoid:
    """Returns the body. joints: those of the limbs by part, such as `left_upper_arm`; chosen: the user's, which also
    hold for hips, chest and head; confidence: of the limbs."""
    uppers = [joints[part] for part in ("left_upper_arm", "right_upper_arm") if part in joints]
    carrier = _carrier(tree, parts, uppers)
    hips = _hips(tree, parts, [joints["left_upper_leg"], joints["right_upper_leg"]], carrier, chosen)
    chest = chosen.get("chest")
    head = chosen["head"] if "head" in chosen else _head(tree, parts, hips, carrier, joints.get("head"))
    top = carrier if head is None else tree.parents[head]
    column = [] if top is None else tree.path(hips, top)
    count = _trunk_count(parts, column, carrier, head)
    if chest is not None:
        count = column.index(chest) + 1 if chest in column else 0
    trunk, neck = tuple(column[:count]), tuple(column[count:])
    above_arms = () if carrier is None else tree.upward(carrier)
    trust = {**confidence, "hips": _trust(parts, (hips,), "hips", chosen),
             "trunk": _trust(parts, trunk, "spine", chosen),
             "head": _trust(parts, () if head is None else (head,), "head", chosen, confidence.get("head", _UNNAMED))}
    limbs = _Limbs(tree, parts, joints, {hips, *trunk, *neck, *above_arms, head})
    return Humanoid(hips, trunk, neck, head, limbs.arm(LEFT), limbs.arm(RIGHT), limbs.leg(LEFT), limbs.leg(RIGHT),
                    limbs.fingers(LEFT), limbs.fingers(RIGHT), trust)


def _carrier(tree: Tree, parts: Sequence[NamedPart], uppers: Sequence[int]) -> int | None:
    """Returns the joint that carries both arms; without arms, the last joint of the spine."""
    if len(uppers) > 1:
        return tree.common(uppers)
    named = [joint for joint, part in enumerate(parts) if part == NamedPart("", "spine")]
    above = set(tree.upward(uppers[0])) if uppers else set(named)
    return tree.lowest(joint for joint in named if joint in above)


def _hips(tree: Tree, parts: Sequence[NamedPart], legs: Sequence[int], carrier: int | None,
          chosen: Mapping[str, int | None]) -> int:
    """Returns the lowest joint that carries the legs and the trunk; the topmost of those with the name if they are
    different trees."""
    stated = chosen.get("hips")
    if stated is not None:
        return stated
    named = [joint for joint, part in enumerate(parts) if part == NamedPart("", "hips")]
    common = tree.common([*legs, carrier] if carrier is not None else legs)
    if common is None:
        return named[0] if named else tree.upward(legs[0] if carrier is None else carrier)[-1]
    above = tree.parents[common]
    return above if common == carrier and above in named else common


def _head(tree: Tree, parts: Sequence[NamedPart], hips: int, carrier: int | None, shaped: int | None) -> int | None:
    """Returns the topmost joint that is named head; otherwise that found by shape, or the last of the joints that
    continue the spine above the arms."""
    heads = [joint for joint, part in enumerate(parts) if part == NamedPart("", "head")]
    if heads:
        return min(heads, key=lambda joint: (not tree.is_below(joint, hips), tree.depth[joint]))
    found = carrier if shaped is None else None
    while found is not None:
        above = [joint for joint in tree.children[found] if parts[joint] == NamedPart("", "spine")]
        if not above:
            break
        found = above[0]
    return shaped if found is None or found == carrier else found


def _trunk_count(parts: Sequence[NamedPart], column: Sequence[int], carrier: int | None, head: int | None) -> int:
    """Returns how many joints between hips and head belong to the trunk: those up to the one that carries the arms,
    unless names tell otherwise."""
    kinds = [parts[joint].part for joint in column]
    count = column.index(carrier) + 1 if carrier in column else 0
    if head is not None and parts[head].part == "head" and "spine" in kinds[count:]:
        count = len(kinds) - kinds[::-1].index("spine")
    return min(count, kinds.index("neck")) if "neck" in kinds else count


@dataclass(frozen=True)
class _Limbs:
    """joints: of the limbs by part; middle: hips, trunk, neck and head."""

    tree: Tree
    parts: Sequence[NamedPart]
    joints: Mapping[str, int]
    middle: set[int | None]

    def arm(self, side: str) -> Arm | None:
        upper, lower, hand = (self.joints.get(f"{side}_{part}") for part in ("upper_arm", "lower_arm", "hand"))
        if upper is None or lower is None:
            return None
        clavicles = takewhile(lambda joint: joint not in self.middle, self.tree.upward(upper)[1:])
        return Arm(tuple(clavicles)[::-1], upper, lower, hand, self._twists(upper, lower, hand, ARM))

    def leg(self, side: str) -> Leg:
        upper, lower, foot = (self.joints[f"{side}_{part}"] for part in ("upper_leg", "lower_leg", "foot"))
        return Leg(upper, lower, foot, self.joints.get(f"{side}_toes"), self._twists(upper, lower, foot, LEG))

    def _twists(self, upper: int, lower: int, end: int | None, kinds: Sequence[str]) -> tuple[int, ...]:
        """Returns the joints that only turn about the bones of a limb: those with such a name, and those between its
        other joints."""
        tree = self.tree
        beyond = set() if end is None else {end, *tree.below(end)}
        last = end if end is not None and tree.is_below(end, lower) else lower
        between = {*tree.path(upper, last)} - {lower, last}
        return tuple(joint for joint in tree.below(upper) if joint not in beyond and (
            joint in between or self.parts[joint].is_twist and self.parts[joint].part in kinds))

    def fingers(self, side: str) -> dict[str, tuple[int, ...]]:
        """Returns the joints of each finger, from the palm."""
        hand = self.joints.get(f"{side}_hand")
        below = [] if hand is None else self.tree.below(hand)
        found: dict[str, tuple[int, ...]] = {}
        for finger in (*FINGERS, "fingers"):
            named = [joint for joint in below if self.parts[joint].part == finger]
            first = self.joints.get(f"{side}_{finger}", named[0] if named else None)
            if first is None:
                continue
            chain = [first]
            for joint in self.tree.below(first):
                if self.tree.parents[joint] == chain[-1] and (joint in named or first not in named):
                    chain.append(joint)
            found[finger] = tuple(chain)
        return found


def _trust(parts: Sequence[NamedPart], joints: Sequence[int], part: str, chosen: Mapping[str, int | None],
           unnamed: float = _UNNAMED) -> float:
    return STATED if part in chosen or all(parts[joint].part == part for joint in joints) else unnamed
