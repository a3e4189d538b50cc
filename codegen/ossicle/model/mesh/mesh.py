"""The skinned mesh that `ossicle mesh` writes as C, and `ossicle view` draws."""
from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import accumulate

import numpy as np

from ...base.arrays import Array

MAX_INFLUENCES = 4
SHOWN = 1.45  # half the view of the camera of targets/stage, approximately, in halves of the character's size
FARTHEST = 3.0  # the largest growth of bounds: a character that travels farther would be too small to see
OPAQUE, MASK, BLEND = "OPAQUE", "MASK", "BLEND"  # glTF's alpha modes


@dataclass(frozen=True, eq=False)
class Morph:
    """A morph target. curve: the name of its weight curve in the bank, or None if it is constant; weight: at rest;
    offsets: float64 [V, 3], which a weight of 1 adds to the positions."""

    curve: str | None
    weight: float
    offsets: Array


@dataclass(frozen=True, eq=False)
class Surface:
    """Skinned triangles of one material.

    positions: float64 [V, 3], for the skinning matrices of the bank. normals: float64 [V, 3]. joints: int64 [V, 4],
    numbers of joints in the bank; weights: float64 [V, 4] with sum 1, the largest first. triangles: int64 [T, 3],
    counter-clockwise from outside. places, glow_places: float64 [V, 2], coordinates in the texture and the glow
    texture, or None. colours: linear float64 [V, 4], which are multiplied by the material's, or None. material: its
    number in the file, or None. flat: whether the file lacks normals, so that triangles have hard edges. morphs: the
    morph targets with curves; positions are those without them.
    """

    positions: Array
    normals: Array
    joints: Array
    weights: Array
    triangles: Array
    places: Array | None
    glow_places: Array | None
    colours: Array | None
    material: int | None
    flat: bool = False
    morphs: tuple[Morph, ...] = ()


@dataclass(frozen=True, eq=False)
class Picture:
    """A picture file. number: of the image in the file; kind: PNG, JPEG, WebP or AVIF."""

    number: int
    kind: str
    data: bytes


@dataclass(frozen=True, eq=False)
class Texture:
    """A texture. wraps: the wrap mode of both directions: repeat, clamp or mirror. filters: how the picture is
    magnified and minified, by the numbers of glTF."""

    picture: Picture
    wraps: tuple[str, str]
    filters: tuple[int, int]


@dataclass(frozen=True, eq=False)
class Material:
    """The material of a surface. colour: linear red, green, blue in 0..1; colour and alpha are multiplied by the
    texture. glow: emitted linear light, which is multiplied by its texture. mode: OPAQUE, MASK, which makes holes where
    alpha is below `cutoff`, or BLEND. unlit: whether the colour does not depend on lights."""

    name: str
    colour: tuple[float, float, float]
    alpha: float
    texture: Texture | None
    glow: tuple[float, float, float]
    glow_texture: Texture | None
    mode: str
    cutoff: float
    double_sided: bool
    unlit: bool


@dataclass(frozen=True, eq=False)
class Mesh:
    """Skinned triangles, each of one colour.

    positions, normals, joints, weights, triangles: as in a Surface. colours: int64 [T], indices into
    palette and glow. palette: float64 [C, 3], linear red, green, blue in 0..1 that is lit; glow: the same, unlit.
    bounds: float64 [2, 3], the corners of the box that the camera frames, or None for that of the bind pose.
    """

    positions: Array
    normals: Array
    joints: Array
    weights: Array
    triangles: Array
    colours: Array
    palette: Array
    glow: Array
    bounds: Array | None = None


def _bounds(mesh: Mesh) -> tuple[Array, Array]:
    if mesh.bounds is not None:
        return mesh.bounds[0], mesh.bounds[1]
    return mesh.positions.min(axis=0), mesh.positions.max(axis=0)


def framed(mesh: Mesh, positions: Array) -> Mesh:
    """Enlarges the bounds of a mesh so that the camera shows the positions [N, 3] of its joints, for characters that
    lie down or travel."""
    if len(positions) == 0:
        return mesh
    low, high = _bounds(mesh)
    middle, half = (low + high) / 2, (high - low) / 2
    most = half.max()
    reach = np.stack([middle - positions.min(axis=0), positions.max(axis=0) - middle]) / SHOWN
    reach = np.where(reach > most, np.minimum(reach, FARTHEST * most), half)
    return replace(mesh, bounds=np.stack([middle - reach[0], middle + reach[1]])) if (reach > half).any() else mesh


def joined(meshes: list[Mesh]) -> Mesh:
    """Joins meshes; merges equal colours."""
    first = accumulate((len(mesh.positions) for mesh in meshes), initial=0)
    every = [np.concatenate([mesh.palette, mesh.glow], axis=1)[mesh.colours] for mesh in meshes]
    palette, colours = np.unique(np.concatenate(every), axis=0, return_inverse=True)
    positions, normals, joints, weights = (np.concatenate([getattr(mesh, name) for mesh in meshes])
                                           for name in ("positions", "normals", "joints", "weights"))
    return Mesh(positions, normals, joints, weights,
                np.concatenate([mesh.triangles + start for mesh, start in zip(meshes, first)]),
                colours.reshape(-1), palette[:, :3], palette[:, 3:])
