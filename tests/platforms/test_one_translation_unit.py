"""All of the runtime as one translation unit: no name clashes, no warning, the same poses."""
from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from c_programs import ROOT, RUNTIME

WARNINGS = ["-std=c99", "-Wall", "-Wextra", "-Wshadow", "-Wconversion", "-Werror"]
TESTS = ["codecs/test_codecs.c", "pose/test_player.c", "pose/test_compose.c"]  # check hashes of poses
BUILDS = {
    "scalar-gcc": ["gcc"],
    "scalar-clang": ["clang"],
    "sse2-gcc": ["gcc", "-Iplatforms/sse"],
    "sse2-clang": ["clang", "-Iplatforms/sse"],
    "avx2-gcc": ["gcc", "-mavx2", "-Iplatforms/sse"],
    "avx2-clang": ["clang", "-mavx2", "-Iplatforms/sse"],
    "cortex-m0": ["arm-none-eabi-gcc", "-mcpu=cortex-m0", "-mthumb"],
    "dsp": ["arm-none-eabi-gcc", "-mcpu=cortex-m4", "-mthumb", "-Iplatforms/dsp"],
    "dsp-fast-rows": ["arm-none-eabi-gcc", "-mcpu=cortex-m4", "-mthumb", "-DOSC_FAST_ROWS=1", "-Iplatforms/dsp"],
    "dsp-clang": ["clang", "--target=arm-none-eabi", "-mcpu=cortex-m4", "-mthumb", "-Iplatforms/dsp"],
    "mve": ["arm-none-eabi-gcc", "-mcpu=cortex-m55", "-mthumb", "-mfloat-abi=hard", "-Iplatforms/mve"],
    "neon-gcc": ["aarch64-linux-gnu-gcc", "-Iplatforms/neon"],
    "neon-clang": ["clang", "--target=aarch64-none-elf", "-Iplatforms/neon"],
    "wasm": ["clang", "--target=wasm32", "-msimd128", "-Iplatforms/wasm"],
}
ON_THIS_COMPUTER = [name for name in BUILDS if name.startswith(("scalar", "sse2"))]


def compile_unit(build: str, tmp_path: Path, *how: str) -> Path:
    """The runtime as one object, compiled without a warning."""
    unit, result = tmp_path / "unit.c", tmp_path / "unit.o"
    unit.write_text("".join(f'#include "{source}"\n' for source in RUNTIME))
    subprocess.run([*BUILDS[build], "-Iruntime", "-Iplatforms/scalar", "-ffreestanding", *WARNINGS, *how,
                    unit, "-o", result], cwd=ROOT, check=True)
    return result


def thinned(builds: list[str]) -> list:
    """All builds; clang repeats those of gcc only in long runs."""
    return [pytest.param(name, marks=pytest.mark.exhaustive
                         if name.endswith("-clang") and name.replace("-clang", "-gcc") in BUILDS else [])
            for name in builds]


@pytest.mark.parametrize("build", thinned(list(BUILDS)))
def test_no_warning(build: str, tmp_path: Path) -> None:
    if os.uname().machine != "x86_64" and "-Iplatforms/sse" in BUILDS[build]:
        pytest.skip("needs a compiler for x86-64")
    compile_unit(build, tmp_path, "-fsyntax-only")  # takes a fifth of the time


@pytest.mark.exhaustive
@pytest.mark.parametrize("build", ON_THIS_COMPUTER)
def test_same_poses(build: str, tmp_path: Path) -> None:
    if os.uname().machine != "x86_64" and "-Iplatforms/sse" in BUILDS[build]:
        pytest.skip("needs an x86-64 processor")
    unit, program = compile_unit(build, tmp_path, "-O2", "-c"), tmp_path / "program"
    support = sorted((ROOT / "tests/support/c").glob("*.c"))
    for test in TESTS:
        subprocess.run([*BUILDS[build], "-Iruntime", "-Iplatforms/scalar", "-Itests/support/c", "-std=c99",
                        ROOT / "tests/runtime" / test, *support, unit, "-lcmocka", "-o", program], cwd=ROOT, check=True)
        subprocess.run([program], check=True, stdout=subprocess.DEVNULL)
