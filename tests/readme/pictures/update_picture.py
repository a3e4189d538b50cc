"""Writes the picture of README: the demo character on a Game Boy Advance."""
from __future__ import annotations

import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "codegen"))

from tools.demo import HERO, HERO_PROJECT  # noqa: E402
from ossicle.config.project import read_project  # noqa: E402
from tools.rom import Rom, make_rom  # noqa: E402

PICTURE = HERO.with_suffix(".png")


def demo_rom(folder: Path) -> Rom:
    """The program that shows the demo character, and its pictures."""
    return make_rom(HERO, "gba", folder, read_project(HERO_PROJECT).settings, lambda *_: None)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        PICTURE.write_bytes(demo_rom(Path(folder)).sheet.read_bytes())
    print(f"wrote {PICTURE.relative_to(ROOT)}")
