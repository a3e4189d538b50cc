"""The tables of codegen/PRESETS.md are those of codegen/presets.csv, which this encoder reproduces."""
from __future__ import annotations

import csv
import subprocess
import sys
from pathlib import Path

import measure_presets
import pytest
import update_presets
from demo_table import compiler_version
from encoder_digest import encoder_digest
from figures import figure, table
from ossicle.cli.main import main
from ossicle.base.codec import OWN_CODECS
from ossicle.compare.schemes import scheme_names
from ossicle.compare.report import TABLE
from tools.demo import HERO
from preset_tables import (ENCODER, FIGURES, PAGE, Rows, blocks, made_by, read_comparison, read_figures, replaced,
                           tables, write_figures)

REMEDY = "run `scons presets`, see Compared in codegen/PRESETS.md"
QUICK = ("delta", "goodhue-2017")
ROWS = ("row_m4",)  # needs the compiler that they were counted with
OF_EVERY_CODEC = (*OWN_CODECS, "riot-2015-timed", "acl-2017")
CORPORA = ("hero", "bandai", "Knight")


def committed() -> Rows:
    return read_figures(FIGURES.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def compared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Output of `ossicle compare` for the demo character and some schemes."""
    folder = tmp_path_factory.mktemp("compared")
    assert main(["compare", str(HERO), "--tolerance", "1mm", "--presets", ",".join(QUICK), "-o",
                 str(folder), "--quiet"]) == 0
    return folder / TABLE


def test_the_tables_are_those_of_the_csv() -> None:
    assert table(PAGE, "presets") == tables(committed()), REMEDY


@pytest.mark.exhaustive
@pytest.mark.parametrize("scheme", scheme_names())
def test_this_encoder_made_every_line(scheme: str) -> None:
    assert {row[ENCODER] for row in committed() if row["scheme"] == scheme} == {encoder_digest(scheme)}, REMEDY


@pytest.mark.exhaustive
def test_the_demo_reproduces_the_committed_table(compared: Path) -> None:
    with compared.open(encoding="utf-8", newline="") as file:
        measured = {row["scheme"]: row for row in csv.DictReader(file)}
    known = {row["scheme"]: row for row in committed() if (row["corpus"], row["tolerance_mm"]) == ("hero", "1")}
    assert measured.keys() == {"auto", *QUICK} and set(OWN_CODECS) <= known.keys()
    for scheme, row in measured.items():
        shown = {key: value for key, value in known[scheme].items() if key != ENCODER}
        assert row == shown | {key: "" for key in ROWS}, REMEDY


@pytest.mark.exhaustive
def test_rows_have_the_committed_costs(tmp_path: Path) -> None:
    compiler = compiler_version()
    if figure("presets.compiler") != compiler:
        pytest.skip(f"the costs are of another compiler than arm-none-eabi-gcc {compiler}")
    assert main(["compare", str(HERO), "--tolerance", "1mm", "--presets", ",".join(OF_EVERY_CODEC),
                 "--rows", "-o", str(tmp_path), "--quiet"]) == 0
    measured = made_by(encoder_digest, read_comparison((tmp_path / TABLE).read_text(encoding="utf-8")))
    assert {row["scheme"] for row in measured} == {"auto", *OF_EVERY_CODEC}
    assert all(row in committed() for row in measured), REMEDY


def test_every_scheme_is_in_every_table() -> None:
    named = blocks(committed())
    assert list(named) == [(corpus, tolerance) for corpus in CORPORA for tolerance in ("1", "0.1")]
    for (corpus, _), rows in named.items():
        assert sorted(row["scheme"] for row in rows) == sorted(scheme_names()), REMEDY
        for row in rows:
            filled = {key for key, value in row.items() if value}
            assert set(row) - filled == (set() if corpus == "hero" else set(ROWS)), REMEDY


def test_lines_of_a_corpus_are_replaced_together(compared: Path) -> None:
    new = made_by("0a1b2c3d {}".format, read_comparison(compared.read_text(encoding="utf-8")))
    figures = replaced(committed(), new)
    assert [row for row in figures if row["corpus"] == "hero"] == new
    assert [row for row in figures if row["corpus"] != "hero"] == [
        row for row in committed() if row["corpus"] != "hero"]
    assert read_figures(write_figures(figures)) == figures
    other = [row | {"corpus": "other"} for row in new]
    assert replaced(figures, other) == [*figures, *other]
    plain = tables(replaced([], other))
    assert "other, 7 clips, 1 mm:" in plain and "Cortex-M4" not in plain


def test_missing_corpora_stop_the_goal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                       capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(measure_presets.bench_size, "SHARED", tmp_path)
    assert measure_presets.main(["--output", str(tmp_path / "out")]) == 1
    message = capsys.readouterr().err
    assert "Knight.glb: no such file" in message and message.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_the_goal_measures_all_corpora(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder in ("corpus/bandai", "out"):
        (tmp_path / folder).mkdir(parents=True)
    for name in ("corpus/Knight.glb", "corpus/bandai/a.bvh", "corpus/bandai/b.bvh"):
        (tmp_path / name).write_bytes(b"")
    monkeypatch.setattr(measure_presets.bench_size, "SHARED", tmp_path)
    compared, updated = [], []
    monkeypatch.setattr(measure_presets, "ossicle", lambda words: compared.append(words) or 0)
    monkeypatch.setattr(update_presets, "main", lambda words: updated.append(words) or 0)
    assert measure_presets.main(["--output", str(tmp_path / "out")]) == 0
    assert ["--rows" in words for words in compared] == [True, False, False]
    assert sum(str(tmp_path / "corpus/bandai/b.bvh") in words for words in compared) == 1
    assert all("1mm,0.1mm" in words for words in compared)
    [files] = updated
    assert [Path(file).parent.name for file in files] == [Path(words[words.index("-o") + 1]).name for words in compared]


@pytest.mark.parametrize(("arguments", "message", "status"), [
    (["--all"], "usage: ", 2), (["missing.csv"], "missing.csv: ", 1), (["wrong.csv"], "first line", 1),
])
def test_what_cannot_be_written(tmp_path: Path, arguments: list[str], message: str, status: int) -> None:
    (tmp_path / "wrong.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    script = Path(__file__).with_name("update_presets.py")
    before = PAGE.read_bytes(), FIGURES.read_bytes()
    failed = subprocess.run([sys.executable, script, *arguments], check=False, text=True,
                            cwd=tmp_path, stderr=subprocess.PIPE)
    assert failed.returncode == status and message in failed.stderr
    assert (PAGE.read_bytes(), FIGURES.read_bytes()) == before
