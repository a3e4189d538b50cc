"""Reads the meshes of a glTF file that the joints of a bank move."""
from __future__ import annotations

from collections.abc import Sequence
from math import fsum
from pathlib import Path
from typing import Any

import numpy as np

from ...base.portable_math import cross, inverse, length, product, sums_at
from ...model import rotations
from ...model.clip import ROTATION, SCALE, TRANSLATION, ImportProblem, problems_of
from ...model.folding import unit_of
from ...model.mesh import MAX_INFLUENCES, Material, Mesh, Surface, joined
from . import json_values as gltf_json
from .accessors import Accessors
from .file import GltfFile
from .json_values import REEXPORT
from .materials import Materials
from .nodes import NodeTree

_TRIANGLES = 4  # the mode of a primitive
_LEAST_WEIGHT = 1 / 512  # of a joint that moves a vertex by anything visible


def read_mesh(path: Path, data: bytes, names: Sequence[str], inverse_bind: np.ndarray,
              scale: float = 1.0, outside: bool = False) -> tuple[Mesh, list[str]]:
    """Returns everything visible of a .glb or .gltf file that joints move, and warnings.

    names: the joints of the bank. inverse_bind: float64 [J, 4, 4], its matrices. scale: metres a unit
    of the file. Vertices follow the joints of their skin, and meshes without a skin the joint that
    they hang on; where the bank has no such joint, the one above it. outside: see ImportOptions. Raises
    ImportProblem.
    """
    reader = _Reader(GltfFile(path, data, outside), names, inverse_bind, scale)
    surfaces, warnings = reader.read()
    return joined([reader.coloured(surface) for surface in surfaces]), warnings


def read_surfaces(path: Path, data: bytes, names: Sequence[str], inverse_bind: np.ndarray, scale: float = 1.0,
                  outside: bool = False) -> tuple[list[Surface], list[Material], list[str]]:
    """Returns what read_mesh does, but as surfaces with the materials that they name."""
    reader = _Reader(GltfFile(path, data, outside), names, inverse_bind, scale)
    surfaces, warnings = reader.read()
    return surfaces, reader.materials(), warnings


