"""Messages about options and names that cannot be used."""
from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

_MOST_LISTED = 12
_LEAST_PART = 3  # letters; fewer stand in too many names
_SURE = 0.8  # the likeness of a word with one wrong letter


class SettingProblem(Exception):
    """An option or configuration that cannot be used; str() is one line with the remedy."""


@contextmanager
def said_in(file: Path) -> Iterator[None]:
    """Prefixes every SettingProblem raised in the block with the file that contains the
    settings."""
    try:
        yield
    except SettingProblem as problem:
        raise SettingProblem(f"{file}: {problem}") from problem


def nearest(word: str, known: Iterable[str]) -> str:
    """`; did you mean X?`, `; did you mean one of X, Y?` for names that contain the word, or the list
    of valid names. The word may be a pattern."""
    names = list(known)
    part = max(re.split(r"[*?]|\[.*?\]", word), key=len).lower()
    holding = [name for name in names if len(part) >= _LEAST_PART and part in name.lower()]
    close = difflib.get_close_matches(word, names, 1, _SURE) or holding \
        or difflib.get_close_matches(word, names, 1, 0.5)
    if len(close) == 1:
        return f"; did you mean {close[0]!r}?"
    if close:
        return f"; did you mean one of {_listed(close)}?"
    return f"; there {'is' if len(names) == 1 else 'are'} {_listed(names) or 'none'}"


def _listed(names: list[str]) -> str:
    return ", ".join(names[:_MOST_LISTED]) + (", ..." if len(names) > _MOST_LISTED else "")
