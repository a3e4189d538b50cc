"""Skeletons that are others in disguise: other names, axes, units and order of joints, under another armature."""
from __future__ import annotations

from dataclasses import dataclass, field, replace
from random import Random

import numpy as np

from ossicle.base.arrays import Array
from ossicle.model.clip import ROTATION, SCALE, TRANSLATION, Clip, Imported, Skeleton
from ossicle.model.rotations import inverse, multiply, normalise, rotate
from ossicle.model.shell import model_matrices

Z_UP = np.array([np.sqrt(0.5), 0.0, 0.0, np.sqrt(0.5)])  # turns +y to +z
UPRIGHT = np.array([0.0, 0.0, 0.0, 1.0])
_MIRRORED = np.array([1.0, -1.0, -1.0, 1.0, -1.0, 1.0, 1.0, 1.0, 1.0, 1.0])


@dataclass(frozen=True)
class Disguise:
    """order [J]: the old joint of each; axes [J, 4]: of the old joints; size: of the new skeleton; scale: of its roots
    in the bind pose; world [4]: the rotation of its model space; mirrored: whether joints are under a mirror."""

    order: tuple[int, ...]
    axes: Array
    size: float
    scale: float = 1.0
    world: Array = field(default_factory=UPRIGHT.copy)
    mirrored: bool = False

    def transforms(self, parents: Array, local: Array) -> Array:
        """Returns local transforms [..., J, 10] in the new order."""
        result = local.copy()
        for joint, parent in enumerate(parents):
            above = self.world if parent < 0 else inverse(self.axes[parent])
            rotation = multiply(above, local[..., joint, ROTATION])
            result[..., joint, ROTATION] = multiply(rotation, self.axes[joint])
            length = self.size if parent < 0 else self.size / self.scale
            result[..., joint, TRANSLATION] = length * rotate(above, local[..., joint, TRANSLATION])
            if parent < 0:
                result[..., joint, SCALE] *= self.scale
            elif self.mirrored:
                result[..., joint, :] *= _MIRRORED
            if parent < 0 and self.mirrored:
                result[..., joint, SCALE] *= (-1.0, 1.0, 1.0)
        return result[..., list(self.order), :]

    def skeleton(self, skeleton: Skeleton) -> Skeleton:
        place = {old: new for new, old in enumerate(self.order)}
        parents = [int(skeleton.parents[old]) for old in self.order]
        return Skeleton(tuple(f"bone {new}" for new in range(len(self.order))),
                        np.array([-1 if parent < 0 else place[parent] for parent in parents], np.int32),
                        self.transforms(skeleton.parents, skeleton.bind))

    def clip(self, clip: Clip, skeleton: Skeleton) -> Clip:
        frames = self.transforms(skeleton.parents, np.asarray(clip.frames))
        return replace(clip, frames=frames, steps=clip.steps[:, list(self.order)], curve=None)

    def imported(self, imported: Imported) -> Imported:
        return Imported(self.skeleton(imported.skeleton),
                        [self.clip(clip, imported.skeleton) for clip in imported.clips])


def disguise(skeleton: Skeleton, seed: int, **others: object) -> Disguise:
    """Returns a random disguise."""
    random = Random(seed)
    axes = normalise(np.array([[random.gauss(0.0, 1.0) for _ in range(4)] for _ in skeleton.names]))
    order: list[int] = []
    left = list(range(len(skeleton.names)))
    while left:
        ready = [joint for joint in left if skeleton.parents[joint] < 0 or skeleton.parents[joint] in order]
        order.append(random.choice(ready))
        left.remove(order[-1])
    return Disguise(tuple(order), axes, random.uniform(0.3, 3.0), **others)  # type: ignore[arg-type]


def models(skeleton: Skeleton, frames: Array) -> Array:
    """Returns the model matrices [F, J, 3, 4] of poses."""
    return model_matrices(skeleton.parents, np.asarray(frames))
