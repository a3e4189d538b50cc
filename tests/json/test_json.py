"""codegen/JSON.md describes all fields of the documents of `--json`, with their types, and no other field; and
documents are all that these commands print."""
from __future__ import annotations

import contextlib
import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from characters import write_characters
from figures import figure
from json_tables import Checker, alternatives
from running import HERO, ROOT, run_inside, write_bvh

from ossicle.analysis.analysis import SCHEMA
from ossicle.cli.main import main

JSON = "codegen/JSON.md"
DIFF, REPORT = (JSON, "diff"), (JSON, "report")
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


def test_every_kind_of_value_that_is_described_occurs(checked: Checker) -> None:
    assert alternatives(JSON) - checked.seen == set()


def test_the_schema_is_stated() -> None:
    assert figure("versions.report_schema") == SCHEMA


@pytest.mark.parametrize("spelling", [("--json",), ("--json", "-"), ("--json=-",)])
@pytest.mark.parametrize("words", [("clips", "dog.bvh"), ("targets",)])
def test_the_dash_may_be_left_out_where_only_the_standard_output_is_meant(folder: Path, words: tuple[str, ...],
                                                                          spelling: tuple[str, ...]) -> None:
    assert json.loads(run_inside(*words, *spelling).out) == document(*words)


def test_files_have_the_same_document(checked: Checker) -> None:
    for words in (("encode", "dog.bvh", "-o", "dog2.ossb"), ("build", "dog.toml"), ("report", "dog.bvh")):
        assert run_inside(*words, "--json", "dog.json").status == 0
        assert json.loads(Path("dog.json").read_text(encoding="utf-8")) == document(*words)


@pytest.mark.parametrize("words", [
    ("clips", "none.glb"), ("encode", "none.glb", "-o", "new.ossb"), ("encode", "dog.bvh", "-o", "dog.bvh"),
    ("build", "none.toml"), ("build", "lost.toml"), ("build", "dog.toml", "--list"), ("inspect", "none.ossb"),
    ("retarget", "walk.bvh", "--onto", "none.glb", "--table"), ("diff", "hero.ossb", "none.ossb"),
    ("report", "none.ossb"), ("play", "hero.toml", "--script", "none.toml"),
    ("play", "dog.ossb", "--script", "script.toml"), ("cache", "stats", "--cache", "none"),
    ("cache", "verify", "--cache", "kept"), ("cache", "clear", "--cache", "kept")])
def test_a_command_that_fails_prints_no_document(checked: Checker, words: tuple[str, ...]) -> None:
    Path("lost.toml").write_text('inputs = ["lost.bvh"]\n', encoding="utf-8")
    ran = run_inside(*words, "--json", "-")
    assert ran.status == 1 and ran.line
    assert Path("kept").is_dir()


@pytest.mark.parametrize(("words", "status"), [
    (("diff", "other.ossb", "hero.ossb", "--fail-above", "1%"), 3),
    (("play", "hero.toml", "--script", "failing.toml"), 1),
    (("play", "hero.toml", "--script", "script.toml", "--expect", "before.json"), 1)])
def test_a_document_that_is_not_as_expected_is_printed(checked: Checker, words: tuple[str, ...], status: int) -> None:
    Path("failing.toml").write_text('expect = [{ at = "0.1s", state = "leap" }]\n', encoding="utf-8")
    Path("before.json").write_text('{"tick_us": 1, "ticks": []}', encoding="utf-8")
    ran = run_inside(*words, "--json", "-")
    assert ran.status == status and ran.err.count("\n") == 1
    assert json.loads(ran.out)


@pytest.mark.parametrize("words", [("encode", "dog.bvh", "-o", "piped.ossb"), ("build", "dog.toml"),
                                   ("clips", "dog.bvh")])
def test_a_document_that_cannot_be_printed_is_an_error(checked: Checker, words: tuple[str, ...]) -> None:
    """Silent if the reader has ended."""
    command = [sys.executable, "-m", "ossicle", *words, "--json", "-"]
    environment = os.environ | {"PYTHONPATH": str(ROOT / "codegen")}
    reader, writer = os.pipe()
    os.close(reader)
    for output, lines in ((os.fdopen(writer, "wb"), 0), (open("/dev/full", "wb"), 1)):
        with output:
            ran = subprocess.run(command, stdout=output, stderr=subprocess.PIPE, env=environment, check=False)
        assert ran.returncode == 1 and ran.stderr.count(b"\n") == lines, ran


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1", "ascii"])
@pytest.mark.parametrize("words", [("clips", "{}.bvh"), ("encode", "{}.bvh", "-o", "{}.ossb"), ("build", "{}.toml")])
def test_documents_are_json_in_every_encoding(folder: Path, words: tuple[str, ...], encoding: str) -> None:
    name = "é歩𝄞"
    write_bvh(Path(f"{name}.bvh"))
    Path(f"{name}.toml").write_text(f'inputs = ["{name}.bvh"]\n', encoding="utf-8")
    raw = io.BytesIO()
    with io.TextIOWrapper(raw, encoding, "backslashreplace") as stream, contextlib.redirect_stdout(stream):
        assert main([*(word.format(name) for word in words), "--json", "-"]) == 0
        stream.flush()
        found = json.loads(raw.getvalue().decode("utf-8"))
    assert found["clips"][0]["name"] == name
