"""Every test of this folder encodes."""
from __future__ import annotations

import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parent / "cli"), str(HERE.parent / "support")]


@pytest.fixture(scope="session", autouse=True)
def every_test_encodes(built_encoder: None) -> None:
    """No test of this folder runs without the library."""


@pytest.fixture(scope="session")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The driver, compiled."""
    from graph_driver import build_driver  # which needs the paths above
    return build_driver(tmp_path_factory.mktemp("driver"))
