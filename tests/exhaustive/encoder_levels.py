"""The encoder writes the same banks, compiled by gcc and clang at every level: part of `scons roots`.
The tests have one level of each."""
from __future__ import annotations

import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path[:0] = [str(ROOT / "codegen"), str(ROOT / "tests/support")]

from encoder_builds import hashes_of_build  # noqa: E402

BUILDS = [(compiler, f"-O{level}") for compiler in ("gcc", "clang") for level in range(4)]


def main() -> int:
    """0 where all banks are the same."""
    found = {}
    for compiler, level in BUILDS:
        with tempfile.TemporaryDirectory() as folder:
            hashes = found[compiler, level] = hashes_of_build(compiler, level, Path(folder))
        print(f"{compiler} {level}: {' '.join(text[:8] for text in hashes)}", flush=True)
    if len(set(map(tuple, found.values()))) != 1:
        print("the encoder's banks depend on the compiler", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
