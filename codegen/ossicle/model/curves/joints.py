"""Puts curves, of which each has a joint so far, three into a joint.

At a break a joint holds its translation for a frame, whole. So curves that jump are kept from others: those that do
nothing but jump share joints, and one that jumps and also moves has a joint of its own.
"""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from ...base.curve_names import PER_JOINT, joint_name
from ...base.sides import sided_pairs
from ..clip import TRACK_KINDS, Clip, ImportProblem, Skeleton
from .curve import AXIS, value_bind, with_value_joints
from ..interpolation import STEP_CHANGE
from ..key_rate import MULTIPLES
from ..import_options import HIGHEST
from ..sampling import OrderedCurve, sample

Layout: TypeAlias = Sequence[Sequence[str]]  # the curves of each joint
# The runtime blends two rows if a component moves by less than one (SPEC.md); the encoder leaves a margin.
_MOST_TRAVEL = 0.95
_STILL, _MOVES, _JUMPS, _BOTH = range(4)
_TRANSLATIONS = TRACK_KINDS.index("translation")


@dataclass(frozen=True, eq=False)
class GroupedCurve(OrderedCurve):
    """The curve of a clip whose numbers share joints (see clip.Curve). real: the number of joints in front of them;
    groups: the joints of the inner curve that share one."""

    real: int
    groups: tuple[tuple[int, ...], ...]

    @property
    def linear(self) -> bool:
        return self.curve.linear

    def at(self, seconds: np.ndarray, early: float = 0.0) -> np.ndarray:
        return _grouped(self.curve.at(seconds, early), self.real, self.groups)[:, self.order]

    def sampled(self, seconds: np.ndarray, early: float) -> tuple[np.ndarray, np.ndarray]:
        frames, steps = self.curve.sampled(seconds, early)
        return (_grouped(frames, self.real, self.groups)[:, self.order],
                _grouped_steps(steps, self.real, self.groups)[:, self.order])


def _grouped(transforms: np.ndarray, real: int, groups: Sequence[Sequence[int]]) -> np.ndarray:
    made = np.repeat(value_bind(())[None, None], len(transforms), axis=0).repeat(len(groups), axis=1)
    for at, group in enumerate(groups):
        made[:, at, AXIS:AXIS + len(group)] = transforms[:, list(group), AXIS]
    return np.concatenate([transforms[:, :real], made], axis=1)


def _grouped_steps(steps: np.ndarray, real: int, groups: Sequence[Sequence[int]]) -> np.ndarray:
    made = [steps[:, list(group)].any(axis=1, keepdims=True) for group in groups]
    return np.concatenate([steps[:, :real], *made], axis=1)


def grouped(skeleton: Skeleton, clips: Sequence[Clip], encoded: int, tolerances: Mapping[str, float],
            layout: Layout | None) -> tuple[Skeleton, list[Clip], list[str]]:
    """Returns the skeleton and the clips with up to three curves of one tolerance in a joint, and warnings of curves
    that jump although their keys do not. encoded: how many of the clips are, the first ones; tolerances: of the
    curves, by name, in the order of their joints, which are the last ones of the skeleton; layout: which curves share
    a joint, or None to choose."""
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
    made = with_value_joints(first, [joint_name([names[joint - real] for joint in group]) for group in groups],
                             [value_bind([skeleton.bind[joint, AXIS] for joint in group]) for group in groups])
    order = np.arange(len(made.names))
    return made, [replace(clip, frames=_grouped(clip.frames, real, groups),
                          steps=_grouped_steps(clip.steps, real, groups), multiple=multiple,
                          curve=clip.curve and GroupedCurve(clip.curve, order, real, groups))
                  for clip, multiple in zip(clips, multiples)], warnings


def _both(one: int, other: int) -> int:
    """The kind of a curve that is `one` in one clip and `other` in another."""
    return _BOTH if {one, other} == {_MOVES, _JUMPS} else max(one, other)


def _groups_of(names: Sequence[str], kinds: Sequence[int], tolerances: Mapping[str, float], real: int) \
        -> tuple[tuple[int, ...], ...]:
    """The curves that share a joint, in the order of their first ones. Those of left and right are in one joint, or at
    the same place of two joints whose curves are all such pairs, so that a mirror can exchange them."""
    keys = [(max(kind, _MOVES), tolerances[name]) for name, kind in zip(names, kinds)]  # still ones disturb no others
    partners = sided_pairs(names)
    groups: dict[tuple[tuple[int, float], ...], list[list[list[int]]]] = {}  # each of one joint, or of two
    placed: set[int] = set()
    for number, name in enumerate(names):
        if number in placed:
            continue
        pair = sorted({number, names.index(partners.get(name, name))}, key=lambda one: (keys[one], one))
        placed.update(pair)
        alone = any(keys[one][0] == _BOTH for one in pair)
        apart = len(pair) == 2 and (alone or keys[pair[0]] != keys[pair[1]])
        units = [[real + one] for one in pair] if apart else [[real + one for one in pair]]
        some = groups.setdefault(tuple(keys[unit[0] - real] for unit in units), [])
        room = [] if alone else [joints for joints in some if len(joints[0]) + len(units[0]) <= PER_JOINT]
        if room:
            for joint, unit in zip(room[0], units):
                joint.extend(unit)
        else:
            some.append(units)
    return tuple(sorted(tuple(joint) for some in groups.values() for joints in some for joint in joints))


def _kind_of(clip: Clip, joint: int) -> tuple[int, tuple[int, float] | None]:
    """Whether a curve moves, jumps or does both, and the frame and change of a jump that its keys do not ask for."""
    change = np.abs(np.diff(clip.frames[:, joint, AXIS]))
    jumps = clip.steps[1:, joint, _TRANSLATIONS]
    fast = (change >= _MOST_TRAVEL) & ~jumps
    too_fast = (int(np.argmax(fast)) + 1, float(change[np.argmax(fast)])) if fast.any() else None
    jumps = jumps | fast
    if not jumps.any():
        return (_MOVES if (change > STEP_CHANGE).any() else _STILL), too_fast
    return (_BOTH if ((change > STEP_CHANGE) & ~jumps).any() else _JUMPS), too_fast


def _fitting(clip: Clip, real: int) -> tuple[Clip, int]:
    """Returns a clip at the lowest multiple of its rate at which no curve changes by more between two frames than is
    blended, and this multiple; the clip itself and 1 if there is none."""
    if clip.curve is None or not clip.follows_curve:
        return clip, 1
    for multiple in (1, *MULTIPLES):
        if multiple * clip.rate > HIGHEST:
            break
        try:
            finer = clip if multiple == 1 else sample(clip.name, clip.curve, multiple * clip.rate, 0, clip.source)
        except ImportProblem:  # too many frames
            break
        if all(_kind_of(finer, joint)[1] is None for joint in range(real, clip.frames.shape[1])):
            return finer, multiple
    return clip, 1
