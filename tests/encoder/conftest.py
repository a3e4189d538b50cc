"""The encoder's tests import their support modules from this folder."""
from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture(scope="session", autouse=True)
def every_test_encodes(built_encoder: None) -> None:
    """No test of this folder runs without the library."""
