"""Banks of the demo character from the encoder as some compiler makes it."""
from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

from c_programs import ENCODER, ENCODER_INCLUDES, ROOT, RUNTIME, build_program
from ossicle.encoding.encoder import encode
from ossicle.model.lengths import Tolerance
from ossicle.encoding.settings import Settings

HERO = ROOT / "codegen/demo/hero.glb"
TOLERANCES_M = (2e-4, 2e-3)
# Encodes in a process of its own, as the library is loaded once a process.
SCRIPT = "import encoder_builds; print(*encoder_builds.bank_hashes())"


def bank_hashes(jobs: int | None = None) -> list[str]:
    """SHA-256 of a bank for each tolerance, from the library that this process has loaded."""
    banks = [encode([HERO], Settings(tolerance=Tolerance(t)), jobs).bank for t in TOLERANCES_M]
    return [hashlib.sha256(bank).hexdigest() for bank in banks]


def hashes_of_build(compiler: str, level: str, folder: Path) -> list[str]:
    """bank_hashes of a library that is built in the folder."""
    library = build_program(
        compiler, ["-std=c99", level, "-ffp-contract=off", "-fPIC", "-Wall", "-Wextra", "-Wconversion",
                   "-Werror", *ENCODER_INCLUDES], [*ENCODER, *RUNTIME], folder / "encoder.so", ["-shared", "-lm"])
    path = os.pathsep.join([str(ROOT / "codegen"), str(Path(__file__).parent)])
    finished = subprocess.run(
        [sys.executable, "-c", SCRIPT], check=True, text=True, capture_output=True, timeout=120,
        env=os.environ | {"OSSICLE_ENCODER": str(library), "PYTHONPATH": path})
    return finished.stdout.split()
