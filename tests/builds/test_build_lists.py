"""What build rules read: the depfile and the list of files."""
from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ossicle.cli.manifest import Manifest, Request, write_depfile
from running import ROOT, Ran, contents, run_command, run_inside


def kinds(out: str) -> dict[str, list[str]]:
    """The paths of a list by kind."""
    found: dict[str, list[str]] = {}
    for line in out.splitlines():
        kind, path = line.split("=", 1)
        found.setdefault(kind, []).append(path)
    return found


def test_the_list_is_known_before_the_first_build(folder: Path) -> None:
    before = contents(folder)
    ask = ("build", "dog.toml", "cat.toml", "-o", "out", "--list")
    asked = run_inside(*ask)
    assert asked.status == 0 and contents(folder) == before
    assert run_inside(*ask[:-1], "--quiet") == Ran(0, "", "")
    assert run_command(*ask) == run_inside(*ask) == asked
    listed = kinds(asked.out)
    outputs = [path for kind in ("manifest", "header", "source", "bank") for path in listed[kind]]
    assert sorted(outputs) == sorted(f"out/{name}" for name in contents(folder / "out"))
    assert listed["header"] == ["out/dog.h", "out/cat.h"] and listed["include"] == ["out"]
    assert listed["input"] == ["dog.toml", "walk.bvh", "cat.toml", "sit.bvh"]


def test_the_list_names_the_runtime(folder: Path) -> None:
    (folder / "dog.toml").write_text('inputs = ["walk.bvh"]\ngenerate = "."\ntarget = "mps2_an386"\n'
                                     'optimise = "cycles"\n', encoding="utf-8")
    listed = kinds(run_inside("build", "dog.toml", "--list").out)
    assert listed["runtime-include"] == [str(ROOT / "runtime"), str(ROOT / "platforms/dsp")]
    assert {Path(path) for path in listed["runtime"]} == {
        *(ROOT / "runtime").glob("*/*.c"), *(ROOT / "platforms/dsp").glob("*.S")}
    assert listed["define"] == ["OSC_FAST_ROWS=1"]


def test_only_what_needs_it_is_built(folder: Path) -> None:
    assert run_inside("build", "dog.toml", "--quiet") == Ran(0, "", "")
    listed = kinds(run_inside("build", "dog.toml", "cat.toml", "--list").out)
    assert listed["bank"] == ["dog.ossb", "cat.ossb"] and not (folder / "cat.ossb").exists()


def make(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["make", *words], cwd=folder, capture_output=True, text=True, check=False)


@settings(max_examples=25, deadline=None)
@given(names=st.lists(st.text("ab $#\\", min_size=1).filter(
    lambda name: name.strip() == name and not name.endswith("\\")), min_size=2, max_size=3, unique=True))
def test_make_reads_the_depfile(tmp_path_factory: pytest.TempPathFactory, names: list[str]) -> None:
    """Whatever the names are: it says that the output is older than its input."""
    folder = tmp_path_factory.mktemp("make")
    output, *inputs = names
    one = Manifest(dict.fromkeys(map(Path, inputs), "x"), {Path(output): ("bank", "x")}, False, "scalar",
                   False, (), "x")
    write_depfile(folder / "out.d", {Request(Path("dog.toml")): one})
    (folder / "Makefile").write_text("include out.d\n%:\n\t@echo made\n", encoding="utf-8")
    for name in inputs:
        (folder / name).write_text("", encoding="utf-8")
    (folder / output).write_text("", encoding="utf-8")
    (folder / "dog.manifest.json").write_text("", encoding="utf-8")
    ran = make(folder, "-q", output)
    assert (ran.returncode, ran.stderr) == (0, "")
    (folder / inputs[0]).unlink()
    assert make(folder, output).stdout.startswith("made\n")
