"""The games that `ossicle init` writes."""
from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from ossicle.cli.main import main
from pages import ROOT

# One of each kind: this computer, another under an emulator, a board, which tests/readme builds, too.
KINDS = ["host", "linux_armv7", "microbit"]


def make(folder: Path, *words: str) -> str:
    """Runs make; returns what it and the game print, which QEMU prints as errors."""
    environment = os.environ | {"PATH": f"{ROOT / 'build/bin'}:{os.environ['PATH']}"}
    ran = subprocess.run(["make", "-s", *words], cwd=folder, env=environment, text=True, check=False,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120)
    assert ran.returncode == 0, ran.stdout
    return ran.stdout


@pytest.fixture(scope="module")
def heights(built_encoder: None) -> set[str]:
    """What the games have printed so far."""
    return set()


@pytest.mark.parametrize("target", [
    pytest.param(name, marks=[] if name == "host" else pytest.mark.exhaustive) for name in KINDS])
def test_the_game_works(target: str, tmp_path: Path, heights: set[str]) -> None:
    """It builds without a warning, and prints the same on every machine."""
    assert main(["init", target, "-o", str(tmp_path / "game")]) == 0
    printed = make(tmp_path / "game", "run")
    lines = printed.splitlines()
    assert len(lines) == 6 and all(500 < int(line.removeprefix("right hand, mm: ")) < 1500 for line in lines)
    heights.add(printed)
    assert len(heights) == 1
    make(tmp_path / "game", "clean")
    assert {path.name for path in (tmp_path / "game").iterdir()} <= {
        "Makefile", "board", "build", "hero.glb", "hero.toml", "main.c"}


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
    assert f"{path}: is there already; choose an empty folder" in capsys.readouterr().err
    assert [one for one in tmp_path.rglob("*") if one.is_file()] == [path]
    assert path.read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize(("target", "said"), [("micrabit", "did you mean 'microbit'?"),
                                              ("wasm", "there is no game for it")])
def test_targets_without_a_game(target: str, said: str, tmp_path: Path,
                                capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["init", target, "-o", str(tmp_path)]) == 1
    assert said in capsys.readouterr().err and not list(tmp_path.iterdir())
