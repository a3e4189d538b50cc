"""Tolerances of single joints, and joints that are pinned."""
from __future__ import annotations

import fnmatch
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..base.problem import SettingProblem, nearest
from .lengths import Screen, Tolerance, parse_tolerance

# A pinned joint without a tolerance of its own is this much closer than the rest.
PIN_SHARE = 0.1


@dataclass(frozen=True)
class JointRule:
    """The tolerance of the joints whose name matches a shell pattern."""

    pattern: str
    tolerance: Tolerance


def parse_joint_rule(text: str, what: str) -> JointRule:
    """The rule of a text like "*_hand=0.3mm"; what: the option, for messages. SettingProblem where
    the pattern or a usable tolerance is missing."""
    pattern, _, tolerance = text.rpartition("=")  # names may hold a `=`, lengths do not
    if not pattern:
        raise SettingProblem(f"{what} {text!r}: give a joint or pattern and its tolerance, such as "
                             "'*_hand=0.3mm'")
    return JointRule(pattern, parse_tolerance(tolerance, f"{what} {pattern}"))


def matches(pattern: str, joint: str) -> bool:
    """Whether a pattern is for a joint; its plain name counts even if it holds a `[` or `*`."""
    return joint == pattern or fnmatch.fnmatchcase(joint, pattern)


def check_joint_patterns(patterns: Sequence[str], joints: Sequence[str]) -> None:
    """SettingProblem for a pattern that matches no joint: it is misspelt."""
    for pattern in patterns:
        if not any(matches(pattern, joint) for joint in joints):
            raise SettingProblem(f"joint pattern {pattern!r} matches no joint"
                                 + nearest(pattern, joints))


def pinned_joints(joints: Sequence[str], pins: Sequence[str]) -> np.ndarray:
    """bool [J]: the joints that a pattern pins."""
    return np.array([any(matches(pin, joint) for pin in pins) for joint in joints])


def joint_tolerances(joints: Sequence[str], tolerance_m: float, rules: Sequence[JointRule],
                     pins: Sequence[str], screen: Screen) -> np.ndarray:
    """float64 [J], metres: the clip's tolerance, a tenth of it for pinned joints, and what rules
    say, later ones winning."""
    limits = np.where(pinned_joints(joints, pins), PIN_SHARE * tolerance_m, tolerance_m)
    for rule in rules:
        limits[[matches(rule.pattern, joint) for joint in joints]] = rule.tolerance.on(screen)
    return limits
