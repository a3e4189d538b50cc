"""Corrects the skins of glTF files that Assimp wrote.

Assimp writes one skin for all meshes, with the inverse bind matrices of the first mesh of each joint. The others have
their own, because an FBX file skins each mesh in the axes of its node. The rest pose of an FBX file is the pose at its
export; the bind pose is only in the skins.
"""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from ...base.arrays import Array
from ...base.glb import GlbFile
from ...base.portable_math import inverse, product
from ...model.clip import ROTATION, SCALE, TRACK_KINDS, TRANSLATION, ImportProblem
from ...model.interpolation import LINEAR
from ..gltf import json_values as gltf_json
from ..gltf.accessors import Accessors
from ..gltf.file import GltfFile
from ..gltf.json_values import REEXPORT
from ..gltf.nodes import NodeTree, decomposed

_PARTS = dict(zip(TRACK_KINDS, (ROTATION, TRANSLATION, SCALE)))
_SAME = 1e-5  # relative to the largest element of a matrix


def with_bind_pose(glb: bytes) -> bytes:
    """Returns a file with a skin for each mesh, and the bind pose as the rest pose. Raises ImportProblem."""
    file = GltfFile(Path("converted.glb"), glb)
    return _Skins(file).corrected() if gltf_json.objects(file.root, "skins") else glb


class _Skins:
    """The skins of a file."""

    def __init__(self, file: GltfFile):
        self._root, self._accessors, self._nodes = file.root, Accessors(file), NodeTree(file.root)
        self._file, self._meshes = GlbFile(file.root, file.binary), gltf_json.objects(file.root, "meshes")
        self._worlds: dict[int, Array] = {}
        for node in self._nodes.order:
            above = self._worlds.get(self._nodes.parents[node], np.eye(4))
            self._worlds[node] = product(above, self._nodes.matrix(node))
        self._bind: dict[int, Array] = {}  # model transforms of joints
        self._own: list[Array] = []  # inverse bind matrices of the new skins

    def corrected(self) -> bytes:
        """Returns the file with its skins corrected."""
        originals, self._root["skins"] = self._root["skins"], []
        for index, skin in enumerate(originals):
            joints = [gltf_json.whole(joint, "skin: joint", len(self._nodes)) for joint in skin["joints"]]
            matrices = gltf_json.integer(skin, "inverseBindMatrices", "skin", self._accessors.count)
            columns = self._accessors.values(matrices, "MAT4")
            if len(columns) < len(joints):
                raise ImportProblem(f"{len(columns)} inverse bind matrices for {len(joints)} joints; {REEXPORT}")
            inverse_bind = columns.reshape(-1, 4, 4).transpose(0, 2, 1)
            nodes = sorted((node for node in self._nodes.order if self._node(node).get("skin") == index),
                           key=lambda node: gltf_json.integer(self._node(node), "mesh", "node", len(self._meshes)))
            for node in nodes:
                for number in self._joints_of(self._node(node), len(joints)):
                    undone = _undone(inverse_bind[number])
                    if undone is not None:
                        self._bind.setdefault(joints[number], product(self._worlds[node], undone))
            for node in nodes:
                self._set_skin(self._node(node), skin, joints, inverse_bind, self._worlds[node])
        self._set_rest()
        return self._file.to_bytes()

    def _node(self, node: int) -> dict[str, Any]:
        found: dict[str, Any] = self._root["nodes"][node]
        return found

    def _joints_of(self, node: dict[str, Any], count: int) -> list[int]:
        """Returns the numbers, below `count`, of the joints that move the mesh of a node."""
        found: set[int] = set()
        mesh = self._meshes[gltf_json.integer(node, "mesh", "node", len(self._meshes))]
        for primitive in gltf_json.objects(mesh, "primitives"):
            attributes = gltf_json.mapping(primitive, "attributes")
            if "JOINTS_0" in attributes and "WEIGHTS_0" in attributes:
                joints, weights = (gltf_json.integer(attributes, name, "mesh", self._accessors.count)
                                   for name in ("JOINTS_0", "WEIGHTS_0"))
                numbers = self._accessors.indices(joints, "VEC4")
                used = self._accessors.values(weights, "VEC4", normalised=True)[:len(numbers)] > 0.0
                found.update(numbers[:len(used)][used].tolist())
        return sorted(number for number in found if number < count)

    def _set_skin(self, node: dict[str, Any], skin: dict[str, Any], joints: Sequence[int], inverse_bind: Array,
                  world: Array) -> None:
        """Gives a node a skin. world: its model transform."""
        own = inverse_bind.copy()
        for number, joint in enumerate(joints):
            undone = _undone(self._bind[joint]) if joint in self._bind else None
            if undone is not None:
                own[number] = product(undone, world)
        for number, other in enumerate(self._own):
            if other.shape == own.shape and np.abs(other - own).max() <= _SAME * np.abs(own).max():
                node["skin"] = number
                return
        (matrices,) = self._file.add_arrays([own.transpose(0, 2, 1).reshape(-1, 16)])
        node["skin"] = self._file.add("skins", {**skin, "inverseBindMatrices": matrices})
        self._own.append(own)

    def _set_rest(self) -> None:
        """Sets the rest transforms of joints to those of the bind pose. Joints that an animation does not move stay as
        they were in that animation."""
        worlds: dict[int, Array] = {}
        rests: dict[int, Array] = {}
        for node in self._nodes.order:
            above = worlds.get(self._nodes.parents[node], np.eye(4))
            undone = _undone(above) if node in self._bind else None
            worlds[node] = product(above, self._nodes.matrix(node))
            if undone is not None:
                local = product(undone, self._bind[node])
                if np.abs(local - self._nodes.matrix(node)).max() > _SAME * max(1.0, np.abs(local).max()):
                    with suppress(ImportProblem):  # of a bind pose with shear; the rest pose has none
                        rests[node] = decomposed(local, self._nodes.describe(node))
                        worlds[node] = self._bind[node]
        for animation in gltf_json.objects(self._root, "animations"):
            self._hold(animation, {node: self._nodes.rest(node) for node in rests})
        for node, rest in rests.items():
            self._node(node).pop("matrix", None)
            self._node(node).update({path: rest[part].tolist() for path, part in _PARTS.items()})

    def _hold(self, animation: dict[str, Any], rests: Mapping[int, Array]) -> None:
        """Adds constant tracks to an animation where joints have none."""
        moved = {(channel["target"].get("node"), channel["target"].get("path")) for channel in animation["channels"]}
        for node, rest in rests.items():
            for path, part in _PARTS.items():
                if (node, path) not in moved:
                    keys, values = self._file.add_arrays([np.zeros(1), rest[None, part]], [0])
                    animation["channels"].append({"sampler": len(animation["samplers"]),
                                                  "target": {"node": node, "path": path}})
                    animation["samplers"].append({"input": keys, "output": values, "interpolation": LINEAR})


def _undone(matrix: Array) -> Array | None:
    """Returns the inverse of a transform [4, 4]; None if it has a scale of 0."""
    linear = inverse(matrix[:3, :3])
    if linear is None:
        return None
    result = np.eye(4)
    result[:3, :3] = linear
    result[:3, 3] = -product(linear, matrix[:3, 3:])[:, 0]
    return result
