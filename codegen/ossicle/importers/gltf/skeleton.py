"""Chooses the joints of a glTF file and builds their skeleton.

With a skin, the joints are those of the skin. Without one, they are all animated nodes and all
nodes that have an animated descendant.
"""
from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...base.option_names import named
from ...base.patterns import matches
from ...model.clip import ImportOptions, ImportProblem, Skeleton, problems_of
from ...model.folding import Folding
from ...model.skinning import undo_bind
from . import json_values as gltf_json
from .accessors import Accessors
from .chains import chains_of
from .json_values import REEXPORT
from .nodes import NodeTree

_SHOWN = 8
_SAME_MATRIX = 1e-4


@dataclass(frozen=True, eq=False)
class Rig:
    """skeleton: the skeleton after folding. rest: float64 [J, 10] before folding. joint_of: maps
    node indices to joint indices. folded: maps nodes that were folded away, and therefore must not
    move, to the name of the joint below. dropped: ancestors that were ignored. skinned: whether a
    skin chose the joints. plain: the names of nodes below joints that are no joints."""

    skeleton: Skeleton
    rest: np.ndarray
    joint_of: dict[int, int]
    folding: Folding
    folded: dict[int, str]
    dropped: frozenset[int]
    skinned: bool
    plain: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class _Skin:
    index: int
    name: str
    joints: list[int]
    inverse_bind: dict[int, np.ndarray]


def build_rig(
    root: dict[str, Any],
    accessors: Accessors,
    nodes: NodeTree,
    animated: set[int],
    options: ImportOptions,
    warnings: list[str],
) -> Rig:
    """Builds the skeleton of one file. animated: nodes that an animation moves."""
    skin = _choose_skin(_read_skins(root, accessors, nodes), options.skin, warnings)
    chosen = set(skin.joints) if skin else _moving_nodes(nodes, animated)
    if not chosen:
        raise ImportProblem("no animation moves a node; export it with animations of joints")
    below = _nodes_below(nodes, chosen)
    chosen |= {node for node in below
               if any(matches(socket.pattern, nodes.name(node)) for socket in options.sockets)}
    order = [node for node in nodes.order if node in chosen]
    joint_of = {node: joint for joint, node in enumerate(order)}
    names = _unique_names(nodes, order)
    chains = chains_of(nodes, order, names, options)
    with problems_of("bind pose"):
        rest = np.array([nodes.rest(node) for node in order])
    folding = chains.folding(rest)
    bind = folding.apply(rest)
    if not np.isfinite(bind).all():
        raise ImportProblem(f"bind pose: lengths are too large to use; {REEXPORT}")
    skeleton = Skeleton(names, np.array(chains.parents, np.int32), bind, units=folding.units)
    if skin:
        skeleton = replace(skeleton, inverse_bind=_inverse_bind(skin, order, folding, skeleton),
                           skin_joints=tuple(names[joint_of[node]] for node in skin.joints))
    plain = tuple(nodes.name(node) for node in below if node not in chosen)
    return Rig(skeleton, rest, joint_of, folding, chains.folded, chains.dropped, skin is not None, plain)


def _inverse_bind(skin: _Skin, order: list[int], folding: Folding, skeleton: Skeleton) -> np.ndarray:
    """Returns the inverse bind matrices [J, 4, 4]: those of the skin, and for sockets, which no skin
    has, those of the bind pose."""
    of_skin = np.array([skin.inverse_bind.get(node, np.eye(4)) for node in order])
    matrices = folding.apply_to_inverse_bind(of_skin)
    sockets = [joint for joint, node in enumerate(order) if node not in skin.inverse_bind]
    if sockets:
        matrices[sockets] = undo_bind(skeleton)[sockets]
    return matrices


def _nodes_below(nodes: NodeTree, joints: set[int]) -> list[int]:
    """Returns the nodes below joints that are no joints."""
    return [node for node in nodes.order
            if node not in joints and any(above in joints for above in nodes.ancestors(node))]


def _read_skins(root: dict[str, Any], accessors: Accessors, nodes: NodeTree) -> list[_Skin]:
    skins = []
    for index, skin in enumerate(gltf_json.objects(root, "skins")):
        where = f"skin {index}"
        joints = [
            gltf_json.whole(value, f"{where}: joint", len(nodes))
            for value in gltf_json.items(skin, "joints", where)
        ]
        if not joints or len(set(joints)) < len(joints):
            what = "lists a joint twice" if joints else "has no joints"
            raise ImportProblem(f"{where}: {what}; {REEXPORT}")
        matrices = np.repeat(np.eye(4)[None], len(joints), axis=0)
        accessor = gltf_json.integer(
            skin, "inverseBindMatrices", where, accessors.count, default=None
        )
        if accessor is not None:
            with problems_of(f"{where}: inverse bind matrices"):
                columns = accessors.values(accessor, "MAT4")
            if len(columns) < len(joints):
                raise ImportProblem(
                    f"{where}: {len(columns)} inverse bind matrices for {len(joints)} joints; "
                    f"{REEXPORT}"
                )
            matrices = columns[: len(joints)].reshape(-1, 4, 4).transpose(0, 2, 1)
        name = gltf_json.text(skin, "name", where, "")
        skins.append(_Skin(index, name, joints, dict(zip(joints, matrices))))
    return skins


def _choose_skin(
    skins: list[_Skin], choice: str | int | None, warnings: list[str]
) -> _Skin | None:
    if choice is not None:
        return _named_skin(skins, choice)
    if not skins:
        return None
    first = skins[0]
    if any(set(skin.joints) != set(first.joints) for skin in skins):
        raise ImportProblem(f"has several skeletons: {_listed(skins)}; choose one with "
                            f"{named('--skin')}")
    for skin in skins[1:]:
        if any(
            np.abs(skin.inverse_bind[node] - matrix).max() > _SAME_MATRIX
            for node, matrix in first.inverse_bind.items()
        ):
            warnings.append(
                f"skins 0 and {skin.index} have different inverse bind matrices; those of skin 0 "
                "were taken"
            )
    return first


def _named_skin(skins: list[_Skin], choice: str | int) -> _Skin:
    matches = [skin for skin in skins if skin.name and skin.name == choice]
    if len(matches) > 1:
        raise ImportProblem(f"several skins are named {choice}: {_listed(matches)}; give the index")
    if not matches:
        matches = [skin for skin in skins if str(skin.index) == str(choice)]
    if not matches:
        known = _listed(skins) if skins else "it has no skins"
        raise ImportProblem(f"no skin {choice}: {known}; choose another or none")
    return matches[0]


def _listed(skins: list[_Skin]) -> str:
    shown = [
        f"{skin.index}{' ' + skin.name if skin.name else ''} ({len(skin.joints)} joints)"
        for skin in skins[:_SHOWN]
    ]
    return ", ".join(shown) + (", ..." if len(skins) > _SHOWN else "")


def _moving_nodes(nodes: NodeTree, animated: set[int]) -> set[int]:
    moving = set()
    for node in animated:
        while node >= 0 and node not in moving:
            moving.add(node)
            node = nodes.parents[node]
    return moving


def _unique_names(nodes: NodeTree, order: list[int]) -> tuple[str, ...]:
    first: dict[str, int] = {}
    for node in order:
        name = nodes.name(node)
        if name in first:
            raise ImportProblem(
                f"joint {name}: nodes {first[name]} and {node} both have this name; "
                "rename one in the modelling tool"
            )
        first[name] = node
    return tuple(first)
