"""Costs of a row by codec, counted by the player program."""
from __future__ import annotations

from pathlib import Path

import pytest
from ossicle import machines
from ossicle.machines import ClipCost, CodecCost, TargetError, codec_costs
from ossicle.machines.runner import read_output
from target_support import generate_sample

OUTPUT = """clip 0 hash 00000001 poses 5
cost 0 rows 20 sum 2000 worst 300 entering 2 sum 500
clip 1 hash 00000002 poses 5
cost 1 rows 0 sum 0 worst 0 entering 0 sum 0
total hash 00000003 poses 10
done
"""


def test_costs_are_read() -> None:
    assert read_output(OUTPUT, "here").clip_costs == [ClipCost(20, 2000, 300, 2, 500), ClipCost(0, 0, 0, 0, 0)]
    with pytest.raises(TargetError, match="unexpected output: 'cost 1 rows 20"):
        read_output(OUTPUT.replace("cost 0", "cost 1"), "here")


def test_clips_are_summed_up_by_codec() -> None:
    costs = [ClipCost(20, 2000, 300, 2, 500), ClipCost(10, 500, 90, 1, 60),
             ClipCost(5, 100, 30, 0, 0), ClipCost(0, 0, 0, 0, 0)]
    assert codec_costs(costs, ["transform", "curve", "transform", "delta"]) == [
        CodecCost("curve", 1, 10, 50, 90, None, None),
        CodecCost("transform", 2, 25, 84, 300, 1600 // 23, 250 - 1600 // 23)]
    assert codec_costs(costs[2:3], ["transform"]) == [CodecCost("transform", 1, 5, 20, 30, None, None)]
    with pytest.raises(ValueError, match="zip"):
        codec_costs(costs, ["curve"])


@pytest.mark.parametrize("target", ["microbit", "mps2_an386"])
def test_the_player_counts_every_clip(target: str, tmp_path: Path) -> None:
    firmware = machines.build(target, generate_sample("walk", tmp_path / "generated"), tmp_path / "out")
    result = machines.run(firmware)
    rows = sum(cost.rows for cost in result.clip_costs)
    assert len(result.clip_costs) == len(result.hashes) and rows > 0
    assert sum(cost.total for cost in result.clip_costs) // rows == (result.instructions["row_average"])
    assert max(cost.worst for cost in result.clip_costs) == result.instructions["row_worst"]
    for cost in result.clip_costs:
        assert cost.entering_rows <= cost.rows // 8 + 1 and cost.entering_total <= cost.total
