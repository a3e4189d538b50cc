"""Patterns of names: `*` matches any text, `?` one character, `[ab]` one of these characters."""
from __future__ import annotations

import fnmatch
import re
from collections.abc import Mapping
from glob import has_magic
from typing import TypeVar

_Value = TypeVar("_Value")


def matches(pattern: str, name: str) -> bool:
    """Returns whether a pattern matches a name. A name always matches itself, even if it contains `[` or `*`."""
    return name == pattern or fnmatch.fnmatchcase(name, pattern)


def from_general_to_specific(table: Mapping[str, _Value]) -> list[tuple[str, _Value]]:
    """Returns the items of a table of patterns, the most specific last: plain names after all patterns, and patterns
    with more characters after those with fewer (`?` and `[ab]` count as one, `*` as none). The sort is stable."""
    return sorted(table.items(), key=lambda item: _specificity(item[0]))


def _specificity(pattern: str) -> tuple[bool, int]:
    return not has_magic(pattern), len(re.sub(r"\[[^]]+\]", "?", pattern).replace("*", ""))