class _Reader:
    def __init__(self, file: GltfFile, names: Sequence[str], inverse_bind: np.ndarray, scale: float):
        self._file = file
        self._root = self._file.root
        self._accessors = Accessors(self._file)
        self._nodes = NodeTree(self._root)
        self._materials = Materials(self._file, self._accessors)
        self._numbers = {name: number for number, name in enumerate(names)}
        self._inverse_bind, self._scale = inverse_bind, scale

    def coloured(self, surface: Surface) -> Mesh:
        palette, colours = self._materials.colours(surface)
        return Mesh(surface.positions, surface.normals, surface.joints, surface.weights, surface.triangles, colours,
                    palette)

    def materials(self) -> list[Material]:
        return self._materials.all()

    def read(self) -> tuple[list[Surface], list[str]]:
        meshes = gltf_json.objects(self._root, "meshes")
        warnings, parts = self._file.warnings, []
        for index, node in enumerate(gltf_json.objects(self._root, "nodes")):
            if "mesh" not in node:
                continue
            mesh = meshes[gltf_json.integer(node, "mesh", f"node {index}", len(meshes))]
            with problems_of(self._nodes.describe(index)):
                follows = self._skin_of(node) if "skin" in node else self._joint_at(index)
                if follows is None:
                    warnings.append(f"{self._nodes.describe(index)}: hangs on no joint of the bank, skipped")
                    continue
                for number, primitive in enumerate(gltf_json.objects(mesh, "primitives", "mesh")):
                    with problems_of(f"primitive {number}"):
                        parts.append(self._primitive(primitive, index, follows))
        if not parts:
            raise ImportProblem("has no mesh that a joint of the bank moves; export it with its meshes")
        return parts, warnings

    def _skin_of(self, node: dict[str, Any]) -> list[int]:
        """The joint of the bank for each joint of a node's skin."""
        skins = gltf_json.objects(self._root, "skins")
        skin = skins[gltf_json.integer(node, "skin", "node", len(skins))]
        found, missing = [], []
        for place in gltf_json.items(skin, "joints", "skin"):
            joint = self._joint_at(gltf_json.whole(place, "skin: joint", len(self._nodes)))
            if joint is None:
                raise ImportProblem(f"the bank has no joint {self._nodes.name(place)} of its skin, and none above; "
                                    "name the bank of this character")
            if self._nodes.name(place) not in self._numbers:
                missing.append(self._nodes.name(place))
            found.append(joint)
        if missing:
            self._warn(f"the bank has not {len(missing)} of the {len(found)} joints of its skin ({', '.join(missing)}); "
                       "their vertices follow the joints above")
        return found

    def _warn(self, text: str) -> None:
        """Warns once, whatever the number of meshes."""
        if text not in self._file.warnings:
            self._file.warnings.append(text)

    def _joint_at(self, node: int) -> int | None:
        """The joint of the bank at a node or at the nearest node above."""
        return next((self._numbers[self._nodes.name(place)] for place in (node, *self._nodes.ancestors(node))
                     if self._nodes.name(place) in self._numbers), None)

    def _below_joint(self, node: int, joint: int) -> np.ndarray:
        """The matrix that takes a mesh at this node to where the joint's skinning matrix takes it from."""
        matrix = np.eye(4)
        for place in (node, *self._nodes.ancestors(node)):
            if self._numbers.get(self._nodes.name(place)) == joint:
                break
            matrix = product(_matrix(self._nodes.rest(place)), matrix)
        matrix[:3] = matrix[:3] * self._metres_at(node)
        bind = self._inverse_bind[joint]
        turn = inverse(bind[:3, :3])
        if turn is None:
            raise ImportProblem(f"the joint {joint} of the bank is flat: its inverse bind matrix has no inverse")
        matrix[:3, 3] = matrix[:3, 3] - bind[:3, 3]
        return product(turn, matrix[:3])

    def _metres_at(self, node: int) -> float:
        """Returns the metres of a unit of length at a node: the product of all scales above it that became part of the
        lengths of the bank (model/folding.py)."""
        metres, below = self._scale, True
        for place in (node, *self._nodes.ancestors(node)):
            is_joint = self._nodes.name(place) in self._numbers
            below = below and not is_joint
            if is_joint:
                metres *= unit_of(self._nodes.rest(place)[SCALE])
            elif not below:
                metres *= self._nodes.similarity(place).scale
        return metres

    def _primitive(self, primitive: dict[str, Any], node: int, follows: list[int] | int) -> Surface:
        if gltf_json.integer(primitive, "mode", "primitive", 7, default=_TRIANGLES) != _TRIANGLES:
            raise ImportProblem(f"is not made of triangles; {REEXPORT}")
        if "KHR_draco_mesh_compression" in gltf_json.mapping(primitive, "extensions", "primitive"):
            raise ImportProblem("is compressed with Draco; export it without compression")
        attributes = gltf_json.mapping(primitive, "attributes", "primitive")
        positions = self._values(attributes, "POSITION", "VEC3")
        count = len(positions)
        triangles = self._triangles(primitive, count)
        normals = self._values(attributes, "NORMAL", "VEC3") if "NORMAL" in attributes \
            else _smooth_normals(positions, triangles)
        if isinstance(follows, int):
            matrix = self._below_joint(node, follows)
            positions = product(positions, matrix[:, :3].T) + matrix[:, 3]
            turn = inverse(matrix[:, :3])
            if turn is None:
                raise ImportProblem("is flat: a node above it has a scale of 0; give it another one")
            normals = product(normals, turn)
            joints = np.zeros((count, MAX_INFLUENCES), np.int64) + follows
            weights = np.zeros((count, MAX_INFLUENCES)) + (1.0, 0.0, 0.0, 0.0)
        else:
            joints, weights = self._influences(attributes, count, follows)
        if len(normals) != count:
            raise ImportProblem(f"has {count} positions and {len(normals)} normals; {REEXPORT}")
        places = self._values(attributes, "TEXCOORD_0", "VEC2", normalised=True) if "TEXCOORD_0" in attributes else None
        normals = normals / np.maximum(length(normals), 1e-9)[:, None]
        material = gltf_json.integer(primitive, "material", "primitive", len(self._materials)) \
            if "material" in primitive else None
        return Surface(positions, normals, joints, weights, triangles, places, material)

    def _values(self, attributes: dict[str, Any], name: str, kind: str, normalised: bool = False) -> np.ndarray:
        return self._accessors.values(gltf_json.integer(attributes, name, "primitive", self._accessors.count),
                                      kind, normalised)

    def _triangles(self, primitive: dict[str, Any], count: int) -> np.ndarray:
        if "indices" in primitive:
            index = gltf_json.integer(primitive, "indices", "primitive", self._accessors.count)
            corners = self._accessors.indices(index, "SCALAR").astype(np.int64).reshape(-1)
        else:
            corners = np.arange(count)
        if len(corners) % 3 or len(corners) and corners.max() >= count:
            raise ImportProblem(f"has {len(corners)} corners of triangles up to vertex {corners.max(initial=0)}, and "
                                f"{count} vertices; {REEXPORT}")
        return corners.reshape(-1, 3)

    def _influences(self, attributes: dict[str, Any], count: int, follows: list[int]) -> tuple[np.ndarray, np.ndarray]:
        """The joints of the bank and their weights, the four largest of each vertex."""
        joints, weights, number = [], [], 0
        while f"JOINTS_{number}" in attributes:
            index = gltf_json.integer(attributes, f"JOINTS_{number}", "primitive", self._accessors.count)
            joints.append(self._accessors.indices(index, "VEC4").astype(np.int64))
            weights.append(self._values(attributes, f"WEIGHTS_{number}", "VEC4", normalised=True))
            number += 1
        if not joints or any(len(one) != count for one in (*joints, *weights)):
            raise ImportProblem(f"has not the joints and weights of its {count} vertices; {REEXPORT}")
        found, part = np.concatenate(joints, axis=1), np.concatenate(weights, axis=1)
        if found.max() >= len(follows):
            raise ImportProblem(f"has a vertex of joint {found.max()}, and its skin {len(follows)} joints; {REEXPORT}")
        return _largest(np.array(follows)[found], part)


