"""The program that calls the stage for its tests."""
from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "golden")]

from c_programs import SANITIZERS, SANITIZING, build_program  # noqa: E402
from pages import ROOT  # noqa: E402

STAGE = ROOT / "targets/stage"
Draw = Callable[[str, Iterable[object]], list[int]]


@pytest.fixture(scope="session")
def draw(tmp_path_factory: pytest.TempPathFactory) -> Draw:
    """Calls draw.c, under sanitizers: a word, and numbers."""
    program = tmp_path_factory.mktemp("stage") / "draw"
    build_program(SANITIZING, ["-std=c99", "-O1", *SANITIZERS, f"-I{STAGE}", f"-I{ROOT / 'runtime'}",
                               f"-I{ROOT / 'platforms/scalar'}"], [HERE / "draw.c", *sorted(STAGE.glob("*.c"))],
                  program)

    def ask(what: str, numbers: Iterable[object]) -> list[int]:
        command = f"{what} {' '.join(map(str, numbers))}"
        ran = subprocess.run([program], input=command, capture_output=True, text=True, check=True)
        return [int(word) for word in ran.stdout.split()]

    return ask
