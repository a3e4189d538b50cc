"""The colours of triangles: of their material, or of its texture at their middle."""
from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np

from ...model.clip import ImportProblem
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

    def colours(self, primitive: dict[str, Any], triangles: np.ndarray, places: np.ndarray | None
                ) -> tuple[np.ndarray, np.ndarray]:
        """Returns a palette, linear [C, 3], and the colour of each triangle. places: the texture
        coordinates [V, 2], if there are any."""
        if "material" not in primitive:
            return np.ones((1, 3)), np.zeros(len(triangles), np.int64)
        number = gltf_json.integer(primitive, "material", "primitive", len(self._materials))
        surface = gltf_json.mapping(self._materials[number], "pbrMetallicRoughness", f"material {number}")
        factor = np.array(gltf_json.numbers(surface, "baseColorFactor", f"material {number}", _WHITE))[:3]
        if "baseColorTexture" not in surface or places is None:
            return factor[None, :], np.zeros(len(triangles), np.int64)
        picture = self._picture(gltf_json.mapping(surface, "baseColorTexture", f"material {number}"))
        middle = (places[triangles[:, 0]] + places[triangles[:, 1]] + places[triangles[:, 2]]) / 3.0
        middle = middle - np.floor(middle)
        rows = np.minimum((middle[:, 1] * picture.shape[0]).astype(int), picture.shape[0] - 1)
        columns = np.minimum((middle[:, 0] * picture.shape[1]).astype(int), picture.shape[1] - 1)
        palette, colours = np.unique(picture[rows, columns] * factor, axis=0, return_inverse=True)
        return palette, colours.reshape(-1)

    def _picture(self, said: dict[str, Any]) -> np.ndarray:
        """The texture as linear colours [H, W, 3]."""
        textures = gltf_json.objects(self._file.root, "textures")
        texture = textures[gltf_json.integer(said, "index", "texture", len(textures))]
        images = gltf_json.objects(self._file.root, "images")
        number = gltf_json.integer(texture, "source", "texture", len(images))
        if number not in self._pictures:
            self._pictures[number] = _LINEAR[_decoded(self._bytes_of(images[number], number), number)]
        return self._pictures[number]

    def _bytes_of(self, image: dict[str, Any], number: int) -> bytes:
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


