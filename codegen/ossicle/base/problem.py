"""Messages about options and names that cannot be used."""
from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path


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
    """`; did you mean X?`, or the list of valid names."""
    names = list(known)
    close = difflib.get_close_matches(word, names, 1, 0.5)
    if close:
        return f"; did you mean {close[0]!r}?"
    listed = ", ".join(names[:12]) + (", ..." if len(names) > 12 else "")
    return f"; there {'is' if len(names) == 1 else 'are'} {listed or 'none'}"
