"""The games that `ossicle init` writes."""
from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest
from figures import figure
from ossicle.cli.commands.init import targets_with_game
from ossicle.cli.main import main
from ossicle.machines import list_targets, load_target
from ossicle.machines.uf2 import uf2_of
from pages import ROOT, read_blocks, read_page, sample_files
from mentions import mentions

pytestmark = pytest.mark.integration

GAMES = targets_with_game()
DISPLAYS = [name for name in GAMES if load_target(name).screen]
SAMPLE_STATES = ("idle", "move", "leap", "gesture.none", "gesture.wave")
LEAST_PICTURES = 100
MOST_CYCLES = 50_000  # of a frame with two heroes that share rows and blend them
# Stands for the command where only the board is of interest: a character without code.
COMMAND = f"""#!/bin/sh
case "$*" in
paths*) echo {ROOT}/codegen/rules ;;
*--list*) echo source=build/ossicle/hero.c; echo include=build/ossicle ;;
*) mkdir -p "$4"; : > "$4/hero.h"; : > "$4/hero.c"; for last; do :; done; echo "hero.h: hero.toml" > "$last" ;;
esac
"""
MAIN = '#include "print.h"\n\nint main(void)\n{\n    print_line("answer: ", 42);\n    return 0;\n}\n'


def make(folder: Path, *words: str, path: Path = ROOT / "build/bin") -> str:
    """Runs make; returns its output and that of the game, which QEMU prints as errors."""
    environment = os.environ | {"PATH": f"{path}:{os.environ['PATH']}"}
    ran = subprocess.run(["make", "-s", *words], cwd=folder, env=environment, text=True, check=False,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=600)
    assert ran.returncode == 0, ran.stdout
    return ran.stdout


@pytest.fixture(scope="module")
def heights(built_encoder: None) -> set[str]:
    """Output of the games so far."""
    return set()


@pytest.mark.parametrize("target", [
    pytest.param(name, marks=[] if name == "host" else pytest.mark.exhaustive) for name in ("host", "microbit")])
def test_the_game_works(target: str, tmp_path: Path, heights: set[str]) -> None:
    """It builds without a warning, and prints the same on every machine. tests/wheel plays it on all others."""
    assert main(["init", target, "-o", str(tmp_path / "game")]) == 0
    printed = make(tmp_path / "game", "run")
    lines = printed.splitlines()
    assert len(lines) == 6 and len(set(lines)) > 1 and all(500 < int(line.removeprefix("right hand, mm: ")) < 1500
                                                           for line in lines)
    heights.add(printed)
    assert len(heights) == 1
    make(tmp_path / "game", "clean")
    assert {path.name for path in (tmp_path / "game").iterdir()} <= {
        "Makefile", "board", "build", "hero.glb", "hero.toml", "main.c"}


@pytest.mark.exhaustive
def test_the_game_on_a_display(tmp_path: Path, built_encoder: None) -> None:
    """It builds without a warning, and plays its script: every state, and pictures that differ."""
    assert main(["init", "gba", "-o", str(tmp_path / "game")]) == 0
    lines = make(tmp_path / "game", "run").splitlines()
    assert {line.removeprefix("state ") for line in lines if line.startswith("state ")} == set(SAMPLE_STATES)
    assert not any("warning" in line for line in lines) and lines[-1].startswith("hash ")
    assert (tmp_path / "game/game.gba").stat().st_size > 0
    pictures = {path.read_bytes() for path in (tmp_path / "game/film").glob("00-*.png")}
    assert len(pictures) > LEAST_PICTURES
    make(tmp_path / "game", "clean")
    assert {path.name for path in (tmp_path / "game").iterdir() if path.suffix not in (".c", ".h")} <= {
        "Makefile", "board", "build", "hero.glb", "hero.toml"}


