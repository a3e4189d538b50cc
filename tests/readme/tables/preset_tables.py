"""The tables of codegen/PRESETS.md, written from codegen/presets.csv: the output of `ossicle compare` for some
corpora, and behind each line the digest of the encoder that made it."""
from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable
from pathlib import Path

from ossicle.compare.report import COLUMNS

ROOT = Path(__file__).resolve().parents[3]
PAGE = ROOT / "codegen/PRESETS.md"
FIGURES = ROOT / "codegen/presets.csv"
ENCODER = "encoder"
_ROW_HEADING = " row, Cortex-M4 |"

Rows = list[dict[str, str]]


def read_figures(text: str) -> Rows:
    """The lines of presets.csv; ValueError where it is not one."""
    return _read(text, (*COLUMNS, ENCODER), "take the one of the last commit")


def read_comparison(text: str) -> Rows:
    """The lines of a compare.csv. Raises ValueError if it is not one."""
    return _read(text, COLUMNS, "take the compare.csv of `ossicle compare`")


def made_by(digest: Callable[[str], str], rows: Rows) -> Rows:
    """The lines of a comparison as lines of presets.csv. digest: that of the encoder for a scheme."""
    return [row | {ENCODER: digest(row["scheme"])} for row in rows]


def _read(text: str, columns: tuple[str, ...], remedy: str) -> Rows:
    reader = csv.DictReader(text.splitlines())
    if tuple(reader.fieldnames or ()) != columns:
        raise ValueError(f"the first line has to be {','.join(columns)}: {remedy}")
    return list(reader)


def write_figures(rows: Rows) -> str:
    """The text of presets.csv."""
    text = io.StringIO()
    writer = csv.DictWriter(text, (*COLUMNS, ENCODER), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def replaced(old: Rows, new: Rows) -> Rows:
    """The old lines with those of the corpora in `new` exchanged, which come behind the others where
    they are not known yet."""
    corpora = list(dict.fromkeys(row["corpus"] for row in (*old, *new)))
    fresh = {row["corpus"] for row in new}
    return [row for corpus in corpora for row in (new if corpus in fresh else old) if row["corpus"] == corpus]


def blocks(figures: Rows) -> dict[tuple[str, str], Rows]:
    """The lines by corpus and tolerance."""
    found: dict[tuple[str, str], Rows] = {}
    for row in figures:
        found.setdefault((row["corpus"], row["tolerance_mm"]), []).append(row)
    return found


def _grouped(number: str) -> str:
    return f"{int(number):,}" if number else ""


def _row(row: dict[str, str], with_costs: bool) -> str:
    holding = round(float(row["share_holding"]) * int(row["clips"])) if row["share_holding"] else 0
    cells = (f"`{row['scheme']}`", _grouped(row["bytes"]),
             row["ratio"] and f"{float(row['ratio']):.1f}",
             row["worst_mm"] and f"{float(row['worst_mm']):.4g}",
             row["mean_mm"] and f"{float(row['mean_mm']):.3g}",
             f"{holding} of {row['clips']}", _grouped(row["ram_bytes"]),
             *((_grouped(row["row_m4"]),) if with_costs else ()))
    return "| " + " | ".join(cells) + " |"


def _table(corpus: str, tolerance: str, rows: Rows) -> Iterable[str]:
    with_costs = any(row["row_m4"] for row in rows)
    heading, line = "| scheme | bytes | ratio | largest mm | mean mm | clips that hold | RAM bytes |", \
        "|---|---:|---:|---:|---:|---:|---:|"
    yield from ("", f"{corpus}, {rows[0]['clips']} clips, {tolerance} mm:", "")
    yield from (heading + _ROW_HEADING, line + "---:|") if with_costs else (heading, line)
    for row in sorted(rows, key=lambda row: (not row["bytes"], int(row["bytes"] or 0))):
        yield _row(row, with_costs)


def tables(figures: Rows) -> str:
    """A table for each corpus and tolerance, the smallest first; with the cost of rows where it was counted."""
    lines = [line for (corpus, tolerance), rows in blocks(figures).items() for line in _table(corpus, tolerance, rows)]
    return "\n".join([*lines, "", ""])


def made_table(_: Path) -> str:
    """The tables of presets.csv."""
    return tables(read_figures(FIGURES.read_text(encoding="utf-8")))
