"""Measures the codecs with and without fast rows and writes the table of platforms/README.md:
`update_fast_rows.py`, without arguments."""
from __future__ import annotations

import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path[:0] = [str(Path(__file__).resolve().parents[2] / folder)
                for folder in ("codegen", "tests/support")]

from demo_table import compiler_version
from fast_rows import END, PAGE, START, measured_table, section_of
from ossicle.cli.main import PROBLEMS


def main() -> int:
    """Replaces the table; the exit status."""
    try:
        text = PAGE.read_text(encoding="utf-8")
        old = section_of(text)
        with tempfile.TemporaryDirectory() as folder:
            new = measured_table(Path(folder), compiler_version())
    except (*PROBLEMS, ValueError, OSError) as problem:
        print(f"update_fast_rows.py: {problem}", file=sys.stderr)
        return 1
    PAGE.write_text(text.replace(START + old + END, START + new + END), encoding="utf-8")
    print(f"{PAGE.name}: the table is " + ("unchanged" if new == old else "new"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
