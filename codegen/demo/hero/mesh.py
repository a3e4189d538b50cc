"""The skin: one tapered six-sided prism per bone, flat-shaded, blended across the joints."""
from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from . import quat
from .skeleton import INDEX, JOINTS, Joint

SIDES_PER_PRISM = 6
SUIT, SKIN = 0, 1
MATERIALS = (
    ("suit", (0.075, 0.290, 0.420, 1.0), 0.85),
    ("skin", (0.900, 0.540, 0.330, 1.0), 0.70),
)

# Cross sections along a bone: position (0 at the joint, 1 at the bone's end), half width (along the bone's x) and half
# depth (along its z) in metres, and the parent's weight.
_SHAPES: dict[str, tuple[int, tuple[tuple[float, float, float, float], ...]]] = {
    "hips": (SUIT, ((-0.75, 0.120, 0.085, 0.0), (0.1, 0.165, 0.110, 0.0),
                    (1.05, 0.140, 0.098, 0.0))),
    "spine": (SUIT, ((-0.05, 0.141, 0.099, 0.5), (0.5, 0.132, 0.094, 0.1),
                     (1.05, 0.140, 0.100, 0.0))),
    "chest": (SUIT, ((-0.05, 0.139, 0.099, 0.5), (0.5, 0.152, 0.108, 0.1),
                     (1.05, 0.168, 0.114, 0.0))),
    "upper_chest": (SUIT, ((-0.05, 0.167, 0.113, 0.5), (0.5, 0.180, 0.112, 0.0),
                           (0.80, 0.170, 0.090, 0.0), (1.0, 0.062, 0.060, 0.0))),
    "neck": (SKIN, ((-0.15, 0.058, 0.056, 0.5), (0.6, 0.052, 0.054, 0.0),
                    (1.3, 0.052, 0.054, 0.0))),
    "head": (SKIN, ((0.0, 0.050, 0.062, 0.3), (0.18, 0.074, 0.096, 0.0), (0.55, 0.086, 0.108, 0.0),
                    (0.85, 0.074, 0.092, 0.0), (1.0, 0.036, 0.046, 0.0))),
    "upper_arm": (SUIT, ((-0.16, 0.030, 0.034, 0.6), (-0.06, 0.050, 0.054, 0.4),
                         (0.14, 0.058, 0.060, 0.0), (0.95, 0.042, 0.044, 0.0))),
    "lower_arm": (SUIT, ((-0.06, 0.042, 0.044, 0.5), (0.25, 0.044, 0.046, 0.0),
                         (0.97, 0.030, 0.032, 0.0))),
    "hand": (SKIN, ((-0.05, 0.022, 0.032, 0.5), (0.45, 0.020, 0.046, 0.0),
                    (1.0, 0.012, 0.030, 0.0))),
    "upper_leg": (SUIT, ((-0.06, 0.084, 0.096, 0.4), (0.20, 0.088, 0.098, 0.0),
                         (0.97, 0.058, 0.062, 0.0))),
    "lower_leg": (SUIT, ((-0.03, 0.057, 0.062, 0.5), (0.30, 0.056, 0.068, 0.0),
                         (0.97, 0.038, 0.044, 0.0))),
}
# The shoe is shaped to the ground, not to the bone: z from the ankle, half width, bottom, top.
_SHOE = ((-0.060, 0.036, 0.0, 0.070), (-0.020, 0.042, 0.0, 0.115), (0.035, 0.046, 0.0, 0.100),
         (0.110, 0.050, 0.0, 0.055), (0.170, 0.032, 0.0, 0.030))


@dataclass(frozen=True)
class Skin:
    """Vertex arrays in the bind pose: V rows each, and an index list of triangles per material.

    positions, normals: (V, 3) metres; joints: (V, 4) joint numbers; weights: (V, 4) in 1/255, each row sums to 255.
    """

    positions: np.ndarray
    normals: np.ndarray
    joints: np.ndarray
    weights: np.ndarray
    triangles: tuple[list[int], ...]


