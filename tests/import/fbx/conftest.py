"""Skips tests that need the library Assimp where it is not installed."""
from __future__ import annotations

import pytest
from assimp import has_assimp


@pytest.fixture(scope="session")
def assimp() -> None:
    if not has_assimp():
        pytest.skip("the library Assimp is not installed")
