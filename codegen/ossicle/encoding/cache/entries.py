"""Encoded clips in memory by their keys, which one process encodes for another."""
from __future__ import annotations

from collections.abc import Mapping

from .. import native
from ..clip_encoder import Encode
from .entry import Result, entry_of, result_of
from .key import clip_key


class ClipEntries:
    """Finds clips among entries, and encodes those that are missing. known: entries, possibly of other clips too;
    encode: encodes missing clips; new: the entries of the latter."""

    def __init__(self, encode: Encode, known: Mapping[bytes, bytes] | None = None) -> None:
        self._encode, self._known = encode, known or {}
        self.new: dict[bytes, bytes] = {}

    def encode(self, skeleton: native.Skeleton, clip: native.ClipInput, settings: native.EncodeSettings) -> Result:
        """Does what native.encode_clip does."""
        key = clip_key(skeleton, clip, settings)
        if known := result_of(key, self._known.get(key), skeleton, clip, settings):
            return known
        result = self._encode(skeleton, clip, settings)
        self.new[key] = entry_of(key, *result)
        return result
