"""Compares the skeletons of source files, and reorders joints."""
from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..base.arrays import Array
from ..base.portable_math import dot
from ..model.clip import ROTATION, SCALE, TRANSLATION, Imported, ImportProblem, Skeleton

# Skeletons that differ by more (metres, units) are different ones. Smaller differences are common, because exporters
# round rest poses and capture systems measure them for every recording; clips keep their own values.
_BIND_TOLERANCE = 1e-3


def match(imported: Imported, skeleton: Skeleton, first_name: str) -> Array:
    """Returns the index in `imported` of each joint of `skeleton`. Raises ImportProblem at the first difference."""
    other = imported.skeleton
    index = {name: j for j, name in enumerate(other.names)}
    remedy = f"all inputs must share the skeleton of {first_name}"
    for name in skeleton.names:
        if name not in index:
            raise ImportProblem(f"joint {name}: missing; {remedy}")
    known = set(skeleton.names)
    for name in other.names:
        if name not in known:
            raise ImportProblem(f"joint {name}: not in {first_name}; {remedy}")
    order = np.array([index[name] for name in skeleton.names])
    # Nearly all are equal, also in the signs of rotations, which bind_difference ignores.
    differs = ~(np.abs(other.bind[order] - skeleton.bind) <= _BIND_TOLERANCE).all(axis=1)
    for j, name in enumerate(skeleton.names):
        ours, theirs = _parent_name(skeleton, j), _parent_name(other, index[name])
        if ours != theirs:
            raise ImportProblem(f"joint {name}: its parent is {theirs} instead of {ours}; {remedy}")
        if differs[j] and (what := bind_difference(other.bind[order[j]], skeleton.bind[j],
                                                   _is_placed(imported, order[j]))):
            raise ImportProblem(f"joint {name}: bind {what}; {remedy}")
    return order


def _parent_name(skeleton: Skeleton, joint: int) -> str:
    parent = skeleton.parents[joint]
    return "the world" if parent < 0 else skeleton.names[parent]


def _is_placed(imported: Imported, joint: int) -> bool:
    """Returns whether clips move the joint (BVH position channels, root motion), so that its position in the bind pose
    does not matter."""
    rest = imported.skeleton.bind[joint, TRANSLATION]
    return any(
        np.max(np.abs(clip.frames[:, joint, TRANSLATION] - rest)) > _BIND_TOLERANCE
        for clip in imported.clips
    )


def bind_difference(theirs: Array, ours: Array, placed: bool) -> str:
    """Describes the first difference of two transforms [10]; empty if there is none. placed: whether to ignore the
    translation."""
    sign = -1.0 if dot(theirs[ROTATION], ours[ROTATION]) < 0.0 else 1.0
    for what, part, factor in (
        ("rotation", ROTATION, sign),
        ("translation", TRANSLATION, 1.0),
        ("scale", SCALE, 1.0),
    ):
        a, b = factor * theirs[part], ours[part]
        if not (placed and what == "translation") and np.max(np.abs(a - b)) > _BIND_TOLERANCE:
            return f"{what} is {_listed(a)} instead of {_listed(b)}"
    return ""


def _listed(values: Array) -> str:
    return "(" + ", ".join(f"{v:.6g}" for v in values) + ")"


def reordered(imported: Imported, order: Array) -> Imported:
    if np.array_equal(order, np.arange(len(order))):  # as nearly always
        return imported
    clips = [
        replace(c, frames=c.frames[:, order], steps=c.steps[:, order],
                curve=c.curve and c.curve.reordered(order))
        for c in imported.clips
    ]
    return Imported(imported.skeleton, clips, imported.warnings, curves=imported.curves)
