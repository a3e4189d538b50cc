"""The size of a skeleton. Files do not state their unit of length, but people are one to two metres high."""
from __future__ import annotations

import numpy as np

from ..base.arrays import Array
from ..base.curve_names import real_count
from ..base.option_names import named
from ..base.portable_math import product
from . import rotations
from .clip import ROTATION, SCALE, TRANSLATION, Skeleton

# Metres. A smaller or larger skeleton may be a mouse or a dragon, or its file has other units.
USUAL_SIZE_M = (0.5, 5.0)
_NO_LENGTH_M = 1e-6  # shorter lengths are rounding errors of files
_FLAT = 1e-3  # of the size; lower skeletons have no height
_PROP = 2  # skeletons of up to this many joints, such as doors, may lie flat without a warning


def bind_size(skeleton: Skeleton) -> tuple[float, float, float]:
    """Returns the extent of the joints in the bind pose along x, y (up) and z, in metres; lengths below a micrometre
    are 0."""
    extent = np.ptp(bind_matrices(skeleton)[:, :3, 3], axis=0)
    width, height, depth = np.where(extent < _NO_LENGTH_M, 0.0, extent).tolist()
    return width, height, depth


def bind_matrices(skeleton: Skeleton) -> Array:
    """Returns the matrices [J, 4, 4] of the joints, without those that carry curves, in model space in the bind
    pose."""
    models: list[Array] = []
    for parent, bind in list(zip(skeleton.parents, skeleton.bind))[:real_count(skeleton.names)]:
        local = np.eye(4)
        local[:3, :3] = rotations.rotate(bind[ROTATION], np.eye(3)).T * bind[SCALE]
        local[:3, 3] = bind[TRANSLATION]
        models.append(local if parent < 0 else product(models[parent], local))
    return np.array(models)


def size_warnings(skeleton: Skeleton, source: str) -> list[str]:
    """Returns one line if a skeleton is unusually small or large, or has no height. A single joint has no size."""
    size_m, joints = bind_size(skeleton), real_count(skeleton.names)
    if joints == 1:
        return []
    if max(size_m) == 0.0:
        return [f"{source}: the bind pose is 0 m high, because all {joints} joints are at one point; export the "
                "skeleton with its bind pose (in a .bvh file: the OFFSETs)"]
    if joints > _PROP and size_m[1] <= _FLAT * max(size_m):
        return [f"{source}: the bind pose is {size_text(size_m)}; if the character does not lie flat, choose "
                f"{named('--up')}"]
    if _is_usual(size_m):
        return []
    cmu = " (CMU's .bvh files: 0.056444)" if source.lower().endswith(".bvh") else ""
    return [f"{source}: the bind pose is {size_text(size_m)}; if that is not the character's size, "
            f"choose {named('--scale')}{cmu}"]


def length_remedy(skeleton: Skeleton, otherwise: str = "") -> str:
    """Returns the advice for lengths beyond a limit: only `otherwise` if the skeleton has the usual size, because its
    unit is then correct."""
    if _is_usual(bind_size(skeleton)):
        return otherwise
    return f"if lengths are not metres, choose {named('--scale')}" + (
        f", else {otherwise}" if otherwise else "")


def _is_usual(size_m: tuple[float, float, float]) -> bool:
    return USUAL_SIZE_M[0] <= max(size_m) <= USUAL_SIZE_M[1]


def size_text(size_m: tuple[float, float, float]) -> str:
    """Formats the three lengths."""
    width, height, depth = size_m
    return f"{height:.3g} m high, {width:.3g} m wide and {depth:.3g} m deep"
