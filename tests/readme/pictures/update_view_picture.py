"""Writes the second picture of README: the page of `ossicle view`, with the demo character."""
from __future__ import annotations

import io
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "codegen"), str(ROOT / "tests/support")]

from chromium import Browser, browser  # noqa: E402
from tools.demo import HERO  # noqa: E402
from ossicle.cli.main import main  # noqa: E402
from PIL import Image  # noqa: E402

PICTURE = HERO.with_name("view.png")
SIZE = (1200, 760)
_LOOKS = "ossicle.state.set({frame: 16, source: 'beside', heat: true, bones: true, joint: 13}); " \
         "document.getElementById('tab-bytes').click()"


def shot(running: Browser, folder: Path) -> Image.Image:
    """The page as the picture has it."""
    page = folder / "hero.html"
    assert main(["view", str(HERO), "-o", str(page), "--no-open", "--quiet"]) == 0
    running.resize(*SIZE)
    running.open(page, "clip=Jump&paused=&frame=16")
    running.wait("return window.ossicle?.costs.frames > 0")
    running.run(_LOOKS)
    running.wait("return document.getElementById('hash').className === 'good'")
    running.wait("const n = window.from ??= ossicle.costs.frames; return ossicle.costs.frames > n + 2")
    return Image.open(io.BytesIO(running.driver.get_screenshot_as_png())).convert("RGB")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder, browser() as running:
        colours = {"method": Image.Quantize.FASTOCTREE, "dither": Image.Dither.NONE}  # keeps rare ones, such as red
        shot(running, Path(folder)).quantize(256, **colours).save(PICTURE, optimize=True)
    print(f"wrote {PICTURE.relative_to(ROOT)}")
