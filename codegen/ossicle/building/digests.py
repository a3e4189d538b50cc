"""Stores digests of files, so that unchanged files are not read again.

A file is unchanged if its path, size, times and inode number are those at which it was read. The digest of a file that
was written moments ago is not stored, because a second change within the resolution of its times would be invisible.
"""
from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from contextvars import ContextVar
from hashlib import sha256
from pathlib import Path
from typing import Any

from ..base.files.cache_folder import DIGESTS, make_cache_folder
from ..base.files.reading import read_file

_YOUNG_NS = 2_000_000_000  # more than the resolution of any file system
_WAIT_S = 5.0  # for other builds that write to the database


class _Memory:
    """Digests by path and state. If the database fails, files are read.

    Paths are bytes, because a file name need not be text. New digests are written at the end, because a transaction
    that stays open during a build would block other builds.
    """

    def __init__(self, folder: Path) -> None:
        import sqlite3  # imported here: takes as long as the rest of an up-to-date build
        self._errors = (sqlite3.Error, OSError)
        self._learnt: dict[bytes, tuple[str, str]] = {}
        self._store: Any = None
        with suppress(*self._errors):
            make_cache_folder(folder)
            self._store = sqlite3.connect(folder / DIGESTS, timeout=_WAIT_S)
        self._use("PRAGMA synchronous = OFF")
        self._use("CREATE TABLE IF NOT EXISTS digests (place BLOB PRIMARY KEY, state TEXT, digest TEXT)")

    def known(self, place: bytes, state: str) -> str | None:
        """Returns the digest of a file in this state, if it is stored."""
        if place not in self._learnt:
            rows = self._use("SELECT digest FROM digests WHERE place = ? AND state = ?", (place, state))
            return rows[0][0] if rows and isinstance(rows[0][0], str) else None
        known_state, digest = self._learnt[place]
        return digest if known_state == state else None

    def learn(self, place: bytes, state: str, digest: str) -> None:
        """Stores a digest."""
        self._learnt[place] = state, digest

    def close(self) -> None:
        """Writes the new digests to the database."""
        if self._store is not None:
            with suppress(*self._errors), closing(self._store), self._store:
                self._store.executemany("INSERT OR REPLACE INTO digests VALUES (?, ?, ?)",
                                        [(place, *learnt) for place, learnt in self._learnt.items()])

    def _use(self, command: str, values: Sequence[object] = ()) -> list[Any]:
        """Returns the rows of an SQL command. After a failure, which may take _WAIT_S, the database is closed."""
        if self._store is None:
            return []
        try:
            return self._store.execute(command, values).fetchall()
        except self._errors:
            self._store.close()
            self._store = None
            return []


_memory: ContextVar[_Memory | None] = ContextVar("memory", default=None)


@contextmanager
def remembered_in(folder: Path | None) -> Iterator[None]:
    """Stores digests in a cache's folder during the block, or nowhere with None. Raises SettingProblem for a folder
    that is not a cache."""
    if folder is None:
        yield
        return
    memory = _Memory(folder)
    token = _memory.set(memory)
    try:
        yield
    finally:
        _memory.reset(token)
        memory.close()


def digest_of(content: bytes) -> str:
    """Returns the digest of a file with this content."""
    return sha256(content).hexdigest()


def digest(path: Path) -> str:
    """Returns the digest of a file, or an empty string if it cannot be read."""
    try:
        return _remembered(os.path.abspath(path), lambda: _found(path), lambda: digest_of(read_file(path)))
    except OSError:
        return ""


def digest_of_all(name: str, paths: Sequence[str]) -> str:
    """Returns the digest of the names and contents of files, of which some may be missing. name: of all of them, so
    that later calls look up one digest instead of one for each file."""
    def state() -> tuple[str, int]:
        states = []
        for path in paths:
            try:
                states.append(_found(path))
            except OSError:
                states.append(("", 0))
        lines = "".join(f"{path} {state}\n" for path, (state, _) in zip(paths, states))
        return digest_of(os.fsencode(lines)), max((changed_ns for _, changed_ns in states), default=0)

    return _remembered(name, state, lambda: digest_of(os.fsencode(
        "".join(f"{os.path.basename(path)} {digest(Path(path))}\n" for path in paths))))


def _remembered(name: str, state: Callable[[], tuple[str, int]], compute: Callable[[], str]) -> str:
    """Returns the digest stored for a name and a state, or else computes it, and stores it unless a file of the state
    is young or changes meanwhile. Raises OSError."""
    memory = _memory.get()
    if memory is None:
        return compute()
    place, (before, changed_ns) = os.fsencode(name), state()
    known = memory.known(place, before)
    if known is not None:
        return known
    now = time.time_ns()
    result = compute()
    if now - changed_ns > _YOUNG_NS and state()[0] == before:
        memory.learn(place, before, result)
    return result


def _found(path: Path | str) -> tuple[str, int]:
    """Returns the state of a file, and the time in nanoseconds when it last changed. Raises OSError."""
    there = os.stat(path)
    return _state(there), max(there.st_mtime_ns, there.st_ctime_ns)


def _state(there: os.stat_result) -> str:
    return f"{there.st_dev} {there.st_ino} {there.st_size} {there.st_mtime_ns} {there.st_ctime_ns}"
