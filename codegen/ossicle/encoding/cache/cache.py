"""Caches encoded clips by a key of their inputs (key.py), so that none is encoded twice.

The store is a folder that any number of processes may share (store.py); it evicts the least recently used entries when
it is too large. Its content is untrusted: every entry has a checksum, a clip is decoded and measured before it is used
(enc_clip_load), and no build fails because an entry states that a clip cannot be encoded.
"""
from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from .. import native
from .entry import Result, entry_of, result_of
from .key import clip_key
from .store import FAILURES, ClipStore, open_store, reason, remedy


class ClipCache:
    """A cache in a folder. say: receives messages for the user, each once."""

    def __init__(self, folder: Path, say: Callable[[str], None], limit_bytes: int | None = None) -> None:
        """limit_bytes: see open_store. Raises SettingProblem if the folder cannot be used."""
        self.folder, self._say = folder, say
        self._reported: set[str] = set()
        self._store: ClipStore | None = None
        try:
            self._store = open_store(folder, limit_bytes)
        except FAILURES as error:
            self._give_up(error)

    def _once(self, line: str) -> None:
        if line not in self._reported:
            self._reported.add(line)
            self._say(line)

    def _give_up(self, error: Exception) -> None:
        """Continues without the cache, so that its failure does not fail a build."""
        self._store = None
        self._once(f"{self.folder}: the cache cannot be used ({reason(error)}); clips are encoded without it, and "
                   f"{remedy(self.folder)}")

    def _guarded(self, use: Callable[[ClipStore], Any]) -> Any:
        """Returns the result of a use of the store, or None without a store or if it fails."""
        store = self._store  # read once, because other threads may clear it
        if store is None:
            return None
        try:
            return use(store)
        except FAILURES as error:
            self._give_up(error)
            return None

    def entry(self, key: bytes) -> Any:
        """Returns the entry with a key, which is untrusted, or None."""
        return self._guarded(lambda store: store.get(key))

    def store(self, key: bytes, entry: bytes) -> None:
        """Stores an entry."""
        self._guarded(lambda store: store.set(key, entry))

    def encode(self, skeleton: native.Skeleton, clip: native.ClipInput, settings: native.EncodeSettings) -> Result:
        """Does what native.encode_clip does, only once for equal inputs."""
        key = clip_key(skeleton, clip, settings)
        entry = self.entry(key)
        if entry is not None:
            if known := result_of(key, entry, skeleton, clip, settings):
                return known
            self._once(f"{self.folder}: the cache had damaged entries; their clips are encoded again")
        result = native.encode_clip(skeleton, clip, settings)
        self.store(key, entry_of(key, *result))
        return result
