"""A character, its bank, and a cache that has all of its clips."""
from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path[:0] = [str(Path(__file__).parent)]

from caching import FAST, HERO, bank_through  # noqa: E402
from ossicle.encode.encoder import encode_clips  # noqa: E402
from ossicle.importers.importer import read_clips  # noqa: E402
from ossicle.model.clip import Imported  # noqa: E402


@pytest.fixture(scope="session")
def hero() -> Imported:
    return read_clips([HERO])


@pytest.fixture(scope="session")
def bank(hero: Imported) -> bytes:
    return encode_clips(hero, FAST).bank


@pytest.fixture
def full(tmp_path: Path, hero: Imported) -> Path:
    """The folder of a cache that has all clips of the bank."""
    bank_through(tmp_path / "cache", hero)
    return tmp_path / "cache"
