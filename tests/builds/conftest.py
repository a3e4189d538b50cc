"""Paths for the tests of builds, which encode small clips."""
from __future__ import annotations

import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "cli")]

from running import write_bvh  # noqa: E402


@pytest.fixture(autouse=True)
def every_test_encodes(built_encoder: None) -> None:
    """No test of this folder runs without the library."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with dog.toml, cat.toml and their clips."""
    monkeypatch.chdir(tmp_path)
    for name, clip in (("dog", "walk"), ("cat", "sit")):
        write_bvh(tmp_path / f"{clip}.bvh")
        (tmp_path / f"{name}.toml").write_text(
            f'inputs = ["{clip}.bvh"]\ngenerate = "code"\nembed = true\neffort = "fast"\n', encoding="utf-8")
    return tmp_path
