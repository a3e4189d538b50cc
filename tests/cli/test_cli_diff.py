"""`ossicle diff`: what it prints, and its exit status."""
from __future__ import annotations

import json
from pathlib import Path

import pytest

from running import Ran, run_inside, write_bvh
from mentions import mentions

TOO_LARGE = 3


@pytest.fixture(scope="module")
def banks(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """walk, still and wave; then a rougher walk, still, and run."""
    folder = tmp_path_factory.mktemp("diff")
    sources = {name: write_bvh(folder / f"{name}.bvh", speed=speed, travel_cm=0.0) for name, speed in (
        ("walk", 3.0), ("still", 0.0), ("wave", 7.0), ("run", 5.0))}
    paths = folder / "before.ossb", folder / "after.ossb"
    for path, last, codec, tolerance in ((paths[0], "wave", "delta", "0.5mm"), (paths[1], "run", "curve", "2mm")):
        assert run_inside("encode", *(sources[name] for name in ("walk", "still", last)), "-o", path, "--quiet",
                          "--codec", codec, "--tolerance", tolerance).status == 0
    return paths


def test_a_table_has_every_byte(banks: tuple[Path, Path]) -> None:
    ran = run_inside("diff", *banks)
    assert (ran.status, ran.err) == (0, "")
    sizes = [f"{path.stat().st_size:,}" for path in banks]
    rows = [line.split() for line in ran.out.splitlines()]
    assert [row[1:3] for row in rows if row[:1] == ["bank"]] == [sizes, sizes]
    by_name = {row[0]: row for row in rows if row}
    assert "gone" in by_name["wave"] and "new" in by_name["run"]
    assert by_name["walk"][5:8] == ["delta", ">", "curve"] and by_name["walk"][9] in ("hips", "spine")
    assert mentions(ran.out.splitlines()[-1], "mm")
    assert mentions(ran.out.splitlines()[-1], "walk")


def test_json_has_every_bit(banks: tuple[Path, Path]) -> None:
    report = json.loads(run_inside("diff", *banks, "--json").out)
    for side, path in zip(("before_bits", "after_bits"), banks):
        assert report["bank"][side] == 8 * path.stat().st_size
        for parts in ("clips", "joints"):
            assert sum(part[side] or 0 for part in [*report[parts], *report[f"beside_{parts}"]]) == report["bank"][side]
    clips = {clip["name"]: clip for clip in report["clips"]}
    assert list(clips) == ["walk", "still", "wave", "run"]
    assert clips["walk"]["codecs"] == ["delta", "curve"] and clips["run"]["codecs"] == [None, "curve"]
    assert 0.0 < clips["walk"]["apart_mm"] < 2.5 + 0.5 and clips["wave"]["apart_mm"] is None


def test_sorting(banks: tuple[Path, Path]) -> None:
    def names(sort: str) -> list[tuple[str, int]]:
        report = json.loads(run_inside("diff", *banks, "--json", "--sort", sort).out)
        return [(clip["name"], abs((clip["after_bits"] or 0) - (clip["before_bits"] or 0))) for clip in report["clips"]]

    assert [name for name, _ in names("name")] == ["run", "still", "walk", "wave"]
    assert [size for _, size in names("bytes")] == sorted((size for _, size in names("name")), reverse=True)


def test_the_same_bank(banks: tuple[Path, Path]) -> None:
    ran = run_inside("diff", banks[0], banks[0], "--fail-above", "0%")
    assert (ran.status, ran.err) == (0, "")
    assert mentions(ran.out, "3") and mentions(ran.out, "2") and "+" not in ran.out
    assert mentions(ran.out, "clips")


def fails(before: Path, after: Path, share: str) -> Ran:
    return run_inside("diff", before, after, "--fail-above", share)


def test_a_bank_that_has_grown_too_much_has_its_own_status(banks: tuple[Path, Path]) -> None:
    small, large = sorted(banks, key=lambda path: path.stat().st_size)
    grown = 100 * (large.stat().st_size / small.stat().st_size - 1)
    less = f"{grown - 0.1:.1f}"
    ran = fails(small, large, f"{less}%")
    assert ran.status == TOO_LARGE and "bank" in ran.out
    assert mentions(ran.err, f"{large} {grown:.2f} {small} --fail-above {float(less):g}")
    assert fails(small, large, f"{grown + 0.1:.1f}").status == fails(large, small, "0%").status == 0


@pytest.mark.parametrize("share, facts", [
    ("-1%", "--fail-above -1% 0%"), ("inf", "--fail-above inf% 0%"),
    ("2mm", "--fail-above 2mm 2%")])
def test_shares_that_cannot_be_used(banks: tuple[Path, Path], share: str, facts: str) -> None:
    ran = fails(*banks, share)
    assert ran.status == 1 and mentions(ran.line, facts)


def test_no_bank(banks: tuple[Path, Path], tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.ossb"
    damaged.write_bytes(banks[0].read_bytes()[:-4])
    for pair in ((banks[0], damaged), (damaged, banks[0])):
        ran = run_inside("diff", *pair)
        assert ran.status == 1 and mentions(ran.line, damaged)
