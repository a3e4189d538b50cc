"""Materials on the page, beside those of three.js' own loader: the same pixels, from the same camera, in the same
light."""
from __future__ import annotations

import base64
import io
import os
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from chromium import HEIGHT, WIDTH, Browser
from figures import figure
from PIL import Image
from test_mesh_page import EXTENT
from test_page import picture
from textured_characters import CHARACTERS, CLIP, write_character
from written import ROOT, config_with, write_page

pytestmark = pytest.mark.integration

MODULES = ROOT / "build/viewer/node_modules"
SIZE = (420, 700)  # of the window
FRAME, RATE = 13, 30
MOST_APART = figure("viewer.most_apart_steps")  # of 255, of a channel
LEAST_ALIKE_PERCENT = figure("viewer.alike_percent")  # of its pixels; the others lie on edges, which errors move
LEAST_PIXELS = 2000
DESCRIBED = """
    const {scene, camera, canvas} = ossicle.picture.scene;
    scene.traverse((part) => { if (part.isGridHelper || part.type === 'GridHelper') part.visible = false; });
    camera.updateMatrixWorld();
    return {width: canvas.width, height: canvas.height, projection: camera.projectionMatrix.toArray(),
        camera: camera.matrixWorld.toArray(), background: scene.background.getHex(),
        lights: scene.children.filter(({isLight}) => isLight).map((light) => ({
            isSun: Boolean(light.isDirectionalLight), colour: light.color.getHex(), ground: light.groundColor?.getHex(),
            intensity: light.intensity, position: light.position.toArray()}))}"""


@pytest.fixture(scope="module")
def renderer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page with reference_renderer.mjs."""
    folder = tmp_path_factory.mktemp("three")
    script = Path(__file__).with_name("reference_renderer.mjs")
    subprocess.run([str(MODULES / ".bin/esbuild"), str(script), "--bundle", "--format=iife",
                    "--log-level=warning", f"--outfile={folder / 'renderer.js'}"], check=True, timeout=60,
                   env=os.environ | {"NODE_PATH": str(MODULES)})
    page = folder / "renderer.html"
    page.write_text('<meta charset="utf-8"><link rel="icon" href="data:,"><script src="renderer.js"></script>',
                    encoding="utf-8")
    return page


def drawn_by_three(browser: Browser, page: Path, glb: Path, description: dict[str, Any]) -> np.ndarray:
    browser.open(page)
    address = browser.driver.execute_async_script(
        "const [data, description, done] = arguments; drawGlb(data, description).then(done)",
        base64.b64encode(glb.read_bytes()).decode(), description)
    return np.asarray(Image.open(io.BytesIO(base64.b64decode(address.split(",")[1]))).convert("RGB")).astype(int)


@pytest.mark.parametrize("name", CHARACTERS)
def test_materials_are_those_of_three(browser: Browser, renderer: Path, tmp_path: Path, name: str) -> None:
    glb = write_character(tmp_path, name)
    page = write_page(tmp_path, glb, *config_with(tmp_path, 'tolerance = "0.02mm"\n'))
    browser.resize(*SIZE)
    try:
        browser.open(page, f"clip={CLIP}&paused=&frame={FRAME}")
        browser.wait("return window.ossicle?.costs.frames > 1")
        assert browser.run("return document.getElementById('message').hidden")
        description = browser.run(DESCRIBED) | {"clip": CLIP, "seconds": FRAME / RATE}
        browser.run("ossicle.picture.scene.draw()")
        ours = picture(browser)
        low, high = browser.run(EXTENT)
        assert -1.0 < low < high < 1.0, "the clip leaves the picture"
        theirs = drawn_by_three(browser, renderer, glb, description)
    finally:
        browser.resize(WIDTH, HEIGHT)
    character = (np.abs(theirs - theirs[2, 2]).max(axis=2) > 2) | (np.abs(ours - ours[2, 2]).max(axis=2) > 2)
    apart = np.abs(ours - theirs).max(axis=2)[character]
    assert character.sum() > LEAST_PIXELS
    alike_percent = 100 * (apart <= MOST_APART).mean()
    assert alike_percent >= LEAST_ALIKE_PERCENT, f"{alike_percent:.2f} %, at most {apart.max()} apart"
