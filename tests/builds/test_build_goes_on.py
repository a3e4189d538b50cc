"""A character that cannot be built does not stop the others: each is reported in one run, and leaves no files."""
from __future__ import annotations

import csv
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from running import Ran, contents, run_command, run_inside, write_bvh
from mentions import mentions

COUNT = 20
CUT, ABSENT, FINE = "c04", "c11", "c17"  # characters with faults: found before, before and while clips are encoded
BAD = (CUT, ABSENT, FINE)
GOOD = tuple(name for name in (f"c{number:02}" for number in range(COUNT)) if name not in BAD)
SHARED = 'effort = "fast"\ngenerate = "code"\n'
BUILD = ("build", "library.toml", "--summary", "all.csv", "--depfile", "all.d", "--quiet")


FEW = GOOD[::6]  # for tests in which the number does not matter


def write_library(folder: Path, good: bool = False, names: Sequence[str] = FEW) -> None:
    """library.toml with its sources. good: without faults; names: of the characters besides those with faults."""
    tables = SHARED
    for name in sorted((*names, *BAD)):
        write_bvh(folder / f"{name}.bvh", frames=4, speed=2.0 + int(name[1:]))
        tables += f'[character.{name}]\ninputs = ["{name}.bvh"]\n'
    if not good:
        (folder / f"{CUT}.bvh").write_bytes((folder / f"{CUT}.bvh").read_bytes()[:-40])
        (folder / f"{ABSENT}.bvh").unlink()
        tables = tables.replace(f'"{FINE}.bvh"]\n', f'"{FINE}.bvh"]\ntolerance = "0.00001mm"\n')
    (folder / "library.toml").write_text(tables, encoding="utf-8")


def built(folder: Path) -> set[str]:
    """Names of the characters that have any output."""
    return {path.name[:3] for path in (*folder.glob("*.ossb*"), *folder.glob("*.json"), *folder.glob("code/*"))}


def faults_in(summary: Path) -> dict[str, str]:
    with summary.open(encoding="utf-8", newline="") as file:
        return {row["character"]: row["fault"] for row in csv.DictReader(file) if row["fault"]}


def check_goes_on(ran: Ran, folder: Path, names: Sequence[str] = FEW) -> None:
    lines = ran.err.splitlines()
    assert (ran.status, ran.out, len(lines)) == (1, "", len(BAD))
    for name, line in zip(BAD, lines):
        assert mentions(line, f"library.toml [character.{name}] {name}.bvh")
    assert mentions(lines[2], FINE) and mentions(lines[2], "1e-05mm")
    assert built(folder) == set(names)
    assert faults_in(folder / "all.csv") == {name: line.removeprefix("ossicle: ") for name, line in zip(BAD, lines)}


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory, built_encoder: None) -> Mapping[str, bytes]:
    """The files that a build in one process writes."""
    folder, here = tmp_path_factory.mktemp("alone"), Path.cwd()
    os.chdir(folder)
    try:
        write_library(folder, names=GOOD)
        check_goes_on(run_inside(*BUILD), folder, GOOD)
        return contents(folder)
    finally:
        os.chdir(here)


def test_good_characters_have_the_bytes_of_a_library_without_faults(folder: Path, alone: Mapping[str, bytes]) -> None:
    write_library(folder, good=True, names=GOOD)
    assert run_inside(*BUILD) == Ran(0, "", "")
    expected = {name: content for name, content in contents(folder).items()
                if name.endswith((".ossb", ".c", ".h", ".report.json")) and not any(bad in name for bad in BAD)}
    assert len(expected) == 5 * len(GOOD) and expected.items() <= alone.items()


def test_workers_write_the_same_bytes_and_report_the_same(folder: Path, alone: Mapping[str, bytes]) -> None:
    write_library(folder, names=GOOD)
    check_goes_on(run_command(*BUILD, "--workers", "1"), folder, GOOD)
    assert {name: content for name, content in contents(folder).items() if name in alone} == alone


def test_with_a_cache_and_again_until_all_are_repaired(folder: Path) -> None:
    """Good characters are not encoded again, and the depfile names what a repair changes."""
    write_library(folder)
    cached = (*BUILD, "--cache", "cache")
    check_goes_on(run_inside(*cached), folder)
    before = {path: path.stat().st_mtime_ns for path in folder.glob("*.ossb")}
    rule = (folder / "all.d").read_text(encoding="utf-8").split()
    assert {f"{CUT}.bvh", f"{FINE}.bvh"} <= set(rule) and "all.d" not in rule
    check_goes_on(run_inside(*cached), folder)
    assert before == {path: path.stat().st_mtime_ns for path in folder.glob("*.ossb")}
    write_library(folder, good=True)
    assert run_inside(*cached) == Ran(0, "", "")
    assert built(folder) == {*FEW, *BAD} and faults_in(folder / "all.csv") == {}


