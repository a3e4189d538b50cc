"""Writes a decoded clip as BVH, which importers/bvh.py can read.

Lengths are in centimetres, the usual unit. The rotation channels contain the whole local rotation, because BVH has no
bind rotation: its rest pose consists of OFFSETs only. Roots have position channels and no OFFSET, because some readers
add both. Other joints have position channels, which replace their OFFSET, only if the clip moves them. BVH does not
define interpolation, so breaks are not marked.
"""
from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ..base.arrays import Array
from ..base.portable_math import DEGREES_PER_RADIAN, angle_of, length
from ..base.problem import SettingProblem
from ..importers.bvh import CENTIMETRE
from ..model import rotations
from ..model.clip import ROTATION, SCALE, TRANSLATION, Clip, Skeleton
from .tracks import moved

SUFFIX = ".bvh"
_POSITIONS = "Xposition Yposition Zposition"
_ROTATIONS = "Zrotation Xrotation Yrotation"
_SAME_SCALE = 2e-6  # two steps of Q20
_END = 0.5  # the length of the bone of a leaf joint, as a fraction of the bone above


def pack(skeleton: Skeleton, clip: Clip) -> bytes:
    """Returns the bytes of a .bvh file. Raises SettingProblem, which names the joint, for a name or scale that the
    format does not support."""
    _check(skeleton, clip)
    placed = moved([clip], skeleton.bind)[:, 1] | (skeleton.parents < 0)
    order, lines = _hierarchy(skeleton, placed)
    angles = _angles(clip.frames[..., ROTATION])
    positions = clip.frames[..., TRANSLATION] / CENTIMETRE
    columns = np.concatenate([part for joint in order for part in (
        [positions[:, joint]] if placed[joint] else []) + [angles[:, joint]]], axis=1)
    lines += ["MOTION", f"Frames: {len(clip.frames)}", f"Frame Time: {1.0 / clip.rate:.12f}"]
    lines += map(_listed, columns.tolist())
    return ("\n".join(lines) + "\n").encode()


def _check(skeleton: Skeleton, clip: Clip) -> None:
    for name in skeleton.names:
        if not name or name != " ".join(name.split()) or not set("{}").isdisjoint(name):
            raise SettingProblem(f"joint {name!r}: a .bvh file cannot hold this name; write a .glb")
    roots = np.flatnonzero(skeleton.parents < 0)
    if len(roots) > 1:
        raise SettingProblem(f"joint {skeleton.names[roots[1]]}: is a second root, which many programs do not accept "
                             "in .bvh files; write a .glb")
    difference = np.abs(clip.frames[..., SCALE] - 1.0).max(axis=2)
    if difference.max() > _SAME_SCALE:
        frame, joint = np.argwhere(difference > _SAME_SCALE)[0]
        listed = ", ".join(f"{value:.6g}" for value in clip.frames[frame, joint, SCALE])
        raise SettingProblem(f"clip {clip.name}: joint {skeleton.names[joint]}: a scale of ({listed}) at frame "
                             f"{frame}, which a .bvh file cannot store; write a .glb")


def _hierarchy(skeleton: Skeleton, placed: Array) -> tuple[list[int], list[str]]:
    """Returns the joints in the order of the file, and its lines up to the motion."""
    order: list[int] = []
    lines = ["HIERARCHY"]
    offsets = skeleton.bind[:, TRANSLATION] / CENTIMETRE
    children: dict[int, list[int]] = {}
    for joint, parent in enumerate(skeleton.parents.tolist()):
        children.setdefault(parent, []).append(joint)
    pending: list[tuple[int, int, bool]] = [(joint, 0, True) for joint in reversed(children[-1])]
    while pending:
        joint, depth, opens = pending.pop()
        indent = "  " * depth
        if not opens:
            lines.append(indent + "}")
            continue
        order.append(joint)
        is_root = skeleton.parents[joint] < 0
        offset = np.zeros(3) if is_root else offsets[joint]
        channels = f"6 {_POSITIONS}" if placed[joint] else "3"
        lines += [f"{indent}{'ROOT' if is_root else 'JOINT'} {skeleton.names[joint]}", indent + "{",
                  f"{indent}  OFFSET {_listed(offset)}",
                  f"{indent}  CHANNELS {channels} {_ROTATIONS}"]
        below = children.get(joint, [])
        if not below:
            lines += [f"{indent}  End Site", indent + "  {", f"{indent}    OFFSET {_listed(_END * offsets[joint])}",
                      indent + "  }"]
        pending.append((joint, depth, False))
        pending += [(child, depth + 1, True) for child in reversed(below)]
    return order, lines


def _listed(values: Iterable[float]) -> str:
    """Formats numbers with six decimals: 10 nanometres."""
    return " ".join([f"{value:.6f}" for value in values])


def _angles(q: Array) -> Array:
    """Returns Euler angles [F, J, 3] about Z, X and Y, in this order of multiplication and in degrees, of quaternions
    [F, J, 4]. Of the two triples of angles of a rotation, plus whole turns, each frame has those nearest to the
    previous frame, so that readers may blend them."""
    x, y, z, w = np.moveaxis(rotations.normalise(q), -1, 0)
    # With a, b and c for half the angles about Z, X and Y: w + x and y + z are the cosine and the sine of a + c, times
    # cos b + sin b; w - x and z - y are those of a - c, times cos b - sin b. This is exact even near b = 45 degrees,
    # where only a + c or a - c is defined.
    total, difference = angle_of(y + z, w + x), angle_of(z - y, w - x)
    tilt = angle_of(length(np.stack([w + x, y + z], axis=-1)), length(np.stack([w - x, z - y], axis=-1)))
    first = np.stack([total + difference, 2.0 * tilt, total - difference], axis=-1) * DEGREES_PER_RADIAN
    first[..., 1] -= 90.0
    other = first * (1.0, -1.0, 1.0) + 180.0
    result = first - 360.0 * np.rint(first / 360.0)
    for frame in range(1, len(result)):
        previous = result[frame - 1]
        near = [angles[frame] - 360.0 * np.rint((angles[frame] - previous) / 360.0) for angles in (first, other)]
        distances = [np.abs(angles - previous).max(axis=-1, keepdims=True) for angles in near]
        result[frame] = np.where(distances[1] < distances[0], near[1], near[0])
    return result
