"""Each C program here is a bug that was there once; under sanitizers it must end with status 0."""
from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parent
RUNTIME = FOLDER.parents[1] / "runtime"
COMPILER = os.environ.get("CC") or shutil.which("cc") or shutil.which("gcc")


@pytest.mark.skipif(COMPILER is None, reason="no C compiler")
@pytest.mark.parametrize("source", sorted(FOLDER.glob("*.c")), ids=lambda path: path.stem)
def test_stays_fixed(source: Path, tmp_path: Path) -> None:
    program = tmp_path / source.stem
    built = subprocess.run(
        [COMPILER, "-std=c99", "-O1", "-g", "-fsanitize=address,undefined",
         "-fno-sanitize-recover=all", f"-I{RUNTIME}", source, *sorted(RUNTIME.glob("*.c")),
         "-o", program], capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    run = subprocess.run([program], capture_output=True, text=True, timeout=60, check=False)
    assert run.returncode == 0, run.stderr
