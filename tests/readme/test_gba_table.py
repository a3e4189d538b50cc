"""The table of keyframes and codecs on the Game Boy Advance, and what is said about it."""
from __future__ import annotations

import re
from pathlib import Path

import gba_table
import pytest
import update_gba_table
from gba_table import BANKS, CHARACTERS, PAGE, SCHEMES, bank_bytes, rows_of, section_of, table
from pages import README, read_page

MOST_TIMES = 1.3  # the cycles of keyframes that a codec may take
LEAST_RATIO = 35  # of their bytes to its
JOINTS = {"hero": 18, "Knight": 41}


def lines() -> dict[str, list[int]]:
    """The figures of the page by scheme; keyframes are `naive`."""
    found = re.findall(r"^\| (keyframes in 20.12|`[\w-]+`) \| ([\d,| ]+) \|$", section_of(PAGE.read_text("utf-8")), re.M)
    return {"naive" if name.startswith("key") else name.strip("`"):
            [int(cell.replace(",", "")) for cell in cells.split("|")] for name, cells in found}


def test_bytes_are_those_of_the_presets() -> None:
    banks = rows_of(BANKS, "")
    for corpus, _ in CHARACTERS:
        sizes = bank_bytes(banks, corpus, JOINTS[corpus])
        column = 0 if corpus == "hero" else 3
        assert {scheme: cells[column] for scheme, cells in lines().items()} == {
            scheme: sizes[scheme] for scheme in ("naive", *SCHEMES)}, "run update_gba_table.py"


def test_codecs_are_no_slower_than_keyframes_and_far_smaller() -> None:
    shown = lines()
    for scheme in ("transform", "curve"):
        assert shown[scheme][4] <= MOST_TIMES * shown["naive"][4]
        assert shown[scheme][3] * LEAST_RATIO <= shown["naive"][3]


def test_the_front_page_says_the_same() -> None:
    [small, large, fewer] = re.search(r"take (\d+) KB there instead of ([\d.]+) MB of\s+keyframes, and (\d+) % fewer cycles",
                                      read_page(README.name)).groups()
    keyframes, best = lines()["naive"], lines()["transform"]
    assert int(small) == round(best[3] / 1e3) and float(large) == round(keyframes[3] / 1e6, 1)
    assert int(fewer) == round(100 - 100 * best[4] / keyframes[4])


def test_a_table_is_made_of_measured_rows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert update_gba_table.main([str(tmp_path / "none.csv")]) == 1
    assert "none.csv: not found; scons bench BENCH_TARGETS=gba writes it" in capsys.readouterr().err
    poses = [{"skeleton": skeleton, "codec": scheme, "target": "gba", "joints": str(JOINTS[corpus]), "cycles_play": "1000",
              "cycles_worst": "2000", "cycles_naive": "3000"} for corpus, skeleton in CHARACTERS for scheme in SCHEMES]
    made = table(poses, rows_of(BANKS, ""))
    assert made.count("| 1,000 | 2,000 |") == 2 * len(SCHEMES) and made.count("| 3,000 | 3,000 |") == 2
    with pytest.raises(ValueError, match="no row of Knight Walking_A with curve on gba; run scons bench"):
        table(poses[:-1], rows_of(BANKS, ""))
    with pytest.raises(ValueError, match="no marks of the table"):
        section_of(gba_table.START)
