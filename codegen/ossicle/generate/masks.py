"""The C of masks."""
from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..base.option_names import named
from ..base.problem import SettingProblem
from ..model.joint_sets import JointSets
from ..model.masks import Mask, Masks, mask_weights
from .identifiers import c_comment

if TYPE_CHECKING:
    from ..bank.file import Bank

PER_LINE = 12  # weights in a line of C


@dataclass(frozen=True)
class MaskPlan:
    """A mask in C. comment: its description; weights: of each joint, Q15."""

    name: str
    comment: str
    weights: tuple[int, ...]

    @property
    def lines(self) -> list[tuple[int, ...]]:
        """The lines of weights in C."""
        return [self.weights[first:first + PER_LINE] for first in range(0, len(self.weights), PER_LINE)]


def plan_masks(bank: Bank, sets: JointSets, masks: Masks) -> tuple[MaskPlan, ...]:
    """Returns the masks for the joints of a bank. Raises SettingProblem for a set that is not among
    `sets`, a feather that leaves no joint with the weight 1, and a pattern that matches no joint."""
    names, parents = [joint.name for joint in bank.joints], [joint.parent for joint in bank.joints]
    plans = []
    for name, mask in masks.items():
        what = f"{named('--mask')} {name}"
        try:
            weights = mask_weights(mask, sets, names, parents)
        except SettingProblem as problem:
            raise SettingProblem(f"{what}: {problem}") from problem
        plans.append(MaskPlan(name, _comment(mask), tuple(weights)))
    return tuple(plans)


def _comment(mask: Mask) -> str:
    parts = []
    if mask.set is not None:
        parts.append(f"the set {mask.set}" + (
            f", in steps of 1/{mask.feather + 1} over its topmost {mask.feather} joint{'s'[:mask.feather > 1]}"
            if mask.feather else ""))
    parts += [f"{c_comment(pattern)} {weight:g}" for pattern, weight in mask.weights]
    return "; ".join(parts)
