"""A character, its bank, and a cache that has all of its clips."""
from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

sys.path[:0] = [str(Path(__file__).parent)]

from caching import CLIPS, FAST, HERO, bank_through  # noqa: E402
from ossicle.encoding.encoder import encode_clips  # noqa: E402
from ossicle.importers.importer import read_clips  # noqa: E402
from ossicle.model.clip import Imported  # noqa: E402


@pytest.fixture(scope="session")
def hero() -> Imported:
    """A few of its clips, as most tests encode them more than once."""
    return read_clips([HERO], CLIPS)


@pytest.fixture(scope="session")
def bank(hero: Imported) -> bytes:
    return encode_clips(hero, FAST).bank


@pytest.fixture(scope="session")
def filled(tmp_path_factory: pytest.TempPathFactory, hero: Imported) -> Path:
    folder = tmp_path_factory.mktemp("filled") / "cache"
    bank_through(folder, hero)
    return folder


@pytest.fixture
def full(tmp_path: Path, filled: Path) -> Path:
    """The folder of a cache that has all clips of the bank."""
    return Path(shutil.copytree(filled, tmp_path / "cache"))
