"""Finds the parts of a human body in a skeleton."""
from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from ..base.problem import nearest
from ..importers.joint_choice import with_joints_above
from ..model.clip import Clip, Skeleton
from .humanoid import Humanoid, RetargetProblem
from .joints.body import assemble
from .joints.checks import LEG_PARTS, check_chains, check_distinct, check_legs, check_two_legs, equal_limbs, warnings_of
from .joints.conventions import convention_of
from .joints.named_limbs import named_limbs
from .joints.names import FINGERS, LEFT, RIGHT, is_control, read_names
from .joints.positions import posed_positions
from .joints.shape import limbs_by_shape
from .joints.table import MAP, map_of, option_of
from .joints.tree import Tree

_NEEDED = ("hips", "chest")  # parts that every body has, with those of legs
_OF_SIDE = ("upper_arm", "lower_arm", "hand", "upper_leg", "lower_leg", "foot", "toes", *FINGERS)
# The parts that users can name. Joints between them follow from the tree: the spine is the path from hips to chest.
PARTS = ("hips", "chest", "head", *(f"{side}_{part}" for side in (LEFT, RIGHT) for part in _OF_SIDE))


def find_humanoid(skeleton: Skeleton, clips: Sequence[Clip] = (), names: Mapping[str, str] = {},
                  carrying: Collection[str] | None = None, key: str = MAP) -> Humanoid:
    """Returns the joints that are the parts of a human body: by their names, or by the shape of the skeleton.

    clips: whose poses tell left from right where names do not. names: the user's joint names by part (PARTS), which
    replace those that were found; an empty name means that the skeleton lacks the part. carrying: the joints to which
    vertices are weighted; None if unknown. key: that of `names`, for messages. Raises RetargetProblem for unknown parts
    and joints, for a skeleton without two legs, and for an animal on four legs.
    """
    chosen = _chosen(names, skeleton.names, key)
    tree, parts = Tree(skeleton.parents), read_names(skeleton.names)
    positions = posed_positions(skeleton, clips)
    joints, confidence = named_limbs(tree, parts)
    if not set(LEG_PARTS) <= {*joints, *(part for part, joint in chosen.items() if joint is not None)}:
        shaped, trust = limbs_by_shape(tree, positions, _usable(skeleton, carrying))
        joints, confidence = {**shaped, **joints}, {**trust, **confidence}
    found = joints
    stated: dict[str, int | None] = {**joints, **chosen}
    joints = {part: joint for part, joint in stated.items() if joint is not None}
    if not chosen:
        check_two_legs(joints, positions, skeleton.names, key)
    check_legs(joints, parts, skeleton.names, key)
    check_chains(joints, found, tree, skeleton.names, key)
    for limb, trust_of_lengths in equal_limbs(joints, positions).items():
        side, name = limb.split()
        is_chosen = any(f"{side}_{bone}_{name}" in chosen for bone in ("upper", "lower"))
        confidence[limb] = 1.0 if is_chosen else min(confidence.get(limb, 1.0), trust_of_lengths)
    body = assemble(tree, parts, joints, chosen, confidence)
    check_distinct(body, skeleton, key)
    doubts = warnings_of(body, joints, positions, map_of(body, skeleton), key)
    return replace(body, convention=convention_of(skeleton.names), warnings=tuple(doubts))


def _usable(skeleton: Skeleton, carrying: Collection[str] | None) -> frozenset[int]:
    """Returns the joints that move the mesh, if that is known, and have no name of a control."""
    weighted = skeleton.names if carrying is None else with_joints_above(skeleton, carrying)
    return frozenset(joint for joint, name in enumerate(skeleton.names) if name in weighted and not is_control(name))


def _chosen(names: Mapping[str, str], joints: Sequence[str], key: str) -> dict[str, int | None]:
    """Returns the user's joints by part. Raises RetargetProblem for names that do not exist."""
    chosen: dict[str, int | None] = {}
    for part, name in names.items():
        if part not in PARTS:
            raise RetargetProblem(f"{option_of(key)}: there is no part {part!r}{nearest(part, PARTS)}")
        if not name and part in (*_NEEDED, *LEG_PARTS):
            raise RetargetProblem(f"{option_of(key)}: {part}: has no joint, but every body needs one; name it, or "
                                  "leave out the part")
        if name and name not in joints:
            raise RetargetProblem(f"{option_of(key)}: {part}: there is no joint {name!r}{nearest(name, joints)}")
        chosen[part] = joints.index(name) if name else None
    return chosen
