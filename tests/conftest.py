"""Shared by all tests: the package on the path, and the material that lies beside the checkout."""
from __future__ import annotations

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "codegen"))

from ossicle import native  # noqa: E402


@pytest.fixture(scope="session")
def built_encoder() -> None:
    """Skips where the library was not built; `scons test` builds it first."""
    try:
        native.library()
    except native.NativeProblem as problem:
        pytest.skip(str(problem))


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder beside the checkout with measuring clips and independent tools; else skip."""
    folder = ROOT.parent / "shared"
    if not folder.is_dir():
        pytest.skip("no ../shared beside the checkout")
    return folder
