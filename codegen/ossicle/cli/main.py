"""The `ossicle` command."""
from __future__ import annotations

import gc
import io
import os
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib import import_module

from ..base import signals
from .parser import make_parser
from ..building.problems import PROBLEMS, line_of
from ..reporting.messages import say

# Modules whose names differ from the command's. Only the module of the current command is imported.
_MODULES = {"clips": "listing", "targets": "listing", "presets": "listing",
            "watch": "watched_page"}


# Thresholds of gc.set_threshold: new objects before a search for reference cycles, and such searches before one that
# includes older objects. Most objects, such as the JSON of a source file, live until a command ends, and the default
# thresholds would spend a tenth of its time on them.
_CYCLE_SEARCH = 100_000, 50


def _run(argv: Sequence[str] | None) -> int:
    gc.set_threshold(*_CYCLE_SEARCH)
    parser = make_parser()
    arguments = parser.parse_args(argv)
    if arguments.command is None:
        parser.print_help()
        status = 2
    else:
        with signals.deferred():  # code of other packages may print or swallow an exception
            module = import_module(f".commands.{_MODULES.get(arguments.command, arguments.command)}", __package__)
        status = getattr(module, arguments.command)(arguments) or 0
    sys.stdout.flush()
    return status


def _prepare_streams() -> None:
    """Makes the standard streams usable, even if they were closed or cannot encode a name. Occupies the numbers of
    closed streams, so that no output file gets them."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # gets the lowest free number
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")
    if isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout.errors == "strict":
        sys.stdout.reconfigure(errors="backslashreplace")


def _interrupted(stop: KeyboardInterrupt) -> int:
    """Reports the interruption and returns the exit status, without waiting for clips that are being encoded."""
    number = stop.args[0] if stop.args else signal.SIGINT
    say(signals.MESSAGE)
    import threading  # imported here: other commands do without it
    if threading.active_count() > 1:
        os._exit(128 + number)
    return 128 + number


def _run_or_report(run: Callable[[], int]) -> int:
    """Returns the exit status of a run. If it is not 0, prints a line to stderr."""
    try:
        return run()
    except PROBLEMS as problem:
        say(line_of(problem))
        return 1
    except OSError as error:  # errors of inputs and outputs are PROBLEMS
        with suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if error.filename is not None:
            say(f"{os.fsdecode(error.filename)}: {error.strerror}")
        elif not isinstance(error, BrokenPipeError):  # `head` may stop reading early
            say(f"standard output: cannot be written ({error.strerror})")
        return 1


def guarded(run: Callable[[], int], own_process: bool) -> int:
    """Returns the exit status of a run. If it is not 0, prints a line to stderr. own_process: whether the run is all
    that the process does, so that signals end it."""
    _prepare_streams()
    try:
        if own_process:
            signals.raise_on_signal()
        status = _run_or_report(run)
        if own_process:
            signals.exit_on_signal()
        return status
    except KeyboardInterrupt as stop:
        return _interrupted(stop)


def main(argv: Sequence[str] | None = None) -> int:
    """Runs a command line, by default that of the process, and returns its exit status."""
    return guarded(lambda: _run(argv), argv is None)
