"""`scons bench-library`: its model on costs that can be added up by hand, and all of it on a small library."""
from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import pytest

import bench_library
from library_model import Costs, build

COSTS = Costs(clips=100, read_s=0.5, plan_s=0.5, clip_s=0.03, load_s=1.0, whole_s=4.0, start_s=2.0, plan_here_s=0.0,
              character_here_s=0.0, task_here_s=0.0, file_mb=5.0, entries_mb=6.0, finished_mb=0.5, planned_mb=0.01,
              build_mb=80.0, worker_mb=80.0, imported_mb=50.0, encoding_mb=100.0)
CHARACTERS = 200
TAIL_S = 10.0  # of a build, in which not all workers have something to do, and at its start, in which nothing is known


def test_one_worker_does_all_tasks_after_one_another() -> None:
    single = build(COSTS, CHARACTERS, 1)
    expected_s = COSTS.start_s + CHARACTERS * (COSTS.plan_s + COSTS.read_s + COSTS.whole_s)
    expected_s -= COSTS.read_s  # the last one is in memory since it was planned
    assert expected_s <= single.seconds <= expected_s + TAIL_S
    assert single.worker_s == pytest.approx(single.seconds - COSTS.start_s, rel=0.01)
    assert single.here_s == COSTS.start_s and single.worker_mb == 280.0


@pytest.mark.parametrize("workers", [2, 7, 32])
def test_workers_share_the_work(workers: int) -> None:
    first, many = build(COSTS, CHARACTERS, 1), build(COSTS, CHARACTERS, workers)
    assert many.seconds - COSTS.start_s <= (first.seconds - COSTS.start_s) / workers + TAIL_S
    assert many.here_mb < COSTS.build_mb + CHARACTERS * (COSTS.planned_mb +
                                                         COSTS.finished_mb) + 4 * workers * COSTS.entries_mb


def test_the_process_of_the_build_is_a_limit() -> None:
    """No number of workers helps where it needs more time than they."""
    busy = build(replace(COSTS, character_here_s=0.5), CHARACTERS, 1000)
    assert busy.seconds >= CHARACTERS * 0.5 and busy.busy > 0.9


def test_large_characters_are_divided() -> None:
    """Otherwise a build of one character would take as long on many workers."""
    slow = replace(COSTS, clip_s=30.0, whole_s=3000.0)
    assert build(slow, 1, 50).seconds < 100.0


@pytest.mark.exhaustive
def test_a_small_library_is_measured(built_encoder: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_library, "EFFORTS", {"fast": 2})
    monkeypatch.setattr(bench_library, "WORKERS", (1, 10))
    rows = bench_library.bench(tmp_path, 5)
    with (tmp_path / "library.csv").open(newline="", encoding="utf-8") as file:
        assert [row["how"] for row in csv.DictReader(file)] == ["measured", "model"] * 2 + ["model"] * 2
    assert [(row["workers"], row["clips"]) for row in rows] == [
        *[(workers, 5 * bench_library.CLIPS) for workers in (1, 1, 2, 2)], (1, bench_library.LIBRARY),
        (10, bench_library.LIBRARY)]
    assert (tmp_path / "library.svg").read_text(encoding="utf-8").startswith("<?xml")
    assert rows[-1]["clips_a_second"] >= rows[-2]["clips_a_second"]
