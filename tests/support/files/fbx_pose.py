"""Poses of .fbx files that fbx_writer wrote, by the formula of FBX:

T * Roff * Rp * Rpre * R * inverse(Rpost) * inverse(Rp) * Soff * Sp * S * inverse(Sp)
"""
from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from fbx_writer import VECTORS, Curves, FbxJoint
from numpy.typing import NDArray

Array = NDArray[np.float64]
ORDERS = ("xyz", "xzy", "yzx", "yxz", "zxy", "zyx")  # the first rotation is applied first
REST = {"T": 0.0, "R": 0.0, "S": 1.0}


def rotation(degrees: Sequence[float], order: int = 0) -> Array:
    """Returns a matrix [4, 4]."""
    result = np.eye(4)
    for axis in ORDERS[order]:
        at = "xyz".index(axis)
        cosine, sine = np.cos(np.radians(degrees[at])), np.sin(np.radians(degrees[at]))
        single = np.eye(4)
        one, two = (at + 1) % 3, (at + 2) % 3
        single[one, one] = single[two, two] = cosine
        single[two, one], single[one, two] = sine, -sine
        result = single @ result
    return result


def translation(vector: Sequence[float]) -> Array:
    result = np.eye(4)
    result[:3, 3] = vector
    return result


def local(joint: FbxJoint, curves: Curves, seconds: float) -> Array:
    """Returns the transform of a joint relative to the one above. Curves are linear."""
    vectors = {}
    for kind, rest in REST.items():
        vector = list(joint.properties.get(VECTORS[kind], (rest,) * 3))
        for axis, letter in enumerate("XYZ"):
            if keys := curves.get((joint.name, kind, letter)):
                vector[axis] = float(np.interp(seconds, *zip(*keys)))
        vectors[kind] = vector

    def stated(name: str) -> tuple[float, float, float]:
        return joint.properties.get(name, (0.0, 0.0, 0.0))

    turning, scaling = translation(stated("RotationPivot")), translation(stated("ScalingPivot"))
    return np.array(translation(vectors["T"]) @ translation(stated("RotationOffset")) @ turning
                    @ rotation(stated("PreRotation")) @ rotation(vectors["R"], joint.order)
                    @ np.linalg.inv(rotation(stated("PostRotation"))) @ np.linalg.inv(turning)
                    @ translation(stated("ScalingOffset")) @ scaling @ np.diag([*vectors["S"], 1.0])
                    @ np.linalg.inv(scaling))


def models(joints: Sequence[FbxJoint], curves: Curves, seconds: float) -> dict[str, Array]:
    """Returns the transforms of all joints in the axes and units of the file."""
    found: dict[str, Array] = {}
    for joint in joints:
        found[joint.name] = found.get(joint.parent, np.eye(4)) @ local(joint, curves, seconds)
    return found
