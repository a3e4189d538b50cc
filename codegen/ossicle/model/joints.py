"""Tolerances of single joints, and pinned joints."""
from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..base.curve_names import curves_in, is_curve
from ..base.patterns import matches
from ..base.problem import SettingProblem, nearest
from .curves.curve import CurveRule, is_ruled, tolerance_of
from .lengths import Screen, Tolerance, parse_tolerance

# The default tolerance of a pinned joint, as a fraction of the clip's.
PIN_SHARE = 0.1


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


def pinned_joints(joints: Sequence[str], pins: Sequence[str]) -> np.ndarray:
    """Returns bool [J]: the joints that a pattern pins."""
    return np.array([any(matches_joint(pin, joint) for pin in pins) and not is_curve(joint) for joint in joints])


def joint_tolerances(joints: Sequence[str], tolerance_m: float, rules: Sequence[JointRule],
                     pins: Sequence[str], screen: Screen, curves: Sequence[CurveRule] = ()) -> np.ndarray:
    """Returns the tolerance of each joint as float64 [J], metres: that of the clip, a tenth of it for pinned joints, or
    that of the last matching rule. Curve joints have the tolerance of their curves, but an infinite one if the clip has
    an infinite one and no curve rule matches."""
    limits = np.where(pinned_joints(joints, pins), PIN_SHARE * tolerance_m, tolerance_m)
    for rule in rules:
        limits[[matches_joint(rule.pattern, joint) for joint in joints]] = rule.tolerance.on(screen)
    for joint, name in enumerate(joints):
        own = curves_in(name)
        if own:
            tolerance = tolerance_of(own[0], curves)
            fits = tolerance is not None and (math.isfinite(tolerance_m) or is_ruled(own[0], curves))
            limits[joint] = tolerance if fits else math.inf
    return limits
