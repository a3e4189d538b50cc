"""Finds the nodes that carry vertices of a skin or a mesh."""
from __future__ import annotations

from contextlib import suppress
from typing import Any

import numpy as np

from ...model.clip import ImportProblem
from . import json_values as gltf_json
from .accessors import Accessors
from .nodes import NodeTree

_DRACO = "KHR_draco_mesh_compression"


def carrying_joints(root: dict[str, Any], accessors: Accessors, nodes: NodeTree,
                    joint_of: dict[int, int]) -> frozenset[int] | None:
    """Returns the joints with vertices weighted to them, or with a mesh at or below them. Returns None if the file has
    no meshes, or meshes that cannot be read, which is no error."""
    with suppress(ImportProblem):
        carrying = _carrying_nodes(root, accessors)
        if carrying is not None:
            found = (_joint_at(node, nodes, joint_of) for node in carrying)
            return frozenset(joint for joint in found if joint is not None) or None
    return None


def _joint_at(node: int, nodes: NodeTree, joint_of: dict[int, int]) -> int | None:
    """Returns the joint that moves a node, or None."""
    for ancestor in (node, *nodes.ancestors(node)):
        if ancestor in joint_of:
            return joint_of[ancestor]
    return None


def _carrying_nodes(root: dict[str, Any], accessors: Accessors) -> set[int] | None:
    meshes = gltf_json.objects(root, "meshes")
    skins = gltf_json.objects(root, "skins")
    carrying: set[int] = set()
    for index, node in enumerate(gltf_json.objects(root, "nodes")):
        if "mesh" not in node:
            continue
        where = f"node {index}"
        mesh = meshes[gltf_json.integer(node, "mesh", where, len(meshes))]
        if "skin" not in node:
            carrying.add(index)
            continue
        joints = gltf_json.items(skins[gltf_json.integer(node, "skin", where, len(skins))], "joints", where)
        for primitive in gltf_json.objects(mesh, "primitives", where):
            if _DRACO in gltf_json.mapping(primitive, "extensions", where):
                return None
            carrying |= {joints[number] for number in _weighted(primitive, accessors) if number < len(joints)}
    return carrying


def _weighted(primitive: dict[str, Any], accessors: Accessors) -> set[int]:
    """Returns the indices in the skin of the joints with a vertex of this primitive."""
    attributes = gltf_json.mapping(primitive, "attributes", "primitive")
    found: set[int] = set()
    number = 0
    while f"JOINTS_{number}" in attributes:
        joints, weights = (gltf_json.integer(attributes, f"{name}_{number}", "primitive", accessors.count)
                           for name in ("JOINTS", "WEIGHTS"))
        joints_read = accessors.indices(joints, "VEC4")
        weights_read = accessors.values(weights, "VEC4", normalised=True)
        if len(joints_read) != len(weights_read):
            raise ImportProblem("primitive: as many joints as weights are needed")
        found.update(np.unique(joints_read[weights_read > 0.0]).tolist())
        number += 1
    return found
