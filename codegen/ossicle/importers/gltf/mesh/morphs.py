"""Finds the curves of a bank for the morph targets of a file's nodes, by the names that curves.py gives."""
from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from .. import json_values as gltf_json
from ..curves import Target, pointed_at, targets_of
from ..nodes import NodeTree


@dataclass(frozen=True)
class Weight:
    """The weight of a morph target of a node. curve: the name of its curve, or None if it is constant; rest: its value
    without a curve."""

    curve: str | None
    rest: float


def weights_of(root: dict[str, Any], nodes: NodeTree, curves: Collection[str]) -> dict[int, list[Weight]]:
    """Returns the weights of the morph targets of each node that has any. curves: those of the bank. If animations of
    the file move weights, all others are constant."""
    moved = _moved(root)
    meshes = gltf_json.objects(root, "meshes")
    found: dict[int, list[Weight]] = {}
    for index, node in enumerate(gltf_json.objects(root, "nodes")):
        where = f"node {index}"
        names, rest = targets_of(root, node, Target("nodes", index), where)
        if not names:
            continue
        mesh = gltf_json.integer(node, "mesh", where, len(meshes))
        title = gltf_json.text(meshes[mesh], "name", f"mesh {mesh}", "") or f"mesh{mesh}"
        found[index] = []
        for number, (name, value) in enumerate(zip(names, rest)):
            is_moved = not moved or any(Target(kind, owner, part) in moved for kind, owner in
                                        (("nodes", index), ("meshes", mesh)) for part in (None, number))
            known = [full for full in (f"{nodes.name(index)}.{name}", f"{title}.{name}", name) if full in curves]
            found[index].append(Weight(known[0] if known and is_moved else None, value))
    return found


def _moved(root: dict[str, Any]) -> set[Target]:
    """Returns the weights that animations move."""
    moved = set()
    for animation in gltf_json.objects(root, "animations"):
        for channel in gltf_json.objects(animation, "channels", "animation"):
            target = gltf_json.mapping(channel, "target", "channel")
            if target.get("path") == "weights" and isinstance(target.get("node"), int):
                moved.add(Target("nodes", target["node"]))
            elif target.get("path") == "pointer":
                extensions = gltf_json.mapping(target, "extensions", "channel")
                pointer = gltf_json.mapping(extensions, "KHR_animation_pointer", "channel").get("pointer")
                found = pointed_at(pointer) if isinstance(pointer, str) else None
                if found is not None and not found.extra:
                    moved.add(found)
    return moved
