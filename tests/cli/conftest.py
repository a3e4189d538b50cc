"""Paths for the command line's tests, and a small bank for all of them."""
from __future__ import annotations

import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
# Errors are judged by the measure that the encoder's tests have.
sys.path[:0] = [str(HERE), str(HERE.parent / "encoder")]

from running import run_inside, write_bvh  # noqa: E402


@pytest.fixture(scope="session", autouse=True)
def every_test_encodes(built_encoder: None) -> None:
    """No test of this folder runs without the library."""


@pytest.fixture(scope="session")
def walk_bank(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bank of two clips, walk and wave."""
    folder = tmp_path_factory.mktemp("walk")
    for name, speed in (("walk", 3.0), ("wave", 7.0)):
        write_bvh(folder / f"{name}.bvh", speed=speed)
    bank = folder / "walk.ossb"
    assert run_inside("encode", folder / "walk.bvh", folder / "wave.bvh", "-o", bank, "--quiet").status == 0
    return bank
