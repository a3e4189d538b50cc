"""Mixing costs as many instructions as stated."""
from __future__ import annotations

from pathlib import Path

import pytest
from target_support import run_program

# The most instructions with 41 joints, of which one has a translation (mix_costs.c).
COSTS = {
    "mps2_an386": {"toward": 1900, "finish": 2300, "blend": 4150, "add": 4700},
    "microbit": {"toward": 2900, "finish": 4900, "blend": 6200, "add": 8500},
    "virt_aarch64": {"toward": 920, "finish": 1050, "blend": 1800, "add": 1750},
}


@pytest.mark.parametrize("target", COSTS)
def test_mixing_costs_no_more(target: str, tmp_path: Path) -> None:
    code, output = run_program(target, "mix_costs", tmp_path, True)
    assert code == 0, output
    cost = {name: int(count) for name, count in (line.split() for line in output.splitlines())}
    assert {name: cost[name] for name in COSTS[target] if cost[name] > COSTS[target][name]} == {}
