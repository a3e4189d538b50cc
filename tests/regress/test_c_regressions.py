"""Each C program here is a bug that was there once; under sanitizers it must end with status 0."""
from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from c_programs import ENCODER, ENCODER_SANITIZERS, INCLUDES, RUNTIME, SANITIZERS, SANITIZING, STRICT, build_program

FOLDER = Path(__file__).resolve().parent


def _run(source: Path, folder: Path, flags: Sequence[str], more: Sequence[Path] = ()) -> None:
    """Builds the program with the runtime and its other sources, and runs it."""
    program = build_program(SANITIZING, flags, [source, *RUNTIME, *more], folder / source.stem, ["-lm"])
    run = subprocess.run([program], capture_output=True, text=True, timeout=60, check=False)
    assert run.returncode == 0, run.stderr


@pytest.mark.parametrize("source", sorted(FOLDER.glob("*.c")), ids=lambda path: path.stem)
def test_stays_fixed(source: Path, tmp_path: Path) -> None:
    _run(source, tmp_path, [*STRICT, *SANITIZERS, *INCLUDES])


@pytest.mark.parametrize("source", sorted(FOLDER.glob("encoder/*.c")), ids=lambda path: path.stem)
def test_the_encoder_stays_fixed(source: Path, tmp_path: Path) -> None:
    _run(source, tmp_path, ENCODER_SANITIZERS, ENCODER)
