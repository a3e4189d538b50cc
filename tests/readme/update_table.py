"""Runs the demo and writes its numbers to README.md: `update_table.py`, without arguments."""
from __future__ import annotations

import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path[:0] = [str(Path(__file__).resolve().parents[2] / folder)
                for folder in ("codegen", "tests/support")]

from demo_table import clip_table, compiler_version, run_quietly, target_table
from ossicle.cli.main import PROBLEMS
from pages import README, TABLE_END, TABLE_START, table_of


def main() -> int:
    """Replaces the table; the exit status."""
    try:
        text = README.read_text(encoding="utf-8")
        old = table_of(text)
        with tempfile.TemporaryDirectory() as folder:
            result, played = run_quietly(Path(folder))
        new = f"\n{clip_table(result)}\n{target_table(played, compiler_version())}\n"
    except (*PROBLEMS, ValueError, OSError) as problem:
        print(f"update_table.py: {problem}", file=sys.stderr)
        return 1
    README.write_text(text.replace(TABLE_START + old + TABLE_END, TABLE_START + new + TABLE_END),
                      encoding="utf-8")
    print("README.md: the demo table is " + ("unchanged" if new == old else "new"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
