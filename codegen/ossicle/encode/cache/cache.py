"""Encoded clips that are kept, by what determines their bytes (key.py), so that none is encoded twice.

The store is a folder that any number of processes may use at once (store.py), which removes the entries that were
used longest ago once it is too large. What is read is untrusted: every entry has a checksum, a clip is played and
measured before it is used (enc_clip_load), and no build fails because an entry says that a clip cannot be encoded.
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
    """A cache in a folder. say: is told what a user should know, each thing once."""

    def __init__(self, folder: Path, say: Callable[[str], None], limit_bytes: int | None = None) -> None:
        """limit_bytes: see open_store. Raises SettingProblem if the folder cannot be used."""
        self.folder, self._say = folder, say
        self._said: set[str] = set()
        self._store: ClipStore | None = None
        try:
            self._store = open_store(folder, limit_bytes)
        except FAILURES as error:
            self._give_up(error)

    def _once(self, line: str) -> None:
        if line not in self._said:
            self._said.add(line)
            self._say(line)

    def _give_up(self, error: Exception) -> None:
        """A cache that fails is no reason for a build to fail."""
        self._store = None
        self._once(f"{self.folder}: the cache cannot be used ({reason(error)}); clips are encoded without it, and "
                   f"{remedy(self.folder)}")

    def _guarded(self, use: Callable[[ClipStore], Any]) -> Any:
        """What a use of the store returns; None without a store, and if it fails."""
        store = self._store  # read once, as other threads may give up at any moment
        if store is None:
            return None
        try:
            return use(store)
        except FAILURES as error:
            self._give_up(error)
            return None

    def encode(self, skeleton: native.Skeleton, clip: native.ClipInput, settings: native.EncodeSettings) -> Result:
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
