"""Checks that the joints that were found can be a human body."""
from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ...base.arrays import Array
from ...base.portable_math import length
from ...base.sides import with_other_sides
from ...model.clip import Skeleton
from ..humanoid import FourLegsProblem, Humanoid, RetargetProblem
from .facing import agreement, is_on_four_legs
from .named_limbs import STATED
from .names import LEFT, RIGHT, NamedPart, have_front_and_back_legs
from .table import map_of, part_rows, remedy_of
from .tree import Tree

# Parts below this confidence are reported.
LEAST_CONFIDENCE = 0.75
# The confidence of limbs whose bones differ between the sides, or have no length.
UNEQUAL = 0.6
_SAME_LENGTH = 0.25  # by how much bones of both sides may differ, as a share
_LEAST_BONE = 0.05  # the least share of the longer bone of the limb
_EXCHANGED = -1.0 / 3.0
_LIMBS = {"arm": ("upper_arm", "lower_arm", "hand"), "leg": ("upper_leg", "lower_leg", "foot")}
_LEG_BONES = {*_LIMBS["leg"], "toes"}
LEG_PARTS = tuple(f"{side}_{part}" for side in (LEFT, RIGHT) for part in _LIMBS["leg"])


def check_legs(joints: Mapping[str, int], parts: Sequence[NamedPart], names: Sequence[str], key: str) -> None:
    """Raises RetargetProblem if a joint of a leg is missing. joints: by part; key: of the map that corrects them."""
    missing = [part for part in LEG_PARTS if part not in joints]
    if not missing:
        return
    side = missing[0].split("_")[0]
    seen = [names[joint] for joint, part in enumerate(parts) if part.side == side and part.part in (
        "hip", "upper_leg", "leg", "lower_leg", "foot")]
    found = f"its {side} leg has only {', '.join(seen)}" if seen else "no pair of legs was found"
    raise RetargetProblem(f"the skeleton has no joint for {', '.join(missing)}: {found}, and a leg needs joints of "
                          "hip, knee and ankle; if it has them, name them: "
                          + remedy_of(key, dict.fromkeys(missing, "...")))


def check_chains(joints: Mapping[str, int], found: Mapping[str, int], tree: Tree, names: Sequence[str], key: str
                 ) -> None:
    """Raises RetargetProblem if the joints of a limb do not lie below one another. Only feet may be apart. found: the
    joints without those that the user named."""
    def better(part: str) -> str:
        """Another joint for a part, if one was found."""
        return names[found[part]] if found.get(part, joints[part]) != joints[part] else "..."

    for side in (LEFT, RIGHT):
        for high, low in (("upper_arm", "lower_arm"), ("lower_arm", "hand"), ("upper_leg", "lower_leg")):
            above, below = joints.get(f"{side}_{high}"), joints.get(f"{side}_{low}")
            if above is not None and below is not None and (above == below or not tree.is_below(below, above)):
                raise RetargetProblem(f"{names[below]} is not below {names[above]}, as {side}_{low} has to be below "
                                      f"{side}_{high}; name other joints: " + remedy_of(
                                          key, {part: better(part) for part in (f"{side}_{high}", f"{side}_{low}")}))


def check_distinct(body: Humanoid, skeleton: Skeleton, key: str) -> None:
    """Raises RetargetProblem for a joint that would be two parts of the body. The remedy shows all parts if users can
    name neither of them."""
    parts: dict[str, str] = {}
    names = map_of(body, skeleton)
    for row in part_rows(body, skeleton):
        for name in row.joints:
            if name in parts:
                both = [part.replace(" ", "_") for part in (parts[name], row.part)]
                named = {part: "..." for part in both if part in names}
                raise RetargetProblem(f"joint {name} would be both {parts[name]} and {row.part}; name the joints of "
                                      f"both: {remedy_of(key, named or names)}")
            parts[name] = row.part


def check_two_legs(joints: Mapping[str, int], positions: Array, names: Sequence[str], key: str) -> None:
    """Raises FourLegsProblem for an animal, by the names of front and back legs, or by its shape."""
    if have_front_and_back_legs(names):
        found = "it has front and back legs"
    elif set(LEG_PARTS) <= set(joints) and is_on_four_legs(joints, positions):
        hands = [names[joints[f"{side}_hand"]] for side in (LEFT, RIGHT)]
        found = f"its trunk is level, and {' and '.join(hands)} are as low as the feet"
    else:
        return
    named = {part: names[joints[part]] if part in joints else "..." for part in LEG_PARTS}
    raise FourLegsProblem(f"the skeleton is that of an animal: {found}; only bodies of people can be retargeted; if it "
                          f"is one, name its joints: {remedy_of(key, named)}")


def equal_limbs(joints: Mapping[str, int], positions: Array) -> dict[str, float]:
    """Returns the confidence of each limb by the lengths of its bones."""
    trust: dict[str, float] = {}
    for limb, bones in _LIMBS.items():
        lengths = {side: [_length(positions, joints[f"{side}_{high}"], joints[f"{side}_{low}"])
                          for high, low in zip(bones, bones[1:]) if {f"{side}_{high}", f"{side}_{low}"} <= set(joints)]
                   for side in (LEFT, RIGHT)}
        are_equal = all(abs(ours - theirs) <= _SAME_LENGTH * max(ours, theirs)
                        for ours, theirs in zip(*lengths.values()))
        for side, own in lengths.items():
            has_length = not own or min(own) > _LEAST_BONE * max(own)
            trust[f"{side} {limb}"] = STATED if are_equal and has_length else UNEQUAL
    return trust


def warnings_of(body: Humanoid, joints: Mapping[str, int], positions: Array, names: Mapping[str, str], key: str
                ) -> list[str]:
    """Returns one line for each doubt, with its remedy. names: of the body, by part; key: of the map."""
    lines = []
    weak = {group: trust for group, trust in body.confidence.items() if trust < LEAST_CONFIDENCE}
    if weak:
        doubts = ", ".join(f"{group} {trust:.0%}" for group, trust in weak.items())
        shown = [part for part in names if _group_of(part) in weak]
        lines.append(f"the confidence in joints is low ({doubts}); check them, and correct: "
                     + remedy_of(key, names, shown))
    for side, arm in ((LEFT, body.left_arm), (RIGHT, body.right_arm)):
        if arm is None:
            lines.append(f"no {side} arm was found; if there is one, name its joints: "
                         + remedy_of(key, {f"{side}_{part}": "..." for part in _LIMBS["arm"]}))
    if agreement(joints, positions) < _EXCHANGED:
        sided = {part: name for part, name in names.items() if part.startswith((LEFT, RIGHT))}
        other = {part: sided.get(with_other_sides(part), "") for part in sided}
        lines.append("feet and knees point backward and elbows forward, as if left and right were exchanged; if they "
                     "are: " + remedy_of(key, other))
    return lines


def _group_of(part: str) -> str:
    """Returns the group of a part of a limb whose confidence holds for it, such as `left arm` for left_hand."""
    side, _, bone = part.partition("_")
    return f"{side} {'leg' if bone in _LEG_BONES else 'arm'}" if bone else part


def _length(positions: Array, high: int, low: int) -> float:
    return float(np.median(length(positions[:, low] - positions[:, high])))
