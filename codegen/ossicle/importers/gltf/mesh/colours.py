"""Gives each triangle one colour, as meshes in C require: from its material, its vertices, and the textures at its
centre."""
from __future__ import annotations

import io
from collections.abc import Sequence
from math import fsum

import numpy as np

from ....base.arrays import Array
from ....base.portable_math import cross, length
from ....model.mesh.mesh import BLEND, MASK, Material, Mesh, Picture, Surface, Texture
from ....model.mesh.srgb import linear_of, srgb_of
from .materials import Materials

_MOST_PIXELS = 1 << 24
_VISIBLE = 0.25  # a difference of colours, of a channel in sRGB
_MOST_CHANGING = 0.1  # fraction of the area: small details, such as eyes, need no warning
Shares = tuple[float, float, float]  # barycentric weights of a point of a triangle
_MIDDLE: Shares = (1.0, 1.0, 1.0)
_NEAR_CORNERS: tuple[Shares, ...] = ((8.0, 1.0, 1.0), (1.0, 8.0, 1.0), (1.0, 1.0, 8.0))
_LINEAR = linear_of(np.arange(256) / 255.0)  # of the bytes of a texture
_WHITE = Material("", (1.0, 1.0, 1.0), 1.0, None, (0.0, 0.0, 0.0), None, "OPAQUE", 0.5, False, False)


class Colours:
    """The colours of the surfaces of a file. Warns about details that triangles of one colour cannot show."""

    def __init__(self, materials: Materials, warnings: list[str]):
        self._materials, self._warnings = materials, warnings
        self._pixels: dict[int, Array | None] = {}
        self._areas: list[tuple[str, float, float]] = []  # material, area with a changing colour, whole area

    def meshes(self, surfaces: Sequence[Surface]) -> list[Mesh]:
        """Returns the surfaces with one colour for each triangle."""
        self._warn_of_backs(surfaces)
        meshes = [self._coloured(surface) for surface in surfaces]
        self._warn_of_details()
        return meshes

    def _coloured(self, surface: Surface) -> Mesh:
        triangles = surface.triangles
        material = _WHITE if surface.material is None else self._materials.material(surface.material)
        if material.mode in (MASK, BLEND) and (material.alpha < 1.0 or material.texture or surface.colours is not None):
            self._warn(f"{material.name}: is drawn opaque, as triangles of one colour have no "
                       + ("holes" if material.mode == MASK else "transparency"))
        both = self._at(surface, material, _MIDDLE)
        self._compare_details(surface, material, both)
        palette, colours = np.unique(both, axis=0, return_inverse=True)
        positions = surface.positions
        for morph in surface.morphs:
            positions = positions + morph.weight * morph.offsets
            self._warn(f"the mesh keeps its rest shape: its morph target {morph.curve} is not drawn")
        return Mesh(positions, surface.normals, surface.joints, surface.weights, triangles, colours.reshape(-1),
                    palette[:, :3], palette[:, 3:])

    def _at(self, surface: Surface, material: Material, shares: Shares) -> Array:
        """Returns the linear colour and glow [T, 6] of a surface at a point of each triangle."""
        triangles = surface.triangles
        colour = np.repeat(np.array([material.colour]), len(triangles), axis=0)
        if surface.colours is not None:
            colour = colour * _between(surface.colours[:, :3], triangles, shares)
        colour = colour * self._of_texture(material.texture, surface.places, triangles, shares)
        glow = np.array(material.glow) * self._of_texture(material.glow_texture, surface.glow_places, triangles, shares)
        if material.unlit:
            colour, glow = np.zeros_like(colour), colour
        return np.concatenate([colour, glow], axis=1)

    def _of_texture(self, texture: Texture | None, places: Array | None, triangles: Array, shares: Shares
                    ) -> Array:
        """Returns the linear colours [T, 3] of a texture at a point of each triangle."""
        pixels = None if texture is None or places is None else self._pixels_of(texture.picture)
        if texture is None or places is None or pixels is None:
            return np.ones((len(triangles), 3))
        at = _between(places, triangles, shares)
        column, row = (_pixel(at[:, axis], wrap, pixels.shape[1 - axis]) for axis, wrap in enumerate(texture.wraps))
        return _LINEAR[pixels[row, column]]

    def _compare_details(self, surface: Surface, material: Material, middle: Array) -> None:
        """Adds the area of the triangles whose colour near a corner differs visibly from that at the centre."""
        seen, most = _seen(middle), np.zeros(len(middle))
        if surface.colours is not None or material.texture or material.glow_texture:
            for shares in _NEAR_CORNERS:
                most = np.maximum(most, np.abs(_seen(self._at(surface, material, shares)) - seen).max(axis=1))
        a, b, c = (surface.positions[surface.triangles[:, corner]] for corner in range(3))
        areas = length(cross(b - a, c - a))
        self._areas.append((material.name or "the mesh", fsum(areas[most > _VISIBLE].tolist()), fsum(areas.tolist())))

    def _warn_of_details(self) -> None:
        for name in dict.fromkeys(name for name, _, _ in self._areas):
            own = [areas for areas in self._areas if areas[0] == name]
            changing, whole = fsum(one for _, one, _ in own), fsum(one for _, _, one in own)
            if changing > _MOST_CHANGING * whole:
                self._warn(f"{name}: on {100.0 * changing / whole:.0f} % of its surface the colour changes within "
                           "triangles, which are drawn in one colour each")

    def _pixels_of(self, picture: Picture) -> Array | None:
        """Decodes a picture to bytes [H, W, 3]. Returns None, with a warning, if it cannot be read."""
        if picture.number not in self._pixels:
            try:
                self._pixels[picture.number] = _decoded(picture)
            except _NotRead as problem:
                self._pixels[picture.number] = None
                self._warn(f"image {picture.number}: {problem}; the mesh is drawn without this texture")
        return self._pixels[picture.number]

    def _warn_of_backs(self, surfaces: Sequence[Surface]) -> None:
        """Warns about double-sided surfaces with a visible back, because an edge belongs to only one triangle. Meshes
        in C are visible only from the front."""
        every = np.concatenate([surface.positions for surface in surfaces])
        welded, index = np.unique(every, axis=0, return_inverse=True)
        index, edges, first = index.reshape(-1), [], 0
        for surface in surfaces:
            corners = index[surface.triangles + first]
            first += len(surface.positions)
            edges.append(np.concatenate([corners[:, [0, 1]], corners[:, [1, 2]], corners[:, [2, 0]]]))
        both = np.concatenate(edges)
        known = np.unique(both[:, 0] * len(welded) + both[:, 1])
        for surface, own in zip(surfaces, edges):
            if surface.material is None or not self._materials.material(surface.material).double_sided:
                continue
            own = own[own[:, 0] != own[:, 1]]
            if not np.isin(own[:, 1] * len(welded) + own[:, 0], known).all():
                self._warn(f"{self._materials.material(surface.material).name}: is double-sided and open, but its back "
                           "is not drawn; give it a back of its own")

    def _warn(self, text: str) -> None:
        if text not in self._warnings:
            self._warnings.append(text)


