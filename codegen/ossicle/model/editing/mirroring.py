"""Mirror images of poses: how joints turn, and clips that are the mirror image of another one. runtime/SPEC.md 17.

R reflects model space, and B_j is the bind pose's model rotation of joint j, whose partner is p. In the mirrored pose
the model rotation of j is R M_p R C_j with C_j = (R B_p R)^-1 B_j, so that the bind pose, where its sides are mirror
images, mirrors to itself. Seen from the parent that is C_parent^-1 (R L_p R) C_j for a local rotation L_p, and
C_parent^-1 R t_p for a translation.
"""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...base.curve_names import curves_in, places_of, real_count
from ...base.portable_math import length
from ...base.problem import SettingProblem
from ...base.sides import sided_pairs, with_other_sides
from ..clip import ROTATION, SCALE, TRANSLATION, Clip, Skeleton
from ..rotations import multiply, normalise, rotate
from ..sides import AXES, Mirror, partners_of
from ..trajectory.displacement import Trajectory

# The bind pose may differ from its mirror image by this share of its size.
OFF_LIMIT = 0.05
# Axes that are nearly those of a convention are taken for it: half a degree off.
_NEARLY_COSINE = 0.99996
_BACK = np.array([-1.0, -1.0, -1.0, 1.0])


@dataclass(frozen=True, eq=False)
class Sides:
    """A character's sides. found: the partner of each joint, None for one that hangs from one side only and for one
    that holds curves; partners: of each joint the one that the mirror shows in its place; axis: the number of the one
    between the sides; turns: C of every joint; curves: of joints that hold curves of left and right, which component of
    the partner each component takes."""

    found: tuple[int | None, ...]
    partners: tuple[int, ...]
    axis: int
    turns: np.ndarray
    curves: Mapping[int, tuple[int, ...]]


def sides_of(names: Sequence[str], parents: Sequence[int | None], bind: np.ndarray, mirror: Mirror | None) -> Sides:
    """bind: [J, 7] or [J, 10]. mirror: None for pairs by name and the axis that fits the bind pose best. Raises
    SettingProblem for pairs that cannot be, and for a bind pose that is no mirror image of itself."""
    real = real_count(names)
    found = partners_of(mirror or Mirror(), names[:real], parents[:real]) + [None] * (len(names) - real)
    partners = [joint if partner is None else partner for joint, partner in enumerate(found)]
    if not any(partner != joint for joint, partner in enumerate(partners)):
        if mirror is not None and mirror.pairs:
            raise SettingProblem("mirror: with the pairs of [mirror] no joint has a partner; remove those that take a "
                                 "joint for its own")
        raise SettingProblem("mirror: no name has a left and a right, such as hand.l and hand.r; give pairs, such as "
                             "pairs = [[\"hand_a\", \"hand_b\"]] in [mirror]")
    rotations, places = _model(parents, bind)
    sides = [joint for joint, partner in enumerate(found) if partner is not None]
    if mirror is None:
        axis = min(range(3), key=lambda number: _off(places, sides, partners, number).max())
    else:
        axis = AXES.index(mirror.axis)
    _check_places(places, sides, partners, axis, names)
    turns = _turns_of(rotations, partners, axis)
    exchanged = _exchanged_curves(names)
    for joint, (partner, _) in exchanged.items():
        partners[joint] = partner
    return Sides(tuple(found), tuple(partners), axis, turns, {joint: taken for joint, (_, taken) in exchanged.items()})


def _exchanged_curves(names: Sequence[str]) -> dict[int, tuple[int, tuple[int, ...]]]:
    """Of each joint that holds curves of left and right, the joint whose curves it takes in the mirror, and which
    component of that each component takes. Raises SettingProblem for curves that come from several joints."""
    places = {place.name: place for place in places_of(names)}
    others = sided_pairs(list(places))
    exchanged = {}
    for joint, held in enumerate(map(curves_in, names)):
        taken = [places[others.get(name, name)] for name in held]
        if len({place.joint for place in taken}) > 1:
            one = next(name for name in held if name in others)
            raise SettingProblem(f"mirror: the curves {one!r} and {others[one]!r} lie in joints with others that the "
                                 "mirror does not exchange between these; encode the bank again")
        if any(name in others for name in held):
            exchanged[joint] = taken[0].joint, (*(place.axis for place in taken), *range(len(taken), 3))
    return exchanged


