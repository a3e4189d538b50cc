"""`scons bench-rows` on a corpus of one small clip."""
from __future__ import annotations

import csv
from pathlib import Path

import pytest

import bench_rows
from bench_corpus import FRAMES
from mentions import mentions


@pytest.fixture
def small(one_corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One corpus to measure."""
    monkeypatch.setattr(bench_rows, "SHARED", one_corpus)


@pytest.mark.exhaustive
def test_every_codec_is_measured(small: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert bench_rows.main(["--output", str(tmp_path / "out")]) == 0
    with (tmp_path / "out/rows.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [(row["choice"], row["fast"]) for row in rows] == [
        (codec, fast) for codec in bench_rows.CODECS for fast in "01"]
    average = {(row["choice"], row["fast"]): int(row["average"]) for row in rows}
    assert average["curve", "1"] < average["curve", "0"] and average["transform", "1"] == average["transform", "0"]
    for row in rows:
        assert row["codec"] == row["choice"] or row["choice"] == "auto"
        assert (row["corpus"], row["clips"], row["rows"]) == ("bandai", "1", str(FRAMES - 1))
        assert 0 < int(row["average"]) <= int(row["worst"])
        if row["codec"] == "transform":
            assert 0 < int(row["row"]) < int(row["average"]) and int(row["segment"]) > 0
        else:
            assert row["row"] == row["segment"] == ""
    out = capsys.readouterr().out
    assert mentions(out, "Knight ../shared/corpus/Knight.glb")
    assert sum(line.startswith("bandai") for line in out.splitlines()) == len(rows)


def test_nothing_to_measure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                            capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(bench_rows, "SHARED", tmp_path / "nowhere")
    assert bench_rows.main(["--output", str(tmp_path / "out")]) == 0
    assert capsys.readouterr().out.count("left out") == 2 and not (tmp_path / "out").exists()
