"""Adds joints that do not move to a skeleton and its clips."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...base.arrays import Array
from ..clip import TRACK_KINDS, Clip, Imported, Skeleton
from ..sampling import OrderedCurve


@dataclass(frozen=True, eq=False)
class LongerCurve(OrderedCurve):
    """A curve with additional joints that do not move (see clip.Curve). added: their transforms [A, 10]."""

    added: Array

    @property
    def linear(self) -> bool:
        return self.curve.linear

    def at(self, seconds: Array, early: float = 0.0) -> Array:
        return _longer(self.curve.at(seconds, early), self.added)[:, self.order]

    def sampled(self, seconds: Array, early: float) -> tuple[Array, Array]:
        frames, steps = self.curve.sampled(seconds, early)
        return _longer(frames, self.added)[:, self.order], _longer_steps(steps, self.added)[:, self.order]


def with_joints(imported: Imported, skeleton: Skeleton, names: Sequence[str]) -> Imported:
    """Appends joints of another skeleton to an import, in its bind pose, parents before their children. Their parents
    must exist. The inverse bind matrices are left out."""
    ours = imported.skeleton
    all_names = (*ours.names, *names)
    theirs = [skeleton.names.index(name) for name in names]
    parents = [all_names.index(skeleton.names[skeleton.parents[joint]]) for joint in theirs]
    added = skeleton.bind[theirs]
    longer = Skeleton(all_names, np.concatenate([ours.parents, parents]).astype(np.int32),
                      np.concatenate([ours.bind, added]))
    return replace(imported, skeleton=longer, clips=[_with_joints(clip, added) for clip in imported.clips])


def _with_joints(clip: Clip, added: Array) -> Clip:
    joints = clip.frames.shape[1] + len(added)
    return replace(clip, frames=_longer(clip.frames, added), steps=_longer_steps(clip.steps, added),
                   curve=clip.curve and LongerCurve(clip.curve, np.arange(joints), added))


def _longer(transforms: Array, added: Array) -> Array:
    return np.concatenate([transforms, np.repeat(added[None], len(transforms), axis=0)], axis=1)


def _longer_steps(steps: Array, added: Array) -> Array:
    return np.concatenate([steps, np.zeros((len(steps), len(added), len(TRACK_KINDS)), bool)], axis=1)
