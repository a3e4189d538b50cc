"""Combines up to three curves, each of which has a joint so far, in a joint.

At a break, a joint holds its whole translation for a frame. Curves that jump are therefore separated from others: those
that only jump share joints, and a curve that both jumps and moves has a joint of its own.
"""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from ...base.arrays import Array
from ...base.curve_names import PER_JOINT, joint_name
from ...base.option_values import MAX_RATE
from ...base.sides import sided_pairs
from ..clip import TRACK_KINDS, Clip, ImportProblem, Skeleton
from .curve import AXIS, value_bind, with_value_joints
from ..interpolation import STEP_CHANGE
from ..key_rate import MULTIPLES
from ..sampling import OrderedCurve, sample

Layout: TypeAlias = Sequence[Sequence[str]]  # the curves of each joint
# The runtime blends two rows if a component moves by less than one (SPEC.md); the encoder leaves a margin.
_MOST_TRAVEL = 0.95
_STILL, _MOVES, _JUMPS, _BOTH = range(4)
_TRANSLATIONS = TRACK_KINDS.index("translation")


@dataclass(frozen=True, eq=False)
class GroupedCurve(OrderedCurve):
    """The curve of a clip whose numbers share joints (see clip.Curve). real: the number of joints before them; groups:
    the joints of the inner curve that share a joint."""

    real: int
    groups: tuple[tuple[int, ...], ...]

    @property
    def linear(self) -> bool:
        return self.curve.linear

    def at(self, seconds: Array, early: float = 0.0) -> Array:
        return _grouped(self.curve.at(seconds, early), self.real, self.groups)[:, self.order]

    def sampled(self, seconds: Array, early: float) -> tuple[Array, Array]:
        frames, steps = self.curve.sampled(seconds, early)
        return (_grouped(frames, self.real, self.groups)[:, self.order],
                _grouped_steps(steps, self.real, self.groups)[:, self.order])


def _grouped(transforms: Array, real: int, groups: Sequence[Sequence[int]]) -> Array:
    joints = np.repeat(value_bind(())[None, None], len(transforms), axis=0).repeat(len(groups), axis=1)
    for at, group in enumerate(groups):
        joints[:, at, AXIS:AXIS + len(group)] = transforms[:, list(group), AXIS]
    return np.concatenate([transforms[:, :real], joints], axis=1)


def _grouped_steps(steps: Array, real: int, groups: Sequence[Sequence[int]]) -> Array:
    joined = [steps[:, list(group)].any(axis=1, keepdims=True) for group in groups]
    return np.concatenate([steps[:, :real], *joined], axis=1)


def grouped(skeleton: Skeleton, clips: Sequence[Clip], encoded: int, tolerances: Mapping[str, float],
            layout: Layout | None) -> tuple[Skeleton, list[Clip], list[str]]:
    """Returns the skeleton and the clips with up to three curves of the same tolerance per joint, and warnings about
    curves that jump although their keys do not. encoded: the number of clips, at the front, that will be encoded;
    tolerances: of the curves, by name, in the order of their joints, the last ones of the skeleton; layout: the curves
    of each joint, or None to choose."""
    names, real = list(tolerances), len(skeleton.names) - len(tolerances)
    finer = [_fitting(clip, real) for clip in clips[:encoded]]
    multiples = [multiple for _, multiple in finer] + [1] * (len(clips) - encoded)
    kinds, warnings = [_STILL] * len(names), []
    for clip, _ in finer:
        for number, name in enumerate(names):
            kind, too_fast = _kind_of(clip, real + number)
            kinds[number] = _both(kinds[number], kind)
            if too_fast is not None:
                warnings.append(
                    f"{clip.source}: clip {clip.name}: curve {name}: changes by {too_fast[1]:.4g} from frame "
                    f"{too_fast[0] - 1} to {too_fast[0]} and jumps there, because 1 is the most that is blended; give "
                    "it more time, or a smaller unit")
    groups = _groups_of(names, kinds, tolerances, real) if layout is None else \
        tuple(tuple(real + names.index(name) for name in group) for group in layout)
    first = replace(skeleton, names=skeleton.names[:real], parents=skeleton.parents[:real], bind=skeleton.bind[:real],
                    inverse_bind=None if skeleton.inverse_bind is None else skeleton.inverse_bind[:real])
    result = with_value_joints(first, [joint_name([names[joint - real] for joint in group]) for group in groups],
                               [value_bind([skeleton.bind[joint, AXIS] for joint in group]) for group in groups])
    order = np.arange(len(result.names))
    return result, [replace(clip, frames=_grouped(clip.frames, real, groups),
                            steps=_grouped_steps(clip.steps, real, groups), multiple=multiple,
                            curve=clip.curve and GroupedCurve(clip.curve, order, real, groups))
                    for clip, multiple in zip(clips, multiples)], warnings


