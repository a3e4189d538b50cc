"""Follows the pages from top to bottom in a copy of the project: every block is compiled, run or read."""
from __future__ import annotations

import os
import re
import shlex
import subprocess
import tomllib
from collections.abc import Iterable
from pathlib import Path

import pytest
from c_programs import INCLUDES, RUNTIME, SANITIZERS, SANITIZING, STRICT, build_program
from copies import copy_project
from ossicle.machines.object_store import compile_file
from ossicle.machines.tools import find_tool
from pages import LANGUAGES, README, Block, all_blocks, pages, read_blocks, read_page, sample_files

pytestmark = pytest.mark.integration
STATED = "its first frame is left out"  # a warning that ARTISTS.md announces

TOOLS = ("scons", "gcc", "clang", "arm-none-eabi-gcc", "qemu-system-arm")
TIMED_OUT = 124  # what `timeout` returns when it had to end an endless program
STEPS = "<!-- part: add-"  # lists of steps, which tests/steps follows
FIRST = ("runtime/README.md",)  # what README.md leads to; the commands of codegen/README.md have tests of their own
OTHERS = [pytest.param(page, marks=() if page in FIRST else pytest.mark.exhaustive)
          for page in pages() if page != README.name]


def run(command: str | list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Runs a command as a user would; its errors are merged into its output."""
    if isinstance(command, str):
        command = ["bash", "-euo", "pipefail", "-c", command]
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "OSSICLE_ENCODER")}
    environment["OSSICLE_CACHE"] = str(folder / "build/clips")  # pages encode the same clips again and again
    return subprocess.run(command, cwd=folder, env=environment, check=False, text=True,
                          timeout=120, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def goals_of(usage: str) -> set[str]:
    """The goals that `scons -h` lists."""
    return set(re.findall(r"^  scons ([\w-]+) ", usage, re.MULTILINE))


def check_bootstrap(arguments: list[str], folder: Path) -> None:
    """The script parses, and its list begins with this goal."""
    assert run(["bash", "-n", "bootstrap"], folder).returncode == 0
    assert os.access(folder / "bootstrap", os.X_OK)
    usage = run(["./bootstrap", "--help"], folder)
    assert usage.returncode == 0
    assert arguments[0] in re.findall(r"bootstrap (\w+) ", usage.stdout)


def follow(command: str, folder: Path, exports: Iterable[str] = ()) -> str:
    """Runs one command of a page, after what the page exports; its output. Goals of scons are asked what they would do:
    each is tested elsewhere, or contains this test."""
    words = shlex.split(command)
    if words[0] == "./bootstrap":
        check_bootstrap(words[1:], folder)
        words[0] = "scons"
    goals = [word for word in words[1:] if words[0] == "scons" and not word.startswith("-") and "=" not in word]
    if goals:
        command = shlex.join(["scons", "-n", *words[1:]])
    finished = run("\n".join([*exports, command]), folder)
    allowed = {0, TIMED_OUT} if words[0] == "timeout" else {0}
    assert finished.returncode in allowed, f"{command}\n{finished.stdout}"
    warned = [line for line in finished.stdout.splitlines() if "warning: " in line and STATED not in line]
    assert not warned, f"{command}\n{finished.stdout}"
    return finished.stdout


def walk(blocks: Iterable[Block], project: Path) -> dict[str, str]:
    """Follows blocks in order; returns the output of each command."""
    printed: dict[str, str] = {}
    exports: list[str] = []
    for block in blocks:
        if block.reason:
            continue
        if block.language == "sh":
            for command in block.commands():
                printed[command] = follow(command, project, exports)
                exports += [command] * command.startswith("export ")
        elif block.edit:
            block.edit.apply(project)
        elif block.language == "toml":
            tomllib.loads(block.text)
    return printed


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project with what is built already, in which README.md was followed; TargetError with
    the package of a program that is missing."""
    for tool in TOOLS:
        find_tool(tool)
    folder = copy_project(tmp_path_factory.mktemp("walk") / "ossicle")
    printed = walk(read_blocks(read_page(README.name)), folder)
    assert "compiling" not in printed["scons"], "the copy was built again, which takes a minute of processor time"
    assert 500 < int(printed["build/game/hello"].removesuffix(" mm\n")) < 1500
    return folder


def test_the_front_page_is_short_and_begins_with_code() -> None:
    text = read_page(README.name)
    assert text.count("\n") <= 150
    assert next(block for block in read_blocks(text) if block.language == "c").line <= 40


@pytest.mark.parametrize("page", OTHERS)
def test_all_blocks_work_in_their_order(page: str, project: Path) -> None:
    text = read_page(page)
    printed = walk(read_blocks(text.partition(STEPS)[0], page), project)
    for command, output in printed.items():
        if command.startswith("timeout"):  # the board: clock, player and serial port work
            assert len(set(re.findall(r"^right hand at (\d{4}) mm$", output, re.MULTILINE))) > 20
            assert (project / "build/game/game.hex").read_text(encoding="ascii").endswith(":00000001FF\n")
        if command == "build/game/test_game":
            assert output == "all tests passed\n"


def test_samples_are_written_as_shown(project: Path) -> None:
    for name, sample in sample_files(all_blocks()).items():
        assert (project / "build/game" / name).read_text(encoding="utf-8") == sample


def test_the_game_is_clean(project: Path) -> None:
    """Its files compile strictly and run clean under the sanitizers."""
    game = project / "build/game"
    walk([block for block in read_blocks(read_page("runtime/README.md")) if "--joints" in block.text], project)
    flags = [*STRICT, *SANITIZERS, *INCLUDES]  # of the runtime as others compile it
    runtime = [game / f"{source.stem}.clean.o" for source in RUNTIME]
    for source, result in zip(RUNTIME, runtime):
        compile_file([SANITIZING, *flags], source, result, f"{source.name} does not compile")
    sources = [*(game / f"{name}.c" for name in ("test_game", "game", "flash", "mask")), *sorted(game.glob("hero_*.c"))]
    program = build_program(SANITIZING, [*flags, f"-I{game}"], sources, game / "clean", list(map(str, runtime)))
    ran = run([str(program)], project)
    assert (ran.returncode, ran.stdout) == (0, "all tests passed\n")


@pytest.mark.parametrize("block", all_blocks(), ids=lambda block: block.where)
def test_every_block_is_something_that_a_test_follows(block: Block) -> None:
    assert block.language in LANGUAGES, block.where
    if block.language in ("c", "python") and not block.reason:
        assert block.file_name or block.edit, f"{block.where}: its first line has to name the file"
    if block.reason:
        assert block.language == "sh" and len(block.reason.split()) > 2, block.where


def test_commands_that_are_not_run_name_goals(project: Path) -> None:
    goals = goals_of(run("scons -h", project).stdout)
    assert {"test", "demo"} <= goals
    for block in all_blocks():
        for command in block.commands() if block.language == "sh" and block.reason else ():
            words = shlex.split(command, comments=True)
            if words[0] in ("scons", "./bootstrap"):
                assert {word for word in words[1:] if "=" not in word} <= goals, block.where
