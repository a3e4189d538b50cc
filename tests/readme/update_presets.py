"""Writes the tables of codegen/PRESETS.md: `update_presets.py [COMPARE.csv]`; with a file that
`ossicle compare` wrote, that first becomes codegen/presets.csv."""
from __future__ import annotations

import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "codegen"))

from preset_tables import END, FIGURES, PAGE, START, read_figures, tables, tables_of


def main(arguments: list[str]) -> int:
    """Replaces the tables; the exit status."""
    if len(arguments) > 1:
        print("usage: update_presets.py [COMPARE.csv]", file=sys.stderr)
        return 2
    source = Path(arguments[0]) if arguments else FIGURES
    try:
        content = source.read_text(encoding="utf-8")
        new = tables(read_figures(content))
        text = PAGE.read_text(encoding="utf-8")
        old = tables_of(text)
        FIGURES.write_text(content, encoding="utf-8")
        PAGE.write_text(text.replace(START + old + END, START + new + END), encoding="utf-8")
    except (ValueError, OSError) as problem:
        print(f"update_presets.py: {source}: {problem}", file=sys.stderr)
        return 1
    print("PRESETS.md: the tables are " + ("unchanged" if new == old else "new"))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