def _model(parents: Sequence[int | None], bind: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The rotations and places of the joints in the bind pose, in model space."""
    rotations, places = np.zeros((len(bind), 4)), np.zeros((len(bind), 3))
    for number, parent in enumerate(parents):
        rotations[number], places[number] = normalise(bind[number, :4]), bind[number, 4:7]
        if parent is not None:
            above = rotations[parent]
            places[number] = places[parent] + rotate(above, places[number])
            rotations[number] = normalise(multiply(above, rotations[number]))
    return rotations, places


def reflected(q: np.ndarray, axis: int) -> np.ndarray:
    """R q R: the axis of a turn is reflected, and the turn goes the other way round."""
    signs = -np.ones(4)
    signs[[axis, 3]] = 1.0
    return q * signs


def _off(places: np.ndarray, joints: Sequence[int], partners: Sequence[int], axis: int) -> np.ndarray:
    """How far each joint of `joints` is from the mirror image of its partner; 0 for others."""
    images = places[list(partners)].copy()
    images[:, axis] *= -1.0
    off = np.zeros(len(places))
    off[list(joints)] = length(images - places)[list(joints)]
    return off


def _check_places(places: np.ndarray, joints: Sequence[int], partners: Sequence[int], axis: int,
                  names: Sequence[str]) -> None:
    off = _off(places, joints, partners, axis)
    worst = int(off.argmax())
    size = float(np.max(places.max(axis=0) - places.min(axis=0)))
    if off[worst] > OFF_LIMIT * size:
        raise SettingProblem(
            f"mirror: in the bind pose joint {names[worst]!r} lies {1000.0 * off[worst]:.0f} mm from the mirror image "
            f"of {names[partners[worst]]!r}; choose the axis that points from left to right, give other pairs in "
            "[mirror], or encode a file whose rest pose has equal sides, such as a T-pose")


def _turns_of(rotations: np.ndarray, partners: Sequence[int], axis: int) -> np.ndarray:
    """C of every joint, with a positive largest component; that of a partner follows from its own."""
    turns = np.zeros_like(rotations)
    for joint, partner in enumerate(partners):
        if partner < joint:
            made = reflected(turns[partner], axis) * _BACK
        else:
            made = multiply(reflected(rotations[partner], axis) * _BACK, rotations[joint])
        largest = int(np.argmax(np.abs(made)))
        made = made * np.sign(made[largest])
        if made[largest] > _NEARLY_COSINE:
            made = np.eye(4)[largest]
        turns[joint] = made
    return turns


def mirrored_frames(frames: np.ndarray, parents: Sequence[int | None], sides: Sides) -> np.ndarray:
    """The mirror images of local transforms [F, J, 10], as osc_mirror_pose makes them."""
    made = frames.copy()
    signs = np.ones(3)
    signs[sides.axis] = -1.0
    for joint, partner in enumerate(sides.partners):
        if sides.found[joint] is None:
            continue
        parent = parents[joint]
        back = np.array([0.0, 0.0, 0.0, 1.0]) if parent is None else sides.turns[parent] * _BACK
        rotation = multiply(back, reflected(frames[:, partner, ROTATION], sides.axis))
        made[:, joint, ROTATION] = multiply(rotation, sides.turns[joint])
        made[:, joint, TRANSLATION] = rotate(back, frames[:, partner, TRANSLATION] * signs)
        made[:, joint, SCALE] = frames[:, partner, SCALE]
    for joint, taken in sides.curves.items():
        made[:, joint, TRANSLATION] = frames[:, sides.partners[joint], TRANSLATION][:, list(taken)]
    return made


def mirrored_clip(clip: Clip, name: str, skeleton: Skeleton) -> Clip:
    """A clip's mirror image, under another name: the events of the left side are those of the right one. Raises
    SettingProblem."""
    parents = [None if parent < 0 else int(parent) for parent in skeleton.parents]
    sides = sides_of(skeleton.names, parents, skeleton.bind, None)
    events = tuple(replace(event, name=with_other_sides(event.name)) for event in clip.events)
    return replace(clip, name=name, frames=mirrored_frames(clip.frames, parents, sides),
                   steps=clip.steps[:, list(sides.partners)], curve=None, events=events, contacts=(),
                   trajectory=clip.trajectory and mirrored_way(clip.trajectory, sides.axis), mirror_of=clip.name)


def mirrored_way(way: Trajectory, axis: int) -> Trajectory:
    """A trajectory in the mirror, which stands upright: the component along the axis and the yaw change signs."""
    signs = np.array([1, 1, 1, -1])
    signs[axis] = -1
    return replace(way, start=way.start * signs, end=way.end * signs, keys=way.keys * signs)
