"""Plans the mirroring of each joint: runtime/SPEC.md section 17, model/editing/mirroring.py.

The mirrored transform of a joint is that of its partner with changed signs, between constant rotations. If C_j and
C_parent are the same half turn about an axis, or the identity, only signs change.
"""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...bank.file import Bank
from ...base.arrays import Array
from ...base.problem import SettingProblem
from ...model.editing.mirroring import Sides, reflected, sides_of
from ...model.rotations import multiply, rotate
from ...model.sides import AXES, Mirror

ONE_Q20 = 1 << 20


@dataclass(frozen=True)
class Turned:
    """A joint and its partner with the constants of each: indices of MirrorPlan.turns."""

    joint: str
    partner: str
    turn: int
    back: int


@dataclass(frozen=True)
class Group:
    """Joints with the same changes of signs, as in osc_mirror_group: pairs, and joints in the middle."""

    axis: int
    pairs: tuple[tuple[str, str], ...]
    middle: tuple[str, ...]


@dataclass(frozen=True)
class MirrorPlan:
    """The content of the table. partners: of each joint; turns: 16 and 9 numbers in Q20."""

    axis: str
    partners: tuple[str, ...]
    groups: tuple[Group, ...]
    turned: tuple[Turned, ...]
    turns: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]


def plan_mirror(bank: Bank, identifiers: Sequence[str], mirror: Mirror | None) -> MirrorPlan | None:
    """Returns the plan, or None without a mirror and without clips that are mirror images. Raises SettingProblem for
    invalid pairs, for a bind pose that is not symmetric, and for a mirror other than that of clips."""
    images = [clip.name for clip in bank.clips if clip.mirrored]
    if mirror is None and not images:
        return None
    parents = [joint.parent for joint in bank.joints]
    names = [joint.name for joint in bank.joints]
    bind = np.array([joint.bind for joint in bank.joints]) / ONE_Q20
    sides = sides_of(names, parents, bind, mirror)
    if images:
        _check_same(sides, sides_of(names, parents, bind, None), names, images[0])
    found, partners, axis, turns = sides.found, sides.partners, sides.axis, sides.turns
    groups: dict[int, list[int]] = {}
    turned: list[int] = []
    for joint in range(bank.real_joints):
        if partners[joint] < joint:
            continue
        of_parent = 0 if parents[joint] is None else _half_turn(turns[parents[joint]])
        own = _half_turn(turns[joint])
        if found[joint] is None or own is None or own != of_parent:
            turned.append(joint)
        else:
            groups.setdefault(axis + 1 ^ own, []).append(joint)
    constants: list[tuple[tuple[int, ...], tuple[int, ...]]] = []

    def constant(joint: int) -> int:
        above = np.array([0.0, 0.0, 0.0, 1.0]) if parents[joint] is None else turns[parents[joint]]
        result = _constants(above, turns[joint], axis) if found[joint] is not None else \
            _exchange(sides.curves.get(joint, range(3)))
        if result not in constants:
            constants.append(result)
        return constants.index(result)

    turned += [joint for joint in sides.curves if partners[joint] >= joint]
    return MirrorPlan(
        AXES[axis], tuple(identifiers[partner] for partner in partners),
        tuple(Group(kind, tuple((identifiers[joint], identifiers[partners[joint]])
                                for joint in members if partners[joint] != joint),
                    tuple(identifiers[joint] for joint in members if partners[joint] == joint))
              for kind, members in sorted(groups.items())),
        tuple(Turned(identifiers[joint], identifiers[partners[joint]], constant(joint), constant(partners[joint]))
              for joint in turned), tuple(constants))


def _check_same(stated: Sides, shown: Sides, names: Sequence[str], image: str) -> None:
    """Raises SettingProblem if poses are mirrored differently than the clip of this name."""
    if stated.axis != shown.axis:
        raise SettingProblem(f"[mirror] axis = {AXES[stated.axis]!r}: clip {image} is a mirror image along "
                             f"{AXES[shown.axis]}; give axis = {AXES[shown.axis]!r}")
    for name, a, b in zip(names, stated.found, shown.found):
        if a != b:
            by_pair, by_name = ("no joint" if joint is None else repr(names[joint]) for joint in (a, b))
            raise SettingProblem(f"[mirror] pairs: joint {name!r} is paired with {by_pair}, but in the mirror image "
                                 f"{image} with {by_name}, because of their names; remove the pair")


def _half_turn(rotation: Array) -> int | None:
    """Returns 0 for the identity, 1 to 3 for a half turn about x, y, z, None for other rotations."""
    if rotation.max() != 1.0:
        return None
    return (int(np.argmax(rotation)) + 1) % 4


def _constants(above: Array, own: Array, axis: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    back = above * [-1.0, -1.0, -1.0, 1.0]
    rotation = np.stack([multiply(multiply(back, reflected(unit, axis)), own) for unit in np.eye(4)], axis=1)
    signs = np.ones(3)
    signs[axis] = -1.0
    translation = np.stack([rotate(back, unit * signs) for unit in np.eye(3)], axis=1)
    return _q20(rotation), _q20(translation)


def _exchange(taken: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Returns constants that select these components of a translation, and keep the rotation."""
    return _q20(np.eye(4)), _q20(np.eye(3)[list(taken)])


def _q20(rows: Array) -> tuple[int, ...]:
    return tuple(int(value) for value in np.rint(rows * ONE_Q20).ravel())
