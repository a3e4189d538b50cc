"""Shared by all tests: the package and the support modules on the path, and the encoder."""
from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "codegen"), str(ROOT / "tests/support")]

from ossicle import native  # noqa: E402
from ossicle.targets import object_store  # noqa: E402

# As `scons test` does. What tests start writes no caches beside the sources, and starts quickly.
os.environ.setdefault(object_store.VARIABLE, str(ROOT / "build/objects"))
os.environ.setdefault("PYTHONPYCACHEPREFIX", str(ROOT / "build/pycache"))
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


def pytest_sessionstart(session: pytest.Session) -> None:
    """Once, not in every worker."""
    if not hasattr(session.config, "workerinput"):
        object_store.forget_unused()


@pytest.fixture(scope="session")
def built_encoder() -> None:
    """NativeProblem where the library was not built; `scons test` builds it first."""
    native.library()
