"""Ten textured characters, each of which needs something else of a material."""
from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from boxes import CORNERS, SIDES, add_skin, arm, below, picture
from gltf_builder import U8, U16

CLIP = "Bend"
_SIZE = 8  # pixels of a texture
_CLAMP, _MIRROR, _NEAREST, _NEAREST_LINEAR = 33071, 33648, 9728, 9986


def _pixels(seed: int, alpha: bool = False) -> np.ndarray:
    """A texture of colours that neighbours do not share; with alpha, columns from clear to opaque."""
    colours = np.random.default_rng(seed).integers(40, 256, (_SIZE, _SIZE, 4)).astype(np.uint8)
    colours[..., 3] = np.linspace(0, 255, _SIZE)[None, :] if alpha else 255
    return colours


class _Character:
    """A box whose ends follow the joints of an arm, with normals and texture coordinates for each side."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.g = folder, arm()
        self.material: dict[str, Any] = {"pbrMetallicRoughness": {"metallicFactor": 0.0, "roughnessFactor": 0.85}}
        self.attributes: dict[str, int] = {}
        self.triangles = np.concatenate([4 * side + np.array([[0, 1, 2], [0, 2, 3]]) for side in range(len(SIDES))])
        self.corners = np.array([corner for side in SIDES for corner in side])
        self.square = np.tile([[0, 1], [0, 0], [1, 0], [1, 1]], (len(SIDES), 1)).astype(float)
        self.places("TEXCOORD_0", self.square)

    @property
    def surface(self) -> dict[str, Any]:
        surface: dict[str, Any] = self.material["pbrMetallicRoughness"]
        return surface

    def places(self, name: str, places: np.ndarray) -> None:
        self.attributes[name] = self.g.accessor(places)

    def texture(self, pixels: np.ndarray, sampler: dict[str, int] = {}, **options: Any) -> dict[str, Any]:
        """The reference to a new texture."""
        g = self.g
        source = g._add("images", {"bufferView": g.view(picture(pixels)), "mimeType": "image/png"})
        texture = {"source": source, "sampler": g._add("samplers", dict(sampler))}
        return {"index": g._add("textures", texture)} | options

    def colours(self, alpha: float = 1.0) -> None:
        colours = np.random.default_rng(5).uniform(0.2, 1.0, (len(self.corners), 4))
        colours[:, 3] = alpha
        self.attributes["COLOR_0"] = self.g.accessor(colours)

    def use(self, *extensions: str) -> None:
        self.g.document["extensionsUsed"] = list(extensions)

    def write(self, name: str) -> Path:
        g, material = self.g, self.g._add("materials", self.material | {"name": name})
        skin = add_skin(g, self.folder, [1, 2])
        positions = CORNERS[self.corners] * (1.0, 2.0, 0.6)
        normals = np.repeat([np.cross(b - a, c - a) / np.linalg.norm(np.cross(b - a, c - a)) for a, b, c in
                             (CORNERS[list(side[:3])] for side in SIDES)], 4, axis=0)
        upper = positions[:, 1] > 0.1
        primitive = {"attributes": self.attributes | {
            "POSITION": g.accessor(positions + (0, 0.3, 0)), "NORMAL": g.accessor(normals),
            "JOINTS_0": g.accessor(np.where(upper[:, None], (1, 0, 0, 0), (0, 1, 0, 0)), U8),
            "WEIGHTS_0": g.accessor(np.tile([1.0, 0, 0, 0], (len(upper), 1)))},
            "indices": g.accessor(self.triangles.reshape(-1), U16), "material": material}
        below(g, 0, g.node("Mesh", mesh=g._add("meshes", {"primitives": [primitive]}), skin=skin))
        g.document["scenes"], g.document["scene"] = [{"nodes": [0]}], 0
        return g.write_glb(self.folder, f"{name}.glb")


def _opaque(c: _Character) -> None:
    """Alpha of the texture and of the colour is ignored."""
    c.surface.update(baseColorTexture=c.texture(_pixels(1, alpha=True)), baseColorFactor=[1, 0.9, 0.8, 0.3])


def _mask(c: _Character) -> None:
    c.surface["baseColorTexture"] = c.texture(_pixels(2, alpha=True))
    c.material.update(alphaMode="MASK", alphaCutoff=0.7, doubleSided=True)


def _blend(c: _Character) -> None:
    c.surface.update(baseColorTexture=c.texture(_pixels(3, alpha=True)), baseColorFactor=[1, 1, 1, 0.6])
    c.material["alphaMode"] = "BLEND"


def _vertex_colours(c: _Character) -> None:
    c.surface["baseColorTexture"] = c.texture(_pixels(4))
    c.colours()


def _emission(c: _Character) -> None:
    c.surface["baseColorFactor"] = [0.1, 0.1, 0.1, 1]
    c.material.update(emissiveFactor=[0.9, 0.5, 0.2], emissiveTexture=c.texture(_pixels(5)),
                      extensions={"KHR_materials_emissive_strength": {"emissiveStrength": 1.5}})
    c.use("KHR_materials_emissive_strength")


def _wrapping(c: _Character) -> None:
    c.places("TEXCOORD_0", 2.5 * c.square - 0.75)
    c.surface["baseColorTexture"] = c.texture(_pixels(6), {"wrapS": _CLAMP, "wrapT": _MIRROR})


def _transform(c: _Character) -> None:
    change = {"offset": [0.2, 0.3], "rotation": 0.5, "scale": [1.5, 0.7]}
    c.surface["baseColorTexture"] = c.texture(_pixels(7), extensions={"KHR_texture_transform": change})
    c.use("KHR_texture_transform")


def _second_coordinates(c: _Character) -> None:
    c.places("TEXCOORD_1", 0.5 * c.square[:, ::-1])
    c.surface["baseColorTexture"] = c.texture(_pixels(8), texCoord=1)
    c.material.update(emissiveFactor=[0.3, 0.3, 0.3], emissiveTexture=c.texture(_pixels(9)))


def _unlit(c: _Character) -> None:
    """Open above, so that its inside shows."""
    c.triangles = c.triangles[:-2]
    c.surface["baseColorTexture"] = c.texture(_pixels(10))
    c.material.update(extensions={"KHR_materials_unlit": {}}, doubleSided=True)
    c.use("KHR_materials_unlit")


def _filters(c: _Character) -> None:
    """Sharp pixels, and vertices that are half clear, on both sides."""
    c.places("TEXCOORD_0", 9 * c.square)
    c.surface["baseColorTexture"] = c.texture(_pixels(11), {"magFilter": _NEAREST, "minFilter": _NEAREST_LINEAR})
    c.colours(alpha=0.5)
    c.material.update(alphaMode="BLEND", doubleSided=True)


CHARACTERS: dict[str, Callable[[_Character], None]] = {
    change.__name__[1:]: change for change in (_opaque, _mask, _blend, _vertex_colours, _emission, _wrapping,
                                               _transform, _second_coordinates, _unlit, _filters)}


def write_character(folder: Path, name: str) -> Path:
    """Writes one of CHARACTERS."""
    character = _Character(folder)
    CHARACTERS[name](character)
    return character.write(name)
