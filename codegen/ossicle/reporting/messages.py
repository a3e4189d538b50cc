"""Prints lines to the standard error: problems, warnings and progress."""
from __future__ import annotations

import sys
from collections.abc import Iterable
from contextlib import suppress

from ..base.problem import one_line


def say(line: str) -> None:
    """Prints a line to the standard error, if possible."""
    with suppress(OSError):
        print(one_line(f"ossicle: {line}"), file=sys.stderr, flush=True)


def warn(warnings: Iterable[str]) -> None:
    for warning in warnings:
        say(f"warning: {warning}")


_warned: set[str] = set()  # by this process


def warn_once(warning: str) -> None:
    """Prints a warning once, even if its cause recurs, such as a cache that every character opens."""
    if warning not in _warned:
        _warned.add(warning)
        warn([warning])
