"""Files that leave the checkout with a game state their license."""
from __future__ import annotations

from pathlib import Path

import pytest
from ossicle.base.places import PLATFORMS, RUNTIME, TARGETS

LINE = "/* SPDX-License-Identifier: MIT */\n"
KINDS = {".c", ".h", ".S", ".inc", ".def"}


@pytest.mark.parametrize("folder", [RUNTIME, PLATFORMS, TARGETS], ids=lambda folder: folder.name)
def test_each_file_begins_with_its_license(folder: Path) -> None:
    files = [path for path in folder.rglob("*") if path.suffix in KINDS]
    assert files and not [path for path in files if not path.read_text(encoding="utf-8").startswith(LINE)]