@pytest.mark.exhaustive
def test_two_heroes_on_the_game_boy_advance(tmp_path: Path, built_encoder: None) -> None:
    """The game of the page, with the cycles that the page states."""
    page = read_page("codegen/rules/README.md")
    assert main(["init", "gba", "-o", str(tmp_path / "game")]) == 0
    (tmp_path / "game/main.c").write_text(sample_files(read_blocks(page))["gba.c"], encoding="utf-8")
    average, worst = map(int, re.findall(r": (\d+)$", make(tmp_path / "game", "run"), re.MULTILINE))
    assert average <= worst <= MOST_CYCLES
    assert (average, worst) == tuple(figure(f"gba.two_heroes_{name}_cycles") for name in ("average", "worst"))


@pytest.mark.parametrize("target", sorted(set(GAMES) - set(DISPLAYS)))
def test_the_board_is_whole(target: str, tmp_path: Path) -> None:
    """Start-up code, linker script and flags make a program, with the file that goes to the machine."""
    assert main(["init", target, "-o", str(tmp_path / "game")]) == 0
    (tmp_path / "ossicle").write_text(COMMAND, encoding="utf-8")
    (tmp_path / "ossicle").chmod(0o755)
    (tmp_path / "game/main.c").write_text(MAIN, encoding="utf-8")
    lines = make(tmp_path / "game", "OSSICLE=ossicle", path=tmp_path).splitlines()
    # a C library
    assert not [line for line in lines if not line.endswith("linking abicalls files with non-abicalls files")]
    suffixes = {path.suffix for path in (tmp_path / "game").glob("game*")}
    assert {"", *load_target(target).rom[:1]} <= suffixes


def test_the_file_for_the_drive_of_a_pico(tmp_path: Path) -> None:
    """The program has been linked before, without this file."""
    assert main(["init", "pico", "-o", str(tmp_path / "game")]) == 0
    (tmp_path / "ossicle").write_text(COMMAND, encoding="utf-8")
    (tmp_path / "ossicle").chmod(0o755)
    program = tmp_path / "game/game"
    subprocess.run(["arm-none-eabi-gcc", "-nostdlib", "-Wl,-Ttext=0x10000000,-e,0", "-x", "assembler", "-", "-o",
                    program], input=".word 1, 2, 3\n", text=True, check=True)
    make(tmp_path / "game", "-o", "game", "game.uf2", "OSSICLE=ossicle", path=tmp_path)
    assert program.with_suffix(".uf2").read_bytes() == uf2_of(program)
    assert "game.uf2" in make(tmp_path / "game", "-n", "-o", "game", "-W", "game", "all", path=tmp_path)


def test_every_target_has_a_game_or_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    others = sorted(set(list_targets()) - set(GAMES))
    assert others == ["nds", "psp", "wasm", "xtensa"]
    for target in others:
        assert main(["init", target, "-o", str(tmp_path)]) == 1 and not list(tmp_path.iterdir())
        named = capsys.readouterr().err.rpartition(": ")[2].strip().split(", ")
        assert named == GAMES


def test_one_line_names_the_next_step(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["init", "gba", "-o", str(tmp_path / "my game")]) == 0
    last = capsys.readouterr().out.splitlines()[-1]
    assert f"make -C '{tmp_path}/my game' run" in last
    [packages] = re.findall(r"apt install ([\w .+-]+)", last)
    assert {"make", "gcc-arm-none-eabi", "libnewlib-arm-none-eabi", "libmgba-dev"} <= set(packages.split())


def test_without_a_target_it_is_for_this_computer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["init"]) == 0
    assert 'target = "host"' in (tmp_path / "hero.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["main.c", "board/print.c"])
def test_no_file_is_overwritten(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_text("mine", encoding="utf-8")
    assert main(["init", "microbit", "-o", str(tmp_path)]) == 1
    assert mentions(capsys.readouterr().err, path)
    assert [path_found for path_found in tmp_path.rglob("*") if path_found.is_file()] == [path]
    assert path.read_text(encoding="utf-8") == "mine"


def test_an_unknown_target(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["init", "micrabit", "-o", str(tmp_path)]) == 1
    assert mentions(capsys.readouterr().err, "microbit") and not list(tmp_path.iterdir())
