"""The game of the pages with its unit test, as a user has them in a folder."""
from __future__ import annotations

import shutil
from pathlib import Path

from pages import ROOT, read_blocks, read_page, sample_files

PAGE, GAME_PAGE = "targets/testing/README.md", "runtime/STREAMING.md"
MOST_LINES = 50  # of the test


def write_game(folder: Path) -> Path:
    """Writes the files of both pages and the demo character; returns the test."""
    blocks = read_blocks(read_page(PAGE), PAGE)
    game = sample_files(read_blocks(read_page(GAME_PAGE), GAME_PAGE))
    [settings] = [block.text for block in blocks if block.language == "toml"]
    [makefile] = [block.text for block in blocks if block.language == "make"]
    files = {"hero.toml": settings, "Makefile": makefile, **sample_files(blocks),
             "streaming.h": game["streaming.h"], "streaming.c": game["streaming.c"]}
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    shutil.copyfile(ROOT / "codegen/demo/hero.glb", folder / "hero.glb")
    return folder / "test_flash.c"
