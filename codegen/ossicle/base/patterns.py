"""Patterns of names: `*` stands for any text, `?` for one character, `[ab]` for one of these."""
from __future__ import annotations

import fnmatch


def matches(pattern: str, name: str) -> bool:
    """Whether a pattern matches a name. A plain name always matches itself, even if it contains `[`
    or `*`."""
    return name == pattern or fnmatch.fnmatchcase(name, pattern)
