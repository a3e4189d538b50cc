"""The tables of other libraries: their figures on the page are those of peers.toml, and ours those of the benches."""
from __future__ import annotations

from collections.abc import Sequence

import pytest
from figures import figure
from figures import table as shown_table
from gba_table import BANKS, rows_of
from peers_table import (
    CODECS, COMMON, KNIGHT, OPERATIONS, OTHERS, PAGE, POSES, TARGETS, Row, line, operation_lines, peers, pose_lines,
    table,
)

CAPTURE = "bandai walk_normal_001"


def measured() -> tuple[list[Row], list[Row]]:
    """Rows of toolbox.csv and seeks.csv with figures that no other library has."""
    toolbox = [{"character": character, "operation": operation, "target": target, "instructions": "7777777"}
               for character in (KNIGHT, *OTHERS) for operation in OPERATIONS for target in TARGETS]
    banks = dict.fromkeys(("Knight", *(clip for clip, _, _ in POSES), *(set(OTHERS) - {"motion capture"})))
    seeks = [{"bank": bank, "codec": codec, "target": target, "forward": "7777777", "seek": "7777777",
              "player_bytes": "7777777"} for bank in banks for codec in CODECS for target in TARGETS]
    return toolbox, seeks


def cells(lines: Sequence[str], ours: int, of: int) -> dict[str, list[str]]:
    """Of each line the cells of other libraries: in groups of `of`, those after the first `ours`."""
    found = {}
    for text in lines:
        name, *values = [cell.strip(" *") for cell in text.strip("|").split("|")]
        found[name] = [value for index, value in enumerate(values) if index % of >= ours]
    return found


def test_figures_of_other_libraries_are_those_of_the_file() -> None:
    toolbox, seeks = measured()
    poses, operations, _ = [block.splitlines()[2:] for block in shown_table(PAGE, "peers").strip("\n").split("\n\n")]
    assert cells(poses, len(CODECS), 4) == cells(pose_lines(seeks, rows_of(BANKS, ""))[2:], len(CODECS), 4)
    assert cells(operations, 1, 2) == cells(operation_lines(toolbox)[2:], 1, 2)


def test_bytes_are_those_of_the_presets() -> None:
    shown = {text.split(" | ")[0]: text for text in shown_table(PAGE, "peers").splitlines() if "bytes of" in text}
    written = {text.split(" | ")[0]: text for text in pose_lines(measured()[1], rows_of(BANKS, ""))
               if "bytes of" in text}
    assert shown == written, "run update_figures.py peers"
    ours = {row["corpus"]: int(row["bytes"]) for row in rows_of(BANKS, "")
            if (row["scheme"], row["tolerance_mm"]) == ("auto", "1")}
    for corpus, theirs in peers.clip_bytes()["acl"].items():
        assert figure(f"peers.{corpus.lower()}_of_acl_percent") == round(100 * ours[corpus] / theirs)
    assert figure("peers.acl_100000_clips_minutes") == round(peers.encoding_seconds(100_000)["acl"] / 60)


def test_the_smallest_figure_of_a_group_is_bold() -> None:
    assert line("a", [[1200, 30], [4], [None, 5]]) == "| a | 1,200 | **30** | 4 |  | 5 |"


def test_tables_are_made_of_measured_rows() -> None:
    toolbox, seeks = measured()
    written = table(toolbox, seeks, rows_of(BANKS, ""))
    assert written.count("7,777,777") == (len(CODECS) * (sum(len(targets) for _, _, targets in POSES) + 1)
                                          + len(TARGETS) * (len(OPERATIONS) + len(OTHERS) * (2 + len(COMMON))))
    with pytest.raises(ValueError, match=f"no row of {CAPTURE}, auto, host_sse41; run scons bench"):
        table(toolbox, [row for row in seeks if row["bank"] != CAPTURE], rows_of(BANKS, ""))
