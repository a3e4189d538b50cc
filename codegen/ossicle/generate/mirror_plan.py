"""Decides how each joint mirrors: runtime/SPEC.md 17.

R reflects model space, and B_j is the bind pose's model rotation of joint j, whose partner is p. In
the mirrored pose the model rotation of j is R M_p R C_j with C_j = (R B_p R)^-1 B_j, so that the bind
pose, where its sides are mirror images, mirrors to itself. Seen from the parent that is
C_parent^-1 (R L_p R) C_j for a local rotation L_p, and C_parent^-1 R t_p for a translation: constants
around a change of signs. Where C_j and C_parent are the same half turn about an axis, or none, all of
it is a change of signs.
"""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..bank.file import Bank
from ..base.curve_names import curves_in
from ..base.portable_math import length
from ..base.problem import SettingProblem
from ..base.sides import sided_pairs
from ..model.rotations import multiply, normalise, rotate
from .sides import AXES, Mirror, partners_of

ONE_Q20 = 1 << 20
# Axes that are nearly those of a convention are taken for it: half a degree off.
_NEARLY_COSINE = 0.99996
# The bind pose may differ from its mirror image by this share of its size.
_OFF_LIMIT = 0.05


@dataclass(frozen=True)
class Turned:
    """A joint and its partner with the constants that each has: indices of MirrorPlan.turns."""

    joint: str
    partner: str
    turn: int
    back: int


@dataclass(frozen=True)
class Group:
    """Joints with the same changes of signs, as osc_mirror_group: pairs, and joints of the middle."""

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
    """Makes the plan, or None without a mirror. Raises SettingProblem for pairs that cannot be, and for a
    bind pose that is no mirror image of itself."""
    if mirror is None:
        return None
    names = [joint.name for joint in bank.joints]
    parents = [joint.parent for joint in bank.joints]
    real = bank.real_joints
    found = partners_of(mirror, names[:real], parents[:real]) + [None] * (len(names) - real)
    partners = [joint if partner is None else partner for joint, partner in enumerate(found)]
    if not any(partner != joint for joint, partner in enumerate(partners)):
        raise SettingProblem("mirror: no name has a left and a right, such as hand.l and hand.r; give pairs, such as "
                             "pairs = [[\"hand_a\", \"hand_b\"]] in [mirror]")
    axis = AXES.index(mirror.axis)
    rotations, places = _model(bank)
    sides = [joint for joint, partner in enumerate(found) if partner is not None]
    _check_places(places, sides, partners, axis, names)
    turns = _turns_of(rotations, partners, axis)
    groups: dict[int, list[int]] = {}
    turned: list[int] = []
    for joint in range(real):
        if partners[joint] < joint:
            continue
        one = 0 if parents[joint] is None else _half_turn(turns[parents[joint]])
        own = _half_turn(turns[joint])
        if found[joint] is None or own is None or own != one:
            turned.append(joint)
        else:
            groups.setdefault(axis + 1 ^ own, []).append(joint)
    constants: list[tuple[tuple[int, ...], tuple[int, ...]]] = []

    def constant(joint: int) -> int:
        above = np.array([0.0, 0.0, 0.0, 1.0]) if parents[joint] is None else turns[parents[joint]]
        made = _identity() if found[joint] is None else _constants(above, turns[joint], axis)
        if made not in constants:
            constants.append(made)
        return constants.index(made)

    exchanged = [(joint, made) for joint in range(real, len(names)) if (made := _exchange(names[joint])) != _identity()]
    constants += dict.fromkeys(made for _, made in exchanged)
    return MirrorPlan(
        mirror.axis, tuple(identifiers[partner] for partner in partners),
        tuple(Group(kind, tuple((identifiers[joint], identifiers[partners[joint]])
                                for joint in members if partners[joint] != joint),
                    tuple(identifiers[joint] for joint in members if partners[joint] == joint))
              for kind, members in sorted(groups.items())),
        tuple(Turned(identifiers[joint], identifiers[partners[joint]], constant(joint), constant(partners[joint]))
              for joint in turned)
        + tuple(Turned(identifiers[joint], identifiers[joint], constants.index(made), constants.index(made))
                for joint, made in exchanged), tuple(constants))


