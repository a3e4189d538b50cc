"""Encoded clips that are kept, by what determines their bytes (clip_key.py), so that none is encoded twice.

The store is a folder that any number of processes may use at once; diskcache keeps it consistent, and removes the
entries that were used longest ago once it is too large. What is read is trusted as little as the disk: every entry
has a checksum, and a clip from the cache becomes part of a bank as any other, which is played and measured before
it is written.
"""
from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import diskcache

from ..base.cache_folder import CLIPS, make_cache_folder
from ..base.problem import SettingProblem
from . import native
from .clip_entry import entry_of, result_of, unsealed
from .clip_key import clip_key

DEFAULT_LIMIT_BYTES = 5_000_000_000
_WAIT_S = 60.0  # for other writers


class _Plain(diskcache.Disk):
    """Reads bytes and numbers, and nothing that would run code; touches no file but its own."""

    def get(self, key: Any, raw: bool) -> Any:
        return super().get(key, True)

    def fetch(self, mode: int, filename: str | None, value: Any, read: bool) -> Any:
        plain = mode in (diskcache.core.MODE_RAW, diskcache.core.MODE_BINARY)
        return super().fetch(mode, filename, value, read) if plain and _is_own(filename) else None

    def remove(self, file_path: str) -> None:
        if _is_own(file_path):
            super().remove(file_path)


def _is_own(name: str | None) -> bool:
    """Whether this is a file of the store, as diskcache names them, or none."""
    return name is None or re.fullmatch(r"[0-9a-f]{2}/[0-9a-f]{2}/[0-9a-f]+\.val", name.replace(os.sep, "/")) is not None


@dataclass(frozen=True)
class CacheFacts:
    """What a cache holds and what it was good for, since it was made or cleared."""

    folder: Path
    entries: int
    size_bytes: int
    limit_bytes: int
    hits: int
    misses: int

    @property
    def hit_rate(self) -> float:
        """The share of clips that were there; 0 if none was asked for."""
        return self.hits / max(self.hits + self.misses, 1)


class ClipCache:
    """A cache in a folder. say: is told what a user should know, each thing once."""

    def __init__(self, folder: Path, say: Callable[[str], None], limit_bytes: int | None = None) -> None:
        """limit_bytes: from when on entries are removed; None for the limit that the folder has, or the default.
        Raises SettingProblem if the folder cannot be used."""
        self.folder, self._say = folder, say
        self._said: set[str] = set()
        try:
            make_cache_folder(folder)
            limit = {} if limit_bytes is None else {"size_limit": limit_bytes}
            new = not (folder / CLIPS).exists()
            self._store: diskcache.Cache | None = diskcache.Cache(
                str(folder / CLIPS), timeout=_WAIT_S, disk=_Plain, statistics=1, eviction_policy="least-recently-used",
                **({"size_limit": DEFAULT_LIMIT_BYTES} if new else {}) | limit)
        except OSError as error:
            raise SettingProblem(f"{folder}: the cache cannot be used ({error.strerror}); choose another folder, or "
                                 "off") from error
        except sqlite3.Error as error:
            self._give_up(error)

    def _once(self, line: str) -> None:
        if line not in self._said:
            self._said.add(line)
            self._say(line)

    def _give_up(self, error: Exception) -> None:
        """A cache that fails is no reason for a build to fail."""
        self._store = None
        self._once(f"{self.folder}: the cache cannot be used ({error}); clips are encoded without it, and `ossicle "
                   "cache clear` makes it new")

    def _guarded(self, use: Callable[[diskcache.Cache], Any]) -> Any:
        """What a use of the store returns; None without a store, and if it fails."""
        if self._store is None:
            return None
        try:
            return use(self._store)
        except (OSError, sqlite3.Error, diskcache.Timeout) as error:
            self._give_up(error)
            return None

    def encode(self, skeleton: native.Skeleton, clip: native.ClipInput, settings: native.EncodeSettings) \
            -> tuple[int, native.EncodedClip | None, native.Report]:
        """Does what native.encode_clip does, once for all that is the same."""
        key = clip_key(skeleton, clip, settings)
        entry = self._guarded(lambda store: store.get(key))
        if entry is not None:
            if known := result_of(key, entry, skeleton, clip, settings):
                return known
            self._once(f"{self.folder}: the cache had damaged entries; their clips are encoded again")
        result = native.encode_clip(skeleton, clip, settings)
        if kept := entry_of(key, *result):
            self._guarded(lambda store: store.set(key, kept))
        return result

    def facts(self) -> CacheFacts:
        """Returns what the cache holds. Raises SettingProblem if it cannot be read."""
        store = self._usable()
        hits, misses = store.stats()
        return CacheFacts(self.folder, len(store), store.volume(), store.size_limit, hits, misses)

    def verify(self) -> int:
        """Removes all damaged entries, and returns how many there were. Raises SettingProblem."""
        store, damaged = self._usable(), 0
        store.stats(enable=False)  # these are no clips that somebody needs
        try:
            for key in list(store.iterkeys()):
                if not isinstance(key, bytes) or unsealed(key, store.get(key)) is None:
                    store.delete(key)
                    damaged += 1
        finally:
            store.stats(enable=True)
        return damaged

    def _usable(self) -> diskcache.Cache:
        if self._store is None:
            raise SettingProblem(f"{self.folder}: the cache is damaged; `ossicle cache clear` makes it new")
        return self._store