class _NotRead(Exception):
    """A picture cannot be read; the text states the reason."""


def _between(values: Array, triangles: Array, shares: Shares) -> Array:
    """Interpolates values of vertices at a point of each triangle."""
    parts = [share * values[triangles[:, corner]] for corner, share in enumerate(shares)]
    return (parts[0] + parts[1] + parts[2]) / (shares[0] + shares[1] + shares[2])


def _seen(both: Array) -> Array:
    """Returns the sRGB colours, including glow, in full light."""
    return srgb_of(both[:, :3] + both[:, 3:])


def _pixel(coordinate: Array, wrap: str, count: int) -> Array:
    """Returns the pixel of `count` at each coordinate along a side of a picture, from 0 to 1."""
    if wrap == "repeat":
        coordinate = coordinate - np.floor(coordinate)
    elif wrap == "mirror":
        coordinate = 1.0 - np.abs(coordinate - 2.0 * np.floor(coordinate / 2.0) - 1.0)
    return np.clip((np.clip(coordinate, 0.0, 1.0) * count).astype(int), 0, count - 1)


def _decoded(picture: Picture) -> Array:
    from PIL import Image  # only needed here

    try:
        with Image.open(io.BytesIO(picture.data), formats=("PNG", "JPEG", "WEBP")) as opened:
            if opened.width * opened.height > _MOST_PIXELS:
                raise _NotRead(f"has {opened.width} x {opened.height} pixels, more than {_MOST_PIXELS}")
            return np.asarray(opened.convert("RGB"))
    except Image.DecompressionBombError as error:
        raise _NotRead(f"has more than {_MOST_PIXELS} pixels") from error
    except (OSError, ValueError, SyntaxError) as error:
        raise _NotRead(f"is a {picture.kind} picture that cannot be read") from error
