"""The driver of these tests, which encode or write banks without the encoder."""
from __future__ import annotations

import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS / folder) for folder in ("golden", "cli")]


@pytest.fixture(scope="session")
def driver(built_encoder: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The driver, compiled."""
    from graph_driver import build_driver  # which needs the paths above
    return build_driver(tmp_path_factory.mktemp("driver"))
