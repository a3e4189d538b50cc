"""Tolerances of single joints, and joints that are pinned."""
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


def meant_by(pattern: str, joint: str) -> bool:
    """Whether a pattern means a joint. One that holds curves is meant by patterns alone that begin as its name does."""
    return matches(pattern, joint) and (is_curve(pattern) or not is_curve(joint))


def check_joint_patterns(patterns: Sequence[str], joints: Sequence[str]) -> None:
    """Raises SettingProblem for a pattern that matches no joint, which must be misspelt."""
    for pattern in patterns:
        if not any(meant_by(pattern, joint) for joint in joints):
            raise SettingProblem(f"joint pattern {pattern!r} matches no joint"
                                 + nearest(pattern, [joint for joint in joints if not is_curve(joint)]))


def pinned_joints(joints: Sequence[str], pins: Sequence[str]) -> np.ndarray:
    """Returns bool [J]: the joints that a pattern pins."""
    return np.array([any(meant_by(pin, joint) for pin in pins) and not is_curve(joint) for joint in joints])


def joint_tolerances(joints: Sequence[str], tolerance_m: float, rules: Sequence[JointRule],
                     pins: Sequence[str], screen: Screen, curves: Sequence[CurveRule] = ()) -> np.ndarray:
    """Returns the tolerance of each joint as float64 [J], metres: that of the clip, a tenth of it
    for pinned joints, or that of the last rule that matches. Joints that hold curves have the tolerance of these by
    their own rules, or any if the clip may have any error and no rule is for them."""
    limits = np.where(pinned_joints(joints, pins), PIN_SHARE * tolerance_m, tolerance_m)
    for rule in rules:
        limits[[meant_by(rule.pattern, joint) for joint in joints]] = rule.tolerance.on(screen)
    for joint, name in enumerate(joints):
        held = curves_in(name)
        if held:
            tolerance = tolerance_of(held[0], curves)
            fits = tolerance is not None and (math.isfinite(tolerance_m) or is_ruled(held[0], curves))
            limits[joint] = tolerance if fits else math.inf
    return limits
