"""Pages for the tests."""
from __future__ import annotations

from pathlib import Path

from ossicle.cli.main import main

ROOT = Path(__file__).resolve().parents[2]
HERO = ROOT / "codegen/demo/hero.glb"


def write_page(folder: Path, *arguments: object) -> Path:
    """The page that a command line of `ossicle view` writes."""
    page = folder / "page.html"
    assert main(["view", *map(str, arguments), "-o", str(page), "--no-open", "--quiet"]) == 0
    return page
