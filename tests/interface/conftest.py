"""Paths for the tests of `import ossicle`."""
from __future__ import annotations

import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parent / "cli")]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, built_encoder: None) -> None:
    """An empty current folder."""
    monkeypatch.chdir(tmp_path)
