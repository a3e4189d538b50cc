"""Plans the curves of a bank in generated code: their numbers, and the joints that store them."""
from __future__ import annotations

from dataclasses import dataclass

from ...bank.file import Bank
from ...base.curve_names import PER_JOINT, curves_in, title_of
from ..identifiers import c_comment, c_string, unique_identifiers


@dataclass(frozen=True)
class PlannedCurve:
    """A curve. number: of its component among those of all curve joints, by which games read it."""

    identifier: str
    comment: str
    number: int


@dataclass(frozen=True)
class CurvePlan:
    """All curves. first: the identifier of the first curve joint; components: of all curve joints, possibly without a
    curve; strings: the name for each component, empty without a curve."""

    first: str
    components: int
    curves: tuple[PlannedCurve, ...]
    strings: tuple[str, ...]


def joint_identifiers(bank: Bank, prefix: str) -> list[str]:
    """Returns the identifiers of the curve joints."""
    return [f"{prefix}_VALUES_{number}" for number in range(len(bank.joints) - bank.real_joints)]


def joint_comments(bank: Bank) -> list[str]:
    """Returns the names of the curve joints for comments."""
    return [c_comment(title_of(joint.name)) for joint in bank.joints[bank.real_joints:]]


def plan_curves(bank: Bank, prefix: str) -> CurvePlan | None:
    """Returns the plan for a bank, or None if it has no curves."""
    curves = [curves_in(joint.name) for joint in bank.joints[bank.real_joints:]]
    if not curves:
        return None
    named = [(PER_JOINT * joint + axis, name) for joint, names in enumerate(curves) for axis, name in enumerate(names)]
    names = [name for _, name in named]
    identifiers = unique_identifiers(names, [str(number) for number, _ in named], frozenset({"COUNT"}))
    strings = [c_string("")] * (PER_JOINT * len(curves))
    for number, name in named:
        strings[number] = c_string(name)
    return CurvePlan(
        joint_identifiers(bank, prefix)[0], len(strings),
        tuple(PlannedCurve(f"{prefix}_CURVE_{identifier}", c_comment(name), number)
              for identifier, (number, name) in zip(identifiers, named)), tuple(strings))
