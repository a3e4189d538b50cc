"""The cost of a character's step over the ground on a Cortex-M."""
from __future__ import annotations

import sys
from pathlib import Path

import pytest
from test_root_motion import encoded, walk

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / "targets")]

from ossicle.generate.code import Code
from ossicle.generate import emit  # noqa: E402
from target_support import CORTEX_M, run_program  # noqa: E402

# Instructions, the wrap of a loop included, of x, z and yaw.
LIMITS = {"microbit": 6500, "mps2_an386": 2500}


@pytest.mark.parametrize("target", [name for name in LIMITS if name in CORTEX_M])
def test_a_step_costs_little(tmp_path: Path, target: str) -> None:
    _, result = encoded(walk(tmp_path), loop=True)
    bank = tmp_path / "walk.ossb"
    bank.write_bytes(result.bank)
    emit.generate(bank, tmp_path / "c", Code("character", embed=True))
    status, output = run_program(target, "motion_costs", tmp_path, runtime=True, generated=tmp_path / "c")
    costs = {name: int(number) for name, number in (line.split() for line in output.splitlines())}
    print(target, costs)
    assert status == 0 and 0 < costs["frame"] < costs["between"] < costs["follow"] < costs["wrap"] < LIMITS[target]
