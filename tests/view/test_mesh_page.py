"""The mesh on the page of `ossicle view`: the colours of materials, morph targets, and a camera that shows the whole
clip."""
from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from boxes import CORNERS, add_box, arm, below
from boxes import picture as picture_of
from chromium import HEIGHT, WIDTH, Browser
from gltf_builder import GltfBuilder, turn
from test_page import picture
from written import write_page
from mentions import mentions

SIZES = ((1440, 900), (390, 844))
RED, CLEAR = (255, 0, 0, 255), (0, 255, 0, 0)
BRIGHT, DARK = 100, 60  # of a channel
APART_M = 0.5
AT_FRONT = (0.0, 0.15, 0.2)  # the middle of a box's front
# Where a place in metres, relative to the joint that all boxes hang on, is in the picture.
PIXEL = """
    const {camera, canvas} = ossicle.picture.scene, place = camera.position.clone().set(...arguments[0]);
    camera.updateMatrixWorld();
    place.project(camera);
    return [(place.x + 1) / 2 * canvas.width, (1 - place.y) / 2 * canvas.height].map(Math.floor)"""
# The least and the greatest place of a vertex in the picture, each within -1 to 1 if all of the mesh is there.
EXTENT = """
    const {camera} = ossicle.picture.scene, place = camera.position.clone(), found = [];
    camera.updateMatrixWorld();
    for (const skin of ossicle.picture.decoded.skins)
        for (let vertex = 0; vertex < skin.geometry.attributes.position.count; vertex++) {
            skin.getVertexPosition(vertex, place).project(camera);
            found.push(place.x, place.y);
        }
    return [Math.min(...found), Math.max(...found)]"""


def _textured(g: GltfBuilder, pixels: Any, places: Any, sampler: dict[str, int] = {}, end: int | None = None,
              **options: Any) -> tuple[dict, dict]:
    """A material with a picture, cut off at `end`, and the attributes that it needs."""
    g._add("images", {"bufferView": g.view(picture_of(pixels)[:end]), "mimeType": "image/png"})
    g._add("samplers", {"magFilter": 9728, "minFilter": 9728} | sampler)
    number = len(g.document["images"]) - 1
    g._add("textures", {"source": number, "sampler": number})
    material = {"pbrMetallicRoughness": {"baseColorTexture": {"index": number}}} | options
    return material, {"TEXCOORD_0": g.accessor(np.repeat([places], len(CORNERS), axis=0))}


def row_of_materials() -> tuple[GltfBuilder, list[str]]:
    """Boxes beside each other that hang on a joint which does not move, each of another material, with their names."""
    g = GltfBuilder()
    g.node("Root", children=[])
    g.animation("Sway", (0, "rotation", (0.0, 1.0), [turn("y", 0), turn("y", 1)], "LINEAR"))
    pixels = [[RED, CLEAR]]
    colours = np.repeat([[0.0, 0.0, 1.0, 1.0]], len(CORNERS), axis=0)
    black = {"pbrMetallicRoughness": {"baseColorFactor": [0, 0, 0, 1]}}
    materials: dict[str, tuple[dict, dict]] = {
        "opaque": _textured(g, pixels, (0.75, 0.5)),
        "hole": _textured(g, pixels, (0.75, 0.5), alphaMode="MASK", doubleSided=True),
        "clear": ({"alphaMode": "BLEND", "pbrMetallicRoughness": {"baseColorFactor": [1, 0, 0, 0.05]}}, {}),
        "glow": (black | {"emissiveFactor": [1, 0, 0]}, {}),
        "colours": ({}, {"COLOR_0": g.accessor(colours)}),
        "clamp": _textured(g, pixels, (2.25, 0.5), {"wrapS": 33071}),
        "repeat": _textured(g, pixels, (2.25, 0.5)),
        "unlit": ({"extensions": {"KHR_materials_unlit": {}},
                   "pbrMetallicRoughness": {"baseColorFactor": [0, 1, 0, 1]}}, {}),
        "damaged": _textured(g, pixels, (0.25, 0.5), end=40, name="Torn"),
        "mirrored": ({"pbrMetallicRoughness": {"baseColorFactor": [1, 0, 0, 1]}}, {}),
    }
    for number, (name, (material, attributes)) in enumerate(materials.items()):
        box = add_box(g, None, g._add("materials", material), **attributes)
        below(g, 0, g.node(name, mesh=box, translation=[APART_M * number, 0, 0],
                           scale=[-1 if name == "mirrored" else 1, 1, 1]))
    return g, list(materials)


