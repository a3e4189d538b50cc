"""Patterns of names: `*` stands for any text, `?` for one character, `[ab]` for one of these."""
from __future__ import annotations

import fnmatch
import re
from collections.abc import Iterable
from difflib import SequenceMatcher

from .problem import nearest

_ALIKE = 0.6  # of SequenceMatcher
_NEARLY = 0.1  # names that are less alike than the most alike one by more are not meant
_MOST = 5  # names that a message suggests


def matches(pattern: str, name: str) -> bool:
    """Whether a pattern matches a name. A plain name always matches itself, even if it contains `[`
    or `*`."""
    return name == pattern or fnmatch.fnmatchcase(name, pattern)


def near(pattern: str, known: Iterable[str]) -> str:
    """Returns `; did you mean X, Y or Z?` with the names that a misspelt pattern may mean, or the
    list of valid names."""
    names = list(dict.fromkeys(known))
    letters = re.sub(r"[*?\[\]]+", "", pattern).lower()
    likeness = {name: _likeness(letters, name.lower()) for name in names}
    least = max(_ALIKE, max(likeness.values(), default=0.0) - _NEARLY)
    close = [repr(name) for name in sorted(names, key=lambda name: -likeness[name])
             if likeness[name] >= least][:_MOST]
    if not letters or not close:
        return nearest("", names)
    return "; did you mean " + (", ".join(close[:-1]) + " or " if close[1:] else "") + close[-1] + "?"


def _likeness(letters: str, name: str) -> float:
    """How alike the letters of a pattern are to a name, its beginning or its end; 1.0 if the name
    contains them."""
    if letters in name:
        return 1.0
    size = len(letters) + 1
    return max(SequenceMatcher(None, letters, part).ratio()
               for part in (name, name[:size], name[-size:]))
