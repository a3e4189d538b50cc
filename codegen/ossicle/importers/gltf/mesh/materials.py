"""Reads the materials of a glTF file, and the vertex attributes that they need: texture coordinates and colours."""
from __future__ import annotations

from typing import Any

import numpy as np

from ....base.arrays import Array
from ....base.portable_math import DEGREES_PER_RADIAN, sine_cosine_of_degrees
from ....model.clip import ImportProblem, problems_of
from ....model.mesh.mesh import BLEND, MASK, OPAQUE, Material, Picture, Texture
from .. import json_values as gltf_json
from ..accessors import Accessors
from ..file import GltfFile
from ..json_values import REEXPORT

_WRAPS = {10497: "repeat", 33071: "clamp", 33648: "mirror"}
# Filters: the usual ones, which blend pixels and sizes of the picture, and all that a sampler may name.
_FILTERS = (("magFilter", 9729, (9728, 9729)), ("minFilter", 9987, (9728, 9729, 9984, 9985, 9986, 9987)))
# Extensions with pictures that can be read, and others.
_READ = ("EXT_texture_webp", "EXT_texture_avif")
_NOT_READ = {"KHR_texture_basisu": "KTX2", "MSFT_texture_dds": "DDS"}
# Extensions without which a material has another colour.
_NOT_SHOWN = ("KHR_materials_transmission", "KHR_materials_diffuse_transmission", "KHR_materials_pbrSpecularGlossiness")
# Signatures of picture files.
_KINDS = ((b"\x89PNG\r\n\x1a\n", 0, "PNG"), (b"\xff\xd8\xff", 0, "JPEG"), (b"WEBP", 8, "WebP"), (b"avif", 8, "AVIF"),
          (b"\xabKTX 20\xbb", 0, "KTX2"), (b"DDS ", 0, "DDS"), (b"GIF8", 0, "GIF"), (b"BM", 0, "BMP"))
_SHOWN = ("PNG", "JPEG", "WebP", "AVIF")  # supported by all browsers


class Materials:
    """The materials of a file. Textures that cannot be read are left out, each with a warning."""

    def __init__(self, file: GltfFile, warnings: list[str]):
        self._file, self._warnings = file, warnings
        self._materials = gltf_json.objects(file.root, "materials")
        self._read: dict[int, Material] = {}
        self._pictures: dict[int, Picture | None] = {}

    def __len__(self) -> int:
        return len(self._materials)

    def all(self) -> list[Material]:
        """Returns the materials in the order of the file."""
        return [self.material(number) for number in range(len(self))]

    def material(self, number: int) -> Material:
        """Returns a material by its number in the file."""
        if number not in self._read:
            with problems_of(self._name(number)):
                self._read[number] = self._material(number)
        return self._read[number]

    def attributes(self, primitive: dict[str, Any], attributes: dict[str, Any], accessors: Accessors, count: int
                   ) -> dict[str, Any]:
        """Returns the fields of a Surface that its material needs. count: the number of vertices."""
        colours = _colours(attributes, accessors, count)
        if "material" not in primitive:
            return {"places": None, "glow_places": None, "colours": colours, "material": None}
        number = gltf_json.integer(primitive, "material", "primitive", len(self))
        material = self._materials[number]
        places = [_places(texture, attributes, accessors, count) for texture in
                  (_texture(self._surface(number), "baseColorTexture"), _texture(material, "emissiveTexture"))]
        return {"places": places[0], "glow_places": places[1], "colours": colours, "material": number}

    def _name(self, number: int) -> str:
        return f"material {gltf_json.text(self._materials[number], 'name', f'material {number}', '') or number}"

    def _surface(self, number: int) -> dict[str, Any]:
        return gltf_json.mapping(self._materials[number], "pbrMetallicRoughness", f"material {number}")

    def _material(self, number: int) -> Material:
        material, surface = self._materials[number], self._surface(number)
        extensions = gltf_json.mapping(material, "extensions", "material")
        *colour, alpha = gltf_json.numbers(surface, "baseColorFactor", "material", (1.0, 1.0, 1.0, 1.0))
        strength = _number(gltf_json.mapping(extensions, "KHR_materials_emissive_strength", "material"),
                           "emissiveStrength", 1.0)
        glow = gltf_json.numbers(material, "emissiveFactor", "material", (0.0, 0.0, 0.0))
        mode = gltf_json.text(material, "alphaMode", "material", OPAQUE)
        if mode not in (OPAQUE, MASK, BLEND):
            self._warn(f"{self._name(number)}: alphaMode {mode!r} is unknown and was ignored")
            mode = OPAQUE
        for name in _NOT_SHOWN:
            if name in extensions:
                self._warn(f"{self._name(number)}: is drawn without {name}")
        return Material(
            name=self._name(number), colour=(colour[0], colour[1], colour[2]), alpha=alpha,
            texture=self._read_texture(surface, "baseColorTexture"),
            glow=(glow[0] * strength, glow[1] * strength, glow[2] * strength),
            glow_texture=self._read_texture(material, "emissiveTexture"), mode=mode,
            cutoff=_number(material, "alphaCutoff", 0.5), double_sided=material.get("doubleSided") is True,
            unlit="KHR_materials_unlit" in extensions)

    def _read_texture(self, owner: dict[str, Any], key: str) -> Texture | None:
        """Returns a texture of a material, or None if there is none that can be read."""
        if not (reference := _texture(owner, key)):
            return None
        textures = gltf_json.objects(self._file.root, "textures")
        texture = textures[gltf_json.integer(reference, "index", key, len(textures))]
        image = self._image_of(texture)
        if image is None:
            return None
        if image not in self._pictures:
            self._pictures[image] = self._picture(image)
        picture = self._pictures[image]
        if picture is None:
            return None
        samplers = gltf_json.objects(self._file.root, "samplers")
        sampler = {}
        if "sampler" in texture:
            sampler = samplers[gltf_json.integer(texture, "sampler", "texture", len(samplers))]
        wraps = [_WRAPS.get(gltf_json.integer(sampler, name, "sampler", 1 << 16, default=10497), "repeat")
                 for name in ("wrapS", "wrapT")]
        filters = [chosen if (chosen := gltf_json.integer(sampler, name, "sampler", 1 << 16, default=usual)) in known
                   else usual for name, usual, known in _FILTERS]
        return Texture(picture, (wraps[0], wraps[1]), (filters[0], filters[1]))

    def _image_of(self, texture: dict[str, Any]) -> int | None:
        """Returns the number of the image of a texture, one that can be read if it has several."""
        count = len(gltf_json.objects(self._file.root, "images"))
        extensions = gltf_json.mapping(texture, "extensions", "texture")
        for name in _READ:
            if name in extensions and "source" not in texture:
                return gltf_json.integer(gltf_json.mapping(extensions, name, "texture"), "source", "texture", count)
        if "source" in texture:
            return gltf_json.integer(texture, "source", "texture", count)
        kinds = [_NOT_READ.get(name, name) for name in extensions]
        self._warn(f"textures of type {kinds[0]} are not supported; the mesh is drawn without this one" if kinds else
                   "a texture without an image is left out")
        return None

    def _picture(self, number: int) -> Picture | None:
        """Returns the file of an image, or None, with a warning, if it cannot be shown."""
        try:
            data = self._bytes_of(number)
        except ImportProblem as problem:
            self._warn(f"{problem}; the mesh is drawn without this texture")
            return None
        kind = next((name for start, at, name in _KINDS if data[at:at + len(start)] == start), "unknown")
        if kind not in _SHOWN:
            self._warn(f"image {number}: pictures of type {kind} are not supported; the mesh is drawn without this "
                       "texture")
            return None
        return Picture(number, kind, data)

    def _bytes_of(self, number: int) -> bytes:
        image = gltf_json.objects(self._file.root, "images")[number]
        if "bufferView" in image:
            view = gltf_json.integer(image, "bufferView", f"image {number}", self._file.view_count)
            return bytes(self._file.view(view, f"image {number}")[0])
        return self._file.linked(gltf_json.text(image, "uri", f"image {number}"), f"image {number}")

    def _warn(self, text: str) -> None:
        if text not in self._warnings:
            self._warnings.append(text)


