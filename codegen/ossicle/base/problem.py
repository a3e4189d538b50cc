"""Exceptions and messages about invalid options and names."""
from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

_MOST_LISTED = 12
_LEAST_PART = 3  # letters; too many names contain fewer
_LEAST_SIMILARITY = 0.5  # a suggested name has at least this similarity
_SIMILARITY_RANGE = 0.1  # suggested names are at most this much less similar than the best
_END_WEIGHT = 0.8  # weight of the similarity to the beginning or end of a name
_MOST_SUGGESTED = 5
# Messages stay one readable line even if a damaged file contains a "name" of a megabyte.
_MAX_MESSAGE_CHARACTERS = 600


class Problem(Exception):
    """An expected failure, caused by input or environment; str() is one line with the remedy."""


class SettingProblem(Problem):
    """An invalid option or configuration; str() is one line with the remedy."""


def one_line(message: str) -> str:
    """Replaces line breaks and unprintable characters in a message, and shortens it in the middle if it is too long."""
    line = "".join(c if c.isprintable() else " " for c in message)
    half = _MAX_MESSAGE_CHARACTERS // 2
    return line if len(line) <= 2 * half else f"{line[:half]} ... {line[-half:]}"


@contextmanager
def setting_problems_of(place: Path | str) -> Iterator[None]:
    """Prefixes every SettingProblem raised in the block with the file, or the part of it, that contains the
    settings."""
    try:
        yield
    except SettingProblem as problem:
        raise SettingProblem(f"{place}: {problem}") from problem


def choice(value: object, choices: Sequence[str], what: str) -> str:
    """Returns a value that is one of the choices. Raises SettingProblem, with the nearest choice,
    for any other value."""
    if not isinstance(value, str) or value not in choices:
        raise SettingProblem(f"{what} {value!r} is unknown" + nearest(str(value), choices))
    return value


def nearest(word: str, known: Iterable[str]) -> str:
    """Returns `; did you mean 'X', 'Y' or 'Z'?` with names similar to a misspelt word or pattern, or the list of valid
    names."""
    names = list(dict.fromkeys(known))
    part = max(re.split(r"[*?]|\[.*?\]", word), key=len).lower()
    letters = re.sub(r"[*?\[\]]+", "", word).lower()
    similarity = {name: _similarity(part, letters, name.lower()) for name in names}
    least = max(_LEAST_SIMILARITY, max(similarity.values(), default=0.0) - _SIMILARITY_RANGE)
    close = [repr(name) for name in sorted(names, key=lambda name: -similarity[name])
             if similarity[name] >= least][:_MOST_SUGGESTED]
    if close:
        return "; did you mean " + (", ".join(close[:-1]) + " or " if close[1:] else "") + close[-1] + "?"
    return f"; there {'is' if len(names) == 1 else 'are'} {_listed(names) or 'none'}"


def _similarity(part: str, letters: str, name: str) -> float:
    """Returns the similarity of the letters of a word or pattern to a name, its beginning or its end; 1.0 if the name
    contains the longest part of the pattern."""
    if len(part) >= _LEAST_PART and part in name:
        return 1.0
    from difflib import SequenceMatcher  # imported here, because it is only needed for typing errors
    size, weight = len(letters) + 1, _END_WEIGHT if part == letters else 1.0
    whole, *ends = (SequenceMatcher(None, letters, piece).ratio() if letters else 0.0
                    for piece in (name, name[:size], name[-size:]))
    return max(whole, weight * max(ends))


def _listed(names: list[str]) -> str:
    return ", ".join(names[:_MOST_LISTED]) + (", ..." if len(names) > _MOST_LISTED else "")