def _both(a: int, b: int) -> int:
    """Returns the kind of a curve that is `a` in one clip and `b` in another."""
    return _BOTH if {a, b} == {_MOVES, _JUMPS} else max(a, b)


def _groups_of(names: Sequence[str], kinds: Sequence[int], tolerances: Mapping[str, float], real: int) \
        -> tuple[tuple[int, ...], ...]:
    """Returns the curves of each joint, ordered by the first curve. Left and right curves are in the same joint, or at
    the same index of two joints that contain only such pairs, so that a mirror can exchange them."""
    keys = [(max(kind, _MOVES), tolerances[name]) for name, kind in zip(names, kinds)]  # still ones fit all
    partners = sided_pairs(names)
    groups: dict[tuple[tuple[int, float], ...], list[list[list[int]]]] = {}  # each of one joint, or of two
    assigned: set[int] = set()
    for number, name in enumerate(names):
        if number in assigned:
            continue
        pair = sorted({number, names.index(partners.get(name, name))}, key=lambda curve: (keys[curve], curve))
        assigned.update(pair)
        alone = any(keys[curve][0] == _BOTH for curve in pair)
        apart = len(pair) == 2 and (alone or keys[pair[0]] != keys[pair[1]])
        units = [[real + curve] for curve in pair] if apart else [[real + curve for curve in pair]]
        some = groups.setdefault(tuple(keys[unit[0] - real] for unit in units), [])
        room = [] if alone else [joints for joints in some if len(joints[0]) + len(units[0]) <= PER_JOINT]
        if room:
            for joint, unit in zip(room[0], units):
                joint.extend(unit)
        else:
            some.append(units)
    return tuple(sorted(tuple(joint) for some in groups.values() for joints in some for joint in joints))


def _kind_of(clip: Clip, joint: int) -> tuple[int, tuple[int, float] | None]:
    """Returns the kind of a curve, and the frame and size of a jump that its keys do not state, or None."""
    change = np.abs(np.diff(clip.frames[:, joint, AXIS]))
    jumps = clip.steps[1:, joint, _TRANSLATIONS]
    fast = (change >= _MOST_TRAVEL) & ~jumps
    too_fast = (int(np.argmax(fast)) + 1, float(change[np.argmax(fast)])) if fast.any() else None
    jumps = jumps | fast
    if not jumps.any():
        return (_MOVES if (change > STEP_CHANGE).any() else _STILL), too_fast
    return (_BOTH if ((change > STEP_CHANGE) & ~jumps).any() else _JUMPS), too_fast


def _fitting(clip: Clip, real: int) -> tuple[Clip, int]:
    """Returns a clip at the lowest multiple of its rate at which all changes of curves between frames can be blended,
    and this multiple; the clip itself and 1 if there is none."""
    if clip.curve is None or not clip.follows_curve:
        return clip, 1
    for multiple in (1, *MULTIPLES):
        if multiple * clip.rate > MAX_RATE:
            break
        try:
            finer = clip if multiple == 1 else sample(clip.name, clip.curve, multiple * clip.rate, 0, clip.source)
        except ImportProblem:  # too many frames
            break
        if all(_kind_of(finer, joint)[1] is None for joint in range(real, clip.frames.shape[1])):
            return finer, multiple
    return clip, 1
