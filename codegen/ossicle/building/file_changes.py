"""Waits until files change, whichever way programs write them.

Editors write a new file and rename it, exporters write for seconds, and version control systems write many files
together. Therefore folders are watched instead of files, an event only triggers a check, and a change is reported once
nothing has changed for QUIET_S. Network drives send no events and a folder may be replaced, so files are also checked
every LOOK_S.
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

QUIET_S = 0.2  # if a program pauses for longer while it writes, the build of the incomplete file fails and is repeated
LOOK_S = 1.0  # between checks without an event

# Time, size and inode number of each file or folder; None if it is missing. The time of a folder changes with the
# names in it.
Seen = Mapping[Path, tuple[int, ...] | None]


class FileChanges:
    """Watches files and the names in folders for changes within a with statement."""

    def __init__(self) -> None:
        """Raises SettingProblem if the library that watches folders is missing."""
        try:  # imported here: it is slow to load, and most commands do not need it
            from watchdog.events import FileSystemEventHandler
            from watchdog.observers import Observer
        except ImportError as error:
            raise SettingProblem(f"watch: files cannot be watched ({error}); install python3-watchdog") from error
        self._event = Event()
        self._handler: Any = FileSystemEventHandler()
        self._handler.on_any_event = lambda _: self._event.set()
        observer: Any = Observer  # watchdog annotates only some of its functions
        self._observer = observer()

    def __enter__(self) -> FileChanges:
        self._observer.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None,
                 trace: TracebackType | None) -> None:
        self._observer.stop()
        self._observer.join()

    def look_at(self, files: Iterable[Path]) -> Seen:
        """Watches these files instead of earlier ones, and returns their state."""
        files = list(files)
        folders = {os.path.abspath(path) for path in files if path.is_dir()}
        folders |= {os.path.dirname(os.path.abspath(path)) for path in files}
        folders |= {os.path.dirname(os.path.realpath(path)) for path in files}
        self._observer.unschedule_all()
        for folder in sorted(folders):
            with suppress(OSError):  # the folder is missing, or the system watches too many
                self._observer.schedule(self._handler, folder)
        return _state(files)

    def wait(self, seen: Seen) -> None:
        """Returns once the state of the files differs from `seen` and no longer changes."""
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
    """Returns whether the state of the files differs from `seen`."""
    return _state(seen) != seen


def _state(files: Iterable[Path]) -> Seen:
    return {path: _facts(path) for path in files}


def _facts(path: Path) -> tuple[int, ...] | None:
    try:
        there = os.stat(path)
    except OSError:
        return None
    return there.st_mtime_ns, there.st_size, there.st_ino
