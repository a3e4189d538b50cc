"""Measures the errors of the curves of encoded clips."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...bank.file import Bank
from ...base.arrays import Array
from ...base.curve_names import CurveComponent, curve_components
from ...model.clip import Clip
from ...model.curves.curve import AXIS
from ...model.shell import with_midpoints
from ..derived.mirrored import shown_at
from ..playing import played


@dataclass(frozen=True)
class CurveError:
    """The largest error of a curve in a clip, over all frames and midpoints, and its frame. tolerance: None if
    infinite."""

    name: str
    error: float
    frame: float
    tolerance: float | None


def value_errors(curves: Sequence[CurveComponent], reference: Array, transforms: Array) -> Array:
    """Returns the differences [N, C] of all curves between two clips of local transforms [N, J, 10]."""
    return np.abs(curve_values(curves, reference) - curve_values(curves, transforms))


def curve_values(curves: Sequence[CurveComponent], transforms: Array) -> Array:
    """Returns the values [N, C] of curves in local transforms [N, J, 10]."""
    return transforms[:, [curve.joint for curve in curves], [AXIS + curve.axis for curve in curves]].astype(np.float64)


def curve_errors(bank: Bank, words: Array, index: int, clip: Clip,
                 breaks: Sequence[tuple[int, int, str]], limits_m: Array) -> list[CurveError]:
    """Returns the errors of the curves of a clip. words: of the bank; clip: as encoded; limits_m: the tolerances of all
    joints, which in a mirror image apply to their partners."""
    curves = curve_components([joint.name for joint in bank.joints])
    if not curves:
        return []
    limits_m = limits_m[list(shown_at(bank, index))]
    errors = value_errors(curves, with_midpoints(clip, breaks), played(bank, words, index))
    return [CurveError(curve.name, round(float(errors[:, number].max()), 9), int(np.argmax(errors[:, number])) / 2,
                       float(limits_m[curve.joint]) if np.isfinite(limits_m[curve.joint]) else None)
            for number, curve in enumerate(curves)]
