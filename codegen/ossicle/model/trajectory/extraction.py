"""Extracts the trajectory of a clip, the root motion of a joint, so that the clip plays in place.

A trajectory has some of four components: x, y, z (metres) and yaw (turns about y). It consists of a start and, relative
to it, a straight line to the end plus a Catmull-Rom spline with evenly spaced keys (SPEC.md section 20). The clip is
moved by the inverse of the stored trajectory, so that both together reproduce the source however coarse the trajectory
is.
"""
from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...base.arrays import Array
from ...base.curve_names import is_curve
from ...base.portable_math import angle_of, dot
from .. import rotations
from ..clip import ROTATION, SCALE, TRANSLATION, Clip, Skeleton
from ..key_rate import JITTER
from ..sampling import ChangedCurve, FrameCurve
from .components import FIRST
from .displacement import UNITS, YAW, Trajectory, yaw_rotation

MOST_SEGMENTS = 0x3FFF
MOST_SHIFT = 15
ARM_M = 0.5  # the tolerance of the yaw moves a point at this distance from the axis by the tolerance in metres
_FINE, _COARSE = 8, 2  # quanta of keys in a tolerance; coarse ones if keys then fit 8 bits
_SAME_TIME = JITTER / 20  # frames; small enough at all multiples of the rate
_LEAST_TWIST = 1e-6  # a joint on its side has no yaw: that of the previous frame holds
_LEAST_HEADING2 = 1e-4  # squared length of an axis over the ground: a shorter one points up


@dataclass(frozen=True)
class Top:
    """A joint that is moved, with all below it. above: the joints above it, from its parent up, which are not moved."""

    joint: int
    above: tuple[int, ...]


def tops_of(parents: Array, joint: int) -> tuple[Top, ...]:
    """Returns the joints from which to remove the trajectory of a joint: the joint, the other children of those above
    it, and the other roots. The joints above place the character in the world."""
    above = _above(parents, joint)
    return tuple(Top(top, _above(parents, top)) for top in range(len(parents))
                 if top not in above and (parents[top] < 0 or parents[top] in above))


def without_trajectory(trajectory: Trajectory, transforms: Array, share: Array,
                       tops: Sequence[Top]) -> Array:
    """Removes a trajectory from local transforms [N, J, 10] at these fractions [N] of the clip. tops: the joints to
    move."""
    position, rotation = trajectory.at(share)
    back = _inverse(rotation)
    result = transforms.copy()
    for top in tops:
        above = _rotation_of(transforms, top.above)
        moved = rotations.rotate(back, _upward(transforms, top.above, transforms[:, top.joint, TRANSLATION]) - position)
        result[:, top.joint, TRANSLATION] = _downward(transforms, top.above, moved)
        rotation_back = rotations.multiply(_inverse(above), rotations.multiply(back, above))
        result[:, top.joint, ROTATION] = rotations.multiply(rotation_back, transforms[:, top.joint, ROTATION])
    return result


@dataclass(frozen=True, eq=False)
class InPlaceCurve(ChangedCurve):
    """The curve of a clip whose trajectory was extracted (see clip.Curve)."""

    trajectory: Trajectory
    tops: tuple[Top, ...]

    @property
    def linear(self) -> bool:
        return False

    def _in_place(self, transforms: Array, seconds: Array) -> Array:
        share = np.clip(seconds / self.trajectory.seconds, 0.0, 1.0)
        return without_trajectory(self.trajectory, transforms, share, self.tops)

    def at(self, seconds: Array, early: float = 0.0) -> Array:
        return self._in_place(self.curve.at(seconds, early), seconds)

    def sampled(self, seconds: Array, early: float) -> tuple[Array, Array]:
        frames, steps = self.curve.sampled(seconds, early)
        return self._in_place(frames, seconds), steps

    def reordered(self, order: Array) -> InPlaceCurve:
        indices = {int(old): new for new, old in enumerate(order)}
        return replace(self, curve=self.curve.reordered(order),
                       tops=tuple(Top(indices[top.joint], tuple(indices[joint] for joint in top.above))
                                  for top in self.tops))


@dataclass(frozen=True)
class RootMotion:
    """The trajectory to extract from a clip. joint: the joint that it follows; chosen: bool [4], its components;
    tolerance_m: its largest distance from the joint; loop: whether its ends meet smoothly; by: the reference of its
    yaw, one of YAWS."""

    joint: int
    chosen: Array
    tolerance_m: float
    loop: bool
    by: str


