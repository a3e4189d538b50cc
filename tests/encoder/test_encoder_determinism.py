"""The same input gives the same bytes: any number of threads, any run, any compiler."""
from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ossicle import encode as encode_module
from ossicle.lengths import Tolerance
from ossicle.settings import Settings
from c_programs import ENCODER, ROOT, RUNTIME, build_program

HERO = ROOT / "codegen/demo/hero.glb"
TOLERANCES_M = (2e-4, 2e-3)
BUILDS = {
    "clang-O1": ("clang", "-O1"),
    "clang-O2": ("clang", "-O2"),
    "gcc-O0": ("gcc", "-O0"),
    "gcc-O3": ("gcc", "-O3"),
}
# Encodes the demo character in a process of its own, as the library is loaded once a process.
SCRIPT = """
import hashlib, sys
from pathlib import Path
from ossicle.encode import encode
from ossicle.lengths import Tolerance
from ossicle.settings import Settings
for tolerance in sys.argv[2:]:
    bank = encode([Path(sys.argv[1])], Settings(tolerance=Tolerance(float(tolerance)))).bank
    print(hashlib.sha256(bank).hexdigest())
"""


def bank_hashes(jobs: int | None = None) -> list[str]:
    banks = [encode_module.encode([HERO], Settings(tolerance=Tolerance(t)), jobs).bank
             for t in TOLERANCES_M]
    return [hashlib.sha256(bank).hexdigest() for bank in banks]


@pytest.fixture(scope="module")
def expected() -> list[str]:
    return bank_hashes(jobs=1)


def test_threads_and_runs_do_not_matter(expected: list[str]) -> None:
    assert bank_hashes(jobs=2) == expected
    assert bank_hashes(jobs=5) == expected
    assert bank_hashes() == expected


def _compile(build: str, library: Path) -> None:
    compiler, level = BUILDS[build]
    build_program(compiler, ["-std=c99", level, "-ffp-contract=off", "-fPIC", "-Wall", "-Wextra",
                             "-Wconversion", "-Werror", f"-I{ROOT / 'runtime'}",
                             f"-I{ROOT / 'platforms/scalar'}"],
                  [*ENCODER, *RUNTIME], library, ["-shared", "-lm"])


@pytest.mark.parametrize("build", BUILDS)
def test_compilers_do_not_matter(build: str, tmp_path: Path, expected: list[str]) -> None:
    if shutil.which(BUILDS[build][0]) is None:
        pytest.skip(f"no {BUILDS[build][0]}")
    library = tmp_path / "encoder.so"
    _compile(build, library)
    finished = subprocess.run(
        [sys.executable, "-c", SCRIPT, HERO, *map(str, TOLERANCES_M)], check=True, text=True,
        capture_output=True, timeout=120,
        env=os.environ | {"OSSICLE_ENCODER": str(library), "PYTHONPATH": str(ROOT / "codegen"),
                          "PYTHONDONTWRITEBYTECODE": "1"})
    assert finished.stdout.split() == expected


def test_one_skeleton_serves_many_threads(expected: list[str]) -> None:
    with ThreadPoolExecutor(4) as pool:
        runs = [pool.submit(bank_hashes, 2) for _ in range(4)]
        assert all(run.result() == expected for run in runs)
