"""Handles SIGINT, SIGTERM and SIGHUP, which end the command and leave no half-written file.

While packages load and nothing is written yet, a signal ends the process at once: an exception would
pass through foreign code, which may print or swallow it. While a command runs, the first signal raises
KeyboardInterrupt, so that scratch files are removed. A signal that was ignored stays ignored.
"""
from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any, NoReturn

ENDING = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP")
               if hasattr(signal, name))  # Windows has no SIGHUP
MESSAGE = "interrupted; no file is half-written"
_Handler = Callable[[int, FrameType | None], object]


def _handle(handler: _Handler) -> None:
    for number in ENDING:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, handler)


def _leave(number: int, _frame: FrameType | None) -> NoReturn:
    with suppress(OSError):
        os.write(2, f"ossicle: {MESSAGE}\n".encode())
    os._exit(128 + number)


def _raise(number: int, _frame: FrameType | None) -> NoReturn:
    _handle(_leave)  # a second signal does not wait for the cleaning up after the first
    raise KeyboardInterrupt(number)


def end_at_once() -> None:
    """Lets signals end the process from here on, including one that a launcher has blocked until
    now."""
    _handle(_leave)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING)


def end_by_exception() -> None:
    """Lets a signal raise KeyboardInterrupt with its number from here on; a second one ends the
    process."""
    _handle(_raise)


@contextmanager
def held() -> Iterator[None]:
    """Holds signals back until the block ends. Has no effect in threads, which receive none."""
    came: list[int] = []
    before: dict[int, Any] = {}
    try:
        with suppress(ValueError):  # not the main thread
            for number in ENDING:
                before[number] = signal.signal(number, lambda number, _: came.append(number))
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        for number in came:
            signal.raise_signal(number)
