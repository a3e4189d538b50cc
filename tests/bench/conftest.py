"""Paths for the tests of the benches, and something to measure."""
from __future__ import annotations

import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
TOPICS = ("library", "naive", "operations", "poses", "sizes", "tiers")
sys.path[:0] = [str(path) for path in (HERE, *(HERE / topic for topic in TOPICS), HERE.parent / "cli",
                                       HERE.parent / "encoder")]

from bench_corpus import write_clip  # noqa: E402


@pytest.fixture
def one_corpus(built_encoder: None, tmp_path: Path) -> Path:
    """A folder like ../shared with one corpus, of one clip."""
    write_clip(tmp_path / "shared", "walk", 3.0)
    return tmp_path / "shared"
