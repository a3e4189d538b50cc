"""The materials of a file, and the colours of triangles: of their material, or of its texture at their middle."""
from __future__ import annotations

import io
from typing import Any

import numpy as np

from ...model.clip import ImportProblem
from ...model.mesh import Material, Surface
from ...model.srgb import linear_of
from . import json_values as gltf_json
from .accessors import Accessors
from .file import GltfFile

_WHITE = (1.0, 1.0, 1.0, 1.0)
_MOST_PIXELS = 1 << 24
_LINEAR = linear_of(np.arange(256) / 255.0)  # of the bytes of a texture


class Materials:
    """The materials of one file; each texture is decoded once."""

    def __init__(self, file: GltfFile, accessors: Accessors):
        self._file, self._accessors = file, accessors
        self._materials = gltf_json.objects(file.root, "materials")
        self._pictures: dict[int, np.ndarray] = {}

    def __len__(self) -> int:
        return len(self._materials)

    def all(self) -> list[Material]:
        """The materials in the order of the file, with their textures as the file has them."""
        return [Material(self._factor(number), None if (image := self._image_of(number)) is None
                         else self._bytes_of(image)) for number in range(len(self))]

    def colours(self, surface: Surface) -> tuple[np.ndarray, np.ndarray]:
        """Returns a palette, linear [C, 3], and the colour of each triangle."""
        triangles, places = surface.triangles, surface.places
        if surface.material is None:
            return np.ones((1, 3)), np.zeros(len(triangles), np.int64)
        factor = np.array(self._factor(surface.material))
        image = self._image_of(surface.material)
        if image is None or places is None:
            return factor[None, :], np.zeros(len(triangles), np.int64)
        picture = self._picture(image)
        middle = (places[triangles[:, 0]] + places[triangles[:, 1]] + places[triangles[:, 2]]) / 3.0
        middle = middle - np.floor(middle)
        rows = np.minimum((middle[:, 1] * picture.shape[0]).astype(int), picture.shape[0] - 1)
        columns = np.minimum((middle[:, 0] * picture.shape[1]).astype(int), picture.shape[1] - 1)
        palette, colours = np.unique(picture[rows, columns] * factor, axis=0, return_inverse=True)
        return palette, colours.reshape(-1)

    def _surface(self, material: int) -> dict[str, Any]:
        return gltf_json.mapping(self._materials[material], "pbrMetallicRoughness", f"material {material}")

    def _factor(self, material: int) -> tuple[float, float, float]:
        red, green, blue, _ = gltf_json.numbers(self._surface(material), "baseColorFactor", f"material {material}",
                                                _WHITE)
        return red, green, blue

    def _image_of(self, material: int) -> int | None:
        """The number of the image of a material's texture, or None."""
        surface = self._surface(material)
        if "baseColorTexture" not in surface:
            return None
        said = gltf_json.mapping(surface, "baseColorTexture", f"material {material}")
        textures = gltf_json.objects(self._file.root, "textures")
        texture = textures[gltf_json.integer(said, "index", "texture", len(textures))]
        return gltf_json.integer(texture, "source", "texture", len(gltf_json.objects(self._file.root, "images")))

    def _picture(self, number: int) -> np.ndarray:
        """An image as linear colours [H, W, 3]."""
        if number not in self._pictures:
            self._pictures[number] = _LINEAR[_decoded(self._bytes_of(number), number)]
        return self._pictures[number]

    def _bytes_of(self, number: int) -> bytes:
        image = gltf_json.objects(self._file.root, "images")[number]
        if "bufferView" in image:
            view = gltf_json.integer(image, "bufferView", f"image {number}", self._file.view_count)
            return bytes(self._file.view(view, f"image {number}")[0])
        return self._file.linked(gltf_json.text(image, "uri", f"image {number}"), f"image {number}")


def _decoded(data: bytes, number: int) -> np.ndarray:
    """The picture as bytes [H, W, 3]."""
    from PIL import Image  # nothing else needs it

    try:
        with Image.open(io.BytesIO(data), formats=("PNG", "JPEG")) as picture:
            if picture.width * picture.height > _MOST_PIXELS:
                raise ImportProblem(f"image {number}: has {picture.width} x {picture.height} pixels; make it smaller")
            return np.asarray(picture.convert("RGB"))
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise ImportProblem(f"image {number}: is no PNG or JPEG that can be read; export it again") from error


