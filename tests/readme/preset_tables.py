"""The tables of codegen/PRESETS.md, made of codegen/presets.csv."""
from __future__ import annotations

import csv
from pathlib import Path

from ossicle.compare.report import COLUMNS

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "codegen/PRESETS.md"
FIGURES = ROOT / "codegen/presets.csv"
START = "<!-- tables of all presets: written by tests/readme/update_presets.py -->\n"
END = "<!-- end of tables -->\n"


def read_figures(text: str) -> list[dict[str, str]]:
    """The lines of a compare.csv; ValueError where it is none."""
    reader = csv.DictReader(text.splitlines())
    if tuple(reader.fieldnames or ()) != COLUMNS:
        raise ValueError(f"the first line has to be {','.join(COLUMNS)}: take the compare.csv of "
                         "`ossicle compare`")
    return list(reader)


def _grouped(number: str) -> str:
    return f"{int(number):,}" if number else ""


def _row(row: dict[str, str]) -> str:
    holding = round(float(row["share_holding"]) * int(row["clips"])) if row["share_holding"] else 0
    cells = (f"`{row['scheme']}`", _grouped(row["bytes"]),
             row["ratio"] and f"{float(row['ratio']):.1f}",
             row["worst_mm"] and f"{float(row['worst_mm']):.4g}",
             row["mean_mm"] and f"{float(row['mean_mm']):.3g}",
             f"{holding} of {row['clips']}", _grouped(row["ram_bytes"]), _grouped(row["row_m4"]))
    return "| " + " | ".join(cells) + " |"


def tables(figures: list[dict[str, str]]) -> str:
    """A table for each corpus and tolerance, the smallest first."""
    blocks: dict[tuple[str, str], list[dict[str, str]]] = {}
    for row in figures:
        blocks.setdefault((row["corpus"], row["tolerance_mm"]), []).append(row)
    lines: list[str] = []
    for (corpus, tolerance), rows in blocks.items():
        lines += ["", f"{corpus}, {rows[0]['clips']} clips, {tolerance} mm:", "",
                  "| scheme | bytes | ratio | largest mm | mean mm | clips that hold | RAM bytes | "
                  "row, Cortex-M4 |", "|---|---:|---:|---:|---:|---:|---:|---:|"]
        lines += [_row(row) for row in sorted(
            rows, key=lambda row: (not row["bytes"], int(row["bytes"] or 0)))]
    return "\n".join([*lines, "", ""])


def tables_of(text: str) -> str:
    """What lies between the markers; ValueError without them."""
    start, end = text.find(START), text.find(END)
    if start < 0 or end < start:
        raise ValueError("PRESETS.md: the markers of the tables are missing")
    return text[start + len(START): end]
