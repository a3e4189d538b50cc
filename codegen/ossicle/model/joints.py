"""Tolerances of single joints, and pinned joints."""
from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ..base.arrays import Array
from ..base.curve_names import curves_in, is_curve
from .curves.rule import CurveRule, is_ruled, tolerance_of
from .joint_rules import JointRule, matches_joint
from .lengths import Screen

# The default tolerance of a pinned joint, as a fraction of the clip's.
PIN_SHARE = 0.1


def pinned_joints(joints: Sequence[str], pins: Sequence[str]) -> Array:
    """Returns bool [J]: the joints that a pattern pins."""
    return np.array([any(matches_joint(pin, joint) for pin in pins) and not is_curve(joint) for joint in joints])


def joint_tolerances(joints: Sequence[str], tolerance_m: float, rules: Sequence[JointRule],
                     pins: Sequence[str], screen: Screen, curves: Sequence[CurveRule] = ()) -> Array:
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
