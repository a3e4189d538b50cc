"""Costs of frames in order and at random: a direct codec seeks at less cost than one that reads rows in order."""
from __future__ import annotations

import csv
from pathlib import Path

import pytest

import bench_seeks
from mentions import mentions


@pytest.mark.exhaustive
def test_a_small_board_is_measured(built_encoder: None, tmp_path: Path) -> None:
    assert bench_seeks.main(["--output", str(tmp_path), "--target", "microbit", "--smallest"]) == 0
    with (tmp_path / "seeks.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [row["codec"] for row in rows] == list(bench_seeks.SCHEMES)
    cost = {row["codec"]: int(row["seek"]) for row in rows}
    assert 5_000 < cost["transform"] < cost["delta"] < 500_000
    assert all(2_000 < int(row["forward"]) < int(row["seek"]) for row in rows)
    assert all(500 < int(row["player_bytes"]) < 10_000 for row in rows)
    assert len({row["hash"] for row in rows}) == len(rows)


def test_a_bank_that_does_not_exist(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    missing = tmp_path / "x.ossb"
    assert bench_seeks.main(["--output", str(tmp_path), "--target", "microbit", str(missing)]) == 1
    assert mentions(capsys.readouterr().err, str(missing)) and not (tmp_path / "seeks.csv").exists()


def test_other_libraries_are_shown_beside_the_same_clips_and_targets() -> None:
    clips = [f"{name} {clip}" for name, _, alone in bench_seeks.FILES for clip in alone]
    rows = list(bench_seeks.peer_rows(["host_sse41", "microbit"], clips))
    assert {row[0] for row in rows} == set(clips) and {row[2] for row in rows} == {"host_sse41"}
    assert list(bench_seeks.peer_rows(["host_sse41"], ["hero"])) == []
