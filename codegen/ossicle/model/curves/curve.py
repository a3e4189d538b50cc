"""Curves: numbers over time that play with a clip, such as weights of morph targets.

They are encoded as translations of joints after those of the skeleton, first with one joint per curve (here), then with
up to three curves per joint (joints.py).
"""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ...base.arrays import Array
from ...base.curve_names import joint_name
from ..clip import ROTATION, SCALE, TRACK_KINDS, TRANSLATION, Clip, Curve, Skeleton
from ..samples import TRANSFORM_WIDTH
from .keys import CurveKeys
from ..interpolation import CUBIC
from ..key_rate import JITTER
from ..sampling import FrameCurve, OrderedCurve

AXIS = TRANSLATION.start  # the component of a joint that stores its only curve
_TRANSLATIONS = TRACK_KINDS.index("translation")


@dataclass(frozen=True, eq=False)
class BesideCurve(OrderedCurve):
    """The curve of a clip with additional joints that store numbers (see clip.Curve). added: the transforms [A, 10] of
    these joints without keys; keys: by joint."""

    added: Array
    keys: Mapping[int, CurveKeys]

    @cached_property
    def times(self) -> Array:
        end = self.curve.times[-1]
        return np.unique(np.concatenate([self.curve.times,
                                         *(keys.times[keys.times < end] for keys in self.keys.values())]))

    @cached_property
    def halves(self) -> Array:
        own = [self.times, *(keys.times[keys.times <= self.curve.times[-1]] for keys in self.keys.values())]
        return np.unique(np.concatenate([self.curve.halves, *((times[:-1] + times[1:]) / 2.0 for times in own)]))

    @property
    def linear(self) -> bool:
        return self.curve.linear and all(keys.interpolation != CUBIC for keys in self.keys.values())

    def at(self, seconds: Array, early: float = 0.0) -> Array:
        return self._filled(self.curve.at(seconds, early), seconds, early)[:, self.order]

    def sampled(self, seconds: Array, early: float) -> tuple[Array, Array]:
        frames, steps = self.curve.sampled(seconds, early)
        frames = self._filled(frames, seconds, early)
        steps = np.concatenate([steps, np.zeros((len(steps), len(self.added), len(TRACK_KINDS)), bool)], axis=1)
        for joint, keys in self.keys.items():
            steps[1:, joint, _TRANSLATIONS] = keys.jumps(frames[:, joint, AXIS], seconds, early)
        return frames[:, self.order], steps[:, self.order]

    def _filled(self, transforms: Array, seconds: Array, early: float) -> Array:
        filled = np.concatenate([transforms, np.repeat(self.added[None], len(transforms), axis=0)], axis=1)
        for joint, keys in self.keys.items():
            filled[:, joint, AXIS] = keys.at(seconds, early)
        return filled


def value_bind(values: Sequence[float]) -> Array:
    """Returns the bind transform [10] of a joint that stores up to three values."""
    bind = np.zeros(TRANSFORM_WIDTH)
    bind[ROTATION], bind[SCALE] = (0.0, 0.0, 0.0, 1.0), 1.0
    bind[TRANSLATION][:len(values)] = values
    return bind


def with_value_joints(skeleton: Skeleton, names: Sequence[str], binds: Sequence[Array]) -> Skeleton:
    """Appends roots to a skeleton."""
    count = len(names)
    inverse = skeleton.inverse_bind
    return replace(
        skeleton, names=(*skeleton.names, *names),
        bind=np.concatenate([skeleton.bind, *(transform[None] for transform in binds)]),
        parents=np.concatenate([skeleton.parents, np.full(count, -1)]).astype(np.int32),
        inverse_bind=None if inverse is None else np.concatenate([inverse, np.repeat(np.eye(4)[None], count, axis=0)]))


def with_curves(skeleton: Skeleton, defaults: Mapping[str, float]) -> Skeleton:
    """Appends a joint for each curve to a skeleton. defaults: the values of curves in clips without keys, by name."""
    return with_value_joints(skeleton, [joint_name([name]) for name in defaults],
                             [value_bind([value]) for value in defaults.values()])


def with_keys(clip: Clip, skeleton: Skeleton, keys: Mapping[str, CurveKeys]) -> Clip:
    """Appends the skeleton's curve joints to a clip that lacks them, and applies these keys."""
    joints = clip.frames.shape[1]
    added = skeleton.bind[joints:]
    if len(added) == 0 and not keys:
        return clip
    inner: Curve = FrameCurve(clip.frames, 1.0 / clip.rate) if clip.curve is None else clip.curve
    by_joint = {skeleton.names.index(joint_name([name])): curve_keys for name, curve_keys in keys.items()}
    curve = BesideCurve(inner, np.arange(len(skeleton.names)), added, by_joint)
    seconds = np.arange(len(clip.frames)) / clip.rate
    seconds[-1] = max(seconds[-1], curve.times[-1])
    frames = np.concatenate([clip.frames, np.repeat(added[None], len(clip.frames), axis=0)], axis=1)
    steps = np.concatenate([clip.steps, np.zeros((len(clip.steps), len(added), len(TRACK_KINDS)), bool)], axis=1)
    early = JITTER / clip.rate
    for joint, curve_keys in by_joint.items():
        frames[:, joint, AXIS] = curve_keys.at(seconds, early)
        steps[1:, joint, _TRANSLATIONS] = curve_keys.jumps(frames[:, joint, AXIS], seconds, early)
        steps[0, joint, _TRANSLATIONS] = False
    return replace(clip, frames=frames, steps=steps, curve=curve)
