"""Reads the node graph of a glTF file: names, hierarchy and rest transforms."""
from __future__ import annotations

from typing import Any

import numpy as np

from ...base.arrays import Array
from ...base.portable_math import determinant, length, product
from ...model import rotations
from ...model.clip import ROTATION, SCALE, TRANSLATION, ImportProblem, check_name
from ...model.editing.folding import Similarity
from ...model.samples import TRANSFORM_WIDTH
from . import json_values as gltf_json
from .json_values import REEXPORT

_APPLY = "apply its transform in the modelling tool and export again"

# The largest cosine between orthogonal columns of a matrix, and the largest relative difference of uniform scales. The
# float32 noise of exporters stays well below both.
_SHEAR_COSINE = 1e-4
_UNIFORM = 1e-5
_MIN_SCALE = 1e-9
_MIN_QUATERNION = 1e-6


class NodeTree:
    """The nodes of a file. parents: -1 for a root; order: all node indices depth first, with roots and children in the
    order of the file, so that parents come before their children."""

    def __init__(self, root: dict[str, Any]):
        """Raises ImportProblem if an index is wrong, a node has two parents, or the graph has a cycle."""
        self._nodes = gltf_json.objects(root, "nodes")
        self.parents = [-1] * len(self._nodes)
        self._children = [self._read_children(i) for i in range(len(self._nodes))]
        self.order = self._depth_first()
        self._names: dict[int, str] = {}

    def __len__(self) -> int:
        return len(self._nodes)

    def name(self, index: int) -> str:
        """Returns the node's name, or `node<N>` if it has none."""
        if index not in self._names:
            name = gltf_json.name(self._nodes[index], f"node {index}")
            self._names[index] = check_name(name or f"node{index}", f"node {index}:")
        return self._names[index]

    def describe(self, index: int) -> str:
        """Returns the node's name for messages: `node Hips`, or `node 3` if it has no name."""
        return f"node {gltf_json.text(self._nodes[index], 'name', f'node {index}', '') or index}"

    def _read_children(self, index: int) -> list[int]:
        where = f"node {index}"
        children = []
        for value in gltf_json.items(self._nodes[index], "children", where):
            child = gltf_json.whole(value, f"{where}: child", len(self._nodes))
            if self.parents[child] >= 0:
                raise ImportProblem(
                    f"node {child}: is a child of node {self.parents[child]} and of {where}; "
                    f"{REEXPORT}"
                )
            self.parents[child] = index
            children.append(child)
        return children

    def _depth_first(self) -> list[int]:
        order = []
        pending = [i for i in reversed(range(len(self))) if self.parents[i] < 0]
        while pending:
            node = pending.pop()
            order.append(node)
            pending += reversed(self._children[node])
        if len(order) < len(self):
            lost = min(set(range(len(self))) - set(order))
            raise ImportProblem(f"{self.describe(lost)}: is its own ancestor; {REEXPORT}")
        return order

    def ancestors(self, index: int) -> list[int]:
        """Returns the node's ancestors, from its parent upwards."""
        result = []
        while (index := self.parents[index]) >= 0:
            result.append(index)
        return result

    def matrix(self, index: int) -> Array:
        """Returns the local rest transform as a matrix [4, 4], which may have shear."""
        node, where = self._nodes[index], self.describe(index)
        if "matrix" in node:
            return np.array(gltf_json.numbers(node, "matrix", where, tuple(np.eye(4).ravel()))).reshape(4, 4).T
        rest, matrix = self.rest(index), np.eye(4)
        matrix[:3, :3] = rotations.rotate(rest[ROTATION], np.eye(3)).T * rest[SCALE]
        matrix[:3, 3] = rest[TRANSLATION]
        return matrix

    def rest(self, index: int) -> Array:
        """Returns the local rest transform [10]. If the node has a matrix, decomposes it."""
        node, where = self._nodes[index], self.describe(index)
        if "matrix" in node:
            columns = gltf_json.numbers(node, "matrix", where, tuple(np.eye(4).ravel()))
            return decomposed(np.array(columns).reshape(4, 4).T, where)
        transform = np.zeros(TRANSFORM_WIDTH)
        rotation = np.array(gltf_json.numbers(node, "rotation", where, (0.0, 0.0, 0.0, 1.0)))
        if length(rotation) < _MIN_QUATERNION:
            raise ImportProblem(f"{where}: rotation is the zero quaternion; {REEXPORT}")
        transform[ROTATION] = rotations.normalise(rotation)
        transform[TRANSLATION] = gltf_json.numbers(node, "translation", where, (0.0, 0.0, 0.0))
        transform[SCALE] = gltf_json.numbers(node, "scale", where, (1.0, 1.0, 1.0))
        return transform

    def is_stretched(self, index: int) -> bool:
        """Returns whether the rest transform of a node has a non-uniform scale, so that it cannot be folded."""
        size = np.abs(self.rest(index)[SCALE])
        return bool(size.max() > size.min() * (1.0 + _UNIFORM))

    def similarity(self, index: int) -> Similarity:
        """Returns the rest transform of a node to fold, which may mirror. Raises ImportProblem if it is stretched or
        has a scale of zero."""
        rest, where = self.rest(index), self.describe(index)
        size = np.abs(rest[SCALE])
        if self.is_stretched(index):
            raise ImportProblem(f"{where}: above a joint with non-uniform scale {_listed(rest[SCALE])}; {_APPLY}")
        if size.min() < _MIN_SCALE:
            raise ImportProblem(f"{where}: above a joint with zero scale {_listed(rest[SCALE])}; {_APPLY}")
        rotation, sign = rest[ROTATION], np.where(rest[SCALE] < 0.0, -1.0, 1.0)
        mirror = bool(sign[0] * sign[1] * sign[2] < 0.0)
        if mirror:
            sign[0] = -sign[0]
        if sign.min() < 0.0:  # two negative scales are a rotation by 180 degrees about the third axis
            rotation = rotations.multiply(rotation, np.array([*(sign > 0.0), False], float))
        return Similarity(rotation, rest[TRANSLATION], float((size[0] + size[1] + size[2]) / 3.0), mirror)


def decomposed(matrix: Array, where: str) -> Array:
    """Decomposes a matrix [4, 4] for column vectors into a transform [10]; mirroring becomes a negative x scale."""
    if np.abs(matrix[3] - (0.0, 0.0, 0.0, 1.0)).max() > _SHEAR_COSINE:
        raise ImportProblem(f"{where}: matrix has the last row {_listed(matrix[3])}; {REEXPORT}")
    linear = matrix[:3, :3]
    scale = length(linear.T)
    if scale.min() < _MIN_SCALE:
        raise ImportProblem(f"{where}: matrix has a scale of zero; {_APPLY}")
    axes = linear / scale
    if np.abs(product(axes.T, axes) - np.eye(3)).max() > _SHEAR_COSINE:
        raise ImportProblem(f"{where}: matrix has shear; {_APPLY}")
    if determinant(axes) < 0.0:
        scale[0] = -scale[0]
        axes[:, 0] = -axes[:, 0]
    return np.concatenate([rotations.from_matrix(axes), matrix[:3, 3], scale])


def _listed(values: Array) -> str:
    return "(" + ", ".join(f"{v:.6g}" for v in values) + ")"
