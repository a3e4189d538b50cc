"""Codecs beside keyframes on the Game Boy Advance, as codegen/COMPARISONS.md shows them."""
from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
PAGE = ROOT / "codegen/COMPARISONS.md"
POSES = ROOT / "build/bench/poses.csv"
BANKS = ROOT / "codegen/presets.csv"
TARGET, TOLERANCE_MM = "gba", "1"
CYCLES_PER_SECOND = 1 << 24
RAW_BYTES, KEY_BYTES = 40, 28  # of a joint and frame: what ratios compare with, and keyframes in 20.12
SCHEMES = ("acl-2017", "transform", "delta", "curve")
# The name in presets.csv, in poses.csv, and on the page. The matrices of the last one are model matrices: its file has
# no skin.
CHARACTERS = (("hero", "demo hero", "demo hero, 18 joints, 7 clips"),
              ("Knight", "Knight Walking_A", "Knight, 41 joints, 76 clips"),
              ("bandai", "bandai walk_normal_001", "motion capture, 22 joints, 12 clips, no skin"))
HEADS = tuple(head for _, _, name in CHARACTERS for head in (f"{name}: bytes", "cycles", "at most", "poses a second"))

Row = Mapping[str, str]


def rows_of(path: Path, marker: str) -> list[Row]:
    """The rows of a CSV file; ValueError, with the remedy, where there is none."""
    if not path.is_file():
        raise ValueError(f"{path}: not found; {marker}")
    return list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8"))))


def bank_bytes(banks: Iterable[Row], corpus: str, joints: int) -> dict[str, int]:
    """The bytes of all clips by scheme, and of their keyframes as `naive`. Ratios have five digits, from which
    the number of frames follows."""
    chosen = {row["scheme"]: row for row in banks if row["corpus"] == corpus and row["tolerance_mm"] == TOLERANCE_MM}
    found = {scheme: int(row["bytes"]) for scheme, row in chosen.items()}
    row = chosen["delta"]
    frames = round(int(row["bytes"]) * float(row["ratio"]) / (RAW_BYTES * joints))
    return found | {"naive": frames * joints * KEY_BYTES}


def table(poses: Iterable[Row], banks: Iterable[Row]) -> str:
    """The table, from what `scons bench` and `scons presets` measured. ValueError if rows are missing."""
    banks, measured = list(banks), {(row["skeleton"], row["codec"]): row for row in poses if row["target"] == TARGET}
    lines = ["| | " + " | ".join(HEADS) + " |", "|---|" + "---:|" * len(HEADS)]
    for scheme in ("naive", *SCHEMES):
        cells = []
        for corpus, skeleton, _ in CHARACTERS:
            row = measured.get((skeleton, "delta" if scheme == "naive" else scheme))
            if row is None:
                raise ValueError(f"no row of {skeleton} with {scheme} on {TARGET}; run scons bench "
                                 f"BENCH_TARGETS={TARGET} with the corpus beside the checkout")
            average, worst = ((row["cycles_naive"], row["cycles_naive"]) if scheme == "naive" else
                              (row["cycles_play"], row["cycles_worst"]))
            cells += [bank_bytes(banks, corpus, int(row["joints"]))[scheme], int(average), int(worst),
                      CYCLES_PER_SECOND // int(average)]
        name = "keyframes in 20.12" if scheme == "naive" else f"`{scheme}`"
        lines.append(f"| {name} | " + " | ".join(f"{cell:,}" for cell in cells) + " |")
    return "\n" + "\n".join(lines) + "\n\n"


def made_table(_: Path) -> str:
    """The table of the last measurements."""
    return table(rows_of(POSES, "scons bench BENCH_TARGETS=gba writes it"), rows_of(BANKS, "scons presets writes it"))
