"""codegen/VIEWING.md describes every field of the JSON, and no other."""
from __future__ import annotations

import re

import pytest
from figures import figure
from pages import parts
from reporting import Document, with_idle

from ossicle.analysis.analysis import SCHEMA

PAGE = "codegen/VIEWING.md"
PATHS = {"document": (), "bank": ("bank",), "section": ("bank", "sections", 0), "joint": ("joints", 0),
         "clip": ("clips", 0), "track": ("clips", 0, "tracks", 0), "error": ("clips", 0, "worst"), "drops": ("drops",)}


def described(name: str) -> set[str]:
    """The fields in the first column of a table."""
    first = re.findall(r"^\| (`.*?`) \|", parts(PAGE)[f"json-{name}"], re.MULTILINE)
    return {field for cell in first for field in re.findall(r"`(\w+)`", cell)}


@pytest.mark.parametrize("name", PATHS)
def test_every_field_is_described(hero: Document, name: str) -> None:
    found = with_idle(hero, [2])
    for step in PATHS[name]:
        found = found[step]
    assert described(name) == set(found)


def test_the_schema_is_stated() -> None:
    assert figure("versions.report_schema") == SCHEMA
