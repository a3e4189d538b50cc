"""Reads the meshes of a glTF file that the joints of a bank move."""
from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from ....base.arrays import Array
from ....base.curve_names import curve_components
from ....base.portable_math import inverse, length, product
from ....model.clip import ImportProblem, Skeleton, problems_of
from ....model.import_options import ImportOptions
from ....model.mesh.mesh import MAX_INFLUENCES, Material, Mesh, Morph, Surface, joined
from ....model.shell import model_matrices
from ....model.mesh.skinning import skinning_of
from .. import json_values as gltf_json
from ..accessors import Accessors
from .bank_joints import BankJoints
from .colours import Colours
from ..file import GltfFile
from ..json_values import REEXPORT
from .materials import Materials
from .morphs import Weight, weights_of
from ..nodes import NodeTree
from .primitives import MODES, NOT_DRAWN, TRIANGLES, influences_of, largest, smooth_normals, triangles_of

_ROUNDING_M = 1e-4  # the largest error of a vertex due to the rounding of a bank's inverse bind matrices
_VISIBLE_M = 1e-3
_LEAST_LEFT_OUT = 1 / 32  # the smallest omitted fraction of a vertex's weights that matters
_DRACO, _INSTANCES = "KHR_draco_mesh_compression", "EXT_mesh_gpu_instancing"


def read_mesh(path: Path, data: bytes, skeleton: Skeleton, options: ImportOptions) -> tuple[Mesh, list[str]]:
    """Returns the mesh of a .glb or .gltf file that joints move, and warnings.

    skeleton: of the bank. options: scale, ancestors, sockets and outside. Vertices follow the joints of their skin, and
    meshes without a skin the joint above them; if the bank lacks a joint, they follow the nearest one above it.
    Unsupported primitives and textures are left out with a warning. Raises ImportProblem.
    """
    reader = _Reader(GltfFile(path, data, options.outside), skeleton, options)
    surfaces = reader.read()
    if not surfaces:
        lacks = "that a joint of the bank moves; export it with its meshes"
        raise ImportProblem(f"{reader.warnings[-1]}; no mesh is left {lacks}" if reader.warnings
                            else f"has no mesh {lacks}")
    mesh = joined(Colours(reader.materials, reader.warnings).meshes(surfaces))
    return replace(mesh, bounds=_bounds(mesh, skeleton)), reader.warnings


def read_surfaces(path: Path, data: bytes, skeleton: Skeleton, options: ImportOptions
                  ) -> tuple[list[Surface], list[Material], list[str]]:
    """Returns the same as read_mesh, but as surfaces (none if the file has none), with their materials."""
    reader = _Reader(GltfFile(path, data, options.outside), skeleton, options)
    surfaces = reader.read()
    return surfaces, reader.materials.all(), reader.warnings


@dataclass(frozen=True, eq=False)
class _Following:
    """The joints that the vertices of a mesh follow. joints: of the bank, for each joint of the skin, or only one;
    matrices: from the mesh to each, [3, 4]; is_skin: whether primitives have joints and weights for each vertex."""

    joints: list[int]
    matrices: list[Array]
    is_skin: bool


