"""Tables: plain text in a pipe, without the package that draws them on a terminal."""
from __future__ import annotations

import os
import subprocess
import sys

import pytest
from ossicle.reporting.tables import FOLDED, Table, console
from running import ROOT


def table() -> Table:
    rows = Table([("name", "left"), ("bytes", "right"), ("what it is", FOLDED)])
    rows.add_row("Walk", "1,234", "a cycle " * 20)
    rows.add_row("歩く", "5")
    return rows


def test_columns_are_as_wide_as_their_content() -> None:
    """Wide characters take two cells, and lines end with their last letter."""
    assert str(table()).splitlines() == [
        "name  bytes  what it is", "Walk  1,234  " + ("a cycle " * 20).rstrip(), "歩く      5"]
    assert str(Table([("a", "right")]).titled("b")) == "b\na"


def test_a_terminal_folds_prose(monkeypatch: pytest.MonkeyPatch) -> None:
    here, there = os.openpty()
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setenv("TERM", "xterm")
    with open(there, "w", encoding="utf-8") as stream:
        monkeypatch.setattr(sys, "stdout", stream)
        console().print(table().titled("clips"))
        stream.flush()
        lines = os.read(here, 1 << 16).decode().splitlines()
    os.close(here)
    assert len(lines) > 4 and "\x1b[1m" in lines[0] and sum("Walk" in line for line in lines) == 1


def test_a_pipe_needs_no_rich() -> None:
    script = "import sys\nfrom ossicle.cli.main import main\nmain(['presets'])\nassert 'rich' not in sys.modules"
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False,
                         env=os.environ | {"PYTHONPATH": str(ROOT / "codegen")})
    assert (ran.returncode, ran.stderr) == (0, "") and len(ran.stdout.splitlines()) > 10
