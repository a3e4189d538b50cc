"""Leaves joints out of a skeleton and its clips; the others move as before.

The transform of a joint that is left out is multiplied into the nearest joints below that stay: T1 R1 S1 T2 R2 S2. This
is a single transform T R S if the upper scale is uniform, T(t1 + s1 R1 t2) R(R1 R2) S(s1 S2), or if the lower joint
does not rotate.
"""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ...base.arrays import Array
from .. import rotations
from ..clip import ROTATION, SCALE, TRANSLATION, Clip, Imported, ImportProblem, problems_of
from ..key_rate import sampling_rate
from ..sampling import FrameCurve, OrderedCurve, resampled

_UNIFORM = 1e-5  # the largest relative difference of uniform scales: float32 noise
_STILL = 1e-9  # the largest difference between transforms of a joint that does not move
_NO_ROTATION = 1e-6  # half of the largest angle that counts as no rotation


@dataclass(frozen=True, eq=False)
class Folds:
    """Converts the transforms of a skeleton to those of a smaller one.

    names: of all J joints. kept: the joints of the result, ascending. above: for each joint its parent if that is left
    out and must be multiplied into it, else -1.
    """

    names: Sequence[str]
    kept: Array
    above: Sequence[int]

    @cached_property
    def folded(self) -> list[int]:
        """The joints that are left out above joints that stay, ascending."""
        needed: set[int] = set()
        for joint in reversed(range(len(self.names))):
            if self.above[joint] >= 0 and (joint in needed or joint in self.kept):
                needed.add(self.above[joint])
        return sorted(needed)

    def apply(self, transforms: Array) -> Array:
        """Returns transforms [N, K, 10] of the kept joints from those of all [N, J, 10]. Raises ImportProblem, which
        names the joint, if a product is not a single transform."""
        result = transforms.copy()
        needed = {*self.folded, *self.kept.tolist()}
        for joint, above in enumerate(self.above):
            if above >= 0 and joint in needed:
                result[:, joint] = self._product(result, above, joint)
        return result[:, self.kept]

    def _product(self, transforms: Array, upper: int, lower: int) -> Array:
        outer, inner = transforms[:, upper], transforms[:, lower]
        scale = outer[:, SCALE]
        uniform = np.ptp(scale, axis=1) <= _UNIFORM * np.abs(scale).max(axis=1)
        rotated = np.abs(inner[:, ROTATION][:, :3]).max(axis=1) > _NO_ROTATION
        if (rotated & ~uniform).any():
            at = int(np.argmax(rotated & ~uniform))
            listed = ", ".join(f"{value:.6g}" for value in scale[at])
            raise ImportProblem(
                f"joint {self.names[upper]}: cannot be dropped: its scale of ({listed}) would shear "
                f"{self.names[lower]}, which rotates; keep it, or give it the same scale along all axes")
        mean = (scale[:, 0] + scale[:, 1] + scale[:, 2]) / 3.0
        scale = np.where(uniform[:, None], mean[:, None], scale)
        product = np.empty_like(inner)
        product[:, ROTATION] = rotations.multiply(outer[:, ROTATION], inner[:, ROTATION])
        product[:, TRANSLATION] = outer[:, TRANSLATION] + rotations.rotate(
            outer[:, ROTATION], scale * inner[:, TRANSLATION])
        product[:, SCALE] = scale * inner[:, SCALE]
        return product

    def steps(self, steps: Array) -> Array:
        """Returns the jumps [F, K, 3] of the kept joints' tracks from those of all [F, J, 3]."""
        result = steps.copy()
        for joint, above in enumerate(self.above):
            if above >= 0:
                result[:, joint, 0] |= result[:, above, 0]
                result[:, joint, 1] |= result[:, above].any(axis=-1)
                result[:, joint, 2] |= result[:, above, 2]
        return result[:, self.kept]

    def within(self, joints: Array) -> Folds:
        """Returns the folds for the transforms of these joints only, ascending, which must suffice."""
        index = {int(joint): at for at, joint in enumerate(joints)}
        return Folds([self.names[joint] for joint in joints], np.array([index[int(j)] for j in self.kept]),
                     [index.get(self.above[joint], -1) for joint in joints])


