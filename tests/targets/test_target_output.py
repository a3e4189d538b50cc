"""Reads the output of player programs and callgrind."""
from __future__ import annotations

import pytest
from ossicle.machines import TargetError
from ossicle.machines.callgrind import CallCost, average_instructions, read_call_costs
from ossicle.machines.runner import read_output
from mentions import mentions

GOOD = """clip 0 hash 0000abcd poses 12
clip 1 hash ffffffff poses 30
total hash 12345678 poses 42
instructions evaluate 426
stack pose_path 280
instructions row_average 99
done
"""
CALLGRIND = """version: 1
events: Ir

fl=(1) ???
fn=(1) main
0 10
cfn=(2) evaluate
calls=2 0
0 100
cfn=(3) seek
calls=1 0
0 50

fn=(2)
0 90
cfn=(4) helper'2
calls=4 0
0 10

fn=(4)
0 10
cfn=(3)
calls=1 0
+3 70
"""


def test_good_output_is_read() -> None:
    result = read_output(GOOD, "target board")
    assert result.hashes == [0xABCD, 0xFFFFFFFF]
    assert (result.total_hash, result.poses, result.stack_bytes) == (0x12345678, 42, 280)
    assert result.instructions == {"evaluate": 426, "row_average": 99}


@pytest.mark.parametrize(("change", "message"), [
    (("clip 0 hash 0000abcd poses 12\n", ""), "0"),
    (("done\n", ""), "board"),
    (("total hash 12345678 poses 42\n", ""), "board"),
    (("stack pose", "stuck pose"), "stuck pose_path 280"),
    ((GOOD, ""), "board"),
])
def test_incomplete_output_is_an_error(change: tuple[str, str], message: str) -> None:
    with pytest.raises(TargetError) as caught:
        read_output(GOOD.replace(*change), "target board")
    assert mentions(str(caught.value), message)


def test_call_costs() -> None:
    costs = read_call_costs(CALLGRIND)
    assert costs == {
        ("main", "evaluate"): CallCost(2, 100),
        ("main", "seek"): CallCost(1, 50),
        ("evaluate", "helper"): CallCost(4, 10),
        ("helper", "seek"): CallCost(1, 70),
    }
    assert average_instructions(costs, "evaluate") == 50
    assert average_instructions(costs, "seek") == 60
    assert average_instructions(costs, "seek", "helper") == 70
    assert average_instructions(costs, "nothing") is None
