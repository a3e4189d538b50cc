"""Shows the figures of figures.toml in all pages: `update_figures.py [TABLE...]`. The tables named are made first: demo
and fast_rows by measuring, gba and peers from what `scons bench` measured, presets from codegen/presets.csv."""
from __future__ import annotations

import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path[:0] = [str(Path(__file__).resolve().parents[2] / folder)
                for folder in ("codegen", "tests/support", "tests/readme/tables")]

import demo_table
import fast_rows
import gba_table
import peers_table
import preset_tables
from figures import filled, write_table
from ossicle.cli.main import PROBLEMS
from pages import ROOT, pages, read_page

TABLES = {"demo": demo_table, "fast_rows": fast_rows, "gba": gba_table, "peers": peers_table,
          "presets": preset_tables}


def main(names: list[str]) -> int:
    """Updates pages; the exit status."""
    unknown = [name for name in names if name not in TABLES]
    if unknown:
        print(f"update_figures.py: {unknown[0]!r}: there are {', '.join(TABLES)}", file=sys.stderr)
        return 2
    try:
        for name in names:
            with tempfile.TemporaryDirectory() as folder:
                changed = write_table(TABLES[name].PAGE, name, TABLES[name].made_table(Path(folder)))
            print(f"{name}: {'new' if changed else 'unchanged'}")
        for page in pages():
            text = read_page(page)
            if filled(text) != text:
                (ROOT / page).write_text(filled(text), encoding="utf-8")
                print(f"wrote {page}")
    except (*PROBLEMS, ValueError, OSError) as problem:
        print(f"update_figures.py: {problem}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
