"""Follows README.md from top to bottom in a copy of the project."""
from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
from c_programs import INCLUDES, RUNTIME, SANITIZERS, STRICT, build_program
from ossicle.targets.tools import find_tool
from readme_blocks import README, ROOT, read_blocks, sample_files

NOT_COPIED = shutil.ignore_patterns("build", ".git", "__pycache__", ".hypothesis", ".pytest_cache",
                                    "*.ossb")
TOOLS = ("scons", "gcc", "clang", "arm-none-eabi-gcc", "qemu-system-arm")
TIMED_OUT = 124  # what `timeout` returns when it had to end an endless program
SLOW_GOALS = {"demo", "test", "fuzz", "roots"}  # tested elsewhere, or these tests themselves


def run(command: str | list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Runs a command as a user would; its errors are merged into its output."""
    if isinstance(command, str):
        command = ["bash", "-euo", "pipefail", "-c", command]
    environment = {name: value for name, value in os.environ.items()
                   if name not in ("PYTHONPATH", "OSSICLE_ENCODER")}
    return subprocess.run(command, cwd=folder, env=environment, check=False, text=True,
                          timeout=120, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)


def check_bootstrap(arguments: list[str], folder: Path) -> None:
    """The script parses, and what it lists begins with this goal."""
    assert run(["bash", "-n", "bootstrap"], folder).returncode == 0
    assert os.access(folder / "bootstrap", os.X_OK)
    usage = run(["./bootstrap", "--help"], folder)
    assert usage.returncode == 0
    goals = re.findall(r"bootstrap (\w+) ", usage.stdout)
    assert arguments[0] in goals
    assert run(["scons", "-Q", "-n", *arguments], folder).returncode == 0


def follow(command: str, folder: Path) -> str:
    """Runs one command of the README; its output."""
    words = shlex.split(command)
    if words[0] == "./bootstrap":
        check_bootstrap(words[1:], folder)
        return ""
    if words[0] == "scons" and SLOW_GOALS & set(words):
        command = shlex.join(["scons", "-n", *words[1:]])
    finished = run(command, folder)
    allowed = {0, TIMED_OUT} if words[0] == "timeout" else {0}
    assert finished.returncode in allowed, f"{command}\n{finished.stdout}"
    assert "warning" not in finished.stdout, f"{command}\n{finished.stdout}"
    return finished.stdout


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A copy of the project as it is checked out; TargetError with the package of a program that
    is missing."""
    for tool in TOOLS:
        find_tool(tool)
    return shutil.copytree(ROOT, tmp_path / "ossicle", ignore=NOT_COPIED)


def test_all_commands_work_in_their_order(project: Path) -> None:
    text = README.read_text(encoding="utf-8")
    printed = {}
    for block in read_blocks(text):
        if block.language == "sh":
            for command in block.commands():
                printed[command] = follow(command, project)
    game = project / "build/game"
    for name, sample in sample_files(text).items():
        assert (game / name).read_text(encoding="utf-8") == sample
    assert printed["build/game/test_game"] == "all tests passed\n"
    check_samples(project)
    booted = next(out for command, out in printed.items() if command.startswith("timeout"))
    heights = set(re.findall(r"^right hand at (\d{4}) mm$", booted, re.MULTILINE))
    assert len(heights) > 20  # the hand moves: clock, player and serial port work
    assert (game / "game.hex").read_text(encoding="ascii").endswith(":00000001FF\n")


def check_samples(project: Path) -> None:
    """The samples compile strictly with both compilers and run clean under the sanitizers."""
    game = project / "build/game"
    sources = [*(game / f"{name}.c" for name in ("test_game", "game", "flash", "mask")),
               *sorted(game.glob("hero_*.c")), *RUNTIME]
    for compiler in ("gcc", "clang"):
        program = build_program(compiler, [*STRICT, *SANITIZERS, *INCLUDES, f"-I{ROOT / 'targets'}",
                                           f"-I{game}"], sources, game / f"test_{compiler}")
        ran = run([str(program)], project)
        assert (ran.returncode, ran.stdout) == (0, "all tests passed\n")
