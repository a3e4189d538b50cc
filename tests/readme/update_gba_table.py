"""Writes the table of keyframes and codecs of targets/README.md from what `scons bench` measured:
`update_gba_table.py [poses.csv]`."""
from __future__ import annotations

import sys
from pathlib import Path

sys.dont_write_bytecode = True

from gba_table import BANKS, END, PAGE, POSES, START, rows_of, section_of, table


def main(arguments: list[str]) -> int:
    """Replaces the table; the exit status."""
    poses = Path(arguments[0]) if arguments else POSES
    try:
        text = PAGE.read_text(encoding="utf-8")
        old = section_of(text)
        new = table(rows_of(poses, "scons bench BENCH_TARGETS=gba writes it"),
                    rows_of(BANKS, "scons presets writes it"))
    except (ValueError, OSError) as problem:
        print(f"update_gba_table.py: {problem}", file=sys.stderr)
        return 1
    PAGE.write_text(text.replace(START + old + END, START + new + END), encoding="utf-8")
    print(f"{PAGE.name}: the table is " + ("unchanged" if new == old else "new"))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
