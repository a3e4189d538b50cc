"""The materials of glTF files: on the page, as the colours of meshes in C, and in warnings."""
from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from boxes import CORNERS, TRIANGLES, add_box, arm, below, picture
from gltf_builder import U8, U16, GltfBuilder
from ossicle.generate.mesh_code import make_mesh_plan
from ossicle.importers.importer import read_clips, read_mesh, read_surfaces
from ossicle.model.mesh.mesh import Material, Mesh, Surface
from PIL import Image
from mentions import mentions

RED, GREEN, BLUE, YELLOW = (255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 0)
PIXELS = np.array([[RED, GREEN], [BLUE, YELLOW]])
PLACES = np.repeat([[0.25, 0.25]], len(CORNERS), axis=0)


def with_material(material: dict[str, Any], g: GltfBuilder | None = None, **more: int) -> GltfBuilder:
    """A box of this material that hangs on a joint. more: further attributes."""
    g = g or arm()
    number = g._add("materials", material)
    below(g, 2, g.node("Held", mesh=add_box(g, None, number, **more)))
    return g


def textured(pixels: Any = PIXELS, data: bytes | None = None, texture: dict[str, Any] = {}, places: Any = PLACES,
             **options: Any) -> GltfBuilder:
    """A box with a picture as base colour. options: further fields of the material."""
    g = arm()
    g._add("images", {"bufferView": g.view(picture(pixels) if data is None else data), "mimeType": "image/png"})
    g._add("textures", {"source": 0} | texture)
    return with_material({"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}} | options, g,
                         TEXCOORD_0=g.accessor(places))


def surfaces_in(g: GltfBuilder, folder: Path) -> tuple[list[Surface], list[Material], list[str]]:
    path = g.write_glb(folder)
    return read_surfaces(path, read_clips([path]).skeleton)


def mesh_in(g: GltfBuilder, folder: Path) -> tuple[Mesh, list[str]]:
    path = g.write_glb(folder)
    return read_mesh(path, read_clips([path]).skeleton)


def test_defaults(tmp_path: Path) -> None:
    (surface,), (material,), warnings = surfaces_in(with_material({}), tmp_path)
    assert (material.colour, material.alpha, material.mode, material.cutoff) == ((1, 1, 1), 1, "OPAQUE", 0.5)
    assert (material.double_sided, material.unlit, material.glow, material.texture) == (False, False, (0, 0, 0), None)
    assert surface.flat and surface.places is None and surface.colours is None and warnings == []


def test_what_a_material_states(tmp_path: Path) -> None:
    (_, (material,), _) = surfaces_in(with_material({
        "name": "Glass", "alphaMode": "BLEND", "alphaCutoff": 0.25, "doubleSided": True,
        "emissiveFactor": [0.1, 0.2, 0.3],
        "extensions": {"KHR_materials_emissive_strength": {"emissiveStrength": 4.0}, "KHR_materials_unlit": {}},
        "pbrMetallicRoughness": {"baseColorFactor": [0.5, 0.25, 0.125, 0.75]}}), tmp_path)
    assert (material.name, material.mode, material.cutoff, material.double_sided, material.unlit) == (
        "material Glass", "BLEND", 0.25, True, True)
    assert material.colour == (0.5, 0.25, 0.125) and material.alpha == 0.75
    assert material.glow == pytest.approx((0.4, 0.8, 1.2))


def test_samplers_and_places(tmp_path: Path) -> None:
    """The second set of places, moved by KHR_texture_transform; another texture for the emission."""
    g = textured(texture={"sampler": 0})
    g._add("samplers", {"wrapS": 33071, "wrapT": 33648, "magFilter": 9728, "minFilter": 9987})
    material = g.document["materials"][0]
    attributes = g.document["meshes"][0]["primitives"][0]["attributes"]
    other = np.stack([CORNERS[:, 0], CORNERS[:, 1]], axis=1)
    attributes["TEXCOORD_1"] = g.accessor(other)
    material["pbrMetallicRoughness"]["baseColorTexture"] |= {"texCoord": 1, "extensions": {
        "KHR_texture_transform": {"offset": [1, 2], "scale": [2, 3], "rotation": np.pi / 2}}}
    material["emissiveTexture"] = {"index": 0}
    (surface,), (read,), warnings = surfaces_in(g, tmp_path)
    assert read.texture is not None and read.glow_texture is not None and warnings == []
    assert read.texture.picture is read.glow_texture.picture and read.texture.picture.kind == "PNG"
    assert (read.texture.wraps, read.texture.filters) == (("clamp", "mirror"), (9728, 9987))
    assert np.allclose(surface.places, np.stack([3 * other[:, 1] + 1, -2 * other[:, 0] + 2], axis=1), atol=1e-6)
    assert np.allclose(surface.glow_places, PLACES)


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
def test_pictures_of_all_kinds(tmp_path: Path, kind: str) -> None:
    data = picture(np.repeat(np.repeat(PIXELS, 16, 0), 16, 1), kind)
    g = textured(data=data, texture={"extensions": {"EXT_texture_webp": {"source": 0}}} if kind == "WEBP" else {})
    if kind == "WEBP":
        del g.document["textures"][0]["source"]
        g.document |= {"extensionsUsed": ["EXT_texture_webp"], "extensionsRequired": ["EXT_texture_webp"]}
    mesh, warnings = mesh_in(g, tmp_path)
    assert warnings == [] and np.allclose(mesh.palette, [[1, 0, 0]], atol=0.02)
    assert surfaces_in(g, tmp_path)[1][0].texture.picture.data == data


def unread(edit: Any) -> GltfBuilder:
    g = textured()
    edit(g.document["images"][0], g.document["textures"][0], g)
    return g


@pytest.mark.parametrize(("edit", "facts"), [
    (lambda image, texture, g: (image.clear(), image.update(uri="not there.png")), "there.png"),
    (lambda image, texture, g: (image.clear(), image.update(uri="http://x/y.png")), "http"),
    (lambda image, texture, g: (image.clear(), image.update(uri="../y.png")), "0 --outside"),
    (lambda image, texture, g: texture.update(extensions={"KHR_texture_basisu": {"source": texture.pop("source")}}),
     "KTX2"),
    (lambda image, texture, g: image.update(bufferView=g.view(b"\xabKTX 20\xbb\r\n\x1a\n" + bytes(40))), "KTX2"),
    (lambda image, texture, g: image.update(bufferView=g.view(b"GIF89a" + bytes(40))), "GIF"),
    (lambda image, texture, g: texture.pop("source"), ""),
])
def test_a_texture_that_is_not_read_leaves_the_mesh(tmp_path: Path, edit: Any, facts: str) -> None:
    surfaces, (material,), warnings = surfaces_in(unread(edit), tmp_path)
    assert len(surfaces) == 1 and material.texture is None
    assert len(warnings) == 1 and mentions(warnings[0], facts) and "damaged" not in warnings[0]
    assert mesh_in(unread(edit), tmp_path)[0].palette.tolist() == [[1, 1, 1]]


def test_a_texture_of_two_kinds_is_read_as_the_known_one(tmp_path: Path) -> None:
    g = unread(lambda image, texture, g: texture.update(extensions={"KHR_texture_basisu": {"source": 7}}))
    _, (material,), warnings = surfaces_in(g, tmp_path)
    assert material.texture is not None and warnings == []


def test_a_damaged_picture_leaves_the_mesh(tmp_path: Path) -> None:
    mesh, warnings = mesh_in(textured(data=picture(PIXELS)[:40]), tmp_path)
    assert len(warnings) == 1 and mentions(warnings[0], "0") and mesh.palette.tolist() == [[1, 1, 1]]


def test_a_picture_of_too_many_pixels_leaves_the_mesh(tmp_path: Path) -> None:
    data = io.BytesIO()
    Image.new("1", (4097, 4096), 0).save(data, "PNG")
    mesh, warnings = mesh_in(textured(data=data.getvalue()), tmp_path)
    assert len(warnings) == 1 and mentions(warnings[0], "4097 4096 16777216") and mesh.palette.tolist() == [[1, 1, 1]]


@pytest.mark.parametrize(("wrap", "place", "colour"), [
    (10497, (1.75, -0.25), YELLOW), (33071, (1.75, -0.75), GREEN), (33648, (1.75, -0.75), BLUE),
    (33071, (-3.0, 9.0), BLUE),
    (33648, (2.25, 0.25), RED)])
def test_wrapping(tmp_path: Path, wrap: int, place: tuple[float, float], colour: tuple[int, ...]) -> None:
    g = textured(texture={"sampler": 0}, places=np.repeat([place], len(CORNERS), axis=0))
    pixels = {RED: (0, 0), GREEN: (1, 0), BLUE: (0, 1), YELLOW: (1, 1)}
    g._add("samplers", {"wrapS": wrap, "wrapT": wrap})
    mesh, _ = mesh_in(g, tmp_path)
    assert pixels[tuple(np.rint(mesh.palette[0] * 255).astype(int).tolist())] == pixels[colour]


def test_an_opaque_material_ignores_alpha(tmp_path: Path) -> None:
    clear = np.concatenate([PIXELS, np.zeros((2, 2, 1), int)], axis=2)
    mesh, warnings = mesh_in(textured(clear), tmp_path)
    assert mesh.palette.tolist() == [[1, 0, 0]] and warnings == []


@pytest.mark.parametrize("kind", ["floats", "bytes", "shorts without alpha"])
def test_colours_of_vertices(tmp_path: Path, kind: str) -> None:
    g = arm()
    colours = np.where(CORNERS[:, 1:2] > 0.0, (1.0, 0.2, 0.0, 1.0), (0.0, 0.2, 1.0, 0.6))
    accessor = {"floats": lambda: g.accessor(colours), "bytes": lambda: g.accessor(np.rint(colours * 255), U8, True),
                "shorts without alpha": lambda: g.accessor(np.rint(colours[:, :3] * 65535), U16, True)}[kind]()
    g = with_material({"pbrMetallicRoughness": {"baseColorFactor": [0.5, 1, 0.5, 1]}}, g, COLOR_0=accessor)
    (surface,), _, _ = surfaces_in(g, tmp_path)
    wanted = colours if kind != "shorts without alpha" else np.concatenate([colours[:, :3], np.ones((len(colours), 1))],
                                                                           1)
    assert np.allclose(surface.colours, wanted, atol=1e-4)
    mesh, warnings = mesh_in(g, tmp_path)
    middle = colours[TRIANGLES, :3].mean(axis=1) * (0.5, 1.0, 0.5)
    assert np.allclose(mesh.palette[mesh.colours], middle, atol=1e-4)
    assert len(warnings) == 1 and "100 %" not in warnings[0]  # above and below the box has one colour


@pytest.mark.parametrize(("repeated", "share"), [(1.0, "100 %"), (0.1, None)])
def test_colours_that_change_within_triangles_are_warned_of(tmp_path: Path, repeated: float, share: str | None) -> None:
    """For meshes in C, whose triangles have one colour. repeated: how much of the picture is on each side."""
    places = np.array([[x, y + z] for x, y, z in (CORNERS > CORNERS.min(axis=0)).astype(float)])
    _, warnings = mesh_in(textured(places=places * repeated), tmp_path)
    assert [share in warning and mentions(warning, "0") for warning in warnings] == ([True] if share else [])


def test_glow_does_not_depend_on_light(tmp_path: Path) -> None:
    g = with_material({"emissiveFactor": [1, 0, 0], "pbrMetallicRoughness": {"baseColorFactor": [0, 0, 1, 1]}})
    with_material({"pbrMetallicRoughness": {"baseColorFactor": [0, 1, 0, 1]},
                   "extensions": {"KHR_materials_unlit": {}}}, g)
    mesh, warnings = mesh_in(g, tmp_path)
    assert warnings == [] and np.concatenate([mesh.palette, mesh.glow], axis=1).tolist() == [
        [0, 0, 0, 0, 1, 0], [0, 0, 1, 1, 0, 0]]
    unlit, glowing = make_mesh_plan(mesh, "hero", "hero.glb").ramps
    assert set(unlit) == {31 << 5} and {shade & 31 for shade in glowing} == {31}
    assert [shade >> 10 for shade in glowing] == sorted(shade >> 10 for shade in glowing) != [31] * 16


@pytest.mark.parametrize(("mode", "facts"), [("MASK", "holes"), ("BLEND", "transparency")])
def test_meshes_in_c_are_opaque(tmp_path: Path, mode: str, facts: str) -> None:
    _, warnings = mesh_in(textured(alphaMode=mode), tmp_path)
    assert len(warnings) == 1 and mentions(warnings[0], "0") and mentions(warnings[0], facts)


@pytest.mark.parametrize("sides", [6, 5])
def test_backs_that_can_be_seen_are_warned_of(tmp_path: Path, sides: int) -> None:
    """Most files state that all materials are seen from both sides; of a closed body no back is."""
    g = with_material({"name": "Box", "doubleSided": True})
    g.document["meshes"][0]["primitives"][0]["indices"] = g.accessor(TRIANGLES[:2 * sides].reshape(-1), U16)
    _, warnings = mesh_in(g, tmp_path)
    assert [warning.split(":")[0] for warning in warnings] == ["material Box"] * (6 - sides)


def test_extensions_that_change_colours_are_warned_of(tmp_path: Path) -> None:
    g = with_material({"name": "Glass", "extensions": {"KHR_materials_transmission": {"transmissionFactor": 1.0}}})
    _, _, warnings = surfaces_in(g, tmp_path)
    assert len(warnings) == 1 and mentions(warnings[0], "Glass") and "KHR_materials_transmission" in warnings[0]


def test_an_unknown_mode_is_opaque(tmp_path: Path) -> None:
    _, (material,), warnings = surfaces_in(with_material({"alphaMode": "HASH"}), tmp_path)
    assert material.mode == "OPAQUE" and len(warnings) == 1 and "'HASH'" in warnings[0]
