"""Writes the tables of codegen/PRESETS.md: `update_presets.py [COMPARE.csv...]`. The files are those of
`ossicle compare`; their lines take the place of those of the same corpora in codegen/presets.csv."""
from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

sys.dont_write_bytecode = True
sys.path[:0] = [str(Path(__file__).resolve().parents[3] / folder)
                for folder in ("codegen", "tests/support", "tests/support/files")]

from encoder_digest import encoder_digest
from figures import table, write_table
from preset_tables import FIGURES, PAGE, made_by, read_comparison, read_figures, replaced, tables, write_figures


def update(comparisons: Sequence[Path]) -> bool:
    """Replaces figures and tables; whether the tables are others now. ValueError or OSError that names the file."""
    source = FIGURES
    try:
        figures = read_figures(FIGURES.read_text(encoding="utf-8"))
        measured = []
        for source in comparisons:
            measured.append(read_comparison(source.read_text(encoding="utf-8")))
        for rows in measured:
            figures = replaced(figures, made_by(encoder_digest, rows))
        source = PAGE
        table(PAGE, "presets")  # before anything is written
        FIGURES.write_text(write_figures(figures), encoding="utf-8")
        changed = write_table(PAGE, "presets", tables(figures))
    except ValueError as problem:
        raise ValueError(f"{source}: {problem}") from problem
    except OSError as problem:
        raise OSError(f"{source}: {problem}") from problem
    return changed


def main(arguments: list[str]) -> int:
    """The command line; the exit status."""
    if any(argument.startswith("-") for argument in arguments):
        print("usage: update_presets.py [COMPARE.csv...]", file=sys.stderr)
        return 2
    try:
        changed = update([Path(argument) for argument in arguments])
    except (ValueError, OSError) as problem:
        print(f"update_presets.py: {problem}", file=sys.stderr)
        return 1
    print("PRESETS.md: the tables are " + ("new" if changed else "unchanged"))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
