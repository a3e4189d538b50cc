"""Handles SIGINT, SIGTERM and SIGHUP, which end the command without leaving half-written files.

While packages load and nothing is written yet, a signal ends the process immediately: an exception would pass
through code of other packages, which may print or swallow it. While a command runs, the first signal raises
KeyboardInterrupt, so that scratch files are removed. Ignored signals stay ignored, and handlers in C, which Python
cannot restore, stay in place.
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
MESSAGE = "interrupted; no file is incomplete"
_Handler = Callable[[int, FrameType | None], object]


def _handle(handler: _Handler) -> None:
    for number in ENDING:
        if signal.getsignal(number) not in (signal.SIG_IGN, None):
            signal.signal(number, handler)


def _leave(number: int, _frame: FrameType | None) -> NoReturn:
    with suppress(OSError):
        os.write(2, f"ossicle: {MESSAGE}\n".encode())
    os._exit(128 + number)


def _raise(number: int, _frame: FrameType | None) -> NoReturn:
    _handle(_leave)  # a second signal does not wait for the clean-up
    raise KeyboardInterrupt(number)


def exit_on_signal() -> None:
    """Makes signals end the process, including those that a launcher blocked."""
    _handle(_leave)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING)


def raise_on_signal() -> None:
    """Makes the next signal raise KeyboardInterrupt with its number, and a second one end the process."""
    _handle(_raise)


@contextmanager
def deferred() -> Iterator[None]:
    """Defers signals until the block ends. Has no effect in threads, which receive none."""
    received: list[int] = []
    before: dict[int, Any] = {}
    try:
        with suppress(ValueError):  # not the main thread
            for number in (number for number in ENDING if signal.getsignal(number) is not None):
                before[number] = signal.signal(number, lambda number, _: received.append(number))
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        for number in received:
            signal.raise_signal(number)
