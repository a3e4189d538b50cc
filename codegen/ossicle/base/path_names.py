"""Names of files that can be passed on to messages, lists and makefiles."""
from __future__ import annotations

import unicodedata
from os import PathLike

from .problem import SettingProblem

_REFUSED = ("Cc", "Zl", "Zp")  # control characters and line separators, which would add lines to what other tools read


def refused_character(name: str | PathLike[str]) -> str | None:
    """The first character that no name may have: one of these, or half a surrogate, which no file's name has; None for
    most names. Bytes that are no text are allowed, as Python decodes them."""
    text = str(name)
    return None if text.isprintable() else next(
        (c for c in text if unicodedata.category(c) in _REFUSED or "\ud800" <= c <= "\udfff" and not is_byte(c)), None)


def is_byte(character: str) -> bool:
    """Whether it stands for a byte that is no text."""
    return "\udc80" <= character <= "\udcff"


def check_name(name: str | PathLike[str], what: str = "") -> None:
    """Raises SettingProblem for a path that holds such a character, wherever it comes from. what: holds the path."""
    if bad := refused_character(name):
        raise SettingProblem(f"{what}{' = ' if what else ''}{str(name)!r}: the path holds the control character "
                             f"U+{ord(bad):04X}; rename the file")