@dataclass(frozen=True, eq=False)
class FoldedCurve(OrderedCurve):
    """The curve of a clip without some joints (see clip.Curve). linear: whether it is still linear between keys."""

    folds: Folds
    linear: bool

    def at(self, seconds: Array, early: float = 0.0) -> Array:
        return self.folds.apply(self.curve.at(seconds, early))[:, self.order]

    def sampled(self, seconds: Array, early: float) -> tuple[Array, Array]:
        frames, steps = self.curve.sampled(seconds, early)
        return self.folds.apply(frames)[:, self.order], self.folds.steps(steps)[:, self.order]


def without_joints(imported: Imported, dropped: frozenset[str]) -> Imported:
    """Removes these joints from the skeleton and the clips. Warns about those with vertices. Raises ImportProblem,
    which names the joint, if its transform cannot be folded into those below."""
    skeleton = imported.skeleton
    kept = np.array([j for j, name in enumerate(skeleton.names) if name not in dropped], int)
    if len(kept) == len(skeleton.names):
        return imported
    if len(kept) == 0:
        raise ImportProblem("all of its joints are dropped; leave out the file, or keep a joint")
    index = {int(joint): at for at, joint in enumerate(kept)}
    above = [parent if parent >= 0 and parent not in index else -1 for parent in map(int, skeleton.parents)]
    folds = Folds(skeleton.names, kept, above)
    with problems_of("bind pose"):
        bind = folds.apply(skeleton.bind[None])[0]
    clips = []
    for clip in (*imported.clips, *imported.references):
        with problems_of(f"clip {clip.name}"):
            clips.append(_without(clip, folds))
    names = tuple(skeleton.names[joint] for joint in kept)
    inverse_bind = skeleton.inverse_bind
    smaller = replace(
        skeleton, names=names,
        parents=np.array([_parent(joint, skeleton.parents, index) for joint in kept], np.int32), bind=bind,
        inverse_bind=None if inverse_bind is None else inverse_bind[kept],
        units=None if skeleton.units is None else skeleton.units[kept],
        skin_joints=tuple(names[_heir(skeleton.names.index(name), skeleton.parents, index)]
                          for name in skeleton.skin_joints))
    lost = [name for name in skeleton.names if name in dropped and name in (imported.carrying or ())]
    warnings = [f"vertices are weighted to joints that are dropped: {', '.join(lost)}; weight them to joints "
                "that stay"] if lost else []
    count = len(imported.clips)
    return replace(imported, skeleton=smaller, clips=clips[:count], references=clips[count:],
                   warnings=imported.warnings + warnings)


def _parent(joint: int, parents: Array, index: dict[int, int]) -> int:
    while (joint := int(parents[joint])) >= 0:
        if joint in index:
            return index[joint]
    return -1


def _heir(joint: int, parents: Array, index: dict[int, int]) -> int:
    """Returns the joint that moves the vertices of a joint: itself if it stays, else the next one above that stays, or
    the first of all."""
    return index[joint] if joint in index else max(_parent(joint, parents, index), 0)


def _without(clip: Clip, folds: Folds) -> Clip:
    needed = np.union1d(folds.kept, folds.folded).astype(int)
    inner = folds.within(needed)
    still = not folds.folded or _is_still(clip, folds.folded)
    curve = clip.curve and clip.curve.reordered(needed)
    if curve is None and not still:  # the file's interpolation, for two joints
        curve = FrameCurve(clip.frames[:, needed], 1.0 / clip.rate)
    if curve is not None and folds.folded:
        curve = FoldedCurve(curve, np.arange(len(folds.kept)), inner, curve.linear and still)
    if clip.curve is not None and clip.follows_curve and curve is not None:
        return resampled(clip, curve, sampling_rate(curve.times))
    return replace(clip, frames=folds.apply(clip.frames), steps=folds.steps(clip.steps), curve=curve)


def _is_still(clip: Clip, joints: Sequence[int]) -> bool:
    """Returns whether these joints do not move in a clip."""
    samples = clip.frames if clip.curve is None else np.concatenate(
        [clip.frames, clip.curve.at(np.union1d(clip.curve.times, clip.curve.halves))])
    moving = samples[:, joints]
    return bool(np.ptp(moving, axis=0).max() <= _STILL)