def _number(owner: dict[str, Any], key: str, default: float) -> float:
    return gltf_json.numbers({key: [owner[key]]} if key in owner else {}, key, "material", (default,))[0]


def _texture(owner: dict[str, Any], key: str) -> dict[str, Any]:
    return gltf_json.mapping(owner, key, "material")


def _colours(attributes: dict[str, Any], accessors: Accessors, count: int) -> Array | None:
    """Returns the linear colours [V, 4] of the vertices, or None."""
    if "COLOR_0" not in attributes:
        return None
    index = gltf_json.integer(attributes, "COLOR_0", "primitive", accessors.count)
    kind = "VEC3" if accessors.kind(index) == "VEC3" else "VEC4"
    colours = accessors.values(index, kind, normalised=True)
    if len(colours) != count:
        raise ImportProblem(f"has {count} positions and {len(colours)} colours; {REEXPORT}")
    return colours if kind == "VEC4" else np.concatenate([colours, np.ones((count, 1))], axis=1)


def _places(texture: dict[str, Any], attributes: dict[str, Any], accessors: Accessors, count: int) -> Array | None:
    """Returns the texture coordinates [V, 2] of vertices after KHR_texture_transform, or None."""
    change = gltf_json.mapping(gltf_json.mapping(texture, "extensions", "texture"), "KHR_texture_transform", "texture")
    number = gltf_json.integer(texture, "texCoord", "texture", 1 << 8, default=0)
    name = f"TEXCOORD_{gltf_json.integer(change, 'texCoord', 'texture', 1 << 8, default=number)}"
    if not texture or name not in attributes:
        return None
    index = gltf_json.integer(attributes, name, "primitive", accessors.count)
    places = accessors.values(index, "VEC2", normalised=True, plain=True)
    if len(places) != count:
        raise ImportProblem(f"has {count} positions and {len(places)} places in a texture; {REEXPORT}")
    if not change:
        return places
    width, height = gltf_json.numbers(change, "scale", "texture", (1.0, 1.0))
    x, y = gltf_json.numbers(change, "offset", "texture", (0.0, 0.0))
    sine, cosine = sine_cosine_of_degrees(np.array(_number(change, "rotation", 0.0) * DEGREES_PER_RADIAN))
    u, v = places[:, 0] * width, places[:, 1] * height
    return np.stack([cosine * u + sine * v + x, cosine * v - sine * u + y], axis=1)
