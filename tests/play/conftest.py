"""Tests of this folder play banks with the library of the encoder."""
from __future__ import annotations

import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS / folder) for folder in ("cli", "generator", "generator/graphs", "golden", "graph")]


@pytest.fixture(scope="session", autouse=True)
def every_test_plays(built_encoder: None) -> None:
    """No test of this folder runs without the library."""
