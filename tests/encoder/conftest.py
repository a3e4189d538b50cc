"""The encoder's tests import their support modules from this folder."""
from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from ossicle import native  # noqa: E402


@pytest.fixture(scope="session", autouse=True)
def built_encoder() -> None:
    """Skips where the library was not built; `scons test` builds it first."""
    try:
        native.library()
    except native.NativeProblem as problem:
        pytest.skip(str(problem))
