"""Prefixes the internal names of a C file, so that it can be compiled together with any other file in one translation
unit."""
from __future__ import annotations

import re
from collections import Counter

_OWN = (
    # functions and constants
    re.compile(r"^(?:(?:static|inline|OSC_\w+) )+(?:const )?(?:struct )?\w+(?: |\s?\*)+(?:const )?([a-z]\w*)"
               r"[(\[ ;]", re.MULTILINE),
    # types
    re.compile(r"^(?:typedef )?(?:struct|enum|union) (\w+) \{", re.MULTILINE),
    re.compile(r"^\} (\w+);", re.MULTILINE),
    re.compile(r"^#define (\w+)", re.MULTILINE),
)
_TEXT = r'"(?:[^"\\\n]|\\.)*"|/\*(?:[^*]|\*(?!/))*\*/'  # in quotes, and comments
_UNDEFINED = re.compile(r"^#undef (\w+)", re.MULTILINE)
_ENUM = re.compile(r"^enum \{(.*?)\};", re.MULTILINE | re.DOTALL)
_MEMBER = re.compile(r"\b([A-Z][A-Z0-9_]+)\b(?=\s*[,=]|\s*$)")


def own_names(text: str) -> set[str]:
    """Returns the static functions and constants, types, macros and enumerators that remain defined after a file."""
    names = {name for pattern in _OWN for name in pattern.findall(text)}
    names |= {name for body in _ENUM.findall(text) for name in _MEMBER.findall(body)}
    return names - set(_UNDEFINED.findall(text))


def with_prefix(text: str, prefix: str, library: str) -> str:
    """Adds `prefix` (lower case; capitals for macros and enumerators) to all internal names, except those that begin
    with `library`. Members of structures keep their names."""
    names = [name for name in own_names(text) if not name.lower().startswith(library)]
    return renamed(text, {name: (prefix.upper() if name.isupper() else prefix) + name for name in names})


def renamed(text: str, names: dict[str, str]) -> str:
    """Returns the code with other names for some. Members of structures, texts in quotes and comments stay as they
    are."""
    if not names:
        return text
    found = re.compile(rf"{_TEXT}|(?<![.\w])(?<!->)(?:{'|'.join(sorted(names))})\b")
    return found.sub(lambda match: names.get(match[0], match[0]), text)


def uses(text: str) -> Counter[str]:
    """Counts the names in code that are not those of members, without comments and texts in quotes."""
    return Counter(re.findall(r"(?<![.\w])(?<!->)[A-Za-z_]\w*", re.sub(_TEXT, " ", text)))
