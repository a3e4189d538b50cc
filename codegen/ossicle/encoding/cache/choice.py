"""Caches the choice of codecs of a character, so that its clips are not loaded with every codec if nothing has changed.

The key contains everything that the choice depends on: all clips, the settings, the encoder and the program. An entry
is untrusted: it can only select allowed codecs, each clip is measured as without it, and the encoder ignores an entry
that states another size of the bank than it has.
"""
from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace

from ...model.clip import Imported
from .. import native
from ..choice.chosen import Chosen
from ..settings import Settings
from .cache import ClipCache
from .entry import sealed, unsealed
from .key import Unkeyed, add_value, encoder_digest


_LEAST_CLIPS = 16  # trying the codecs of fewer clips takes no time


class ChoiceCache:
    """The choice of one character in a cache. made_by: a digest of the program, because another version may choose
    other codecs."""

    def __init__(self, cache: ClipCache, made_by: str) -> None:
        self._cache, self._made_by = cache, made_by
        self._key: bytes | None = None

    def recalled(self, imported: Imported, settings: Settings, allowed: Sequence[Sequence[str]]) -> Chosen | None:
        """Returns the choice for a character, as it is encoded. allowed: the codecs that each clip may have."""
        if len(imported.clips) >= _LEAST_CLIPS and settings.max_ram_bytes is None:  # which changes the allowed codecs
            self._key = self._key_of(imported, settings)
        found = None if self._key is None else unsealed(self._key, self._cache.entry(self._key))
        return Chosen.parsed(found[1], allowed) if found is not None and found[0] == native.OK else None

    def learn(self, chosen: Chosen) -> None:
        """Stores the choice for the character of `recalled`."""
        if self._key is not None and chosen.tried:
            self._cache.store(self._key, sealed(self._key, native.OK, chosen.content()))

    def _key_of(self, imported: Imported, settings: Settings) -> bytes | None:
        """Returns the key of a character, or None if its clips have curves of a file, which are not hashed."""
        key = hashlib.sha256(b"choice" + encoder_digest() + self._made_by.encode())
        try:
            for value in (imported.skeleton, imported.clips, replace(settings, graph=None)):
                add_value(key, value)
        except Unkeyed:
            return None
        return key.digest()
