"""Compiler flags of the encoder library, for SConscript and setup.py.

Floating point has to give the same bits on every machine: contraction into fused operations is off,
and neither -ffast-math nor -march may ever be added.
"""
from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FLAGS = ("-std=c99", "-O3", "-ffp-contract=off", "-fno-semantic-interposition")
INCLUDES = ("runtime", "platforms/scalar", "codegen/encoder")
SOURCES = ("runtime", "codegen/encoder")


def find_compiler() -> list[str]:
    """Returns the C compiler that CC names, or the first that is installed. Raises SystemExit."""
    if os.environ.get("CC"):
        return shlex.split(os.environ["CC"])
    for name in ("cc", "gcc", "clang"):
        if shutil.which(name):
            return [name]
    raise SystemExit("ossicle: no C compiler is installed; install gcc or clang, or name one in CC")


def build_library(compiler: Sequence[str], library: Path, objects: Path) -> None:
    """Compiles and links the encoder library. The user's CPPFLAGS and CFLAGS come before the flags on which the bits
    depend, LDFLAGS before the objects. objects: the folder for these. Raises SystemExit if the compiler fails."""
    objects.mkdir(parents=True, exist_ok=True)
    position = [] if sys.platform == "win32" else ["-fPIC"]
    flags = [*FLAGS, *_of_user("CPPFLAGS"), *_of_user("CFLAGS"), "-fno-fast-math", "-ffp-contract=off", *position,
             *(f"-I{ROOT / folder}" for folder in INCLUDES)]
    sources = sorted(path for folder in SOURCES for path in (ROOT / folder).rglob("*.c"))
    results = [objects / f"{number}.o" for number in range(len(sources))]

    def compile_one(source: Path, result: Path) -> None:
        _run([*compiler, *flags, "-c", str(source), "-o", str(result)])

    with ThreadPoolExecutor(os.cpu_count()) as threads:
        list(threads.map(compile_one, sources, results))
    library.parent.mkdir(parents=True, exist_ok=True)
    _run([*compiler, *flags, *_of_user("LDFLAGS"), "-shared", *map(str, results), "-lm", "-o", str(library)])


def _of_user(name: str) -> list[str]:
    return shlex.split(os.environ.get(name, ""))


def _run(command: Sequence[str]) -> None:
    try:
        status = subprocess.run(command, check=False).returncode
    except OSError as error:
        raise SystemExit(f"ossicle: {command[0]}: {error.strerror}; name a C compiler in CC") from error
    if status != 0:
        raise SystemExit(f"ossicle: {shlex.join(command)} failed with status {status}")
