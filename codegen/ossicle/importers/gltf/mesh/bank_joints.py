"""Finds the joints of a bank among the nodes of a glTF file, and transforms vertices of the file to these joints.

A bank's joints have taken over the static nodes above them and their scales (model/editing/folding.py), so that a
matrix of the file, such as an inverse bind matrix or the transform of a mesh below a joint, must be folded in the same
manner.
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ....base.portable_math import determinant, inverse, length, product
from ....model.clip import TRANSLATION, Skeleton, problems_of
from ....model.import_options import ImportOptions
from ....model.mesh.skinning import skinning_of
from ....model.samples import TRANSFORM_WIDTH
from .. import json_values as gltf_json
from ..chains import chains_of
from ..joint_nodes import find_joints
from ..nodes import NodeTree

_SAME_LENGTH_M, _SAME_LENGTH = 1e-3, 0.01  # lengths of bones that differ by less are equal
_REMEDY = "give the --scale, --ancestors and --socket with which the bank was encoded"


class BankJoints:
    """The joints of a bank in one file."""

    def __init__(self, root: dict[str, Any], nodes: NodeTree, skeleton: Skeleton, options: ImportOptions):
        """skeleton: of the bank. options: scale, ancestors and sockets, as the file was read for the bank. Raises
        ImportProblem."""
        self._nodes, self._skeleton = nodes, skeleton
        skins = [{gltf_json.whole(node, "skin: joint", len(nodes)) for node in gltf_json.items(skin, "joints", "skin")}
                 for skin in gltf_json.objects(root, "skins")]
        found = find_joints(root, nodes, skeleton, options.sockets)
        self._joints = {node: joint for joint, node in found.nodes.items()}
        self._matrices = skinning_of(skeleton)
        # Joints that were left out of the bank were folded as joints, too.
        folded = set(self._joints).union(*(skin for skin in skins if not skin.isdisjoint(self._joints)))
        order = [node for node in nodes.order if node in folded]
        self._place = {node: place for place, node in enumerate(order)}
        chains = chains_of(nodes, order, [nodes.name(node) for node in order], options)
        self._dropped = chains.dropped
        with problems_of("bind pose"):
            rest = np.array([nodes.rest(node) for node in order]).reshape(len(order), TRANSFORM_WIDTH)
        self._folding = chains.folding(rest)
        self.warnings = self._other_lengths(self._folding.apply(rest), chains.parents)

    def above(self, node: int) -> tuple[int, int, np.ndarray] | None:
        """Returns the joint of the bank at a node or the nearest one above, its node, and the matrix [4, 4] at rest
        from the one to the other. None if no joint of the bank moves the node."""
        matrix = np.eye(4)
        for place in (node, *self._nodes.ancestors(node)):
            if place in self._joints:
                return self._joints[place], place, matrix
            matrix = product(self._nodes.matrix(place), matrix)
        return None

    def folded(self, node: int, matrix: np.ndarray) -> np.ndarray:
        """Returns the matrix [3, 4] from a mesh to a joint of the bank. matrix [4, 4]: from the mesh to its node."""
        every = np.repeat(np.eye(4)[None], len(self._place), axis=0)
        every[self._place[node]] = matrix
        return self._folding.apply_to_inverse_bind(every)[self._place[node], :3]

    def inverse_bind(self, joint: int) -> np.ndarray:
        """The inverse bind matrix [3, 4] that the bank has of a joint."""
        return self._matrices[joint, :3]

    def undone(self, joint: int, matrix: np.ndarray) -> np.ndarray | None:
        """Returns the matrix [3, 4] that, followed by the joint's inverse bind matrix, equals this one. None if the
        inverse bind matrix is flat."""
        bind = self.inverse_bind(joint)
        turn = inverse(bind[:, :3])
        if turn is None:
            return None
        moved = matrix.copy()
        moved[:, 3] -= bind[:, 3]
        return product(turn, moved)

    def is_mirrored(self, node: int) -> bool:
        """Whether triangles at a node are clockwise from outside, as an odd number of its scales is negative."""
        mirrored = False
        for place in (node, *self._nodes.ancestors(node)):
            if place not in self._dropped:
                mirrored ^= determinant(self._nodes.matrix(place)[:3, :3]) < 0.0
        return mirrored

    def _other_lengths(self, bind: np.ndarray, parents: Sequence[int]) -> list[str]:
        """Warns if a joint is nearer to its parent or farther from it than in the bank: then the file is another one or
        was read with other options."""
        names = {place: self._joints[node] for node, place in self._place.items() if node in self._joints}
        for place, joint in names.items():
            parent = self._skeleton.parents[joint]
            if parent < 0 or names.get(parents[place]) != parent:
                continue
            ours, theirs = (float(length(one[TRANSLATION])) for one in (self._skeleton.bind[joint], bind[place]))
            if abs(theirs - ours) > max(_SAME_LENGTH_M, _SAME_LENGTH * ours):
                return [f"joint {self._skeleton.names[joint]} is {theirs:.4g} m from the joint above, and {ours:.4g} m "
                        f"in the bank, so that the mesh may have a different size than the joints; {_REMEDY}"]
        return []
