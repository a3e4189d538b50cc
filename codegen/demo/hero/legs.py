"""Legs: a foot that rolls over heel and toe, and the two-bone solver for the leg."""
from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from . import quat
from .skeleton import INDEX, JOINTS

# The points at which the sole touches the ground, behind and ahead of the ankle (metres).
HEEL_M = -0.060
TOE_M = 0.170
# The largest fraction of full reach to use: the knee of a straight leg jerks if the hips rise slightly.
REACH_LIMIT = 0.9995


@dataclass(frozen=True)
class Foot:
    """The target of a foot, in model space. ankle: position (metres); rotation: from flat and facing +Z; knee_out_deg:
    the angle of the knee, outwards from the body's forward direction."""

    ankle: np.ndarray
    rotation: np.ndarray
    knee_out_deg: float = 0.0


def _joint(side: str, name: str):
    return JOINTS[INDEX[f"{side}_{name}"]]


def ankle_home(side: str) -> np.ndarray:
    """Returns the ankle's position in the bind pose, metres."""
    return _joint(side, "foot").head


def rolled(side: str, ground: np.ndarray, lift_m: float, pitch_deg: float, yaw_deg: float = 0.0,
           knee_out_deg: float = 0.0) -> Foot:
    """Returns a foot at `ground` (the point under the ankle when flat), rolled. pitch > 0 lifts the heel with the toe
    as pivot, pitch < 0 lifts the toe with the heel as pivot; the pivot does not move. `lift_m` raises the whole
    foot."""
    height = ankle_home(side)[1]
    pivot = np.array([0.0, 0.0, TOE_M if pitch_deg > 0.0 else HEEL_M])
    rotation = quat.euler(pitch_deg, yaw_deg, 0.0)
    arm = np.array([0.0, height, 0.0]) - pivot
    ankle = (ground + quat.rotate(quat.about(quat.Y_AXIS, yaw_deg), pivot)
             + quat.rotate(rotation, arm) + np.array([0.0, lift_m, 0.0]))
    return Foot(ankle, rotation, knee_out_deg)


def _limb_frame(direction: np.ndarray, hinge: np.ndarray) -> np.ndarray:
    """Returns the orientation with +Y along the bone and +X along the knee's axis."""
    return quat.from_frame(hinge, direction, np.cross(hinge, direction))


def solve(side: str, hips_position: np.ndarray, hips_rotation: np.ndarray, foot: Foot,
          where: str) -> dict[str, np.ndarray]:
    """Returns the authored rotations of upper leg, lower leg and foot for a target. hips_rotation: from the bind pose,
    in model space. The knee bends in the plane of hip, ankle and the body's forward direction. Raises ValueError, which
    names `where`, if the ankle is out of reach."""
    upper, lower, end = (_joint(side, name) for name in ("upper_leg", "lower_leg", "foot"))
    sign = 1.0 if side == "left" else -1.0
    hip = hips_position + quat.rotate(hips_rotation, upper.head - JOINTS[INDEX["hips"]].head)
    thigh = math.dist(upper.head, lower.head)
    shin = math.dist(lower.head, end.head)
    reach = foot.ankle - hip
    distance = math.sqrt(float(np.sum(reach * reach)))
    if distance > (thigh + shin) * REACH_LIMIT:
        raise ValueError(f"{where}: the {side} ankle is {distance:.3f} m from the hip, the leg is "
                         f"{thigh + shin:.3f} m long; lower the hips or shorten the step")
    along = reach / distance
    forward = quat.rotate(quat.mul(hips_rotation, quat.about(quat.Y_AXIS, sign * foot.knee_out_deg)),
                          quat.Z_AXIS)
    hinge = quat.unit(np.cross(forward, along))
    ahead = np.cross(along, hinge)
    a = (thigh * thigh - shin * shin + distance * distance) / (2.0 * distance)
    knee = hip + along * a + ahead * math.sqrt(thigh * thigh - a * a)

    home_upper = quat.unit(lower.head - upper.head)
    home_lower = quat.unit(end.head - lower.head)
    home_hinge = quat.unit(np.cross(home_upper, home_lower))
    upper_rotation = quat.mul(_limb_frame(quat.unit(knee - hip), hinge),
                              quat.conj(_limb_frame(home_upper, home_hinge)))
    lower_rotation = quat.mul(_limb_frame(quat.unit(foot.ankle - knee), hinge),
                              quat.conj(_limb_frame(home_lower, home_hinge)))
    return {
        f"{side}_upper_leg": quat.mul(quat.conj(hips_rotation), upper_rotation),
        f"{side}_lower_leg": quat.mul(quat.conj(upper_rotation), lower_rotation),
        f"{side}_foot": quat.mul(quat.conj(lower_rotation), foot.rotation),
    }
