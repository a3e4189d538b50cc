"""Paths for the tests of `ossicle watch`, and a folder with something to watch."""
from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "cli")]

from running import write_bvh  # noqa: E402
from watching import Watching  # noqa: E402


@pytest.fixture(autouse=True)
def every_test_encodes(built_encoder: None) -> None:
    """No test of this folder runs without the library."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with dog.toml and its clip in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "clips").mkdir()
    write_bvh(tmp_path / "clips/walk.bvh")
    (tmp_path / "dog.toml").write_text('inputs = ["clips/walk.bvh"]\neffort = "fast"\n', encoding="utf-8")
    return tmp_path


@pytest.fixture
def watching(folder: Path) -> Iterator[Watching]:
    started = Watching()
    yield started
    started.process.kill()
    started.process.wait()


@pytest.fixture
def watching_patterns(folder: Path) -> Iterator[Watching]:
    """Watches a file whose inputs are a pattern."""
    (folder / "dog.toml").write_text('inputs = ["clips/**/*.bvh"]\neffort = "fast"\n', encoding="utf-8")
    started = Watching()
    yield started
    started.process.kill()
    started.process.wait()
