"""`scons bench` on two small clips and two targets."""
from __future__ import annotations

import csv
from pathlib import Path

import pytest

import bench_poses
from bench_compare import changed_text, read_rows
from bench_corpus import write_clip
from naive_keys import KEY_BYTES
from ossicle.base.problem import SettingProblem
from mentions import mentions

TARGETS = ("host", "microbit")
SCHEMES = ("delta",)  # one of them, to be quick
KEY = ("walk", "delta", "host")


@pytest.fixture
def small(one_corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two clips to measure; of a third there is no file."""
    write_clip(one_corpus, "wave", 7.0)
    (one_corpus / "wave.toml").write_text("", encoding="utf-8")
    monkeypatch.setattr(bench_poses, "SHARED", one_corpus)
    monkeypatch.setattr(bench_poses, "HERO", one_corpus / "corpus/bandai/wave.bvh")
    monkeypatch.setattr(bench_poses, "HERO_PROJECT", one_corpus / "wave.toml")
    monkeypatch.setattr(bench_poses, "SCHEMES", SCHEMES)
    monkeypatch.setattr(bench_poses, "CORPUS", (("walk", "corpus/bandai/walk.bvh", "walk", ()),
                                                ("gone", "corpus/gone.glb", "x", ())))


def run_bench(output: Path, *arguments: object, on: tuple[str, ...] = TARGETS) -> int:
    return bench_poses.main(["--output", str(output), *map(str, arguments),
                             *(word for name in on for word in ("--target", name))])


def rows_of(output: Path) -> list[dict[str, str]]:
    with (output / "poses.csv").open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def check_row(row: dict[str, str]) -> None:
    number = {key: float(value) for key, value in row.items()
              if value and key not in ("skeleton", "codec", "target", "platform", "unroll")}
    assert number["joints"] == 2 and 0 < number["evaluate"] < number["compose"]
    assert number["amortised"] == number["evaluate"] + number["row_average"] // 2
    assert number["flash_bytes"] == sum(number[f"{part}_bytes"] for part in ("runtime", "evaluate", "compose", "table"))
    assert min(number["runtime_bytes"], number["evaluate_bytes"], number["compose_bytes"]) > 20
    assert number["naive_bytes"] % (KEY_BYTES * number["joints"]) == 0 < number["naive_bytes"]
    assert row["skin"] == ""  # a .bvh has no inverse bind matrices
    assert 2000 < number["flash_bytes"] < 20000 and 100 < number["bank_bytes"] < 2000
    assert 0 < number["stack_bytes"] < 2000 and 200 < number["ram_bytes"] < 2000
    assert row["cycles_play"] == row["cycles_worst"] == row["cycles_naive"] == ""  # no target here counts them
    times = [row[f"{name}_ns"] for name in ("evaluate", "compose", "play", "naive")]
    if row["target"] == "host":
        assert all(1 < float(time) < 100000 for time in times)
        assert float(row["play_ns"]) > float(row["evaluate_ns"])
    else:
        assert times == [""] * 4


@pytest.mark.exhaustive
def test_every_target_is_measured_and_compared(small: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_bench(tmp_path) == 0
    rows = rows_of(tmp_path)
    assert [(row["skeleton"], row["codec"], row["target"]) for row in rows] == [
        (skeleton, codec, target) for skeleton in ("demo hero", "walk")
        for codec in SCHEMES for target in TARGETS]
    for row in rows:
        check_row(row)
    assert {row["unroll"] for row in rows if row["target"] == "microbit"} == {"loop"}
    out = capsys.readouterr().out
    assert "gone: no ../shared/corpus/gone.glb beside the checkout; left out" in out
    assert "(" not in next(line for line in out.splitlines() if line.startswith("walk"))

    old = tmp_path / "old.csv"
    row = rows[-1]
    old.write_text("skeleton,codec,target,evaluate,compose\n"
                   f"walk,delta,microbit,{int(row['evaluate']) + 1010},{row['compose']}\n", encoding="utf-8")
    assert run_bench(tmp_path / "again", "--compare", old, on=("microbit",)) == 0
    assert rows_of(tmp_path / "again") == [row for row in rows if row["target"] == "microbit"]
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("walk")]
    assert f"{int(row['evaluate']):,} (-1,010)" in lines[0]
    assert f"{int(row['compose']):,}  " in lines[0] and "(new)" in lines[0]


def test_what_cannot_be_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "rows.csv").write_text("corpus,choice\nKnight,auto\n", encoding="utf-8")
    for name in ("none.csv", "rows.csv"):
        assert run_bench(tmp_path / "out", "--compare", tmp_path / name) == 1
        error = capsys.readouterr().err
        assert mentions(error, tmp_path / name) and error.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_a_target_that_does_not_count(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert bench_poses.main(["--output", str(tmp_path), "--target", "microbt"]) == 1
    assert mentions(capsys.readouterr().err, "microbit")


def test_changes_are_in_brackets(tmp_path: Path) -> None:
    (tmp_path / "old.csv").write_text(
        "skeleton,codec,target,evaluate,naive_ns,compose\nwalk,delta,host,1200,4.5,many\n", encoding="utf-8")
    before = read_rows(tmp_path / "old.csv")
    assert changed_text("evaluate", 1000, None, KEY) == "1,000"
    assert changed_text("evaluate", 1000, before, KEY) == "1,000 (-200)"
    assert changed_text("evaluate", 1200, before, KEY) == "1,200"
    assert changed_text("naive_ns", 5.0, before, KEY) == "5.0 (+0.5)"
    assert changed_text("naive_ns", None, before, KEY) == "-"
    assert changed_text("play_ns", 5.0, before, KEY) == "5.0 (new)"
    assert changed_text("evaluate", 7, before, ("walk", "delta", "board")) == "7 (new)"
    with pytest.raises(SettingProblem, match="walk delta host: compose was 'many', which is no"):
        changed_text("compose", 7, before, KEY)