def in_place(clip: Clip, skeleton: Skeleton, motion: RootMotion) -> Clip:
    """Extracts the trajectory of a joint from a clip of at least two frames. The resulting clip begins and ends with
    the joint above the origin, and facing as in the bind pose, except for components that are not chosen. A clip that
    is already in place is returned unchanged."""
    path = joint_path(clip, skeleton, motion.joint, motion.by)
    if _stays(path, motion.chosen, motion.tolerance_m):
        return clip
    trajectory = fitted(path, motion.chosen, motion.tolerance_m, motion.loop, (len(clip.frames) - 1) / clip.rate)
    tops = tuple(top for top in tops_of(skeleton.parents, motion.joint) if not is_curve(skeleton.names[top.joint]))
    share = np.arange(len(clip.frames)) / (len(clip.frames) - 1)
    curve = clip.curve
    if curve is None and not clip.steps.any():
        curve = FrameCurve(clip.frames, 1.0 / clip.rate)
    follows = clip.follows_curve and curve is not None and \
        abs(float(curve.times[-1]) - trajectory.seconds) * clip.rate < _SAME_TIME
    return replace(clip, frames=without_trajectory(trajectory, clip.frames, share, tops), follows_curve=follows,
                   curve=None if curve is None else InPlaceCurve(curve, trajectory, tops), trajectory=trajectory)


def _limits(tolerance_m: float) -> Array:
    """Returns the largest distance of a trajectory from its joint, in UNITS."""
    return np.array([tolerance_m * UNITS[0]] * 3 + [tolerance_m / (2.0 * math.pi * ARM_M) * UNITS[YAW]])


def _stays(path: Array, chosen: Array, tolerance_m: float) -> bool:
    """Returns whether a joint stays near the origin, at its height and yaw, so that there is nothing to extract."""
    rest = np.array([0.0, path[0, 1], 0.0, 0.0])
    return bool((np.abs((path - rest) * UNITS) <= _limits(tolerance_m))[:, chosen].all())


def joint_path(clip: Clip, skeleton: Skeleton, joint: int, by: str = FIRST) -> Array:
    """Returns the position and yaw of a joint at all frames: float64 [F, 4], metres and turns. The yaw has no jumps.
    by: one of YAWS; an axis must not point up in the bind pose (has_heading)."""
    position, rotation = _model(clip.frames, skeleton.parents, joint)
    _, rest = _model(skeleton.bind[None], skeleton.parents, joint)
    if by in _AXES:
        yaw = _unwrapped(*_headings(rotation, by))
        yaw = yaw - _headings(rest, by)[0]
        yaw -= np.rint(yaw[0])
    else:
        yaw = _unwrapped(*_twists(rotations.multiply(rotation, _inverse(rest))))
        if by == FIRST:  # relative to the bind pose at the first frame, to the first frame from then on
            yaw = yaw[0] + _unwrapped(*_twists(rotations.multiply(rotation, _inverse(rotation[:1]))))
    return np.concatenate([position, yaw[:, None]], axis=1)


def has_heading(skeleton: Skeleton, joint: int, by: str) -> bool:
    """Returns whether the reference of a yaw has a horizontal direction in the bind pose."""
    return by not in _AXES or bool(_headings(_model(skeleton.bind[None], skeleton.parents, joint)[1], by)[1][0])


_AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}


def _twists(rotation: Array) -> tuple[Array, Array]:
    """Returns the turns about y of rotations [F, 4], and whether each has one."""
    half = rotation[:, 1::2]  # sine and cosine of half the angle
    return angle_of(half[:, 0], half[:, 1]) / math.pi, dot(half, half) > _LEAST_TWIST


def _headings(rotation: Array, axis: str) -> tuple[Array, Array]:
    """Returns the horizontal directions of an axis, in turns from z to x, and whether each frame has one."""
    points = rotations.rotate(rotation, np.broadcast_to(np.array(_AXES[axis]), (len(rotation), 3)))
    return angle_of(points[:, 0], points[:, 2]) / (2.0 * math.pi), dot(points[:, ::2], points[:, ::2]) > _LEAST_HEADING2


def _unwrapped(yaw: Array, known: Array) -> Array:
    """Removes jumps by whole turns. A frame without a yaw takes that of the previous frame."""
    yaw, last = yaw.copy(), 0.0
    for frame in range(len(yaw)):
        if known[frame]:
            last = yaw[frame] + float(np.rint(last - yaw[frame]))
        yaw[frame] = last
    return yaw


def _model(frames: Array, parents: Array, joint: int) -> tuple[Array, Array]:
    """Returns the positions and rotations of a joint in model space."""
    above = _above(parents, joint)
    return positions_of(frames, parents, joint), rotations.multiply(_rotation_of(frames, above),
                                                                    frames[:, joint, ROTATION])


def positions_of(frames: Array, parents: Array, joint: int) -> Array:
    """Returns the positions [F, 3] of a joint in model space, in metres."""
    return _upward(frames, _above(parents, joint), frames[:, joint, TRANSLATION])


