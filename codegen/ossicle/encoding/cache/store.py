"""The database of a cache of encoded clips, which diskcache keeps consistent while processes share it.

Only bytes and numbers are read from it, because the database is untrusted: diskcache would execute pickles, open and
delete files that rows name, and let settings replace its variables.
"""
from __future__ import annotations

import os
import shlex
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import diskcache

from ...base.files.cache_folder import CLIPS, make_cache_folder, mark_cache_folder
from ...base.files.private_folder import refuse_links
from ...base.problem import SettingProblem
from .key import KEY_BYTES

DEFAULT_LIMIT_BYTES = 5_000_000_000
FAILURES = (OSError, sqlite3.Error, diskcache.Timeout, TypeError, ValueError)  # of any use, if the database is damaged
_DATABASE = "cache.db"
_WAIT_S = 60.0  # for other writers
_RAW = diskcache.core.MODE_RAW
_SETTINGS = diskcache.DEFAULT_SETTINGS | {
    "statistics": 1, "eviction_policy": "least-recently-used",
    "disk_min_file_size": 1 << 40,  # all values are in the database, and no row has a file
    "sqlite_mmap_size": 0}  # otherwise a database that another process truncates would kill this one
_KNOWN = _SETTINGS | diskcache.core.METADATA
_FOREIGN = (f"typeof(key) IS NOT 'blob' OR length(key) IS NOT {KEY_BYTES} OR raw IS NOT 1 OR expire_time IS NOT NULL "
            # rows that are never written
            f"OR mode IS NOT {_RAW} OR filename IS NOT NULL OR typeof(value) IS NOT 'blob'")


class _Values(diskcache.Disk):  # type: ignore[misc]
    """Reads only bytes and numbers of the database, no files."""

    def get(self, key: Any, raw: bool) -> Any:
        return key

    def fetch(self, mode: int, filename: str | None, value: Any, read: bool) -> Any:
        return value if mode == _RAW else None

    def remove(self, file_path: str) -> None:
        pass


class ClipStore(diskcache.Cache):  # type: ignore[misc]
    """Entries by key. Every method raises one of FAILURES if the database is damaged or out of reach."""

    def __init__(self, folder: Path, limit_bytes: int | None) -> None:
        """See open_store."""
        database = folder / _DATABASE
        if limit_bytes is None and not (database.exists() and database.stat().st_size):
            limit_bytes = DEFAULT_LIMIT_BYTES
        limit = {} if limit_bytes is None else {"size_limit": limit_bytes}
        settings = {name: value for name, value in _SETTINGS.items() if name != "size_limit"}
        super().__init__(str(folder), timeout=_WAIT_S, disk=_Values, **settings | limit)

    def reset(self, key: str, value: Any = diskcache.core.ENOVAL, update: bool = True) -> Any:
        """Sets or reads a setting, which must exist."""
        if value is not diskcache.core.ENOVAL:
            return super().reset(key, _sound(key, value), update)
        return _sound(key, super().reset(key))

    def remove_bad(self, is_good: Callable[[bytes, bytes], bool]) -> int:
        """Removes the entries whose key and value are invalid, and returns their number. Does not count as a use of the
        others."""
        if self._sql("PRAGMA integrity_check(1)").fetchall() != [("ok",)]:
            raise sqlite3.DatabaseError("its database is damaged")
        removed = self._sql(f"DELETE FROM Cache WHERE {_FOREIGN}").rowcount
        for row in self._sql("SELECT rowid FROM Cache").fetchall():
            for key, value in self._sql("SELECT key, value FROM Cache WHERE rowid = ?", row).fetchall():
                if not is_good(key, value):
                    removed += self._sql("DELETE FROM Cache WHERE rowid = ?", row).rowcount
        return removed


def _sound(name: str, value: Any) -> Any:
    """Returns the value if it is valid for this setting. Raises sqlite3.DatabaseError otherwise."""
    own = _KNOWN.get(name)
    if own is None or not (isinstance(value, int) if isinstance(own, int) else value == own):
        raise sqlite3.DatabaseError(f"its setting {name!r} is damaged")
    return value


def open_store(folder: Path, limit_bytes: int | None) -> ClipStore:
    """Opens the store of a cache, and creates its folder if it does not exist. limit_bytes: the size above which
    entries are evicted, or None for the limit of the folder, or the default. Raises SettingProblem if the folder cannot
    be used, and FAILURES if the database cannot."""
    clips = (folder / CLIPS).absolute()
    if str(clips) != os.path.expandvars(clips):  # as diskcache does
        raise SettingProblem(f"{folder}: the cache cannot be used, because its name contains a variable; choose "
                             "another folder")
    try:
        make_cache_folder(folder)
        refuse_links(clips / _DATABASE)
        store = ClipStore(clips, limit_bytes)
        mark_cache_folder(folder)  # again, because another process may have cleared it
    except OSError as error:
        raise SettingProblem(f"{folder}: the cache cannot be used ({error.strerror or error}); choose another folder, "
                             "or off") from error
    return store


def reason(error: Exception) -> str:
    """Returns the text of one of FAILURES for the user."""
    if isinstance(error, diskcache.Timeout):
        return "other processes are using it"
    if isinstance(error, OSError):
        return error.strerror or str(error)
    return str(error) if isinstance(error, sqlite3.Error) else "its database is damaged"


def remedy(folder: Path) -> str:
    """Returns the remedy for a cache that fails."""
    return f"`ossicle cache clear --cache {shlex.quote(str(folder))}` resets it"