class _Reader:
    def __init__(self, file: GltfFile, skeleton: Skeleton, options: ImportOptions):
        self._root = file.root
        self._accessors = Accessors(file)
        self._nodes = NodeTree(self._root)
        self._skeleton, self._options = skeleton, options
        self.warnings = file.warnings
        self.materials = Materials(file, self.warnings)

    def read(self) -> list[Surface]:
        """Returns the surfaces of all nodes of the scene."""
        with_mesh = [node for node, node_object in enumerate(gltf_json.objects(self._root, "nodes"))
                     if "mesh" in node_object and self._in_scene(node)]
        if not with_mesh:
            return []
        self._joints = BankJoints(self._root, self._nodes, self._skeleton, self._options)
        self.warnings += self._joints.warnings
        weights = weights_of(self._root, self._nodes, [curve.name for curve in curve_components(self._skeleton.names)])
        surfaces: list[Surface] = []
        for node in with_mesh:
            with problems_of(self._nodes.describe(node)):
                surfaces += self._of_node(node, weights.get(node, []))
        return surfaces

    def _in_scene(self, node: int) -> bool:
        """Returns whether a node is in the default scene of the file; without scenes all are."""
        scenes = gltf_json.objects(self._root, "scenes")
        if not scenes:
            return True
        shown = gltf_json.integer(self._root, "scene", "file", len(scenes), default=0)
        roots = gltf_json.items(scenes[shown], "nodes", "scene")
        return any(ancestor in roots for ancestor in (node, *self._nodes.ancestors(node)))

    def _warn(self, text: str) -> None:
        """Warns once, however many meshes are affected."""
        if text not in self.warnings:
            self.warnings.append(text)

    def _of_node(self, index: int, weights: list[Weight]) -> list[Surface]:
        node = gltf_json.objects(self._root, "nodes")[index]
        meshes = gltf_json.objects(self._root, "meshes")
        mesh = meshes[gltf_json.integer(node, "mesh", "node", len(meshes))]
        location = self._nodes.describe(index)
        following = self._of_skin(node) if "skin" in node else self._of_joint_above(index)
        if following is None:
            reason = "the bank lacks joints of its skin" if "skin" in node else "no joint of the bank moves it"
            self._warn(f"{location}: {reason}; left out")
            return []
        if _INSTANCES in gltf_json.mapping(node, "extensions", "node"):
            self._warn(f"{location}: is drawn once, without the copies of {_INSTANCES}")
        surfaces = []
        for number, primitive in enumerate(gltf_json.objects(mesh, "primitives", "mesh")):
            with problems_of(f"primitive {number}"):
                if reason := _not_drawn(primitive):
                    self._warn(f"{location}: primitive {number} {reason}; left out")
                    continue
                surfaces.append(self._surface(primitive, index, following, weights))
        return surfaces

    def _of_skin(self, node: dict[str, Any]) -> _Following | None:
        """Returns the joints that a node with a skin follows, or None if the bank lacks them."""
        skins = gltf_json.objects(self._root, "skins")
        skin = skins[gltf_json.integer(node, "skin", "node", len(skins))]
        joint_nodes = [gltf_json.whole(joint_node, "skin: joint", len(self._nodes))
                       for joint_node in gltf_json.items(skin, "joints", "skin")]
        binds = np.repeat(np.eye(4)[None], len(joint_nodes), axis=0)
        if "inverseBindMatrices" in skin:
            index = gltf_json.integer(skin, "inverseBindMatrices", "skin", self._accessors.count)
            binds = self._accessors.values(index, "MAT4").reshape(-1, 4, 4).swapaxes(1, 2)
        if len(binds) < len(joint_nodes):
            raise ImportProblem(f"skin: {len(binds)} inverse bind matrices for {len(joint_nodes)} joints; {REEXPORT}")
        joints, matrices, missing = [], [], []
        for joint_node, bind in zip(joint_nodes, binds):
            found = self._joints.above(joint_node)
            if found is None:
                return None
            joint, at, below = found
            joints.append(joint)
            matrices.append(self._joints.folded(at, product(below, bind)))
            if at != joint_node:
                missing.append(self._nodes.name(joint_node))
        if missing:
            self._warn(f"the bank lacks {len(missing)} of the {len(joint_nodes)} joints of its skin "
                       f"({', '.join(missing)}); their vertices follow the joints above")
        return _Following(joints, matrices, True)

    def _of_joint_above(self, node: int) -> _Following | None:
        found = self._joints.above(node)
        if found is None:
            return None
        joint, at, below = found
        return _Following([joint], [self._joints.folded(at, below)], False)

    def _surface(self, primitive: dict[str, Any], node: int, following: _Following, weights: list[Weight]) -> Surface:
        attributes = gltf_json.mapping(primitive, "attributes", "primitive")
        positions = self._values(attributes, "POSITION", "VEC3")
        count = len(positions)
        triangles = triangles_of(primitive, self._accessors, count)
        flat = "NORMAL" not in attributes
        normals = smooth_normals(positions, triangles) if flat else self._values(attributes, "NORMAL", "VEC3")
        if len(normals) != count:
            raise ImportProblem(f"has {count} positions and {len(normals)} normals; {REEXPORT}")
        found, part = influences_of(attributes, self._accessors, count, len(following.joints)) if following.is_skin \
            else (np.zeros((count, 1), np.int64), np.ones((count, 1)))
        morphs = self._morphs(primitive, weights, count)
        for morph in morphs:
            if morph.curve is None:
                positions = positions + morph.weight * morph.offsets
        morphs = [morph for morph in morphs if morph.curve is not None]
        transforms = self._into_bank(following, found, part, positions)
        if transforms is not None:
            positions = _applied(transforms, positions) + transforms[:, :, 3]
            morphs = [Morph(morph.curve, morph.weight, _applied(transforms, morph.offsets)) for morph in morphs]
            normals = _transformed_normals(transforms, normals, positions, triangles)
        if self._joints.is_mirrored(node):
            triangles = triangles[:, [0, 2, 1]]
        joints, shares, others = largest(np.array(following.joints)[found], part)
        if count_left := np.count_nonzero(others > _LEAST_LEFT_OUT):
            self._warn(f"{self._nodes.describe(node)}: {count_left} vertices follow more than {MAX_INFLUENCES} joints; "
                       f"the smallest weights are left out, up to {100.0 * others.max():.0f} % of a vertex")
        return Surface(positions, normals / np.maximum(length(normals), 1e-9)[:, None], joints, shares, triangles,
                       **self.materials.attributes(primitive, attributes, self._accessors, count), flat=flat,
                       morphs=tuple(morphs))

    def _into_bank(self, following: _Following, found: Array, part: Array, positions: Array
                   ) -> Array | None:
        """Returns for each vertex the matrix [3, 4] to the space on which the bank's inverse bind matrices act, or None
        if it is already there. If those of the file differ from those of the bank by different matrices for the joints
        of a vertex, the result is correct only in the bind pose, and there is a warning."""
        own = np.array(following.matrices)
        theirs = np.array([self._joints.inverse_bind(joint) for joint in following.joints])
        shares = part / np.maximum(_row_sums(part), 1e-9)[:, None]

        def error(positions_in_bank: Array) -> float:
            """Returns the largest distance between the positions of a vertex, relative to a joint, in bank and file."""
            most = 0.0
            for column in range(found.shape[1]):
                joint = found[:, column]
                actual = _applied(theirs[joint], positions_in_bank) + theirs[joint, :, 3]
                expected = _applied(own[joint], positions) + own[joint, :, 3]
                most = max(most, float((length(expected - actual) * shares[:, column]).max(initial=0.0)))
            return most

        if following.is_skin and error(positions) <= _ROUNDING_M:
            return None
        undone = [self._joints.undone(joint, matrix) for joint, matrix in zip(following.joints, own)]
        if any(undone[joint] is None for joint in np.unique(found).tolist()):
            raise ImportProblem("a joint of the bank is flat: its inverse bind matrix has no inverse")
        matrices = np.array([np.eye(3, 4) if inverse_matrix is None else inverse_matrix for inverse_matrix in undone])
        blended = np.zeros((len(positions), 3, 4))
        for column in range(found.shape[1]):
            blended += matrices[found[:, column]] * shares[:, column, None, None]
        if (far := error(_applied(blended, positions) + blended[:, :, 3])) > _VISIBLE_M:
            self._warn("the inverse bind matrices of a skin differ from those of the bank: where joints bend, "
                       f"vertices may be {far * 1000.0:.1f} mm off")
        return blended

    def _morphs(self, primitive: dict[str, Any], weights: list[Weight], count: int) -> list[Morph]:
        """Returns the morph targets that are not always 0."""
        morphs = []
        targets = gltf_json.objects(primitive, "targets", "primitive")
        for weight, target in zip(weights, targets):
            if "POSITION" not in target or weight.curve is None and weight.rest == 0.0:
                continue
            offsets = self._values(target, "POSITION", "VEC3")
            if len(offsets) != count:
                raise ImportProblem(f"has {count} positions and {len(offsets)} in a morph target; {REEXPORT}")
            morphs.append(Morph(weight.curve, weight.rest, offsets))
        return morphs

    def _values(self, attributes: dict[str, Any], name: str, kind: str) -> Array:
        index = gltf_json.integer(attributes, name, "primitive", self._accessors.count)
        return self._accessors.values(index, kind, normalised=True, plain=True)


