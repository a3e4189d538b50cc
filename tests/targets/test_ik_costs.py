"""Limbs and looks on the boards: the same rotations as on the host, for anything, within what
osc_ik.h states."""
from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest
from target_support import ROOT, SUPPORTED, one_of_a_platform, run_program


STATED = {
    "limb": r"bool osc_ik_two_bone",
    "head": r"bool osc_ik_aim",
}
BOARDS = {"mps2_an386": 0, "microbit": 1}  # which of the figures of a cost are the board's


def measured(target: str, folder: Path) -> dict[str, str]:
    code, output = run_program(target, "ik_check", folder, runtime=True)
    assert code == 0, output
    return dict(line.split(" ", 1) for line in output.splitlines())


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return measured("host", tmp_path_factory.mktemp("host"))


@cache
def _cost_text(function: str) -> str:
    """The comment before a function, in which all white space is one blank."""
    header = (ROOT / "runtime/osc_ik.h").read_text(encoding="utf-8")
    comment = header[:header.index(STATED[function])].rpartition("/*")[2]
    return " ".join(comment.replace("\n *", " ").split())


def _figures(function: str, pattern: str) -> list[int]:
    [found] = re.finditer(pattern, _cost_text(function))
    return [int(figure.replace(",", "")) for figure in found.groups()]


@pytest.mark.parametrize("target", [name for name in BOARDS if name in SUPPORTED])
def test_boards_solve_as_stated(target: str, tmp_path: Path, host: dict[str, str]) -> None:
    got = measured(target, tmp_path)
    assert got["hash"] == host["hash"]
    board = BOARDS[target]
    limb = _figures("limb", r"Cost: ([\d,]+) instructions on a Cortex-M4, ([\d,]+) on a Cortex-M0")
    head = _figures("head", r"alone ([\d,]+) instructions on a Cortex-M4 and ([\d,]+) on a Cortex-M0")
    flat = _figures("head", r"Cortex-M0, ([\d,]+) and ([\d,]+) without a pole")
    chain = _figures("head", r"three joints and an offset ([\d,]+) and ([\d,]+)")
    stack = _figures("limb", r"below (\d+) bytes of stack") + _figures("head", r"Below (\d+) bytes of stack")
    for name, figures in (("limb", limb), ("head", head), ("flat", flat), ("chain", chain)):
        assert int(got[name]) == pytest.approx(figures[board], rel=0.02), name
    assert int(got["stack"]) <= min(stack)


@pytest.mark.parametrize("target", one_of_a_platform(name for name in SUPPORTED if name not in (*BOARDS, "host")))
def test_all_machines_solve_alike(target: str, tmp_path: Path, host: dict[str, str]) -> None:
    assert measured(target, tmp_path)["hash"] == host["hash"]
