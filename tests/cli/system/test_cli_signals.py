"""A signal ends the command at any time, with one line and the status that shells expect."""
from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ossicle.base import signals
from running import HERO, ROOT, run_inside, write_bvh
from thinned import thinned

LAUNCHER = ROOT / "build/bin/ossicle"  # built with the library
ENVIRONMENT = os.environ | {"PYTHONPATH": str(ROOT / "codegen")}
STOPPED = f"ossicle: {signals.MESSAGE}\n"
MISSING = run_inside("inspect", "missing.ossb").err
DELAYS_MS = (0, 1, 2, 4, 6, 8, 10, 12, 15, 18, 22, 26, 30, 40, 50, 70, 90, 120, 160, 200, 260, 330)
PATIENCE_S = 30.0


def end_after(delay_s: float, number: signal.Signals, *command: object) -> tuple[int, str, str]:
    """The status, output and errors of a command that gets a signal."""
    process = subprocess.Popen([*map(str, command)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               text=True, env=ENVIRONMENT)
    try:
        time.sleep(delay_s)
        process.send_signal(number)
        printed, errors = process.communicate(timeout=PATIENCE_S)
    finally:
        process.kill()
    return process.returncode, printed, errors


@pytest.mark.parametrize(("number", "delays_ms"), [
    (signals.ENDING[0], DELAYS_MS), *((number, DELAYS_MS[1::3]) for number in signals.ENDING[1:]),
    *(pytest.param(number, DELAYS_MS, marks=pytest.mark.exhaustive) for number in signals.ENDING[1:])])
def test_a_signal_ends_the_command_from_its_first_instant(number: signal.Signals, delays_ms: tuple[int, ...]) -> None:
    """Also while Python and its packages load. A shell that has not yet become Python, and Python that
    is about to leave, die of the signal itself, which has the same status for a shell."""
    ends = [end_after(ms / 1e3, number, LAUNCHER, "inspect", "missing.ossb") for ms in delays_ms]
    for status, printed, errors in ends:
        assert printed == ""
        assert (status, errors) in ((128 + number, STOPPED), (128 + number, MISSING + STOPPED), (-number, ""),
                                    (-number, MISSING), (1, MISSING)), (status, errors)
    assert sum(status == 128 + number for status, _, _ in ends) >= len(delays_ms) // 2


@pytest.mark.parametrize("number", signals.ENDING)
def test_a_signal_ends_the_module_while_packages_load(number: signal.Signals) -> None:
    """From its own first line on; what Python does before that is not the command's."""
    script = ("import os, sys; sys.argv = ['ossicle', 'inspect', 'missing.ossb']\n"
              "class Slow:\n"
              "    def find_spec(self, name, *_):\n"
              "        if name == {package!r}:\n"
              f"            os.kill(os.getpid(), {int(number)})\n"
              "sys.meta_path.insert(0, Slow())\n"
              "import runpy; runpy.run_module('ossicle', run_name='__main__')")
    for package in ("ossicle.cli.main", "numpy", "numpy.core", "ossicle.cli.commands.inspect",
                    "ossicle.reporting.costs"):
        ran = subprocess.run([sys.executable, "-c", script.replace("{package!r}", repr(package))],
                             capture_output=True, text=True, check=False, env=ENVIRONMENT, timeout=PATIENCE_S)
        assert (ran.returncode, ran.stdout, ran.stderr) == (128 + number, "", STOPPED), package


def test_a_signal_that_was_ignored_stays_so(tmp_path: Path) -> None:
    """As in a script that runs the command in the background, or under nohup."""
    for number, delay_s in ((signal.SIGINT, 0.05), (signal.SIGHUP, 0.05), (signal.SIGINT, 0.6)):
        bank = tmp_path / "x.ossb"
        status, _, errors = end_after(
            delay_s, number, "sh", "-c", f"trap '' {number.name[3:]}; exec '{LAUNCHER}' encode '{HERO}' "
            f"-o '{bank}' --effort fast --quiet")
        if status == -number:  # before the shell had read its line
            assert errors == "" and delay_s < 0.1
            continue
        assert (status, errors) == (0, "") and bank.is_file()
        bank.unlink()


def run_script(script: str, *arguments: object, cwd: Path | None = None) -> tuple[int, str]:
    ran = subprocess.run([sys.executable, "-c", script, *map(str, arguments)], cwd=cwd, check=False,
                         capture_output=True, text=True, timeout=4 * PATIENCE_S, env=ENVIRONMENT)
    return ran.returncode, ran.stderr


def test_the_demo_ends_too(tmp_path: Path) -> None:
    status, _, errors = end_after(1.5, signal.SIGINT, sys.executable, "-m", "tools.demo", "--output",
                                  tmp_path / "out", "--tolerance", "0.01mm")
    assert (status, errors) == (130, STOPPED)


def test_a_signal_while_the_header_is_parsed(tmp_path: Path) -> None:
    """In a checkout that is not built. The parser runs code from text. Python dies of a signal that interrupts such
    code, even if the exception is handled."""
    (tmp_path / "sitecustomize.py").write_text(r"""
import os, signal
import cffi
cdef = cffi.FFI.cdef
def interrupted(self, text):
    exec("os.kill(os.getpid(), signal.SIGINT)\nfor _ in range(9): pass")
    cdef(self, text)
cffi.FFI.cdef = interrupted
from pathlib import Path
from ossicle.base import encoder_declarations
encoder_declarations.ENCODER_DECLARATIONS = Path("not-built")
""", encoding="utf-8")
    path = os.pathsep.join([str(tmp_path), ENVIRONMENT["PYTHONPATH"]])
    ran = subprocess.run([sys.executable, "-m", "ossicle", "encode", HERO, "-o", tmp_path / "x.ossb"],
                         check=False, capture_output=True, text=True, timeout=PATIENCE_S,
                         env=ENVIRONMENT | {"PYTHONPATH": path})
    assert (ran.returncode, ran.stderr) == (130, STOPPED)


def test_a_second_signal_does_not_wait() -> None:
    status, errors = run_script("""
import os, signal, time
from ossicle.base import signals
signals.raise_on_signal()
try:
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(60)
except KeyboardInterrupt as stop:
    assert stop.args == (signal.SIGTERM,)
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(60)
""")
    assert (status, errors) == (130, STOPPED)


def test_signals_are_held_back_not_lost() -> None:
    came: list[int] = []
    before = signal.signal(signal.SIGTERM, lambda number, _: came.append(number))
    try:
        with signals.deferred():
            signal.raise_signal(signal.SIGTERM)
            with signals.deferred():
                signal.raise_signal(signal.SIGTERM)
            assert came == []
        assert came == [signal.SIGTERM] * 2
    finally:
        signal.signal(signal.SIGTERM, before)


BUILD = """
import os, signal, sys
from ossicle.base import output
from ossicle.base import signals
from ossicle.cli.main import main
original, calls = getattr(os, sys.argv[1]), []
def interrupted(*arguments, **options):
    calls.append(arguments)
    if len(calls) == 2:
        os.kill(os.getpid(), signal.SIGINT)
    return original(*arguments, **options)
setattr(output.os, sys.argv[1], interrupted)
sys.argv[1:] = ["build", "dog.toml", "--quiet"]
signals.exit_on_signal()
sys.exit(main())
"""


@pytest.mark.parametrize(("call", "new"), [("urandom", False), ("link", False), ("replace", True)])
def test_files_are_replaced_together_or_not_at_all(tmp_path: Path, call: str, new: bool) -> None:
    """A signal while files are prepared leaves the old ones; while they are put in place, the new."""
    write_bvh(tmp_path / "walk.bvh")
    (tmp_path / "dog.toml").write_text('inputs = ["walk.bvh"]\ngenerate = "."\neffort = "fast"\n', encoding="utf-8")
    written = ["dog.h", "dog.manifest.json", "dog.ossb", "dog_pose.c", "dog_tables.c"]
    for name in written:
        (tmp_path / name).write_bytes(b"old")
    assert run_script(BUILD, call, cwd=tmp_path) == (130, STOPPED)
    assert sorted(os.listdir(tmp_path)) == sorted([*written, "dog.toml", "walk.bvh"])
    assert {(tmp_path / name).read_bytes() == b"old" for name in written} == {not new}


@pytest.mark.parametrize(("command", "redirection"), thinned(
    {"inspect missing.ossb": 1, "inspct": 2, "": 2, "encode missing.bvh -o x": 1}.items(),
    ["2>/dev/full", "2>&-", "<&- 2>&-", ">&- 2>&-"]))
def test_the_status_does_not_depend_on_closed_outputs(tmp_path: Path, command: tuple[str, int],
                                                      redirection: str) -> None:
    words, status = command
    ran = subprocess.run(["sh", "-c", f"exec {sys.executable} -m ossicle {words} {redirection}"],
                         cwd=tmp_path, check=False, capture_output=True, text=True, timeout=PATIENCE_S, env=ENVIRONMENT)
    assert (ran.returncode, ran.stderr) == (status, "")
    assert "ossicle: " not in ran.stdout and os.listdir(tmp_path) == []


def test_a_bank_is_not_printed_to(tmp_path: Path) -> None:
    """If the standard streams are closed, files get their numbers."""
    for redirection in ("", "<&- >&- 2>&-"):
        ran = subprocess.run(
            ["sh", "-c", f"exec {sys.executable} -m ossicle encode {HERO} -o x{len(redirection)}.ossb "
             f"--effort fast --scale 0.01 {redirection}"], cwd=tmp_path, check=False,
            capture_output=True, text=True, timeout=PATIENCE_S, env=ENVIRONMENT)
        assert ran.returncode == 0
    first, second = (path.read_bytes() for path in sorted(tmp_path.iterdir()))
    assert first == second
