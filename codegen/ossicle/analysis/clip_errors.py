"""Summarises the errors of a clip: over time, per joint, the largest, and the one nearest to its tolerance."""
from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ..base.arrays import Array
from .errors import errors_m
from .subject import Subject


@dataclass(frozen=True)
class Peak:
    """An error and its location. sample: counts frames and midpoints."""

    metres: float
    limit_m: float
    clip: int
    joint: int
    sample: int


@dataclass(frozen=True, eq=False)
class ClipErrors:
    """The errors of a clip with F frames and J joints. over_time_m [2F-1]: the largest of all joints at each frame and
    midpoint; used [2F-1]: the largest fraction of a joint's tolerance, 0 if tolerances are infinite; joints: the
    largest error of every joint; nearest: the error that is nearest to its joint's tolerance."""

    over_time_m: Array
    used: Array
    joints: tuple[Peak, ...]
    largest: Peak
    nearest: Peak
    mean_m: float

    @property
    def tolerance_m(self) -> float:
        """The tolerance of most joints; the largest if there are several."""
        limits, counts = np.unique([peak.limit_m for peak in self.joints], return_counts=True)
        return float(limits[counts == counts.max()][-1])


def clip_errors(subject: Subject, clip: int) -> ClipErrors:
    """Measures the joints of a clip, except curve joints, with the runtime's decoder. The subject must have a
    source."""
    assert subject.source is not None
    real = subject.bank.real_joints
    errors, limits = errors_m(subject, clip)[:, :real], subject.source.limits_m[clip][:real]
    shares = errors / limits

    def peak(sample: int, joint: int) -> Peak:
        return Peak(float(errors[sample, joint]), float(limits[joint]), clip, joint, sample)

    joints = tuple(peak(int(sample), joint) for joint, sample in enumerate(errors.argmax(axis=0)))
    largest, nearest = (peak(*divmod(int(values.argmax()), len(limits))) for values in (errors, shares))
    return ClipErrors(errors.max(axis=1), shares.max(axis=1), joints, largest,
                      nearest if math.isfinite(nearest.limit_m) else largest,
                      math.fsum(errors.ravel().tolist()) / errors.size)