def test_materials(browser: Browser, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each box at the middle of its front, seen from the front."""
    g, names = row_of_materials()
    browser.open(write_page(tmp_path, g.write_glb(tmp_path)), "clip=Sway&paused=&frame=0")
    assert capsys.readouterr().err == ""
    browser.wait("return window.ossicle?.costs.frames > 0")
    browser.run("ossicle.picture.scene.lookFrom('front')")
    browser.wait(f"return ossicle.costs.frames > {browser.run('return ossicle.costs.frames') + 1}")
    pixels = picture(browser)
    behind = pixels[2, 2]
    found: dict[str, Any] = {}
    for number, name in enumerate(names):
        x, y = browser.run(PIXEL, (np.array(AT_FRONT) + (APART_M * number, 0.0, 0.0)).tolist())
        found[name] = pixels[y, x]

    def is_like(name: str, *bright: bool) -> bool:
        return all(value > BRIGHT if wanted else value < DARK
                   for value, wanted in zip(found[name], bright, strict=True))

    assert is_like("opaque", False, True, False), found
    assert is_like("clamp", False, True, False) and is_like("repeat", True, False, False), found
    assert is_like("glow", True, False, False) and is_like("colours", False, False, True), found
    assert is_like("mirrored", True, False, False), found
    assert found["unlit"].tolist() == [0, 255, 0], found
    assert np.ptp(found["damaged"]) < BRIGHT, found  # without colour
    assert mentions(browser.run("return document.getElementById('message').textContent"), "Torn")
    for name in ("hole", "clear"):
        assert np.abs(found[name] - behind).max() < DARK, found
    assert np.abs(found["clear"] - behind).max() > 0, found
    assert browser.log() == []


@pytest.fixture
def resized(browser: Browser) -> Iterator[Browser]:
    """A browser that has its size again afterwards."""
    yield browser
    browser.resize(WIDTH, HEIGHT)


def test_the_camera_shows_all_of_a_clip(resized: Browser, tmp_path: Path) -> None:
    """The body is upright in one clip, and in the other lies beside the joint that the camera follows."""
    g = GltfBuilder()
    g.node("Root", children=[1])
    g.node("Body", mesh=add_box(g), scale=[3, 6, 3])
    for name, angle in (("Lying", -90), ("Standing", 0)):
        g.animation(name, (0, "rotation", (0.0, 0.5), [turn("z", angle), turn("z", angle + 1)], "LINEAR"),
                    (0, "translation", (0.0, 0.5), [[0, 0, 0], [2, 0, 1]], "LINEAR"))
    page = write_page(tmp_path, g.write_glb(tmp_path))
    for width, height in SIZES:
        resized.resize(width, height)
        resized.open(page, "clip=Lying&paused=&frame=0")
        resized.wait("return window.ossicle?.costs.frames > 1")
        for clip in (0, 1):
            for frame in (0, 15):
                resized.run("ossicle.state.set({clip: arguments[0], frame: arguments[1]})", clip, frame)
                resized.wait(f"return ossicle.costs.frames > {resized.run('return ossicle.costs.frames') + 1}")
                low, high = resized.run(EXTENT)
                assert -1.0 < low < high < 1.0, (width, height, clip, frame)
                assert high - low > 0.5, "far too small"


def test_morph_targets_follow_their_curves(browser: Browser, tmp_path: Path) -> None:
    """Also where the mesh is in the second file."""
    bare, g = arm(), arm()
    bare.document["animations"][0]["name"] = "Bare"
    box = add_box(g)
    g.document["meshes"][box]["primitives"][0]["targets"] = [{"POSITION": g.accessor(CORNERS * (0, 1, 0))}]
    g.document["meshes"][box]["extras"] = {"targetNames": ["grow"]}
    held = below(g, 2, g.node("Held", mesh=box))
    g.animation("Grow", (held, "weights", [0.0, 1.0], [[0.0], [1.0]], "LINEAR"))
    files = [bare.write_glb(tmp_path, "bare.glb"), g.write_glb(tmp_path)]
    browser.open(write_page(tmp_path, *files), "clip=Grow&paused=&frame=0")
    browser.wait("return window.ossicle?.costs.frames > 0")
    for frame in (0, 15, 30):
        browser.run("ossicle.state.set({frame: arguments[0]})", frame)
        browser.wait(f"return ossicle.costs.frames > {browser.run('return ossicle.costs.frames') + 1}")
        assert browser.run("return "
                           "ossicle.picture.decoded.skins[0].morphTargetInfluences") == pytest.approx([frame / 30],
                                                                                                      abs=0.005)
    assert browser.log() == []
