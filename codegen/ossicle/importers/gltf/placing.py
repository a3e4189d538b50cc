"""Applies the animations of one glTF file to the skeleton of another, as game engines do: a track moves the joint with
the name of its node.

The file of motions may have a different rest pose, other nodes above the joints, or only names of nodes in common.
Joints that a clip does not move keep the rest pose of the character.
"""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ...base.arrays import Array
from ...base.portable_math import dot, length
from ...model.clip import ROTATION, TRACK_KINDS, TRANSLATION, ImportProblem
from ...model.import_options import ImportOptions
from ..joint_choice import is_socket, listed
from .chains import chains_of
from .joint_nodes import find_joints
from .motion import Motion
from .nodes import NodeTree
from .sampling import PARTS
from .skeleton import Rig

REST_TOLERANCE = 1e-3  # metres, and units of quaternions and scales
_MOST_LONGER = 5.0  # times as long as the character's bones; a larger factor means another unit of length
_LEAST_LENGTH = 1e-6


def placed_on(rig: Rig, owner: str, root: dict[str, Any], motion: Motion, options: ImportOptions,
              warnings: list[str]) -> Rig:
    """Returns the rig of another file with the nodes of this file. owner: the name of the other file. Warns about
    joints that this file lacks, and about different rest poses that matter. Raises ImportProblem if the joints do not
    match."""
    skeleton, nodes = rig.skeleton, motion.nodes
    found = find_joints(root, nodes, motion.targets, skeleton, ()).nodes
    if not found:
        raise ImportProblem(f"no node has the name of a joint of {owner}; all inputs must share its skeleton")
    joint_of = {node: joint for joint, node in found.items()}
    _check_parents(rig, owner, nodes, joint_of)
    _check_lengths(rig, owner, nodes, found)
    missing = [name for joint, name in enumerate(skeleton.names) if joint not in found and not is_socket(name, options)]
    if missing:
        warnings.append(f"has no nodes for {len(missing)} joints of {owner}, which stay at rest: {listed(missing)}")
    order = sorted(found)
    if all(skeleton.parents[joint] in (-1, *order) for joint in order):
        try:
            names = [skeleton.names[joint] for joint in order]
            folding = chains_of(nodes, [found[joint] for joint in order], names, options).folding(rig.rest[order])
            differ = _differing(folding.apply(rig.rest[order]), skeleton.bind[order]).any(axis=1)
            others = set(np.array(order)[differ].tolist())
            if others:
                first = [skeleton.names[joint] for joint in order
                         if joint in others and skeleton.parents[joint] not in others]
                warnings.append(f"nodes above joints are placed differently than in {owner}, whose transforms are "
                                f"used: above {listed(first)}")
        except ImportProblem as problem:  # a node cannot be folded; the remedy after the semicolon is not needed
            warnings.append(f"nodes above joints are placed as in {owner}; here, {str(problem).partition(';')[0]}")
    rest = rig.rest.copy()
    for joint, node in found.items():
        rest[joint] = nodes.rest(node)
    differ = (_differing(rig.folding.apply(rest), skeleton.bind) & _left_at_rest(motion, joint_of,
                                                                                 len(rest))).any(axis=1)
    if differ.any():
        warnings.append(f"{np.count_nonzero(differ)} joints have a different rest pose than in {owner}, which is used "
                        "where a clip does not move them: "
                        f"{listed([skeleton.names[joint] for joint in np.flatnonzero(differ)])}")
    return replace(rig, joint_of=joint_of, folded={}, dropped=frozenset())


def _check_parents(rig: Rig, owner: str, nodes: NodeTree, joint_of: Mapping[int, int]) -> None:
    """Raises ImportProblem if the parent of a joint is another than in the skeleton. Joints above may be missing."""
    names, parents = rig.skeleton.names, rig.skeleton.parents
    present = set(joint_of.values())
    for node, joint in joint_of.items():
        theirs = next((joint_of[above] for above in nodes.ancestors(node) if above in joint_of), -1)
        ours = int(parents[joint])
        top = ours
        while top >= 0 and top not in present:
            top = int(parents[top])
        if theirs != ours and not theirs == top == -1:
            here, expected = ("the world" if joint_above < 0 else names[joint_above] for joint_above in (theirs, ours))
            raise ImportProblem(f"joint {names[joint]}: its parent is {here} instead of {expected}; all inputs must "
                                f"share the skeleton of {owner}")


def _check_lengths(rig: Rig, owner: str, nodes: NodeTree, found: Mapping[int, int]) -> None:
    """Raises ImportProblem if the bones are many times longer or shorter than those of the character."""
    below = [joint for joint in sorted(found) if rig.skeleton.parents[joint] >= 0]
    ours = length(rig.rest[below][:, TRANSLATION].reshape(-1, 3))
    theirs = length(np.array([nodes.rest(found[joint])[TRANSLATION] for joint in below]).reshape(-1, 3))
    known = (ours > _LEAST_LENGTH) & (theirs > _LEAST_LENGTH)
    if not known.any():
        return
    ratio = float(np.median(theirs[known] / ours[known]))
    if not 1.0 / _MOST_LONGER <= ratio <= _MOST_LONGER:
        raise ImportProblem(f"its bones are {ratio:.3g} times as long as those of {owner}; export both in the same "
                            "unit of length")


def _differing(poses: Array, bind: Array) -> Array:
    """Returns whether the rotation, translation and scale of transforms [J, 10] differ: bool [J, 3]."""
    sign = np.where(dot(poses[:, ROTATION], bind[:, ROTATION]) < 0.0, -1.0, 1.0)[:, None]
    difference = np.abs(poses - bind)
    difference[:, ROTATION] = np.abs(sign * poses[:, ROTATION] - bind[:, ROTATION])
    return np.stack([difference[:, part].max(axis=1) > REST_TOLERANCE for part in PARTS.values()], axis=1)


def _left_at_rest(motion: Motion, joint_of: Mapping[int, int], joints: int) -> Array:
    """Returns whether a clip leaves the rotation, translation and scale of each joint unmoved: bool [J, 3]."""
    left = np.zeros((joints, len(TRACK_KINDS)), bool)
    for tracks in motion.clips.values():
        keyed = np.zeros_like(left)
        for track in tracks:
            if track.node in joint_of:
                keyed[joint_of[track.node], TRACK_KINDS.index(track.kind)] = True
        left |= ~keyed
    return left
