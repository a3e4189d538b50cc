"""The skeleton: 18 joints of a 1.75 m biped, standing on y = 0, facing +Z, its left side at +X.

There are two standing poses. In the *bind pose* the arms are 45 degrees out, which suits skin painting. In the *neutral
pose* they hang. Motion is authored as rotations from the neutral pose about the figure's axes, so that "pitch" has the
same meaning for a thigh, a forearm and the head.
"""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from . import quat

SIDES = (("left", 1.0), ("right", -1.0))

# Name, parent, position of the joint in the bind pose, end of its bone (metres). The right side is the mirror image of
# the left one.
_SPINE = (
    ("hips", None, (0.0, 0.960, 0.000), (0.0, 1.060, -0.012)),
    ("spine", "hips", (0.0, 1.060, -0.012), (0.0, 1.170, -0.020)),
    ("chest", "spine", (0.0, 1.170, -0.020), (0.0, 1.300, -0.014)),
    ("upper_chest", "chest", (0.0, 1.300, -0.014), (0.0, 1.455, -0.030)),
    ("neck", "upper_chest", (0.0, 1.455, -0.030), (0.0, 1.540, -0.006)),
    ("head", "neck", (0.0, 1.540, -0.006), (0.0, 1.750, 0.010)),
)
_ARM = (
    ("upper_arm", "upper_chest", (0.172, 1.412, -0.024), (0.368, 1.212, -0.040)),
    ("lower_arm", "upper_arm", (0.368, 1.212, -0.040), (0.546, 1.028, -0.010)),
    ("hand", "lower_arm", (0.546, 1.028, -0.010), (0.666, 0.902, 0.014)),
)
_LEG = (
    ("upper_leg", "hips", (0.090, 0.925, 0.002), (0.100, 0.500, 0.016)),
    ("lower_leg", "upper_leg", (0.100, 0.500, 0.016), (0.110, 0.085, -0.024)),
    ("foot", "lower_leg", (0.110, 0.085, -0.024), (0.124, 0.020, 0.126)),
)

# Directions of the arm's bones in the neutral pose, left side: hanging, with the elbow slightly bent.
_HANGING = {
    "upper_arm": (0.130, -1.0, -0.040),
    "lower_arm": (0.050, -1.0, 0.200),
    "hand": (-0.030, -1.0, 0.240),
}


@dataclass(frozen=True)
class Joint:
    """A joint: model-space bind position and bone end (metres), bind and neutral orientation."""

    name: str
    parent: int
    head: np.ndarray
    tail: np.ndarray
    bind: np.ndarray
    neutral: np.ndarray


def bone_frame(direction: np.ndarray) -> np.ndarray:
    """Returns the orientation of a bone: +Y along it, +Z as near to forward (feet: up) as possible."""
    y = quat.unit(direction)
    reference = quat.Z_AXIS if abs(y[2]) < 0.7 else quat.Y_AXIS
    x = quat.unit(np.cross(y, reference))
    return quat.from_frame(x, y, np.cross(x, y))


def _rows() -> list[tuple[str, str | None, np.ndarray, np.ndarray, np.ndarray | None]]:
    rows = [(name, parent, np.array(head), np.array(tail), None)
            for name, parent, head, tail in _SPINE]
    for side, sign in SIDES:
        mirror = np.array([sign, 1.0, 1.0])
        own = {name for name, *_ in _ARM + _LEG}
        for name, parent, head, tail in _ARM + _LEG:
            parent = f"{side}_{parent}" if parent in own else parent
            hanging = np.array(_HANGING[name]) * mirror if name in _HANGING else None
            rows.append((f"{side}_{name}", parent, np.array(head) * mirror,
                         np.array(tail) * mirror, hanging))
    return rows


def _depth_first(rows: list) -> list:
    """Orders the rows so that each joint is followed by its subtree, as in glTF tools."""
    def subtree(parent: str | None) -> list:
        ordered = []
        for row in rows:
            if row[1] == parent:
                ordered += [row, *subtree(row[0])]
        return ordered
    return subtree(None)


def build() -> list[Joint]:
    """Returns the 18 joints, parents before children."""
    joints: list[Joint] = []
    index: dict[str, int] = {}
    for name, parent, head, tail, hanging in _depth_first(_rows()):
        bind = bone_frame(tail - head)
        neutral = bind
        if hanging is not None:
            swing = quat.between(quat.unit(tail - head), quat.unit(hanging))
            neutral = quat.mul(swing, bind)
        index[name] = len(joints)
        joints.append(Joint(name, -1 if parent is None else index[parent], head, tail, bind,
                            neutral))
    return joints


JOINTS = build()
INDEX = {joint.name: number for number, joint in enumerate(JOINTS)}


def parent_of(joint: Joint) -> Joint | None:
    """Returns the joint's parent, or None for the root."""
    return None if joint.parent < 0 else JOINTS[joint.parent]


def bind_rotation(joint: Joint) -> np.ndarray:
    """Returns the joint's bind rotation in its parent's frame."""
    parent = parent_of(joint)
    return joint.bind if parent is None else quat.mul(quat.conj(parent.bind), joint.bind)


def bind_translation(joint: Joint) -> np.ndarray:
    """Returns the joint's bind translation in its parent's frame, metres."""
    parent = parent_of(joint)
    if parent is None:
        return joint.head
    return quat.rotate(quat.conj(parent.bind), joint.head - parent.head)


def local_rotation(joint: Joint, authored: np.ndarray) -> np.ndarray:
    """Returns the local rotation of a joint that is rotated by `authored` from the neutral pose, relative to the parent
    and in the figure's axes in the neutral pose."""
    parent = parent_of(joint)
    local = quat.mul(authored, joint.neutral)
    return local if parent is None else quat.mul(quat.conj(parent.neutral), local)
