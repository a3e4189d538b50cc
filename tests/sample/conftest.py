"""The script that builds the sample on the path, and the sample's generated character."""
from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from play_sample import write_character  # noqa: E402


@pytest.fixture(scope="session")
def character(built_encoder: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with hero.h and its sources."""
    folder = tmp_path_factory.mktemp("sample")
    write_character(folder)
    return folder
