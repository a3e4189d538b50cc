"""Masks: a weight for each joint, for mixes and blends of poses."""
from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..base.option_names import either, named
from ..base.problem import SettingProblem, nearest
from .joint_rules import check_joint_patterns, matches_joint
from .joint_sets import JointSets, check_name, joints_of

ONE_Q15 = 1 << 15


@dataclass(frozen=True)
class Mask:
    """The weights of joints. set: the name of a set, whose joints have the weight 1, or None; feather: the number of
    joints, from the topmost ones of the set, over which the weight rises to 1; weights: pairs of a joint or pattern and
    a weight, which override the set; the last match wins. All other joints have the weight 0."""

    set: str | None = None
    feather: int = 0
    weights: tuple[tuple[str, float], ...] = ()


Masks = Mapping[str, Mask]  # by name


def check_mask(name: str, mask: Mask, what: str) -> None:
    """Raises SettingProblem, beginning with `what`, for a mask that is invalid for any joints."""
    check_name(name, what)
    if mask.set is None and not mask.weights:
        such_as = either("upper=upper:3", 'upper = { set = "upper", feather = 3 }')
        raise SettingProblem(f"{what}: the mask {name!r} needs a set of joints{either('', ' or weights')}, "
                             f"such as {such_as}")
    if mask.feather and mask.set is None:
        raise SettingProblem(f"{what} {name}: feather = {mask.feather} applies to the joints of a set; add "
                             "set, or give the final weights")
    if mask.feather < 0:
        raise SettingProblem(f"{what} {name}: feather {mask.feather}: choose 0 or more joints")
    for pattern, weight in mask.weights:
        if not 0.0 <= weight <= 1.0:
            raise SettingProblem(f"{what} {name}: the weight {weight:g} of {pattern!r} is not from 0 to 1")


def parse_masks(texts: Sequence[str], what: str) -> dict[str, Mask]:
    """Parses masks such as "upper=upper:3", which name a set and its feather. what: the option, for messages. Raises
    SettingProblem for an invalid text or a repeated name."""
    masks: dict[str, Mask] = {}
    for text in texts:
        name, _, value = text.partition("=")
        chosen, colon, feather = value.partition(":")
        if not chosen or (colon and not feather.isascii()) or (colon and not feather.isdigit()):
            raise SettingProblem(f"{what} {text!r}: give a name, a set and the number of joints over which the weight "
                                 "rises, such as upper=upper:3")
        if name in masks:
            raise SettingProblem(f"{what} {text!r}: the mask {name!r} already exists; choose another name")
        masks[name] = Mask(chosen, int(feather or 0))
        check_mask(name, masks[name], f"{what} {text!r}")
    return masks


def mask_weights(mask: Mask, sets: JointSets, names: Sequence[str], parents: Sequence[int | None]) -> list[int]:
    """Returns the weight of each joint, Q15. names, parents: of the joints. Raises SettingProblem for a set that is not
    among `sets`, a feather that leaves no joint with the weight 1, and a pattern that matches no joint."""
    weights = [0] * len(names)
    if mask.set is not None:
        if mask.set not in sets:
            raise SettingProblem(f"there is no set {mask.set!r}" + (
                nearest(mask.set, sets) if sets else f"; add it with {named('--joints')}"))
        depths = _depths(joints_of(sets[mask.set], names), parents)
        deepest = max(depths.values())
        if mask.feather >= deepest:
            raise SettingProblem(f"with a feather of {mask.feather} no joint has the full weight, because the set "
                                 f"{mask.set!r} is {deepest} joint{'s'[:deepest > 1]} deep; choose 0"
                                 + (f" to {deepest - 1}" if deepest > 1 else ""))
        steps = mask.feather + 1
        for joint, depth in depths.items():
            weights[joint] = (2 * ONE_Q15 * min(depth, steps) + steps) // (2 * steps)
    check_joint_patterns([pattern for pattern, _ in mask.weights], names)
    for pattern, weight in mask.weights:
        for joint, name in enumerate(names):
            if matches_joint(pattern, name):
                weights[joint] = math.floor(weight * ONE_Q15 + 0.5)
    return weights


def _depths(chosen: Sequence[int], parents: Sequence[int | None]) -> dict[int, int]:
    """Returns for each joint of a set, ascending, the number of joints of the set on the path from the root to it,
    inclusive."""
    depths: list[int] = []
    for joint, parent in enumerate(parents):  # parents come before their children
        depths.append((0 if parent is None else depths[parent]) + (joint in chosen))
    return {joint: depths[joint] for joint in chosen}
