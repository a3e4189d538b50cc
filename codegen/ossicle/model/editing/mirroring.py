"""Mirror images of poses and clips (runtime/SPEC.md section 17).

R reflects model space, and B_j is the bind pose's model rotation of joint j, whose partner is p. In the mirrored pose
the model rotation of j is R M_p R C_j with C_j = (R B_p R)^-1 B_j, so that the bind pose, where its sides are mirror
images, mirrors to itself. Relative to the parent this is C_parent^-1 (R L_p R) C_j for a local rotation L_p, and
C_parent^-1 R t_p for a translation.
"""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...base.arrays import Array
from ...base.curve_names import curves_in, curve_components, real_count
from ...base.portable_math import length
from ...base.problem import SettingProblem
from ...base.sides import sided_pairs, with_other_sides
from ..clip import ROTATION, SCALE, TRANSLATION, Clip, Skeleton
from ..rotations import multiply, normalise, rotate
from ..sides import AXES, Mirror, partners_of
from ..trajectory.displacement import Trajectory

# The bind pose may differ from its mirror image by this fraction of its size.
OFF_LIMIT = 0.05
# Axes within half a degree of a convention are snapped to it.
_NEARLY_COSINE = 0.99996
_BACK = np.array([-1.0, -1.0, -1.0, 1.0])


@dataclass(frozen=True, eq=False)
class Sides:
    """The sides of a character. found: the partner of each joint, None for a joint that hangs from one side only and
    for curve joints; partners: the joint that replaces each joint in the mirror image; axis: the index of the one
    between the sides; turns: C of every joint; curves: for joints that store curves of left and right, the component of
    the partner for each component."""

    found: tuple[int | None, ...]
    partners: tuple[int, ...]
    axis: int
    turns: Array
    curves: Mapping[int, tuple[int, ...]]


def sides_of(names: Sequence[str], parents: Sequence[int | None], bind: Array, mirror: Mirror | None) -> Sides:
    """Finds the sides of a character. bind: [J, 7] or [J, 10]. mirror: None for pairs by name and the axis that fits
    the bind pose best. Raises SettingProblem for invalid pairs, and for a bind pose that is not symmetric."""
    real = real_count(names)
    found = partners_of(mirror or Mirror(), names[:real], parents[:real]) + [None] * (len(names) - real)
    partners = [joint if partner is None else partner for joint, partner in enumerate(found)]
    if not any(partner != joint for joint, partner in enumerate(partners)):
        if mirror is not None and mirror.pairs:
            raise SettingProblem("mirror: with the pairs of [mirror] no joint has a partner; remove pairs of a joint "
                                 "with itself")
        raise SettingProblem("mirror: no name has a left and a right, such as hand.l and hand.r; give pairs, such as "
                             "pairs = [[\"hand_a\", \"hand_b\"]] in [mirror]")
    rotations, positions = _model(parents, bind)
    sides = [joint for joint, partner in enumerate(found) if partner is not None]
    if mirror is None:
        axis = min(range(3), key=lambda number: _distances(positions, sides, partners, number).max())
    else:
        axis = AXES.index(mirror.axis)
    _check_symmetry(positions, sides, partners, axis, names)
    turns = _turns_of(rotations, partners, axis)
    exchanged = _exchanged_curves(names)
    for joint, (partner, _) in exchanged.items():
        partners[joint] = partner
    return Sides(tuple(found), tuple(partners), axis, turns, {joint: taken for joint, (_, taken) in exchanged.items()})


def _exchanged_curves(names: Sequence[str]) -> dict[int, tuple[int, tuple[int, ...]]]:
    """Returns for each joint that stores curves of left and right the joint whose curves it takes in the mirror, and
    the component of that joint for each component. Raises SettingProblem for curves that come from several joints."""
    curves = {curve.name: curve for curve in curve_components(names)}
    others = sided_pairs(list(curves))
    exchanged = {}
    for joint, own in enumerate(map(curves_in, names)):
        taken = [curves[others.get(name, name)] for name in own]
        if len({curve.joint for curve in taken}) > 1:
            name = next(name for name in own if name in others)
            raise SettingProblem(f"mirror: the curves {name!r} and {others[name]!r} lie in joints with others that the "
                                 "mirror does not exchange between these; encode the bank again")
        if any(name in others for name in own):
            exchanged[joint] = taken[0].joint, (*(curve.axis for curve in taken), *range(len(taken), 3))
    return exchanged


