"""Puts the golden banks and the helpers that run commands on the path."""
from __future__ import annotations

import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), *(str(HERE.parent / folder) for folder in ("golden", "cli", "encoder"))]


@pytest.fixture(scope="session", autouse=True)
def every_test_needs_the_library(built_encoder: None) -> None:
    """No test of this folder runs without the encoder."""
