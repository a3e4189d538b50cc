"""The tests of curves import their support modules from this folder, and from the generator's."""
from __future__ import annotations

import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "generator")]


@pytest.fixture(scope="session", autouse=True)
def every_test_encodes(built_encoder: None) -> None:
    """No test of this folder runs without the library."""
