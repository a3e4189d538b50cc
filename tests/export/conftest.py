"""Banks whose clips are written to files for other programs."""
from __future__ import annotations

import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "cli"), str(HERE.parent / "encoder")]

from exported import Encoded, encoded, odd_file  # noqa: E402
from made_clips import write_actions  # noqa: E402
from running import HERO  # noqa: E402


@pytest.fixture(scope="session", autouse=True)
def every_test_encodes(built_encoder: None) -> None:
    """No test of this folder runs without the library."""


@pytest.fixture(scope="session")
def hero(tmp_path_factory: pytest.TempPathFactory) -> Encoded:
    """Three clips of the demo character: a loop, one that turns round and round, one that steps."""
    return encoded(tmp_path_factory.mktemp("hero"), HERO, "--clips", "Walk", "--clips", "Spin", "--clips",
                   "Signal", "--loop", "Walk")


@pytest.fixture(scope="session")
def actions(tmp_path_factory: pytest.TempPathFactory) -> Encoded:
    """Two clips of forty joints, with steps and scales, under an armature in centimetres."""
    folder = tmp_path_factory.mktemp("actions")
    return encoded(folder, write_actions(folder / "actions.glb", 2))


@pytest.fixture(scope="session")
def odd(tmp_path_factory: pytest.TempPathFactory) -> Encoded:
    folder = tmp_path_factory.mktemp("odd")
    return encoded(folder, odd_file().write_glb(folder))
