"""What runs commands, on the path, and the document of the demo character."""
from __future__ import annotations

import copy
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "cli")]

from ossicle.analysis.analysis import analyse  # noqa: E402
from ossicle.analysis.subject import Subject, encoded_subject  # noqa: E402
from ossicle.encode.encoder import encode_clips  # noqa: E402
from ossicle.encode.settings import Settings  # noqa: E402
from ossicle.importers.importer import read_clips  # noqa: E402
from running import HERO  # noqa: E402

Document = dict[str, Any]


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


def renamed(document: Document, names: Sequence[str]) -> Document:
    """Gives everything that has a name one of these."""
    document["bank"] |= {"name": names[0], "sources": list(names)}
    for key in ("joints", "clips"):
        for number, one in enumerate(document[key]):
            one["name"] = names[number % len(names)]
            one["source"] = names[-1 - number % len(names)]
    for joint in document["joints"]:
        del joint["source"]
    return document


def with_idle(document: Document, joints: Sequence[int]) -> Document:
    """Says that these joints carry nothing."""
    sizes = [document["joints"][joint]["bytes"] for joint in joints]
    document["drops"] = {"joints": [{"joint": joint, "bytes": size} for joint, size in zip(joints, sizes)],
                         "bytes": sum(sizes), "share": sum(sizes) / document["bank"]["bytes"]}
    return document
