"""Progress: pace and time left on a terminal, nothing in a pipe or a CI system."""
from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import rich.console
from ossicle.compare.comparison import Comparison, read_sources
from ossicle.encoding.encoder import encode_clips
from ossicle.encoding.settings import Settings
from ossicle.importers.importer import read_clips
from ossicle.model.lengths import Tolerance
from ossicle.reporting import bar, console
from ossicle.machines import known_costs
from running import run_command, write_bvh

Steps = list[tuple[int, int, str]]


@contextmanager
def terminal(monkeypatch: pytest.MonkeyPatch, **environment: str) -> Iterator[Callable[[], str]]:
    """stderr is a terminal in this block. Yields a function that returns what it shows."""
    for name in ("CI", "FORCE_COLOR", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in {"TERM": "xterm", "COLUMNS": "120", **environment}.items():
        monkeypatch.setenv(name, value)
    here, there = os.openpty()
    os.set_blocking(here, False)

    def shown() -> str:
        sys.stderr.flush()
        with open(os.dup(here), "rb", buffering=0) as screen:
            return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", (screen.read() or b"").decode())

    with open(there, "w", encoding="utf-8") as stream:
        monkeypatch.setattr(sys, "stderr", stream)
        yield shown
    os.close(here)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The seconds that rich sees."""
    seconds, real = [0.0], rich.console.Console
    monkeypatch.setattr(bar, "Console", lambda **options: real(get_time=lambda: seconds[0], **options))
    return seconds


@pytest.mark.parametrize(("unit", "wanted"), [("frames", "25% 3 frames/s, 0:24 left Walk"), ("", "25% 0:00:16 Walk")])
def test_pace_and_time_left(monkeypatch: pytest.MonkeyPatch, clock: list[float], unit: str, wanted: str) -> None:
    """The time that passes since the last clip was done is not left any more."""
    with terminal(monkeypatch) as shown:
        with console.progress_bar("encoding", unit) as progress:
            clock[0] = 10.0
            progress(30, 120, "Walk")
            clock[0] = 16.0
        output = shown()
    assert "encoding" in output and wanted in " ".join(output.split())


def test_durations() -> None:
    assert [bar.duration_text(seconds) for seconds in (-3.0, 7.4, 90.0, 3750.0)] == [
        "0:00", "0:07", "1:30", "1:02:30"]


@pytest.mark.parametrize("environment", [{"CI": "true"}, {"TERM": "dumb"}])
def test_no_progress_without_a_terminal(monkeypatch: pytest.MonkeyPatch, environment: dict[str, str]) -> None:
    with terminal(monkeypatch, **environment) as shown:
        with console.progress_bar("encoding", "frames") as progress:
            progress(30, 120, "Walk")
        assert shown() == ""


def test_no_progress_in_a_pipe(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Also if colours are forced, as some CI systems do, which rich takes for a terminal."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with console.progress_bar("encoding", "frames") as progress:
        progress(30, 120, "Walk")
    assert sys.stderr.getvalue() == ""
    ran = run_command("encode", write_bvh(tmp_path / "walk.bvh"), "-o", tmp_path / "walk.ossb", "--effort", "fast")
    assert (ran.status, ran.err) == (0, "")


def check_steps(steps: Steps, total: int) -> None:
    done = [step[0] for step in steps]
    assert done == sorted(set(done)) and done[-1] <= total
    assert {step[1] for step in steps} == {total}


def test_encoding_counts_frames_once_for_each_codec(tmp_path: Path) -> None:
    """So that it does not begin again where the set of codecs is chosen."""
    files = [write_bvh(tmp_path / f"{name}.bvh", frames=frames) for name, frames in (("a", 20), ("b", 50))]
    for settings, tries in ((Settings(effort="fast", costs=known_costs(None)), 3 + 2),
                            (Settings(effort="fast", codec="delta"), 1)):
        steps: Steps = []
        encode_clips(read_clips(files), settings, progress=lambda *step: steps.append(step))
        check_steps(steps, 70 * tries)
        assert steps[-1][0] == 70 * tries


def test_comparing_counts_frames_once_for_each_scheme(tmp_path: Path) -> None:
    for name, frames in (("a", 20), ("b", 50)):
        write_bvh(tmp_path / f"{name}.bvh", frames=frames)
    groups, _ = read_sources([tmp_path], Settings().importing)
    steps: Steps = []
    Comparison(Settings(effort="fast"), ["delta", "curve"], [Tolerance(metres=1e-3), Tolerance(metres=2e-3)]).run(
        groups, lambda *step: steps.append(step))
    check_steps(steps, 2 * 2 * 70)
    assert steps[-1][0] == 2 * 2 * 70
