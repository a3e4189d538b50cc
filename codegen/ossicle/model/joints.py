"""Tolerances of single joints, and joints that are pinned."""
from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ..base.curve_names import curves_in, is_curve
from .curves.rule import CurveRule, is_ruled, tolerance_of
from .joint_rules import JointRule, meant_by
from .lengths import Screen

# The tolerance of a pinned joint without one of its own, as a fraction of the clip's.
PIN_SHARE = 0.1


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
