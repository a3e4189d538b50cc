"""Names of files that can be passed on to messages, lists and makefiles."""
from __future__ import annotations

import unicodedata
from os import PathLike

from .problem import SettingProblem

# Control characters and line separators, which would add lines to what other tools read; and bytes that are no text.
_REFUSED = ("Cc", "Zl", "Zp", "Cs")


def refused_character(name: str | PathLike[str]) -> str | None:
    """The first character that no name may have; None for most names."""
    text = str(name)
    return None if text.isprintable() else next((c for c in text if unicodedata.category(c) in _REFUSED), None)


def check_name(name: str | PathLike[str], what: str = "") -> None:
    """Raises SettingProblem for a path that holds such a character, wherever it comes from. what: holds the path."""
    if bad := refused_character(name):
        kind = "a byte that is no UTF-8" if unicodedata.category(bad) == "Cs" else f"the control character U+{ord(bad):04X}"
        raise SettingProblem(f"{what}{' = ' if what else ''}{str(name)!r}: the path holds {kind}; rename the file")
