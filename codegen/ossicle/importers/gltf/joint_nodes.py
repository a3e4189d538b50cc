"""Names the joints of a skeleton, and finds them among the nodes of other files.

Names of nodes need not be unique; names of joints are (joint_names.py).
"""
from __future__ import annotations

import operator
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...base.patterns import matches
from ...model.clip import Skeleton
from ...model.import_options import Socket
from ..joint_names import distinct_names
from . import json_values as gltf_json
from .nodes import NodeTree

_NUMBERED = re.compile(r"(.+)\.\d{3,}", re.DOTALL)


def names_of(nodes: NodeTree, order: Sequence[int], first: Collection[int], warnings: list[str]) -> tuple[str, ...]:
    """Returns the names of joints. order: their nodes; first: nodes that preferably keep their names. Warns about nodes
    with equal names."""
    by_preference = sorted(order, key=lambda node: node not in first)
    names = dict(zip(by_preference, distinct_names([nodes.name(node) for node in by_preference], warnings)))
    return tuple(names[node] for node in order)


@dataclass(frozen=True)
class Found:
    """The joints found in a file. nodes: by the number of the joint; rivals: other nodes that might be these joints."""

    nodes: Mapping[int, int]
    rivals: Mapping[int, int]


def moved_nodes(root: dict[str, Any], nodes: NodeTree) -> set[int | None]:
    """Returns the nodes that animations of a file name. Raises ImportProblem."""
    return {gltf_json.integer(gltf_json.mapping(channel, "target", "channel"), "node", "target", len(nodes),
                              default=None)
            for animation in gltf_json.objects(root, "animations")
            for channel in gltf_json.objects(animation, "channels", "animation")}


def find_joints(root: dict[str, Any], nodes: NodeTree, moved: Collection[int | None], skeleton: Skeleton,
                sockets: Sequence[Socket]) -> Found:
    """Finds the joints of a skeleton among the nodes of a file. Of several nodes with the name of a joint, it prefers,
    in this order, one that a skin lists, one below the same joint, one without another likely joint between, and one
    that an animation moves. moved: the result of moved_nodes; sockets: of the skeleton, which may have renamed
    joints."""
    of_skins = {gltf_json.whole(node, "skin: joint", len(nodes)) for skin in gltf_json.objects(root, "skins")
                for node in gltf_json.items(skin, "joints", "skin")}
    named: dict[str, list[int]] = {}
    for node in nodes.order:
        named.setdefault(nodes.name(node), []).append(node)
    numbered = {name: match[1] for name in skeleton.names if name not in named and (match := _NUMBERED.fullmatch(name))}
    likely = of_skins or {node for name in (*skeleton.names, *numbered.values()) for node in named.get(name, ())}
    found: dict[int, int] = {}
    joint_at: dict[int, int] = {}
    rivals: dict[int, int] = {}

    def rank(node: int, joint: int) -> tuple[bool, bool, bool, bool]:
        above = next((joint_at[upper] for upper in nodes.ancestors(node) if upper in joint_at), -1)
        first = next((joint_at.get(upper) for upper in nodes.ancestors(node) if upper in joint_at or upper in likely),
                     -1)
        parent = skeleton.parents[joint]
        return node in of_skins, above == parent, first == parent, node in moved

    def find(joint: int, candidates: Sequence[int]) -> None:
        ranked = [(node, rank(node, joint) if len(candidates) > 1 else ())
                  for node in candidates if node not in joint_at]
        ranked.sort(key=operator.itemgetter(1), reverse=True)
        if ranked:
            found[joint] = ranked[0][0]
            joint_at[ranked[0][0]] = joint
        if len(ranked) > 1 and ranked[0][1][:2] == ranked[1][1][:2]:
            rivals[joint] = ranked[1][0]

    others = []
    for joint, name in enumerate(skeleton.names):
        if name in named:
            find(joint, named[name])
        else:
            others.append(joint)
    for joint in others:
        name = skeleton.names[joint]
        sources = [other for other in named for socket in sockets
                   if socket.name == name and matches(socket.pattern, other)]
        if not sources and name in numbered:
            sources = [numbered[name]]
        find(joint, [node for source in sources for node in named.get(source, ())])
    return Found(found, {joint: node for joint, node in rivals.items() if node not in joint_at})
