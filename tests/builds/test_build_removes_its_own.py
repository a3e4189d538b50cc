"""A build removes and trusts only files that it wrote itself, with any manifest."""
from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from running import Ran, contents, run_command, run_inside, write_bvh

from ossicle.building import local_builder, job
from ossicle.building.manifest import digest
from ossicle.config.project import Project

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


def names_resolved_by_removing(folder: Path, characters: int, monkeypatch: pytest.MonkeyPatch) -> int:
    """Counts the real names that a build looks up when it removes the C of all these characters."""
    folder.mkdir()
    asked: list[object] = []
    real = os.path.realpath

    def count(path: Any, **more: Any) -> Any:
        asked.append(path)
        return real(path, **more)
    tables = ""
    for number in range(characters):
        write_bvh(folder / f"walk{number}.bvh", frames=2)
        tables += f'[character.dog{number}]\ninputs = ["walk{number}.bvh"]\n'
    config = folder / "dogs.toml"
    config.write_text('effort = "fast"\ngenerate = "code"\n' + tables, encoding="utf-8")
    assert run_inside("build", config, "--quiet") == Ran(0, "", "")
    config.write_text('effort = "fast"\n' + tables, encoding="utf-8")
    with monkeypatch.context() as patched:
        patched.setattr(os.path, "realpath", count)
        assert run_inside("build", config).out.count("removed") >= 3 * characters
    assert list((folder / "code").iterdir()) == []
    return len(asked)


def test_the_cost_of_a_removal_does_not_grow_with_the_library(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    few, many = (names_resolved_by_removing(folder / f"dogs{count}", count, monkeypatch) for count in (4, 16))
    assert many <= 4 * few


def test_a_character_that_loses_its_code_during_a_build_leaves_none(folder: Path,
                                                                    monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a", "b"):
        (folder / f"{name}.toml").write_text('effort = "fast"\ninputs = ["walk.bvh"]\ngenerate = "code"\n',
                                             encoding="utf-8")
    build, plain = ("build", "a.toml", "b.toml", "--quiet"), 'effort = "fast"\ninputs = ["walk.bvh"]\n'
    assert run_inside(*build) == Ran(0, "", "")
    (folder / "a.toml").write_text(plain, encoding="utf-8")
    with (folder / "b.toml").open("a", encoding="utf-8") as file:
        file.write("# changed\n")
    reading, read = job.read_project, []

    def edited_before(config: Path, character: str) -> Project:
        if config.name in read:
            config.write_text(plain, encoding="utf-8")
        read.append(config.name)
        return reading(config, character)
    monkeypatch.setattr(local_builder, "_KEPT_JOINT_FRAMES", 0)  # only the first character is not read again
    monkeypatch.setattr(job, "read_project", edited_before)
    assert run_inside(*build) == Ran(0, "", "") and read == ["a.toml", "b.toml", "b.toml"]
    assert list((folder / "code").iterdir()) == []


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
