"""Tolerances of single joints, and joints that are pinned."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..base.patterns import matches
from ..base.problem import SettingProblem, nearest
from .lengths import Screen, Tolerance, parse_tolerance

# The tolerance of a pinned joint without one of its own, as a fraction of the clip's.
PIN_SHARE = 0.1


@dataclass(frozen=True)
class JointRule:
    """A tolerance for the joints whose name matches a shell pattern."""

    pattern: str
    tolerance: Tolerance


def parse_joint_rule(text: str, what: str) -> JointRule:
    """Returns the rule that a text like "*_hand=0.3mm" states. what: the option, for messages.
    Raises SettingProblem if the pattern or a usable tolerance is missing."""
    pattern, _, tolerance = text.rpartition("=")  # names may contain `=`, lengths may not
    if not pattern:
        raise SettingProblem(f"{what} {text!r}: give a joint or pattern and its tolerance, such as "
                             "'*_hand=0.3mm'")
    return JointRule(pattern, parse_tolerance(tolerance, f"{what} {pattern}"))


def check_joint_patterns(patterns: Sequence[str], joints: Sequence[str]) -> None:
    """Raises SettingProblem for a pattern that matches no joint, which must be misspelt."""
    for pattern in patterns:
        if not any(matches(pattern, joint) for joint in joints):
            raise SettingProblem(f"joint pattern {pattern!r} matches no joint"
                                 + nearest(pattern, joints))


def pinned_joints(joints: Sequence[str], pins: Sequence[str]) -> np.ndarray:
    """Returns bool [J]: the joints that a pattern pins."""
    return np.array([any(matches(pin, joint) for pin in pins) for joint in joints])


def joint_tolerances(joints: Sequence[str], tolerance_m: float, rules: Sequence[JointRule],
                     pins: Sequence[str], screen: Screen) -> np.ndarray:
    """Returns the tolerance of each joint as float64 [J], metres: that of the clip, a tenth of it
    for pinned joints, or that of the last rule that matches."""
    limits = np.where(pinned_joints(joints, pins), PIN_SHARE * tolerance_m, tolerance_m)
    for rule in rules:
        limits[[matches(rule.pattern, joint) for joint in joints]] = rule.tolerance.on(screen)
    return limits
