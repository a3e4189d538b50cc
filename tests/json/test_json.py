"""codegen/JSON.md and codegen/VIEWING.md describe all fields of the documents of `--json`, with their types, and no
other field; and documents are all that these commands print."""
from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from characters import write_characters
from figures import figure
from json_tables import Checker, alternatives
from running import HERO, run_command, run_inside

from ossicle.analysis.analysis import SCHEMA

JSON, REPORT = "codegen/JSON.md", ("codegen/VIEWING.md", "document")
DIFF = (JSON, "diff")
COMMANDS = (  # as a user would run them one after the other, and the tables of their documents
    ((JSON, "clips"), ("clips", HERO, "walk.bvh", "dog.bvh", "still.glb")),
    ((JSON, "encode-and-build"), ("build", "hero.toml")),
    ((JSON, "encode-and-build"), ("build", "dog.toml")),
    ((JSON, "encode-and-build"), ("build", "face.toml")),
    ((JSON, "encode-and-build"), ("build", "tiers.toml")),
    ((JSON, "encode-and-build"), ("encode", "dog.bvh", "still.glb", "-o", "finer.ossb", "--tiers", "20mm")),
    ((JSON, "encode-and-build"), ("encode", "short.bvh", "-o", "short.ossb", "--config", "short.toml")),
    ((JSON, "encode-and-build"), ("encode", "box.glb", "-o", "box.ossb")),
    ((JSON, "encode-and-build"), ("encode", "face.glb", "-o", "face2.ossb")),
    ((JSON, "retarget"), ("retarget", "walk.bvh", "--onto", "bare.glb", "--table")),
    ((JSON, "retarget"), ("retarget", "walk.bvh", "--onto", "bare.glb", "-o", "walk.glb")),
    ((JSON, "retarget"), ("retarget", "dog.bvh", "--onto", "short.bvh", "--scale", "2", "-o", "dog.glb")),
    *(((JSON, "inspect"), ("inspect", bank)) for bank in ("hero.ossb", "face.ossb", "tiers.ossb", "finer.ossb")),
    ((JSON, "inspect-costs"), ("inspect", "hero.ossb", "--joints", "--source", HERO)),
    ((JSON, "inspect-costs"), ("inspect", "hero.ossb", "--tracks")),
    ((JSON, "inspect-costs"), ("inspect", "hero.ossb", "--joints", "--tracks")),
    (DIFF, ("diff", "dog.ossb", "short.ossb")),
    (DIFF, ("diff", "hero.ossb", "face.ossb")),
    (DIFF, ("diff", "hero.ossb", "other.ossb")),
    (DIFF, ("diff", "face.ossb", "face2.ossb")),
    (REPORT, ("report", "hero.toml")),
    (REPORT, ("report", "dog.toml")),
    (REPORT, ("report", "face.toml")),
    (REPORT, ("report", "box.glb")),
    (REPORT, ("report", "tiers.ossb")),
    (REPORT, ("report", "finer.ossb", "--source", "dog.bvh", "--source", "still.glb")),
    ((JSON, "play"), ("play", "hero.toml", "--script", "script.toml")),
    ((JSON, "cache"), ("cache", "stats", "--cache", "kept")),
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, built_encoder: None) -> Iterator[Path]:
    """The current folder, with source files."""
    folder, before = tmp_path_factory.mktemp("json"), Path.cwd()
    os.chdir(folder)
    write_characters()
    yield folder
    os.chdir(before)


@pytest.fixture(scope="module")
def checked(folder: Path) -> Checker:
    """What the documents of all commands have."""
    checker = Checker()
    for (page, table), words in COMMANDS:
        checker.check(page, table, document(*words))
    for target in document("targets"):
        checker.check(JSON, "targets", target)
    return checker


def document(*words: object) -> Any:
    ran = run_inside(*words, "--json", "-")
    assert ran.status == 0, (words, ran.err)
    return json.loads(ran.out, parse_constant=pytest.fail)


@pytest.mark.parametrize("page", [JSON, REPORT[0]])
def test_every_kind_of_value_that_is_described_occurs(checked: Checker, page: str) -> None:
    assert alternatives(page) - checked.seen == set()


def test_the_schema_is_stated() -> None:
    assert figure("versions.report_schema") == SCHEMA
