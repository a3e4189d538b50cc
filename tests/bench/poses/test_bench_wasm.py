"""Times of the npm package: each codec gets a row, with the poses of all clips."""
from __future__ import annotations

import csv
from pathlib import Path

import bench_wasm


def test_the_demo_character_is_measured(built_encoder: None, tmp_path: Path) -> None:
    assert bench_wasm.main(["--output", str(tmp_path), "--smallest"]) == 0
    with (tmp_path / "wasm.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [row["codec"] for row in rows] == list(bench_wasm.CODECS)
    assert len({row["poses"] for row in rows}) == 1
    assert all(float(row[name]) > 0 for row in rows for name in bench_wasm.TIMES)