def _model(bank: Bank) -> tuple[np.ndarray, np.ndarray]:
    """The rotations and places of the joints in the bind pose, in model space."""
    rotations, places = np.zeros((len(bank.joints), 4)), np.zeros((len(bank.joints), 3))
    for number, joint in enumerate(bank.joints):
        bind = np.array(joint.bind) / ONE_Q20
        rotations[number], places[number] = normalise(bind[:4]), bind[4:7]
        if joint.parent is not None:
            above = rotations[joint.parent]
            places[number] = places[joint.parent] + rotate(above, places[number])
            rotations[number] = normalise(multiply(above, rotations[number]))
    return rotations, places


def _reflected(q: np.ndarray, axis: int) -> np.ndarray:
    """R q R: the axis of a turn is reflected, and the turn goes the other way round."""
    signs = -np.ones(4)
    signs[[axis, 3]] = 1.0
    return q * signs


def _check_places(places: np.ndarray, joints: Sequence[int], partners: Sequence[int], axis: int,
                  names: Sequence[str]) -> None:
    images = places[partners].copy()
    images[:, axis] *= -1.0
    off = length(images - places)
    worst = max(joints, key=lambda joint: off[joint])
    size = float(np.max(places.max(axis=0) - places.min(axis=0)))
    if off[worst] > _OFF_LIMIT * size:
        raise SettingProblem(
            f"mirror: in the bind pose joint {names[worst]!r} lies {1000.0 * off[worst]:.0f} mm from the mirror image of "
            f"{names[partners[worst]]!r}; choose the axis that points from left to right, give other pairs in [mirror], "
            "or encode a file whose rest pose has equal sides, such as a T-pose")


def _turns_of(rotations: np.ndarray, partners: Sequence[int], axis: int) -> np.ndarray:
    """C of every joint, with a positive largest component; that of a partner follows from its own."""
    turns = np.zeros_like(rotations)
    for joint, partner in enumerate(partners):
        if partner < joint:
            made = _reflected(turns[partner], axis) * [-1.0, -1.0, -1.0, 1.0]
        else:
            back = _reflected(rotations[partner], axis) * [-1.0, -1.0, -1.0, 1.0]
            made = multiply(back, rotations[joint])
        largest = int(np.argmax(np.abs(made)))
        made = made * np.sign(made[largest])
        if made[largest] > _NEARLY_COSINE:
            made = np.eye(4)[largest]
        turns[joint] = made
    return turns


def _half_turn(turn: np.ndarray) -> int | None:
    """0 for no turn, 1 to 3 for a half turn about x, y, z, None for any other."""
    if turn.max() != 1.0:
        return None
    return (int(np.argmax(turn)) + 1) % 4


def _constants(above: np.ndarray, own: np.ndarray, axis: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    back = above * [-1.0, -1.0, -1.0, 1.0]
    rotation = np.stack([multiply(multiply(back, _reflected(unit, axis)), own) for unit in np.eye(4)], axis=1)
    signs = np.ones(3)
    signs[axis] = -1.0
    translation = np.stack([rotate(back, unit * signs) for unit in np.eye(3)], axis=1)
    return _q20(rotation), _q20(translation)


def _identity() -> tuple[tuple[int, ...], tuple[int, ...]]:
    return _q20(np.eye(4)), _q20(np.eye(3))


def _exchange(joint: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """What exchanges the curves of left and right that a joint holds."""
    curves = curves_in(joint)
    partners = sided_pairs(curves)
    rows = np.eye(3)
    for axis, name in enumerate(curves):
        if name in partners:
            rows[axis] = np.eye(3)[curves.index(partners[name])]
    return _q20(np.eye(4)), _q20(rows)


def _q20(rows: np.ndarray) -> tuple[int, ...]:
    return tuple(int(value) for value in np.rint(rows * ONE_Q20).ravel())
