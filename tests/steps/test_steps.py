"""Follows the lists of steps of tests/README.md in a copy of the project, with what they add as an example:
no other file has to change, and the addition works."""
from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from c_programs import STRICT
from copies import copy_project
from ossicle.machines.tools import checked_tool
from pages import ROOT, Block, pages, parts, read_blocks, read_page

PAGE = "tests/README.md"
CODEC = Path(__file__).resolve().parent / "codec"
# How many files a list of steps may touch beside its own new ones.
MOST = {"add-preset": 2, "add-board": 2, "add-codec": 6, "add-platform": 3, "add-option": 2}
PLAY = """
import sys
from pathlib import Path
from ossicle import machines
folder, name = sys.argv[1:]
result = machines.run(machines.build(name, Path(folder), Path(folder) / name), count=not name.startswith("host"))
print(result.total_hash, result.instructions)
"""


def blocks_of(name: str) -> list[Block]:
    return read_blocks(parts(PAGE)[name], PAGE)


def run(command: str, folder: Path, **environment: str) -> str:
    """Runs a command in the copy; returns its output."""
    plain = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "OSSICLE_ENCODER")}
    done = subprocess.run(["bash", "-euo", "pipefail", "-c", command], cwd=folder, env=plain | environment, text=True,
                          check=False, timeout=300, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert done.returncode == 0, f"{command}\n{done.stdout}"
    return done.stdout


def played(folder: Path, generated: str, target: str) -> tuple[str, str]:
    """A character of the copy on a target: the hash of its poses, and its instructions."""
    printed = run(f"/usr/bin/python3 - {generated} {target} <<'END'\n{PLAY}END", folder, PYTHONPATH="codegen")
    total_hash, _, instructions = printed.strip().partition(" ")
    return total_hash, instructions


def own_tests_hold(files: str, names: str, folder: Path) -> None:
    """Runs the project's own tests in the copy: those of these names."""
    printed = run(f"/usr/bin/python3 -m pytest -q -p no:cacheprovider {files} -k '{names}'", folder)
    assert re.search(r"\b[1-9]\d* passed", printed), printed


def followed(name: str, folder: Path) -> list[str]:
    """A copy of the project in which the edits were made; the commands of the list."""
    copy_project(folder)
    for block in blocks_of(name):
        if block.edit:
            block.edit.apply(folder)
    return [command for block in blocks_of(name) if block.language == "sh" for command in block.commands()]


def test_every_list_has_a_limit() -> None:
    assert {name for name in parts(PAGE) if name.startswith("add-")} == set(MOST)


@pytest.mark.parametrize("name", MOST)
def test_few_files_are_touched(name: str) -> None:
    edits = [block.edit for block in blocks_of(name) if block.edit]
    assert 0 < len({edit.path for edit in edits if not edit.new}) <= MOST[name]
    for step in re.split(r"^\d+\. ", parts(PAGE)[name], flags=re.MULTILINE)[1:]:
        assert any(block.edit for block in read_blocks(step)), f"a step without an edit: {step[:60]}"


@pytest.mark.exhaustive
def test_a_preset(tmp_path: Path) -> None:
    commands = followed("add-preset", tmp_path)
    run("scons -Q", tmp_path)
    printed = [run(command, tmp_path) for command in commands]
    assert "example-2026" in printed[0] and "sparse" in printed[1]
    assert "example-2026" in run("build/bin/ossicle compare codegen/demo/hero.glb --clips Walk --presets example-2026",
                                 tmp_path)
    assert "example-2026" in run("build/bin/ossicle completion bash", tmp_path)


@pytest.mark.exhaustive
def test_a_board(tmp_path: Path) -> None:
    commands = followed("add-board", tmp_path)
    run("scons -Q", tmp_path)
    for command in commands:
        run(command, tmp_path)
    poses, instructions = played(tmp_path, "build/board", "netduino2")
    assert poses == played(tmp_path, "build/board", "mps2_an386")[0] and "row_average" in instructions
    own_tests_hold("tests/targets/test_target_settings.py tests/readme/test_readme_text.py",
                   "netduino2 or every_folder or tables", tmp_path)


@pytest.mark.exhaustive
def test_a_platform(tmp_path: Path) -> None:
    assert followed("add-platform", tmp_path) == []
    run("scons -Q", tmp_path)
    run("build/bin/ossicle encode codegen/demo/hero.glb -o build/hero.ossb --effort fast --quiet; build/bin/ossicle "
        "generate build/hero.ossb -o build/played --name character --embed --quiet", tmp_path)
    poses = [played(tmp_path, "build/played", name)[0] for name in ("host_handheld", "host")]
    assert poses[0] == poses[1]
    own_tests_hold("tests/targets/test_port.py tests/readme/test_readme_text.py",
                   "targets_do_as_defined and handheld or tables", tmp_path)


@pytest.mark.exhaustive
def test_a_codec(tmp_path: Path) -> None:
    """The encoder is built without optimising, which is a third of the work; scons is asked what it would build."""
    commands = followed("add-codec", tmp_path)
    shutil.copytree(CODEC, tmp_path, dirs_exist_ok=True)
    assert "osc_plain.c" in run("scons -Q -n", tmp_path) and commands.pop(0) == "scons"
    run("scons -Q build/bin/ossicle", tmp_path)
    library = build_encoder(tmp_path)
    printed = [run(command, tmp_path, OSSICLE_ENCODER=str(library)) for command in commands]
    assert printed[0].count(" plain ") == 7 and printed[1].count(" plain ") == 7 and "61 frames" in printed[2]
    own_tests_hold("tests/prove/test_prove.py tests/layers tests/readme/test_readme_text.py",
                   "list_fits or tables or includes or imports", tmp_path)


def build_encoder(folder: Path) -> Path:
    """The encoder library of a copy, not optimised."""
    library = folder / "build/encoder.so"
    sources = [*(folder / "codegen/encoder").rglob("*.c"), *(folder / "runtime").rglob("*.c")]
    checked_tool(["gcc", *STRICT, "-O0", "-ffp-contract=off", "-fPIC", "-shared", f"-I{folder / 'runtime'}",
                  f"-I{folder / 'platforms/scalar'}", f"-I{folder / 'codegen/encoder'}", *map(str, sources), "-lm",
                  "-o", str(library)], "the encoder does not compile")
    return library


@pytest.mark.exhaustive
def test_an_option(tmp_path: Path) -> None:
    commands = followed("add-option", tmp_path)
    run("scons -Q", tmp_path)
    printed = [run(command, tmp_path) for command in commands]
    assert "--wobble LENGTH" in printed[1]
    page = (tmp_path / "codegen/CONFIGURATION.md").read_text(encoding="utf-8")
    assert "| `wobble` | `--wobble` |" in page and page != read_page("codegen/CONFIGURATION.md")
    assert "codegen/CONFIGURATION.md" in pages() and (ROOT / PAGE).is_file()