def _model(parents: Sequence[int | None], bind: Array) -> tuple[Array, Array]:
    """Returns the rotations and positions of the joints in the bind pose, in model space."""
    rotations, positions = np.zeros((len(bind), 4)), np.zeros((len(bind), 3))
    for number, parent in enumerate(parents):
        rotations[number], positions[number] = normalise(bind[number, :4]), bind[number, 4:7]
        if parent is not None:
            above = rotations[parent]
            positions[number] = positions[parent] + rotate(above, positions[number])
            rotations[number] = normalise(multiply(above, rotations[number]))
    return rotations, positions


def reflected(q: Array, axis: int) -> Array:
    """Returns R q R: reflects the axis of a rotation and reverses its direction."""
    signs = -np.ones(4)
    signs[[axis, 3]] = 1.0
    return q * signs


def _distances(positions: Array, joints: Sequence[int], partners: Sequence[int], axis: int) -> Array:
    """Returns the distance of each joint of `joints` from the mirror image of its partner; 0 for others."""
    images = positions[list(partners)].copy()
    images[:, axis] *= -1.0
    distances = np.zeros(len(positions))
    distances[list(joints)] = length(images - positions)[list(joints)]
    return distances


def _check_symmetry(positions: Array, joints: Sequence[int], partners: Sequence[int], axis: int,
                    names: Sequence[str]) -> None:
    distances = _distances(positions, joints, partners, axis)
    worst = int(distances.argmax())
    size = float(np.max(positions.max(axis=0) - positions.min(axis=0)))
    if distances[worst] > OFF_LIMIT * size:
        raise SettingProblem(
            f"mirror: in the bind pose joint {names[worst]!r} lies {1000.0 * distances[worst]:.0f} mm from the mirror "
            f"image of {names[partners[worst]]!r}; choose the axis that points from left to right, give other pairs in "
            "[mirror], or encode a file whose rest pose has equal sides, such as a T-pose")


def _turns_of(rotations: Array, partners: Sequence[int], axis: int) -> Array:
    """Returns C of every joint, with a positive largest component. That of the second joint of a pair follows from the
    first."""
    turns = np.zeros_like(rotations)
    for joint, partner in enumerate(partners):
        if partner < joint:
            rotation = reflected(turns[partner], axis) * _BACK
        else:
            rotation = multiply(reflected(rotations[partner], axis) * _BACK, rotations[joint])
        largest = int(np.argmax(np.abs(rotation)))
        rotation = rotation * np.sign(rotation[largest])
        if rotation[largest] > _NEARLY_COSINE:
            rotation = np.eye(4)[largest]
        turns[joint] = rotation
    return turns


def mirrored_frames(frames: Array, parents: Sequence[int | None], sides: Sides) -> Array:
    """Returns the mirror images of local transforms [F, J, 10], as osc_mirror_pose computes them."""
    result = frames.copy()
    signs = np.ones(3)
    signs[sides.axis] = -1.0
    for joint, partner in enumerate(sides.partners):
        if sides.found[joint] is None:
            continue
        parent = parents[joint]
        back = np.array([0.0, 0.0, 0.0, 1.0]) if parent is None else sides.turns[parent] * _BACK
        rotation = multiply(back, reflected(frames[:, partner, ROTATION], sides.axis))
        result[:, joint, ROTATION] = multiply(rotation, sides.turns[joint])
        result[:, joint, TRANSLATION] = rotate(back, frames[:, partner, TRANSLATION] * signs)
        result[:, joint, SCALE] = frames[:, partner, SCALE]
    for joint, taken in sides.curves.items():
        result[:, joint, TRANSLATION] = frames[:, sides.partners[joint], TRANSLATION][:, list(taken)]
    return result


def mirrored_clip(clip: Clip, name: str, skeleton: Skeleton) -> Clip:
    """Returns a clip's mirror image under another name. Events of the left side become those of the right one. Raises
    SettingProblem."""
    parents = [None if parent < 0 else int(parent) for parent in skeleton.parents]
    sides = sides_of(skeleton.names, parents, skeleton.bind, None)
    events = tuple(replace(event, name=with_other_sides(event.name)) for event in clip.events)
    return replace(clip, name=name, frames=mirrored_frames(clip.frames, parents, sides),
                   steps=clip.steps[:, list(sides.partners)], curve=None, events=events, contacts=(),
                   actor=None,
                   trajectory=clip.trajectory and mirrored_trajectory(clip.trajectory, sides.axis), mirror_of=clip.name)


def mirrored_trajectory(trajectory: Trajectory, axis: int) -> Trajectory:
    """Mirrors a trajectory: the component along the axis and the yaw change signs."""
    signs = np.array([1, 1, 1, -1])
    signs[axis] = -1
    return replace(trajectory, start=trajectory.start * signs, end=trajectory.end * signs, keys=trajectory.keys * signs)