def _bounds(mesh: Mesh, skeleton: Skeleton) -> Array | None:
    """Returns Mesh.bounds, because the vertices of a skin may have another unit or origin than the joints."""
    matrices = product(model_matrices(skeleton.parents, skeleton.bind[None])[0], skinning_of(skeleton))
    positions = np.zeros_like(mesh.positions)
    for column in range(MAX_INFLUENCES):
        joint = mesh.joints[:, column]
        positions += mesh.weights[:, column, None] * (_applied(matrices[joint], mesh.positions) + matrices[joint, :, 3])
    if np.abs(positions - mesh.positions).max(initial=0.0) <= _VISIBLE_M:
        return None
    return np.stack([positions.min(axis=0), positions.max(axis=0)])


def _not_drawn(primitive: dict[str, Any]) -> str:
    """Returns the reason why a primitive is not drawn, empty if it is."""
    mode = gltf_json.integer(primitive, "mode", "primitive", MODES, default=TRIANGLES)
    if mode < len(NOT_DRAWN):
        return f"is made of {NOT_DRAWN[mode]}, which are not drawn"
    if _DRACO in gltf_json.mapping(primitive, "extensions", "primitive"):
        return "is compressed with Draco, which is not read; export it without compression"
    if "POSITION" not in gltf_json.mapping(primitive, "attributes", "primitive"):
        return "has no positions"
    return ""


def _row_sums(rows: Array) -> Array:
    total = rows[:, 0].copy()
    for column in range(1, rows.shape[1]):
        total += rows[:, column]
    return total


def _applied(matrices: Array, vectors: Array) -> Array:
    """Applies the linear part of the matrices [V, 3, 3 or 4] to vectors [V, 3]."""
    return product(matrices[:, :, :3], vectors[:, :, None])[:, :, 0]


def _transformed_normals(matrices: Array, normals: Array, positions: Array,
                         triangles: Array) -> Array:
    """Transforms normals by these matrices [V, 3, 4]; recomputes them from the triangles if a matrix is singular."""
    every, index = np.unique(matrices[:, :, :3].reshape(len(matrices), 9), axis=0, return_inverse=True)
    back = [inverse(matrix.reshape(3, 3)) for matrix in every]
    if any(matrix is None for matrix in back):
        return smooth_normals(positions, triangles)
    return _applied(np.array(back).swapaxes(1, 2)[index.reshape(-1)], normals)
