"""Selects the joints of a glTF file and builds their skeleton.

With skins, the joints are those of one character's skins; otherwise they are all animated nodes and their ancestors. A
node above a joint is folded into it, or becomes a joint if it moves or has a non-uniform scale.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

import numpy as np

from ...base.arrays import Array
from ...base.patterns import matches
from ...model.clip import SCALE, ImportProblem, Skeleton, problems_of
from ...model.import_options import ImportOptions
from ...model.editing.folding import Folding
from ...model.mesh.skinning import undo_bind
from .chains import chains_of
from .joint_nodes import names_of
from .json_values import REEXPORT
from .nodes import NodeTree
from .skins import NO_SKIN, Skin, choose_skin


@dataclass(frozen=True, eq=False)
class Rig:
    """The joints of a file. skeleton: after folding; rest: float64 [J, 10] before folding; joint_of: maps node indices
    to joint indices; folded: maps nodes that were folded, and therefore must not move, to the name of the joint below;
    dropped: ancestors that were ignored; skinned: whether the joints are those of a skin; plain: the names of nodes
    that are not joints; promoted: the names of nodes that are joints because they are above joints and move;
    may_be_joints: the names of nodes that would be joints if they moved."""

    skeleton: Skeleton
    rest: Array
    joint_of: dict[int, int]
    folding: Folding
    folded: dict[int, str]
    dropped: frozenset[int]
    skinned: bool
    plain: tuple[str, ...]
    promoted: frozenset[str]
    may_be_joints: frozenset[str]


def build_rig(
    skins: Sequence[Skin],
    nodes: NodeTree,
    animated: set[int],
    moves: Callable[[int], bool],
    options: ImportOptions,
    warnings: list[str],
) -> Rig:
    """Builds the skeleton of a file. animated: nodes that an animation moves; moves: whether a clip moves a node away
    from rest."""
    skin = choose_skin(skins, nodes, moves, options.skin, warnings)
    chosen = set(skin.joints) if skin else set()
    if skin is None or options.skin == NO_SKIN != skin.name:
        chosen |= _moving_nodes(nodes, animated)
    if not chosen:
        raise ImportProblem("has no skin, and no animation moves a node; export it with its armature, or with "
                            "animations")
    chosen |= _sockets(nodes, chosen, options)
    promoted = _promoted(nodes, chosen, moves, options)
    chosen |= promoted
    order = [node for node in nodes.order if node in chosen]
    joint_of = {node: joint for joint, node in enumerate(order)}
    names = names_of(nodes, order, set(skin.joints) if skin else (), warnings)
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
    plain = tuple(nodes.name(node) for node in nodes.order if node not in chosen)
    return Rig(skeleton, rest, joint_of, folding, chains.folded, chains.dropped, skin is not None, plain,
               frozenset(map(nodes.name, promoted)), frozenset(map(nodes.name, chains.folded) if skin else plain))


def _sockets(nodes: NodeTree, joints: set[int], options: ImportOptions) -> set[int]:
    """Returns the nodes that match sockets, preferably those below joints."""
    below = _nodes_below(nodes, joints)
    found: set[int] = set()
    for socket in options.sockets:
        named = [[node for node in candidates if matches(socket.pattern, nodes.name(node))]
                 for candidates in ([*joints, *below], nodes.order)]
        found.update(named[0] or named[1])
    return found


def _promoted(nodes: NodeTree, joints: set[int], moves: Callable[[int], bool], options: ImportOptions) -> set[int]:
    """Returns the nodes above joints that must be joints too."""
    above: set[int] = set()
    for joint in joints:
        while (joint := nodes.parents[joint]) >= 0 and joint not in above:
            above.add(joint)
    found: set[int] = set()
    below = set(joints)  # and all nodes below
    for node in nodes.order:
        if nodes.parents[node] in below:
            below.add(node)
        if node in above and node not in joints and (node in below or options.ancestors == "fold") \
                and (moves(node) or _is_stretched(nodes, node)):
            found.add(node)
            below.add(node)
    return found


def _is_stretched(nodes: NodeTree, node: int) -> bool:
    with suppress(ImportProblem):  # chains_of raises it
        return nodes.is_stretched(node)
    return False


def _inverse_bind(skin: Skin, order: list[int], folding: Folding, skeleton: Skeleton) -> Array:
    """Returns the inverse bind matrices [J, 4, 4] of the skin, and of the bind pose for joints that it lacks."""
    of_skin = np.array([skin.inverse_bind.get(node, np.eye(4)) for node in order])
    matrices = folding.apply_to_inverse_bind(of_skin)
    others = [joint for joint, node in enumerate(order) if node not in skin.inverse_bind]
    if others:
        shown = skeleton.bind.copy()
        shown[:, SCALE] = np.where(shown[:, SCALE] == 0.0, 1.0, shown[:, SCALE])  # the bind pose may hide joints
        matrices[others] = undo_bind(replace(skeleton, bind=shown))[others]
    return matrices


def _nodes_below(nodes: NodeTree, joints: set[int]) -> list[int]:
    """Returns the nodes below joints that are not joints."""
    return [node for node in nodes.order
            if node not in joints and any(above in joints for above in nodes.ancestors(node))]


def _moving_nodes(nodes: NodeTree, animated: set[int]) -> set[int]:
    moving = set()
    for node in animated:
        while node >= 0 and node not in moving:
            moving.add(node)
            node = nodes.parents[node]
    return moving
