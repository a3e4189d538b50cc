"""Finds the joints of a bank among the nodes of a glTF file, and transforms vertices of the file to these joints.

The static nodes above a bank's joints, and their scales, were folded into the joints (model/editing/folding.py), so
that matrices of the file, such as inverse bind matrices and transforms of meshes below joints, must be folded equally.
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ....base.arrays import Array
from ....base.portable_math import determinant, inverse, length, product
from ....model.clip import TRANSLATION, Skeleton, problems_of
from ....model.editing.aligning import axes_between, model_rotations
from ....model.import_options import ImportOptions
from ....model.mesh.skinning import rotation_rows, skinning_of
from ....model.samples import TRANSFORM_WIDTH
from .. import json_values as gltf_json
from ..chains import chains_of
from ..joint_nodes import find_joints, moved_nodes
from ..nodes import NodeTree

_SAME_LENGTH_M, _SAME_LENGTH = 1e-3, 0.01  # lengths of bones that differ by less are equal
_REMEDY = "give the same --scale, --ancestors, --joint-axes and --socket as for the bank"


class BankJoints:
    """The joints of a bank in a file."""

    def __init__(self, root: dict[str, Any], nodes: NodeTree, skeleton: Skeleton, options: ImportOptions):
        """skeleton: of the bank; options: scale, ancestors, axes and sockets with which the bank was encoded. Raises
        ImportProblem."""
        self._nodes, self._skeleton = nodes, skeleton
        skins = [{gltf_json.whole(node, "skin: joint", len(nodes)) for node in gltf_json.items(skin, "joints", "skin")}
                 for skin in gltf_json.objects(root, "skins")]
        found = find_joints(root, nodes, moved_nodes(root, nodes), skeleton, options.sockets)
        self._joints = {node: joint for joint, node in found.nodes.items()}
        self._matrices = skinning_of(skeleton)
        # Joints that were left out of the bank were also folded as joints.
        folded = set(self._joints).union(*(skin for skin in skins if not skin.isdisjoint(self._joints)))
        order = [node for node in nodes.order if node in folded]
        self._index = {node: index for index, node in enumerate(order)}
        chains = chains_of(nodes, order, [nodes.name(node) for node in order], options)
        self._dropped = chains.dropped
        with problems_of("bind pose"):
            rest = np.array([nodes.rest(node) for node in order]).reshape(len(order), TRANSFORM_WIDTH)
        self._folding = chains.folding(rest)
        self._axes: dict[int, Array] = {}
        if options.axes == "model":
            bind = self._folding.apply(rest)
            ours, theirs = model_rotations(skeleton.parents, skeleton.bind), model_rotations(chains.parents, bind)
            self._axes = {node: rotation_rows(axes_between(theirs[self._index[node]], ours[joint]))
                          for node, joint in self._joints.items()}
        self.warnings = self._other_lengths(self._folding.apply(rest), chains.parents)

    def above(self, node: int) -> tuple[int, int, Array] | None:
        """Returns the joint of the bank at a node or nearest above it, its node, and the matrix [4, 4] at rest from the
        node to the joint. None if no joint of the bank moves the node."""
        matrix = np.eye(4)
        for ancestor in (node, *self._nodes.ancestors(node)):
            if ancestor in self._joints:
                return self._joints[ancestor], ancestor, matrix
            matrix = product(self._nodes.matrix(ancestor), matrix)
        return None

    def folded(self, node: int, matrix: Array) -> Array:
        """Returns the matrix [3, 4] from a mesh to a joint of the bank. matrix [4, 4]: from the mesh to its node."""
        every = np.repeat(np.eye(4)[None], len(self._index), axis=0)
        every[self._index[node]] = matrix
        folded = self._folding.apply_to_inverse_bind(every)[self._index[node], :3]
        return product(self._axes[node], folded) if self._axes else folded

    def inverse_bind(self, joint: int) -> Array:
        """Returns the inverse bind matrix [3, 4] of a joint in the bank."""
        return self._matrices[joint, :3]

    def undone(self, joint: int, matrix: Array) -> Array | None:
        """Returns the matrix [3, 4] that, followed by the joint's inverse bind matrix, equals this one, or None if the
        inverse bind matrix is singular."""
        bind = self.inverse_bind(joint)
        linear = inverse(bind[:, :3])
        if linear is None:
            return None
        moved = matrix.copy()
        moved[:, 3] -= bind[:, 3]
        return product(linear, moved)

    def is_mirrored(self, node: int) -> bool:
        """Returns whether triangles at a node are clockwise from outside, because an odd number of scales is
        negative."""
        mirrored = False
        for ancestor in (node, *self._nodes.ancestors(node)):
            if ancestor not in self._dropped:
                mirrored ^= determinant(self._nodes.matrix(ancestor)[:3, :3]) < 0.0
        return mirrored

    def _other_lengths(self, bind: Array, parents: Sequence[int]) -> list[str]:
        """Warns if the distance of a joint from its parent differs from that in the bank: then the file or the options
        are others."""
        names = {index: self._joints[node] for node, index in self._index.items() if node in self._joints}
        for index, joint in names.items():
            parent = self._skeleton.parents[joint]
            if parent < 0 or names.get(parents[index]) != parent:
                continue
            ours, theirs = (float(length(bone[TRANSLATION])) for bone in (self._skeleton.bind[joint], bind[index]))
            if abs(theirs - ours) > max(_SAME_LENGTH_M, _SAME_LENGTH * ours):
                return [f"joint {self._skeleton.names[joint]} is {theirs:.4g} m from the joint above, and {ours:.4g} m "
                        f"in the bank, so that the mesh may have a different size than the joints; {_REMEDY}"]
        return []