class _Builder:
    def __init__(self) -> None:
        self.rows: list[tuple[np.ndarray, np.ndarray, tuple[int, int], tuple[int, int]]] = []
        self.triangles: tuple[list[int], ...] = tuple([] for _ in MATERIALS)

    def face(self, material: int, corners: list[np.ndarray], pairs: list[tuple[int, int]],
             shares: list[int]) -> None:
        """Adds a flat polygon with corners anticlockwise from outside. shares: the parent's weights."""
        normal = np.zeros(3)
        for a, b in zip(corners, corners[1:] + corners[:1]):
            normal = normal + np.cross(a, b)
        normal = quat.unit(normal)
        first = len(self.rows)
        for corner, pair, share in zip(corners, pairs, shares):
            self.rows.append((corner, normal, pair, (255 - share, share)))
        for k in range(1, len(corners) - 1):
            self.triangles[material].extend((first, first + k, first + k + 1))

    def tube(self, material: int, rings: list[list[np.ndarray]], shares: list[int],
             pair: tuple[int, int]) -> None:
        """Adds the walls between consecutive rings and a cap at both ends."""
        count = len(rings[0])
        for (near, share), (far, far_share) in zip(zip(rings, shares), zip(rings[1:], shares[1:])):
            for k in range(count):
                after = (k + 1) % count
                self.face(material, [near[k], near[after], far[after], far[k]], [pair] * 4,
                          [share, share, far_share, far_share])
        self.face(material, rings[0][::-1], [pair] * count, [shares[0]] * count)
        self.face(material, rings[-1], [pair] * count, [shares[-1]] * count)


def _ring(centre: np.ndarray, x: np.ndarray, z: np.ndarray) -> list[np.ndarray]:
    """Returns a hexagon around `centre` with half axes x and z, anticlockwise about z cross x."""
    corners = []
    for k in range(SIDES_PER_PRISM):
        angle = 2.0 * math.pi * (k + 0.5) / SIDES_PER_PRISM
        corners.append(centre + z * math.cos(angle) + x * math.sin(angle))
    return corners


def _add_bone(builder: _Builder, number: int, joint: Joint, key: str) -> None:
    material, sections = _SHAPES[key]
    x, z = quat.rotate(joint.bind, quat.X_AXIS), quat.rotate(joint.bind, quat.Z_AXIS)
    rings, shares = [], []
    for along, half_width, half_depth, share in sections:
        centre = joint.head + (joint.tail - joint.head) * along
        rings.append(_ring(centre, x * half_width, z * half_depth))
        shares.append(round(255 * share))
    builder.tube(material, rings, shares, (number, max(joint.parent, 0)))


def _add_shoe(builder: _Builder, number: int, joint: Joint) -> None:
    rings = []
    for z, half_width, bottom, top in _SHOE:
        x, depth = float(joint.head[0]), float(joint.head[2]) + z
        rings.append([np.array([x - half_width, bottom, depth]),
                      np.array([x + half_width, bottom, depth]),
                      np.array([x + half_width * 0.8, top, depth]),
                      np.array([x - half_width * 0.8, top, depth])])
    builder.tube(SUIT, rings, [0] * len(rings), (number, joint.parent))


def _add_nose(builder: _Builder) -> None:
    """Adds a nose, which shows the direction of the face."""
    number = INDEX["head"]
    head = JOINTS[number].head
    tip = head + np.array([0.0, 0.085, 0.140])
    base = [head + np.array(offset) for offset in
            ((-0.020, 0.070, 0.085), (0.020, 0.070, 0.085), (0.0, 0.130, 0.085))]
    pair = (number, JOINTS[number].parent)
    for a, b in zip(base, base[1:] + base[:1]):
        builder.face(SKIN, [a, b, tip], [pair] * 3, [0] * 3)


def build() -> Skin:
    """Returns the figure's skin in the bind pose."""
    builder = _Builder()
    for number, joint in enumerate(JOINTS):
        key = joint.name.removeprefix("left_").removeprefix("right_")
        if key == "foot":
            _add_shoe(builder, number, joint)
        else:
            _add_bone(builder, number, joint, key)
    _add_nose(builder)
    positions, normals, pairs, shares = zip(*builder.rows)
    joints = np.zeros((len(pairs), 4), np.uint8)
    weights = np.zeros((len(pairs), 4), np.uint8)
    joints[:, :2], weights[:, :2] = pairs, shares
    joints[weights == 0] = 0
    return Skin(np.array(positions), np.array(normals), joints, weights, builder.triangles)
