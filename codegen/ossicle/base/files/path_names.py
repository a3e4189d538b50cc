"""Checks file names, which other tools read in messages, lists and makefiles."""
from __future__ import annotations

import unicodedata
from os import PathLike

from ..problem import SettingProblem

_REFUSED = ("Cc", "Zl", "Zp")  # control characters and line separators: other tools would read further lines


def refused_character(name: str | PathLike[str]) -> str | None:
    """Returns the first character that file names must not contain, or None: one of _REFUSED, or half of a surrogate
    pair, which no file system has. Bytes that are not UTF-8, as Python decodes them, are allowed."""
    text = str(name)
    return None if text.isprintable() else next(
        (c for c in text if unicodedata.category(c) in _REFUSED or "\ud800" <= c <= "\udfff" and not is_byte(c)), None)


def is_byte(character: str) -> bool:
    """Returns whether Python decoded a byte that is not UTF-8 to this character."""
    return "\udc80" <= character <= "\udcff"


def check_name(name: str | PathLike[str], what: str = "") -> None:
    """Raises SettingProblem for a path with a refused character. what: the key or option that holds the path."""
    if bad := refused_character(name):
        raise SettingProblem(f"{what}{' = ' if what else ''}{str(name)!r}: the path contains the control character "
                             f"U+{ord(bad):04X}; rename the file")
