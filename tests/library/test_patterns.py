"""Patterns among the inputs."""
from __future__ import annotations

from pathlib import Path

import pytest

from running import Ran, run_command, run_inside, write_bvh
from mentions import mentions


def write(folder: Path, inputs: list[str]) -> None:
    (folder / "swing.toml").write_text(f'effort = "fast"\ninputs = {inputs}\n', encoding="utf-8")


def bank_of(inputs: list[str]) -> bytes:
    write(Path(), inputs)
    assert run_inside("build", "swing.toml", "--quiet") == Ran(0, "", "")
    return Path("swing.ossb").read_bytes()


@pytest.mark.parametrize("pattern", ["swing/*.bvh", "swing/clip[0-3].bvh", "**/clip?.bvh", "swing/clip?*"])
def test_a_pattern_stands_for_its_files_in_order(folder: Path, pattern: str) -> None:
    (folder / "swing/clip9").mkdir()
    expected = bank_of([f"swing/clip{number}.bvh" for number in range(4)])
    assert bank_of([pattern]) == expected


def test_a_file_is_read_once_and_where_it_is_named_first(folder: Path) -> None:
    assert bank_of(["swing/clip2.bvh",
                    "swing/*.bvh"]) == bank_of([f"swing/clip{number}.bvh" for number in (2, 0, 1, 3)])


def test_a_name_of_a_file_is_no_pattern(folder: Path) -> None:
    write_bvh(folder / "swing/[x].bvh")
    write_bvh(folder / "swing/x.bvh", speed=9.0)
    assert bank_of(["swing/[x].bvh"]) != bank_of(["swing/x.bvh"])


def test_a_pattern_without_files_is_an_error(folder: Path) -> None:
    write(folder, ["swing/*.glb"])
    assert mentions(run_inside("build", "swing.toml").line, "swing.toml inputs swing/*.glb")


@pytest.mark.parametrize("run", [run_inside, run_command])
def test_new_files_and_those_that_are_gone_are_noticed(folder: Path, run) -> None:
    first = bank_of(["swing/*.bvh"])
    build = ("build", "swing.toml")
    assert run(*build) == Ran(0, "swing.toml is unchanged\n", "")
    write_bvh(folder / "swing/new.bvh", frames=12)
    assert mentions(run(*build).out, "swing.ossb") and Path("swing.ossb").read_bytes() != first
    assert run(*build) == Ran(0, "swing.toml is unchanged\n", "")
    (folder / "swing/new.bvh").unlink()
    assert mentions(run(*build).out, "swing.ossb") and Path("swing.ossb").read_bytes() == first
