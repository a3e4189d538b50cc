"""The tables of codegen/PRESETS.md are those of codegen/presets.csv, and these are what is measured."""
from __future__ import annotations

import csv
import subprocess
import sys
from pathlib import Path

import pytest
from ossicle.cli.main import main
from ossicle.base.codec import OWN_CODECS
from ossicle.compare.comparison import scheme_names
from ossicle.cli.demo import HERO
from preset_tables import FIGURES, PAGE, read_figures, tables, tables_of

REMEDY = "see Compared in codegen/PRESETS.md"
QUICK = ("delta", "goodhue-2017")
ROWS = ("row_m4",)  # needs the compiler that they were counted with


def committed() -> list[dict[str, str]]:
    return read_figures(FIGURES.read_text(encoding="utf-8"))


def test_the_tables_are_those_of_the_csv() -> None:
    assert tables_of(PAGE.read_text(encoding="utf-8")) == tables(committed()), REMEDY


def test_the_demo_measures_what_is_committed(tmp_path: Path) -> None:
    assert main(["compare", str(HERO), "--tolerance", "1mm", "--presets", ",".join(QUICK), "-o",
                 str(tmp_path), "--quiet"]) == 0
    with (tmp_path / "compare.csv").open(encoding="utf-8", newline="") as file:
        measured = {row["scheme"]: row for row in csv.DictReader(file)}
    known = {row["scheme"]: row for row in committed()
             if (row["corpus"], row["tolerance_mm"]) == ("hero", "1")}
    assert measured.keys() == {"auto", *QUICK} and set(OWN_CODECS) <= known.keys()
    for scheme, row in measured.items():
        assert row == known[scheme] | {key: "" for key in ROWS}, REMEDY


@pytest.mark.parametrize(("arguments", "message", "status"), [
    (["a", "b"], "usage: ", 2), (["missing.csv"], "missing.csv: ", 1), (["wrong.csv"], "first line", 1),
])
def test_what_cannot_be_written(tmp_path: Path, arguments: list[str], message: str,
                                status: int) -> None:
    (tmp_path / "wrong.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    script = Path(__file__).with_name("update_presets.py")
    before = PAGE.read_bytes(), FIGURES.read_bytes()
    failed = subprocess.run([sys.executable, script, *arguments], check=False, text=True,
                            cwd=tmp_path, stderr=subprocess.PIPE)
    assert failed.returncode == status and message in failed.stderr
    assert (PAGE.read_bytes(), FIGURES.read_bytes()) == before


def test_every_scheme_is_in_every_table() -> None:
    named: dict[tuple[str, str], list[str]] = {}
    for row in committed():
        named.setdefault((row["corpus"], row["tolerance_mm"]), []).append(row["scheme"])
    assert ("hero", "1") in named
    for schemes in named.values():
        assert sorted(schemes) == sorted(scheme_names()), REMEDY
