"""Finds the parts of a human body in a skeleton."""
from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from ..base.problem import nearest
from ..importers.joint_choice import with_joints_above
from ..model.clip import Clip, Skeleton
from .body import assemble
from .humanoid import Humanoid, RetargetProblem
from .named_limbs import named_limbs
from .names import FINGERS, LEFT, RIGHT, is_control, read_names
from .positions import posed_positions
from .shape import limbs_by_shape
from .tree import Tree

_OF_SIDE = ("upper_arm", "lower_arm", "hand", "upper_leg", "lower_leg", "foot", "toes", *FINGERS)
# The parts that users can name. Joints between them follow from the tree: the spine is the path from hips to chest.
PARTS = ("hips", "chest", "head", *(f"{side}_{part}" for side in (LEFT, RIGHT) for part in _OF_SIDE))

_LEGS = {f"{side}_{part}" for side in (LEFT, RIGHT) for part in ("upper_leg", "lower_leg", "foot")}


def find_humanoid(skeleton: Skeleton, clips: Sequence[Clip] = (), names: Mapping[str, str] = {},
                   carrying: Collection[str] | None = None) -> Humanoid:
    """Returns the joints that are the parts of a human body.

    clips: in which feet, knees and elbows tell left from right where names do not. names: the user's joint names by
    part (PARTS), which replace those that were found; an empty name means that the skeleton lacks the part. carrying:
    the joints to which vertices are weighted; None if unknown. Raises RetargetProblem for unknown parts and joints, and for a skeleton without two legs.
    """
    chosen = _chosen(names, skeleton.names)
    tree, parts = Tree(skeleton.parents), read_names(skeleton.names)
    positions = posed_positions(skeleton, clips)
    joints, confidence = named_limbs(tree, parts)
    if not _LEGS <= {*joints, *(part for part, joint in chosen.items() if joint is not None)}:
        weighted = skeleton.names if carrying is None else with_joints_above(skeleton, carrying)
        usable = frozenset(joint for joint, name in enumerate(skeleton.names)
                           if name in weighted and not is_control(name))
        shaped, trust = limbs_by_shape(tree, positions, usable)
        joints, confidence = {**shaped, **joints}, {**trust, **confidence}
    for part, joint in chosen.items():
        joints.pop(part, None)
        if joint is not None:
            joints[part] = joint
    missing = sorted(_LEGS - set(joints))
    if missing:
        raise RetargetProblem(f"no joint was found for {', '.join(missing)}; name it in map, such as "
                              f"map = {{ {missing[0]} = \"{skeleton.names[-1]}\" }}")
    return assemble(tree, parts, joints, chosen, confidence)


def _chosen(names: Mapping[str, str], joints: Sequence[str]) -> dict[str, int | None]:
    """Returns the user's joints by part. Raises RetargetProblem for names that do not exist."""
    chosen: dict[str, int | None] = {}
    for part, name in names.items():
        if part not in PARTS:
            raise RetargetProblem(f"map: there is no part {part!r}{nearest(part, PARTS)}")
        if name and name not in joints:
            raise RetargetProblem(f"map: {part}: there is no joint {name!r}{nearest(name, joints)}")
        chosen[part] = joints.index(name) if name else None
    return chosen
