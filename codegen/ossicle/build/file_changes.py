"""Waits until files change, however programs write them.

Editors write a new file and rename it, exporters write for seconds, and a version control system writes
many files at once. So folders are watched rather than files, an event only says that it is time to look,
and a change counts once nothing has changed for a moment. Drives on a network send no events, and a folder
may be made again: files are looked at from time to time anyway.
"""
from __future__ import annotations

import os
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from threading import Event
from types import TracebackType
from typing import Any

from ..base.problem import SettingProblem

QUIET_S = 0.2  # a program that pauses for longer has written its file, or what is there is tried in vain
LOOK_S = 1.0  # between looks without an event

Seen = Mapping[Path, tuple[int, ...] | None]  # time, size and number of each file; None if it is not there


class FileChanges:
    """Changes of files, from when they were looked at. To be used in a with statement."""

    def __init__(self) -> None:
        """Raises SettingProblem if the library that watches folders is missing."""
        try:  # loading it takes longer than most commands that need none of it
            from watchdog.events import FileSystemEventHandler
            from watchdog.observers import Observer
        except ImportError as error:
            raise SettingProblem(f"files cannot be watched ({error}); install python3-watchdog") from error
        self._event = Event()
        self._handler: Any = FileSystemEventHandler()
        self._handler.on_any_event = lambda _: self._event.set()
        observer: Any = Observer  # watchdog has annotations for a part of its functions
        self._observer = observer()

    def __enter__(self) -> FileChanges:
        self._observer.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None,
                 trace: TracebackType | None) -> None:
        self._observer.stop()
        self._observer.join()

    def look_at(self, files: Iterable[Path]) -> Seen:
        """Watches these files instead of others, and returns what they are like."""
        files = list(files)
        folders = {os.path.dirname(os.path.abspath(path)) for path in files}
        folders |= {os.path.dirname(os.path.realpath(path)) for path in files}
        self._observer.unschedule_all()
        for folder in sorted(folders):
            with suppress(OSError):  # it is not there, or the system watches too many
                self._observer.schedule(self._handler, folder)
        return _state(files)

    def wait(self, seen: Seen) -> None:
        """Returns once the files are no longer as they were seen, and have come to rest."""
        while True:
            self._event.wait(LOOK_S)
            self._event.clear()
            now = _state(seen)
            while now != seen:
                before = now
                time.sleep(QUIET_S)
                now = _state(seen)
                if now == before:
                    return


def changed(seen: Seen) -> bool:
    """Whether the files are no longer as they were seen."""
    return _state(seen) != seen


def _state(files: Iterable[Path]) -> Seen:
    return {path: _facts(path) for path in files}


def _facts(path: Path) -> tuple[int, ...] | None:
    try:
        there = os.stat(path)
    except OSError:
        return None
    return there.st_mtime_ns, there.st_size, there.st_ino
