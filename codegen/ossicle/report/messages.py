"""Lines on the standard error: problems, warnings and what the command does."""
from __future__ import annotations

import sys
from collections.abc import Iterable
from contextlib import suppress

from ..base.problem import one_line


def say(line: str) -> None:
    """Prints one line to the standard error, if it can be written."""
    with suppress(OSError):
        print(one_line(f"ossicle: {line}"), file=sys.stderr, flush=True)


def warn(warnings: Iterable[str]) -> None:
    for warning in warnings:
        say(f"warning: {warning}")


_warned: set[str] = set()  # by this process


def warn_once(warning: str) -> None:
    """Warns of what is found again and again, such as a cache that every character opens."""
    if warning not in _warned:
        _warned.add(warning)
        warn([warning])
