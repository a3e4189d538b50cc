"""A build removes and trusts only what it wrote itself, whatever manifest it finds."""
from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from running import Ran, contents, run_command, run_inside

from ossicle.cli.manifest import digest

PETS = 'effort = "fast"\ngenerate = "pets"\n[character.dog]\ninputs = ["sit.bvh"]\noutput = "pet.ossb"\n'


def change_manifest(folder: Path, change: Callable[[dict[str, Any]], None]) -> None:
    """Edits dog.toml, so that it is built again, and dog.manifest.json."""
    with (folder / "dog.toml").open("a", encoding="utf-8") as file:
        file.write("# changed\n")
    place = folder / "dog.manifest.json"
    table = json.loads(place.read_text(encoding="utf-8"))
    change(table)
    place.write_text(json.dumps(table), encoding="utf-8")


def test_two_files_with_a_character_of_one_name(folder: Path) -> None:
    (folder / "pets.toml").write_text(PETS, encoding="utf-8")
    assert run_inside("build", "dog.toml", "--quiet") == Ran(0, "", "")
    before = contents(folder)
    built = run_inside("build", "pets.toml")
    assert built.status == 0 and "unchanged" not in built.out and "removed" not in built.out
    assert {"pet.ossb", "pets/pet.h"} <= contents(folder).keys() and before.keys() <= contents(folder).keys()
    (folder / "dog.ossb").unlink()
    assert run_command("build", "dog.toml", "--quiet") == Ran(0, "", "")
    assert contents(folder)["dog.ossb"] == before["dog.ossb"] and "pets/pet.h" in contents(folder)


def test_a_copied_project_leaves_the_files_of_the_first(folder: Path) -> None:
    project = folder / "first"
    project.mkdir()
    text = (folder / "dog.toml").read_text(encoding="utf-8")
    shutil.copy(folder / "walk.bvh", project)
    (project / "dog.toml").write_text(text.replace('"code"', '"../code"'), encoding="utf-8")
    assert run_inside("build", "first/dog.toml", "--quiet") == Ran(0, "", "")
    before = contents(folder)
    shutil.copytree(project, folder / "second")
    (folder / "second/dog.toml").write_text(text.replace('"code"', '"../other"'), encoding="utf-8")
    assert run_inside("build", "second/dog.toml", "--quiet") == Ran(0, "", "")
    assert before.items() <= contents(folder).items() and "other/dog.h" in contents(folder)


@pytest.mark.parametrize("name", ["../mine.txt", "link/mine.txt", "walk.bvh", "dog.toml"])
def test_a_manifest_that_names_files_of_others(folder: Path, name: str) -> None:
    outside = folder / "mine.txt"
    project = folder / "project"
    project.mkdir()
    outside.write_text("mine\n", encoding="utf-8")
    for file in ("dog.toml", "walk.bvh"):
        shutil.move(folder / file, project)
    (project / "link").symlink_to(folder)
    assert run_inside("build", "project/dog.toml", "--quiet") == Ran(0, "", "")

    def claim(table: dict[str, Any]) -> None:
        table["outputs"][name] = {"kind": "source", "sha256": digest(project / name)}

    change_manifest(project, claim)
    assert run_inside("build", "project/dog.toml", "--quiet") == Ran(0, "", "")
    assert (project / name).is_file()


@pytest.mark.parametrize("name", ["gone.c", "code", "nul\0.c", "half\ud800.c"])
def test_a_damaged_manifest_stops_no_build(folder: Path, name: str) -> None:
    assert run_inside("build", "dog.toml", "--quiet") == Ran(0, "", "")
    change_manifest(folder, lambda table: table["outputs"].update({name: {"kind": "source", "sha256": ""}}))
    assert run_inside("build", "dog.toml", "--quiet") == Ran(0, "", "")
    assert run_command("build", "dog.toml") == Ran(0, "dog.toml is unchanged\n", "")
    change_manifest(folder, lambda table: table["inputs"].update({name: ""}))
    assert run_command("build", "dog.toml", "--quiet") == Ran(0, "", "")


def test_a_manifest_without_inputs_is_not_current(folder: Path) -> None:
    assert run_inside("build", "dog.toml", "--quiet") == Ran(0, "", "")
    change_manifest(folder, lambda table: table["inputs"].clear())
    assert "unchanged" not in run_command("build", "dog.toml").out


def test_a_toml_file_after_its_source_file(folder: Path) -> None:
    assert run_inside("build", "walk.bvh", "--quiet") == Ran(0, "", "")
    (folder / "dog.toml").rename(folder / "walk.toml")
    assert "unchanged" not in run_command("build", "walk.toml").out
    assert "code/walk.h" in contents(folder)
