"""A mesh with its joints: what `ossicle mesh` writes as C, and `ossicle view` draws."""
from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import accumulate

import numpy as np

MAX_INFLUENCES = 4
SHOWN = 1.45  # about how far from its middle the camera of targets/stage shows a character, in halves of its size
FARTHEST = 3.0  # bounds grow by no more than this: a character that travels farther would be too small to see
OPAQUE, MASK, BLEND = "OPAQUE", "MASK", "BLEND"  # what the alpha of a material does, as glTF calls it


@dataclass(frozen=True, eq=False)
class Morph:
    """A morph target. curve: the name of the bank's curve that moves it, None for a constant; weight: at rest; offsets:
    float64 [V, 3], which a weight of 1 adds to the positions."""

    curve: str | None
    weight: float
    offsets: np.ndarray


@dataclass(frozen=True, eq=False)
class Surface:
    """Triangles that joints move, of one material.

    positions: float64 [V, 3], as the skinning matrices of the bank take them. normals: float64 [V, 3].
    joints: int64 [V, 4], numbers of joints in the bank; weights: float64 [V, 4] with sum 1, the largest
    first. triangles: int64 [T, 3], counter-clockwise from outside. places, glow_places: float64 [V, 2], where vertices
    lie in the texture and in the glow texture, or None. colours: linear float64 [V, 4], by which those of the material
    are multiplied, or None. material: its number in the file, or None. flat: whether the file has no normals: triangles
    have edges. morphs: the morph targets that curves move; positions are those without them.
    """

    positions: np.ndarray
    normals: np.ndarray
    joints: np.ndarray
    weights: np.ndarray
    triangles: np.ndarray
    places: np.ndarray | None
    glow_places: np.ndarray | None
    colours: np.ndarray | None
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
    """wraps: how the picture goes on beyond its sides, in both directions: repeat, clamp or mirror. sharp, sharp_far:
    whether pixels are not blended where the picture is magnified, and where it is reduced."""

    picture: Picture
    wraps: tuple[str, str]
    sharp: bool
    sharp_far: bool


@dataclass(frozen=True, eq=False)
class Material:
    """How a surface looks. colour: linear red, green, blue in 0..1, by which the texture is multiplied, and so is
    alpha. glow: linear light that the surface emits, by which its texture is multiplied. mode: OPAQUE, MASK, which
    makes holes where alpha is below `cutoff`, or BLEND. unlit: whether the colour does not depend on lights."""

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
    """Triangles that joints move, each of one colour.

    positions, normals, joints, weights, triangles: as in a Surface. colours: int64 [T], indices into
    palette and glow. palette: float64 [C, 3], linear red, green, blue in 0..1 that light multiplies; glow: the same
    that it does not. bounds: float64 [2, 3], the corners of what the camera frames; None: the least and the greatest of
    the positions, which are the bind pose's.
    """

    positions: np.ndarray
    normals: np.ndarray
    joints: np.ndarray
    weights: np.ndarray
    triangles: np.ndarray
    colours: np.ndarray
    palette: np.ndarray
    glow: np.ndarray
    bounds: np.ndarray | None = None


def _bounds(mesh: Mesh) -> tuple[np.ndarray, np.ndarray]:
    if mesh.bounds is not None:
        return mesh.bounds[0], mesh.bounds[1]
    return mesh.positions.min(axis=0), mesh.positions.max(axis=0)


def framed(mesh: Mesh, places: np.ndarray) -> Mesh:
    """Returns the mesh with bounds that grow until the camera shows the places [N, 3] of its joints: a character that
    lies, or that leaves its place."""
    if len(places) == 0:
        return mesh
    low, high = _bounds(mesh)
    middle, half = (low + high) / 2, (high - low) / 2
    most = half.max()
    reach = np.stack([middle - places.min(axis=0), places.max(axis=0) - middle]) / SHOWN
    reach = np.where(reach > most, np.minimum(reach, FARTHEST * most), half)
    return replace(mesh, bounds=np.stack([middle - reach[0], middle + reach[1]])) if (reach > half).any() else mesh


def joined(meshes: list[Mesh]) -> Mesh:
    """Returns one mesh of all; equal colours become one."""
    first = accumulate((len(mesh.positions) for mesh in meshes), initial=0)
    every = [np.concatenate([mesh.palette, mesh.glow], axis=1)[mesh.colours] for mesh in meshes]
    palette, colours = np.unique(np.concatenate(every), axis=0, return_inverse=True)
    positions, normals, joints, weights = (np.concatenate([getattr(mesh, name) for mesh in meshes])
                                           for name in ("positions", "normals", "joints", "weights"))
    return Mesh(positions, normals, joints, weights,
                np.concatenate([mesh.triangles + start for mesh, start in zip(meshes, first)]),
                colours.reshape(-1), palette[:, :3], palette[:, 3:])
