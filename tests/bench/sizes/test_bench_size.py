"""`scons bench-size` on a corpus of two small clips."""
from __future__ import annotations

import csv
from pathlib import Path

import pytest

import bench_size
from bench_corpus import write_clip
from mentions import mentions


@pytest.fixture
def small(one_corpus: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """One corpus to measure, of two clips, and peers that reach 0.1 mm on one of them only."""
    write_clip(one_corpus, "wave", 7.0)
    (one_corpus / "peers").mkdir()
    (one_corpus / "peers/peers.csv").write_text(
        "corpus,clip,tolerance_mm,acl_bytes,acl_bytes_at_error\n"
        "bn,walk,1,900,1000\nbn,wave,1,2000,3000\nbn,walk,0.1,5000,6000\nbn,wave,0.1,7000,\n"
        "Knight,Idle,1,1,1\n", encoding="utf-8")
    monkeypatch.setattr(bench_size, "SHARED", one_corpus)
    return one_corpus


def measured(folder: Path) -> list[dict[str, str]]:
    with (folder / "size.csv").open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_every_choice_is_measured(small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert bench_size.main(["--output", str(tmp_path / "out"), "--effort", "max"]) == 0
    rows = measured(tmp_path / "out")
    assert [(row["tolerance_mm"], row["effort"], row["codecs"]) for row in rows] == [
        (mm, effort, codecs) for mm in ("1.0", "0.1") for effort, codecs in (
            ("fast", "auto"), ("default", "auto"), ("default", "random access"), ("max", "auto"))]
    assert {row["clips"] for row in rows if row["codecs"] == "random access"} == {"transform:2"}
    for row in rows:
        assert int(row["acl_bytes"]) == {"1.0": 4000, "0.1": 13000}[row["tolerance_mm"]]
        assert 0 < int(row["clip_bytes"]) < int(row["bytes"])
        assert float(row["of_acl"]) == round(int(row["bytes"]) / int(row["acl_bytes"]), 4)
        assert 0 < float(row["error_mm"]) <= float(row["tolerance_mm"])
        assert float(row["seconds"]) >= 0 and float(row["mb_per_s"]) > 0
        assert row["judged_mm"] == ""
    out = capsys.readouterr().out
    assert mentions(out, "Knight ../shared/corpus/Knight.glb")
    assert sum(line.startswith("bandai") for line in out.splitlines()) == len(rows)


def test_the_judge_agrees(small: Path, tmp_path: Path) -> None:
    assert bench_size.main(["--output", str(tmp_path), "--judge"]) == 0
    for row in measured(tmp_path):
        assert float(row["judged_mm"]) == pytest.approx(float(row["error_mm"]), abs=2e-3)
        assert float(row["judged_mm"]) <= float(row["tolerance_mm"])


def test_a_bank_that_has_grown_is_a_failure(small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                            capsys: pytest.CaptureFixture[str]) -> None:
    assert bench_size.main(["--output", str(tmp_path)]) == 0
    reached = {row["tolerance_mm"]: int(row["bytes"]) for row in measured(tmp_path)
               if (row["effort"], row["codecs"]) == ("default", "auto")}
    lines = ["corpus,tolerance_mm,scheme,bytes", f"bandai,1,auto,{reached['1.0'] / 1.03:.0f}",
             f"bandai,0.1,auto,{reached['0.1'] / 1.01:.0f}"]
    (tmp_path / "presets.csv").write_text("\n".join(lines), encoding="utf-8")
    monkeypatch.setattr(bench_size, "COMMITTED", tmp_path / "presets.csv")
    capsys.readouterr()
    assert bench_size.main(["--output", str(tmp_path)]) == 1
    printed = capsys.readouterr().err
    assert mentions(printed, "bandai 1mm") and printed.count("\n") == 1


def test_nothing_to_measure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                            capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(bench_size, "SHARED", tmp_path / "nowhere")
    assert bench_size.main(["--output", str(tmp_path / "out")]) == 0
    assert capsys.readouterr().out.count("left out") == 2 and not (tmp_path / "out").exists()


def test_a_missing_table_is_one_line(small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (small / "peers/peers.csv").unlink()
    assert bench_size.main(["--output", str(tmp_path / "out")]) == 1
    captured = capsys.readouterr()
    assert "peers.csv" in captured.err and captured.err.count("\n") == 1
