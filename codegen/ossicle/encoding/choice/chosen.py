"""The choice of codecs of a character, which a cache stores."""
from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields

from ...base.codec import CODECS
from .codec_sets import CodecChoice


@dataclass(frozen=True)
class Chosen:
    """codecs: for each clip, those with which it was encoded: () for all that are allowed, or the one that was tried
    afterwards; tried: all sets of codecs, the chosen set first."""

    codecs: Sequence[tuple[str, ...]]
    tried: Sequence[CodecChoice]

    def content(self) -> bytes:
        """Returns the content of an entry."""
        return json.dumps({"codecs": self.codecs, "tried": [asdict(choice) for choice in self.tried]}).encode()

    @classmethod
    def parsed(cls, content: bytes, allowed: Sequence[Sequence[str]]) -> Chosen | None:
        """Returns a choice if its untrusted content is valid. allowed: the codecs that each clip may have."""
        try:
            table = json.loads(content)
            codecs = [tuple(one) for one in table["codecs"]]
            tried = [CodecChoice(**choice | {"codecs": tuple(choice["codecs"])}) for choice in table["tried"]]
            valid = len(codecs) == len(allowed) and len(tried) > 0 and all(
                one == () or len(one) == 1 and one[0] in own for one, own in zip(codecs, allowed)) and all(
                set(choice.codecs) <= set(CODECS) and all(
                    type(getattr(choice, field.name)) is int for field in fields(choice) if field.name != "codecs")
                for choice in tried)
        except (ValueError, TypeError, KeyError, RecursionError):
            return None
        return cls(codecs, tried) if valid else None
