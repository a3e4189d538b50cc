"""The table of keyframes and codecs on the Game Boy Advance, and the figures that are taken from it."""
from __future__ import annotations

import re
from pathlib import Path

import pytest
from figures import figure
from figures import table as shown_table
from gba_table import BANKS, CHARACTERS, PAGE, SCHEMES, bank_bytes, rows_of, table

MOST_TIMES = 1.3  # the cycles of keyframes that a codec may take
LEAST_RATIO = 35  # of their bytes to its
JOINTS = {"hero": 18, "Knight": 41, "bandai": 22}
COLUMNS = {corpus: 4 * place for place, (corpus, *_) in enumerate(CHARACTERS)}  # of bytes; cycles stand beside them


def lines() -> dict[str, list[int]]:
    """The figures of the page by scheme; keyframes are `naive`."""
    found = re.findall(r"^\| (keyframes in 20.12|`[\w-]+`) \| ([\d,| ]+) \|$", shown_table(PAGE, "gba"), re.M)
    return {"naive" if name.startswith("key") else name.strip("`"):
            [int(cell.replace(",", "")) for cell in cells.split("|")] for name, cells in found}


def test_bytes_are_those_of_the_presets() -> None:
    banks = rows_of(BANKS, "")
    for corpus, column in COLUMNS.items():
        sizes = bank_bytes(banks, corpus, JOINTS[corpus])
        assert {scheme: cells[column] for scheme, cells in lines().items()} == {
            scheme: sizes[scheme] for scheme in ("naive", *SCHEMES)}, "run update_figures.py gba"


def test_codecs_are_hardly_slower_than_keyframes_of_skinned_characters_and_far_smaller() -> None:
    shown, knight = lines(), COLUMNS["Knight"]
    for scheme in ("transform", "curve"):
        assert shown[scheme][knight + 1] <= MOST_TIMES * shown["naive"][knight + 1]
        assert shown[scheme][knight] * LEAST_RATIO <= shown["naive"][knight]


def test_figures_are_those_of_the_table() -> None:
    keyframes, ours, knight, capture = lines()["naive"], lines()["transform"], COLUMNS["Knight"], COLUMNS["bandai"]
    assert figure("gba.knight_clips_bytes") == ours[knight]
    assert figure("gba.knight_keyframes_bytes") == keyframes[knight]
    assert figure("gba.knight_fewer_cycles_percent") == round(100 - 100 * ours[knight + 1] / keyframes[knight + 1])
    assert figure("gba.bandai_more_cycles_percent") == round(100 * ours[capture + 1] / keyframes[capture + 1] - 100)


def test_a_table_is_made_of_measured_rows(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="none.csv: not found; scons bench"):
        rows_of(tmp_path / "none.csv", "scons bench")
    poses = [{"skeleton": skeleton, "codec": scheme, "target": "gba", "joints": str(JOINTS[corpus]),
              "cycles_play": "1000", "cycles_worst": "2000", "cycles_naive": "3000"}
             for corpus, skeleton, _ in CHARACTERS for scheme in SCHEMES]
    written = table(poses, rows_of(BANKS, ""))
    assert written.count("| 1,000 | 2,000 |") == len(CHARACTERS) * len(SCHEMES)
    assert written.count("| 3,000 | 3,000 |") == len(CHARACTERS)
    with pytest.raises(ValueError, match="no row of bandai walk_normal_001 with curve on gba; run scons bench"):
        table(poses[:-1], rows_of(BANKS, ""))