def _above(parents: Array, joint: int) -> tuple[int, ...]:
    """Returns the joints above a joint, from its parent up."""
    found: list[int] = []
    while (joint := int(parents[joint])) >= 0:
        found.append(joint)
    return tuple(found)


def _inverse(rotation: Array) -> Array:
    return rotation * (-1.0, -1.0, -1.0, 1.0)


def _rotation_of(frames: Array, above: Sequence[int]) -> Array:
    """Returns the model rotation of the first of these joints."""
    rotation = np.broadcast_to(np.array([0.0, 0.0, 0.0, 1.0]), (len(frames), 4))
    for joint in above:
        rotation = rotations.multiply(frames[:, joint, ROTATION], rotation)
    return rotation


def _upward(frames: Array, above: Sequence[int], position: Array) -> Array:
    """Transforms positions [N, 3] from the space of the first of these joints to model space."""
    for joint in above:
        turned = rotations.rotate(frames[:, joint, ROTATION], frames[:, joint, SCALE] * position)
        position = frames[:, joint, TRANSLATION] + turned
    return position


def _downward(frames: Array, above: Sequence[int], position: Array) -> Array:
    for joint in reversed(above):
        turned = rotations.rotate(_inverse(frames[:, joint, ROTATION]), position - frames[:, joint, TRANSLATION])
        position = turned / frames[:, joint, SCALE]
    return position


def fitted(path: Array, chosen: Array, tolerance_m: float, loop: bool, seconds: float) -> Trajectory:
    """Returns the trajectory with the fewest keys that is within the tolerance of a path [F, 4]."""
    units = np.array(UNITS, float)
    start = np.where(chosen, path[0], 0.0) * units
    start[1] = 0.0  # the height of the first frame stays in the clip
    start = np.rint(start)
    relative = (path - path[0]) * units
    back = yaw_rotation(-start[YAW:] / UNITS[YAW])
    relative[:, :3] = rotations.rotate(back, relative[:, :3])
    relative = np.where(chosen, relative, 0.0)
    end = np.rint(relative[-1])
    share = np.arange(len(relative)) / (len(relative) - 1)
    beside = relative - share[:, None] * end
    limits = _limits(tolerance_m)
    last = min(len(relative) - 1, MOST_SEGMENTS)
    trajectory = Trajectory(chosen, start.astype(np.int64), end.astype(np.int64), (0, 0), np.zeros((0, 4), int),
                            len(relative), seconds)
    for segments in _counts(last):
        trajectory = replace(trajectory, **_keys(beside, segments, limits, loop))
        if (np.abs(trajectory.displacement(share) - relative) <= limits).all():
            break
    return trajectory


def _counts(last: int) -> list[int]:
    """Returns the numbers of segments to try, ascending by about a quarter."""
    counts, count = [0], 1
    while count < last:
        counts.append(count)
        count += max(count // 4, 1)
    return [*counts, last]


def _keys(beside: Array, segments: int, limits: Array, loop: bool) -> dict[str, object]:
    """Returns the keys of a spline with this number of segments, and their shifts."""
    if segments == 0:
        return {"keys": np.zeros((0, 4), int), "shifts": (0, 0)}
    at = np.arange(segments + 1) * (len(beside) - 1) / segments
    left = np.minimum(at.astype(int), len(beside) - 2)
    part = (at - left)[:, None]
    keys = beside[left] * (1.0 - part) + beside[left + 1] * part
    keys[0] = keys[-1] = 0.0
    if loop and segments > 1:
        ends = keys[-2], keys[1]
    else:
        ends = 2.0 * keys[0] - keys[1], 2.0 * keys[-1] - keys[-2]
    keys = np.vstack([ends[0], keys, ends[1]])
    parts = ((slice(0, 3), limits[0]), (slice(3, 4), limits[YAW]))
    coarsest = [_shift(limit / _COARSE) for _, limit in parts]
    narrow = all((np.abs(keys[:, part]) < 127.5 * (1 << shift)).all() for (part, _), shift in zip(parts, coarsest))
    shifts = []
    for (part, limit), coarse in zip(parts, coarsest):
        shift = _shift(limit / _FINE)
        while shift < (coarse if narrow else MOST_SHIFT) and \
                np.abs(keys[:, part]).max() >= (127.5 if narrow else 32767.5) * (1 << shift):
            shift += 1
        shifts.append(shift)
        keys[:, part] = np.clip(np.rint(keys[:, part] / (1 << shift)), -32768, 32767)
    return {"keys": keys.astype(np.int64), "shifts": tuple(shifts)}


def _shift(quantum: float) -> int:
    return min(max(int(quantum).bit_length() - 1, 0), MOST_SHIFT)
