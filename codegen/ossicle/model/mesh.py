"""A mesh with its joints: what `ossicle mesh` writes as C, and `ossicle view` draws."""
from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate

import numpy as np

MAX_INFLUENCES = 4


@dataclass(frozen=True, eq=False)
class Surface:
    """Triangles that joints move, of one material.

    positions: float64 [V, 3], as the skinning matrices of the bank take them. normals: float64 [V, 3].
    joints: int64 [V, 4], numbers of joints in the bank; weights: float64 [V, 4] with sum 1, the largest
    first. triangles: int64 [T, 3], counter-clockwise from outside. places: float64 [V, 2], where vertices lie in
    the texture, or None. material: its number in the file, or None.
    """

    positions: np.ndarray
    normals: np.ndarray
    joints: np.ndarray
    weights: np.ndarray
    triangles: np.ndarray
    places: np.ndarray | None
    material: int | None


@dataclass(frozen=True, eq=False)
class Material:
    """How a surface looks. colour: linear red, green, blue in 0..1, by which the texture is multiplied. texture: a
    PNG or JPEG file, or None."""

    colour: tuple[float, float, float]
    texture: bytes | None


@dataclass(frozen=True, eq=False)
class Mesh:
    """Triangles that joints move, each of one colour.

    positions, normals, joints, weights, triangles: as in a Surface. colours: int64 [T], indices into
    palette. palette: float64 [C, 3], linear red, green, blue in 0..1.
    """

    positions: np.ndarray
    normals: np.ndarray
    joints: np.ndarray
    weights: np.ndarray
    triangles: np.ndarray
    colours: np.ndarray
    palette: np.ndarray


def joined(meshes: list[Mesh]) -> Mesh:
    """Returns one mesh of all; equal colours become one."""
    first = accumulate((len(mesh.positions) for mesh in meshes), initial=0)
    palette, colours = np.unique(np.concatenate([mesh.palette[mesh.colours] for mesh in meshes]),
                                 axis=0, return_inverse=True)
    return Mesh(*(np.concatenate([getattr(mesh, name) for mesh in meshes])
                  for name in ("positions", "normals", "joints", "weights")),
                np.concatenate([mesh.triangles + start for mesh, start in zip(meshes, first)]),
                colours.reshape(-1), palette)