def test_output_of_a_character_with_a_fault_is_removed(folder: Path) -> None:
    """No rule or game can take it for the new one. Files that were edited since stay, and so do those of
    --fail-fast."""
    write_library(folder, good=True)
    assert run_inside(*BUILD) == Ran(0, "", "")
    whole = contents(folder)
    write_library(folder)
    (folder / f"code/{CUT}.h").write_text("mine\n", encoding="utf-8")
    first = run_inside(*BUILD, "--fail-fast")
    assert first.status == 1 and mentions(first.line, f"library.toml [character.{CUT}] {CUT}.bvh")
    assert {name for name in whole if name not in contents(folder)} == {f"{ABSENT}.bvh"}
    assert run_inside(*BUILD).status == 1
    assert built(folder) == {*FEW, CUT} and list(folder.rglob(f"{CUT}.[!b]*")) == [folder / f"code/{CUT}.h"]


def test_if_nothing_can_be_built_all_stays_as_it_was(folder: Path) -> None:
    """After a mistake at the top of a file, no character has to be encoded again."""
    write_library(folder, good=True)
    assert run_inside(*BUILD[:2], "--quiet") == Ran(0, "", "")
    text = (folder / "library.toml").read_text(encoding="utf-8")
    (folder / "library.toml").write_text("tolerence = 1\n" + text, encoding="utf-8")
    before = contents(folder)
    ran = run_inside(*BUILD[:2], "--quiet")
    assert ran.status == 1 and ran.err.count("\n") == len(FEW) + len(BAD) and contents(folder) == before


def test_fail_fast_stops_before_anything_is_written(folder: Path) -> None:
    write_library(folder)
    ran = run_inside("build", "library.toml", "--summary", "all.csv", "--fail-fast")
    assert ran.status == 1 and CUT in ran.line
    assert built(folder) == set() and not (folder / "all.csv").exists()


def test_a_library_with_faults_has_no_list(folder: Path) -> None:
    """A rule would miss the characters that cannot be built."""
    write_library(folder)
    before = contents(folder)
    ran = run_inside("build", "library.toml", "--list")
    assert (ran.status, ran.out, contents(folder)) == (1, "", before)
    assert [line.split(":")[1].strip() for line in ran.err.splitlines()] == [
        f"library.toml [character.{name}]" for name in BAD[:2]]


def test_a_file_that_cannot_be_parsed_removes_no_character(folder: Path) -> None:
    """It may have them all."""
    (folder / "pets.toml").write_text(SHARED + '[character.dog]\ninputs = ["walk.bvh"]\n', encoding="utf-8")
    assert run_inside("build", "pets.toml", "--quiet") == Ran(0, "", "")
    (folder / "pets.toml").write_text("[", encoding="utf-8")
    before = contents(folder)
    ran = run_inside("build", "pets.toml", "cat.toml")
    assert ran.status == 1 and mentions(ran.err, "pets.toml") and mentions(ran.out, "1 2")
    assert before.items() <= contents(folder).items() and "cat.ossb" in contents(folder)


@pytest.mark.parametrize(("own", "named"), [('output = "one.ossb"', "one.ossb"), ('output = "walk.bvh"', "walk.bvh")])
def test_a_character_that_would_write_over_a_file_is_a_fault(folder: Path, own: str, named: str) -> None:
    """walk.bvh is the input of a character that cannot be built either."""
    (folder / "pets.toml").write_text(
        SHARED + '[character.one]\ninputs = ["sit.bvh"]\n[character.broken]\ninputs = ["walk.bvh", "absent.bvh"]\n'
        f'[character.two]\ninputs = ["sit.bvh"]\n{own}\n[character.three]\ninputs = ["sit.bvh"]\n', encoding="utf-8")
    source = (folder / "walk.bvh").read_bytes()
    ran = run_inside("build", "pets.toml", "--quiet")
    assert ran.status == 1 and [line.split(":")[1] for line in ran.err.splitlines()] == [
        " pets.toml [character.broken]", " pets.toml [character.two]"]
    assert f": {named}: " in ran.err.splitlines()[1] and (folder / "walk.bvh").read_bytes() == source
    assert sorted(path.name for path in folder.glob("*.ossb")) == ["one.ossb", "three.ossb"]


@pytest.mark.parametrize("suffix", ["txt", "html"])
def test_a_summary_of_faults_alone(folder: Path, suffix: str) -> None:
    (folder / "pets.toml").write_text('[character."<b>"]\ninputs = ["absent.bvh"]\n', encoding="utf-8")
    (folder / "bad.toml").write_text('inputs = ["absent.bvh"]\n', encoding="utf-8")
    assert run_inside("build", "bad.toml", "dog.toml", "--summary", f"all.{suffix}", "--quiet").status == 1
    some = (folder / f"all.{suffix}").read_text(encoding="utf-8")
    assert "bad.toml: absent.bvh" in some and "dog" in some
    assert run_inside("build", "bad.toml", "--summary", f"all.{suffix}", "--quiet").status == 1
    assert "0 characters" in (folder / f"all.{suffix}").read_text(encoding="utf-8")
