"""Reads the triangles, normals and joints of a glTF primitive."""
from __future__ import annotations

from math import fsum
from typing import Any

import numpy as np

from ....base.arrays import Array
from ....base.portable_math import cross, sums_at
from ....model.clip import ImportProblem
from ....model.mesh.mesh import MAX_INFLUENCES
from .. import json_values as gltf_json
from ..accessors import Accessors
from ..json_values import REEXPORT

TRIANGLES, STRIP, FAN = 4, 5, 6  # modes of a primitive
NOT_DRAWN = ("points", "lines", "a loop of lines", "a strip of lines")  # of modes 0 to 3
MODES = 7
_LEAST_WEIGHT = 1 / 512  # of a joint with a visible effect


def triangles_of(primitive: dict[str, Any], accessors: Accessors, count: int) -> Array:
    """Returns the triangles [T, 3] of a primitive with `count` vertices, including those of strips and fans."""
    if "indices" in primitive:
        index = gltf_json.integer(primitive, "indices", "primitive", accessors.count)
        corners = accessors.indices(index, "SCALAR").astype(np.int64).reshape(-1)
    else:
        corners = np.arange(count)
    mode = gltf_json.integer(primitive, "mode", "primitive", MODES, default=TRIANGLES)
    if mode == TRIANGLES and len(corners) % 3 or len(corners) and corners.max() >= count:
        raise ImportProblem(f"has {len(corners)} corners of triangles up to vertex {corners.max(initial=0)}, and "
                            f"{count} vertices; {REEXPORT}")
    if mode == TRIANGLES:
        return corners.reshape(-1, 3)
    number = np.arange(max(len(corners) - 2, 0))
    if mode == STRIP:  # every second triangle is reversed
        return corners[np.stack([number, number + 1 + number % 2, number + 2 - number % 2], axis=1)]
    return corners[np.stack([number + 1, number + 2, np.zeros_like(number)], axis=1)]


def influences_of(attributes: dict[str, Any], accessors: Accessors, count: int, joint_count: int) \
        -> tuple[Array, Array]:
    """Returns the joints, as their numbers in a skin with `joint_count`, and the weights of the vertices: [V, 4 n]."""
    joints, weights, number = [], [], 0
    while f"JOINTS_{number}" in attributes:
        index, by = (gltf_json.integer(attributes, f"{name}_{number}", "primitive", accessors.count)
                     for name in ("JOINTS", "WEIGHTS"))
        joints.append(accessors.indices(index, "VEC4").astype(np.int64))
        weights.append(accessors.values(by, "VEC4", normalised=True))
        number += 1
    if not joints or any(len(values) != count for values in (*joints, *weights)):
        raise ImportProblem(f"does not have joints and weights for each of its {count} vertices; {REEXPORT}")
    found = np.concatenate(joints, axis=1)
    if found.max() >= joint_count:
        raise ImportProblem(f"has a vertex of joint {found.max()}, but its skin has {joint_count} joints; {REEXPORT}")
    return found, np.concatenate(weights, axis=1)


def largest(joints: Array, weights: Array) -> tuple[Array, Array, Array]:
    """Returns the four largest weights of each vertex, summed per joint and scaled to a sum of 1, their joints, and the
    fraction [V] of the omitted weights."""
    chosen = np.zeros((len(joints), MAX_INFLUENCES), np.int64)
    parts = np.zeros((len(joints), MAX_INFLUENCES))
    others = np.zeros(len(joints))
    for vertex, (of, by) in enumerate(zip(joints.tolist(), weights.tolist())):
        sums: dict[int, float] = {}
        for joint, weight in zip(of, by):
            sums[joint] = sums.get(joint, 0.0) + weight
        best = sorted((item for item in sums.items() if item[1] >= _LEAST_WEIGHT), key=lambda item: (-item[1], item[0]))
        rest, best = best[MAX_INFLUENCES:], best[:MAX_INFLUENCES] or [(of[0], 1.0)]
        whole = fsum(weight for _, weight in best)
        left = fsum(weight for _, weight in rest)
        others[vertex] = left / (whole + left)
        chosen[vertex] = best[0][0]
        for index, (joint, weight) in enumerate(best):
            chosen[vertex, index], parts[vertex, index] = joint, weight / whole
    return chosen, parts, others


def smooth_normals(positions: Array, triangles: Array) -> Array:
    """Returns normals [V, 3] of any length, the sums of those of the triangles around each vertex."""
    a, b, c = (positions[triangles[:, corner]] for corner in range(3))
    return sums_at(triangles.T.reshape(-1), np.tile(cross(b - a, c - a), (3, 1)), len(positions))