def _largest(joints: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The four largest weights of each vertex, of each joint one, with sum 1, and their joints."""
    kept = np.zeros((len(joints), MAX_INFLUENCES), np.int64)
    parts = np.zeros((len(joints), MAX_INFLUENCES))
    for vertex, (of, by) in enumerate(zip(joints.tolist(), weights.tolist())):
        sums: dict[int, float] = {}
        for joint, weight in zip(of, by):
            sums[joint] = sums.get(joint, 0.0) + weight
        best = sorted((one for one in sums.items() if one[1] >= _LEAST_WEIGHT), key=lambda one: (-one[1], one[0]))
        best = best[:MAX_INFLUENCES] or [(of[0], 1.0)]
        whole = fsum(weight for _, weight in best)
        kept[vertex] = best[0][0]
        for place, (joint, weight) in enumerate(best):
            kept[vertex, place], parts[vertex, place] = joint, weight / whole
    return kept, parts


def _smooth_normals(positions: np.ndarray, triangles: np.ndarray) -> np.ndarray:
    a, b, c = (positions[triangles[:, corner]] for corner in range(3))
    return sums_at(triangles.T.reshape(-1), np.tile(cross(b - a, c - a), (3, 1)), len(positions))


def _matrix(rest: np.ndarray) -> np.ndarray:
    """The matrix of a local transform [10]."""
    matrix = np.eye(4)
    matrix[:3, :3] = rotations.rotate(rest[ROTATION], np.eye(3)).T * rest[SCALE]
    matrix[:3, 3] = rest[TRANSLATION]
    return matrix
