"""Fixtures: commands on the path, and the document of the demo character."""
from __future__ import annotations

import copy
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "cli")]

from ossicle.analysis.analysis import analyse  # noqa: E402
from ossicle.analysis.subject import Subject, encoded_subject  # noqa: E402
from ossicle.encoding.encoder import encode_clips  # noqa: E402
from ossicle.encoding.settings import Settings  # noqa: E402
from ossicle.importers.importer import read_clips  # noqa: E402
from reporting import Document  # noqa: E402
from running import HERO  # noqa: E402


@pytest.fixture(scope="session")
def hero_subject(built_encoder: None) -> Subject:
    imported = read_clips([HERO])
    return encoded_subject("hero", encode_clips(imported, Settings()), imported, Settings(), [HERO])


@pytest.fixture(scope="session")
def whole_hero(hero_subject: Subject) -> Document:
    return analyse(hero_subject)


@pytest.fixture
def hero(whole_hero: Document) -> Document:
    """A copy of the document, to change."""
    return copy.deepcopy(whole_hero)
