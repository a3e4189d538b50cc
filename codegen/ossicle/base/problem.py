"""Messages about options and names that cannot be used."""
from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from difflib import SequenceMatcher
from pathlib import Path

_MOST_LISTED = 12
_LEAST_PART = 3  # letters; fewer stand in too many names
_ALIKE = 0.5  # the least likeness of a name that may be meant
_NEARLY = 0.1  # names that are less alike than the most alike one by more are not meant
_END_OF_WORD = 0.8  # what the likeness of a word to an end of a name counts
_MOST_MEANT = 5
# A message must stay one readable line even if a damaged file holds a megabyte of "name".
_MAX_MESSAGE_CHARACTERS = 600


class Problem(Exception):
    """Something that can go wrong through no fault of the command; str() is one line with the remedy."""


class SettingProblem(Problem):
    """An option or configuration that cannot be used; str() is one line with the remedy."""


def one_line(message: str) -> str:
    """The message without line breaks or unprintable characters, and shortened in the middle if it
    is too long."""
    line = "".join(c if c.isprintable() else " " for c in message)
    half = _MAX_MESSAGE_CHARACTERS // 2
    return line if len(line) <= 2 * half else f"{line[:half]} ... {line[-half:]}"


@contextmanager
def said_in(place: Path | str) -> Iterator[None]:
    """Prefixes every SettingProblem raised in the block with the file, or the part of it, that
    contains the settings."""
    try:
        yield
    except SettingProblem as problem:
        raise SettingProblem(f"{place}: {problem}") from problem


def nearest(word: str, known: Iterable[str]) -> str:
    """Returns `; did you mean 'X', 'Y' or 'Z'?` with the names that a misspelt word or pattern may
    mean, or the list of valid names."""
    names = list(dict.fromkeys(known))
    part = max(re.split(r"[*?]|\[.*?\]", word), key=len).lower()
    letters = re.sub(r"[*?\[\]]+", "", word).lower()
    likeness = {name: _likeness(part, letters, name.lower()) for name in names}
    least = max(_ALIKE, max(likeness.values(), default=0.0) - _NEARLY)
    close = [repr(name) for name in sorted(names, key=lambda name: -likeness[name])
             if likeness[name] >= least][:_MOST_MEANT]
    if close:
        return "; did you mean " + (", ".join(close[:-1]) + " or " if close[1:] else "") + close[-1] + "?"
    return f"; there {'is' if len(names) == 1 else 'are'} {_listed(names) or 'none'}"


def _likeness(part: str, letters: str, name: str) -> float:
    """How alike the letters of a word or pattern are to a name, its beginning or its end; 1.0 if the
    name contains the longest part of the pattern."""
    if len(part) >= _LEAST_PART and part in name:
        return 1.0
    size, weight = len(letters) + 1, _END_OF_WORD if part == letters else 1.0
    whole, *ends = (SequenceMatcher(None, letters, piece).ratio() if letters else 0.0
                    for piece in (name, name[:size], name[-size:]))
    return max(whole, weight * max(ends))


def _listed(names: list[str]) -> str:
    return ", ".join(names[:_MOST_LISTED]) + (", ..." if len(names) > _MOST_LISTED else "")
