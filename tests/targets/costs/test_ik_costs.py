"""Limbs and looks on the boards: the same rotations as on the host, for anything, at the stated cost."""
from __future__ import annotations

from pathlib import Path

import pytest
from figures import figure
from target_support import SUPPORTED, one_of_a_platform, run_program

BOARDS = {"mps2_an386": "m4", "microbit": "m0"}


def measured(target: str, folder: Path) -> dict[str, str]:
    code, output = run_program(target, "ik_check", folder, runtime=True)
    assert code == 0, output
    return dict(line.split(" ", 1) for line in output.splitlines())


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return measured("host", tmp_path_factory.mktemp("host"))


@pytest.mark.parametrize("target", [name for name in BOARDS if name in SUPPORTED])
def test_boards_solve_as_stated(target: str, tmp_path: Path, host: dict[str, str]) -> None:
    got = measured(target, tmp_path)
    assert got["hash"] == host["hash"]
    for name in ("limb", "head", "flat", "chain"):
        stated = figure(f"ik.{name}_{BOARDS[target]}_instructions")
        assert int(got[name]) == pytest.approx(stated, rel=0.02), name
    assert int(got["stack"]) <= figure("ik.stack_bytes")


@pytest.mark.parametrize("target", one_of_a_platform(name for name in SUPPORTED if name not in (*BOARDS, "host")))
def test_all_machines_solve_alike(target: str, tmp_path: Path, host: dict[str, str]) -> None:
    assert measured(target, tmp_path)["hash"] == host["hash"]
