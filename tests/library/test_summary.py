"""The report about all characters of a library."""
from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from ossicle.reporting.library import Library
from running import Ran, contents, run_inside, write_bvh
from mentions import mentions

BUILD = ("build", "library.toml", "-o", "out")


def reports(folder: Path) -> dict[str, dict]:
    return {path.name.split(".")[0]: json.loads(path.read_bytes()) for path in (folder / "out").glob("*.report.json")}


def test_every_clip_has_its_figures(folder: Path) -> None:
    assert run_inside(*BUILD, "--summary", "all.csv", "--quiet") == Ran(0, "", "")
    with Path("all.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    found = reports(folder)
    assert [(row["character"], row["clip"], int(row["bytes"])) for row in rows] == [
        (name, clip["name"], clip["bytes"]) for name in ("hero", "swing", "one0", "one1", "one2", "one3")
        for clip in found[name]["clips"]]
    assert all(float(row["error_mm"]) <= float(row["of_mm"]) for row in rows)


def test_it_includes_unchanged_characters(folder: Path) -> None:
    assert run_inside(*BUILD, "--summary", "all.txt", "--quiet") == Ran(0, "", "")
    first = Path("all.txt").read_bytes()
    ran = run_inside(*BUILD, "--summary", "all.txt")
    assert ran.out.count("is unchanged") == 6 and "wrote" not in ran.out and Path("all.txt").read_bytes() == first
    write_bvh(folder / "swing/clip0.bvh", speed=8.0)
    ran = run_inside(*BUILD, "--summary", "all.txt")
    assert ran.out.count("is unchanged") == 4 and mentions(ran.out, "all.txt")
    again = Path("all.txt").read_bytes()
    Path("all.txt").unlink()
    assert run_inside(*BUILD, "--summary", "all.txt", "--quiet") == Ran(0, "", "")
    assert Path("all.txt").read_bytes() == again


def test_without_it_no_reports_are_left(folder: Path) -> None:
    assert run_inside(*BUILD, "--summary", "all.txt", "--quiet") == Ran(0, "", "")
    assert run_inside(*BUILD, "--quiet") == Ran(0, "", "") and len(reports(folder)) == 6
    write_bvh(folder / "swing/clip3.bvh", speed=8.0)
    assert run_inside(*BUILD, "--quiet") == Ran(0, "", "") and sorted(reports(folder)) == ["hero", "one0", "one1",
                                                                                           "one2"]


def test_the_page_and_the_text_name_the_outliers(folder: Path) -> None:
    for name in ("all.html", "all.txt"):
        assert run_inside(*BUILD, "--summary", name, "--quiet") == Ran(0, "", "")
    page, text = (Path(name).read_text(encoding="utf-8") for name in ("all.html", "all.txt"))
    total = sum(report["bytes"] for report in reports(folder).values())
    for path in (page, text):
        assert f"{total:,}" in path and "6 characters" in path and "swing" in path and "clip3" in path
    assert "<script" not in page and "http" not in page.replace("http-equiv", "")


def test_names_are_text_and_coarse_clips_are_listed(folder: Path) -> None:
    assert run_inside(*BUILD, "--summary", "all.csv", "--quiet") == Ran(0, "", "")
    report = reports(folder)["swing"]
    report["clips"][0] |= {"name": "<b>&", "source_error_mm": 7.125}
    report["clips"][1]["tightest_tolerance_mm"] = None  # of a joint that any error suits
    library = Library({"one": report})
    assert library.nearest[-1].clip == report["clips"][1]["name"]
    assert [clip.clip for clip in library.coarse] == ["<b>&"] and library.characters[0].coarse == 1
    assert "&lt;b&gt;&amp;" in library.html().decode() and "<b>" not in library.html().decode()
    assert "7.1250" in library.text().decode()


@pytest.mark.parametrize(("name", "facts"), [
    ("all.pdf", "--summary all.pdf"), ("all", "--summary all"),
    ("library.toml.csv/x.csv", ""), ("out/hero.report.json", "suffix")])
def test_mistakes_are_reported(folder: Path, name: str, facts: str) -> None:
    before = contents(folder)
    ran = run_inside(*BUILD, "--summary", name, "--quiet")
    if facts:
        assert mentions(ran.line, facts) and contents(folder) == before
    else:
        assert ran == Ran(0, "", "") and (folder / name).is_file()


def test_characters_of_one_name_are_told_apart(folder: Path) -> None:
    for name in ("orcs/hero", "elves/hero", "elves/queen"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / f"{name}.toml").write_text('effort = "fast"\ninputs = ["../swing/clip0.bvh"]\n', encoding="utf-8")
    assert run_inside("build", "orcs/hero.toml", "elves/hero.toml", "elves/queen.toml", "--summary", "all.csv",
                      "--quiet") == Ran(0, "", "")
    with Path("all.csv").open(encoding="utf-8", newline="") as file:
        assert [row["character"] for row in csv.DictReader(file)] == ["orcs/hero.toml", "elves/hero.toml", "queen"]


@pytest.mark.parametrize("name", ["swing/curves.csv", "linked.csv", "bank.txt"])
def test_it_replaces_no_file_of_characters_that_are_current(folder: Path, name: str) -> None:
    (folder / "swing/curves.csv").write_text("time,lamp\n0,0\n0.5,1\n", encoding="utf-8")
    (folder / "linked.csv").symlink_to("swing/curves.csv")
    (folder / "lamp.toml").write_text('effort = "fast"\ninputs = ["swing/clip0.bvh"]\noutput = "bank.txt"\n'
                                      '[clips."*"]\ncurves = "swing/curves.csv"\n', encoding="utf-8")
    assert run_inside("build", "lamp.toml", "--summary", "all.csv", "--quiet") == Ran(0, "", "")
    before = contents(folder)
    assert mentions(run_inside("build", "lamp.toml", "--summary", name, "--quiet").line, name)
    assert contents(folder) == before


def test_a_damaged_report_is_built_again(folder: Path) -> None:
    assert run_inside(*BUILD, "--summary", "all.csv", "--quiet") == Ran(0, "", "")
    first = Path("all.csv").read_bytes()
    (folder / "out/swing.report.json").write_text("{", encoding="utf-8")
    assert run_inside(*BUILD, "--summary", "all.csv",
                      "--quiet") == Ran(0, "", "") and Path("all.csv").read_bytes() == first
