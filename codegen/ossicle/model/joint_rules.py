"""Rules for joints, and the joints that their patterns mean."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..base.curve_names import is_curve
from ..base.patterns import matches
from ..base.problem import SettingProblem, nearest
from .lengths import Tolerance, parse_tolerance


@dataclass(frozen=True)
class JointRule:
    """A tolerance for the joints whose name matches a shell pattern."""

    pattern: str
    tolerance: Tolerance


def parse_joint_rule(text: str, what: str) -> JointRule:
    """Parses a rule such as "*_hand=0.3mm". what: the option, for messages. Raises SettingProblem if the pattern or a
    valid tolerance is missing."""
    pattern, _, tolerance = text.rpartition("=")  # names may contain `=`, lengths may not
    if not pattern:
        raise SettingProblem(f"{what} {text!r}: give a joint or pattern and its tolerance, such as "
                             "'*_hand=0.3mm'")
    return JointRule(pattern, parse_tolerance(tolerance, f"{what} {pattern}"))


def matches_joint(pattern: str, joint: str) -> bool:
    """Returns whether a pattern matches a joint. Only patterns that begin like the name of a curve joint match it."""
    return matches(pattern, joint) and (is_curve(pattern) or not is_curve(joint))


def check_joint_patterns(patterns: Sequence[str], joints: Sequence[str]) -> None:
    """Raises SettingProblem for a pattern that matches no joint."""
    for pattern in patterns:
        if not any(matches_joint(pattern, joint) for joint in joints):
            raise SettingProblem(f"joint pattern {pattern!r} matches no joint"
                                 + nearest(pattern, [joint for joint in joints if not is_curve(joint)]))
