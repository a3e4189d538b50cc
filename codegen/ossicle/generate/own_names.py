"""Prefixes the internal names of a C file, so that it can be compiled together with any other file in one translation
unit."""
from __future__ import annotations

import re

_OWN = (
    # functions and constants
    re.compile(r"^(?:(?:static|inline|OSC_\w+) )+(?:const )?(?:struct )?\w+(?: |\s?\*)+(?:const )?([a-z]\w*)"
               r"[(\[ ;]", re.MULTILINE),
    # types
    re.compile(r"^(?:typedef )?(?:struct|enum|union) (\w+) \{", re.MULTILINE),
    re.compile(r"^\} (\w+);", re.MULTILINE),
    re.compile(r"^#define (\w+)", re.MULTILINE),
)
_UNDEFINED = re.compile(r"^#undef (\w+)", re.MULTILINE)
_ENUM = re.compile(r"^enum \{(.*?)\};", re.MULTILINE | re.DOTALL)
_MEMBER = re.compile(r"\b([A-Z][A-Z0-9_]+)\b(?=\s*[,=]|\s*$)")


def own_names(text: str) -> set[str]:
    """Returns the static functions and constants, types, macros and enumerators that remain defined after a file."""
    names = {name for pattern in _OWN for name in pattern.findall(text)}
    names |= {name for body in _ENUM.findall(text) for name in _MEMBER.findall(body)}
    return names - set(_UNDEFINED.findall(text))


def with_prefix(text: str, prefix: str) -> str:
    """Adds `prefix` (lower case; capitals for macros and enumerators) to all internal names that lack it. Members of
    structures keep their names."""
    library = prefix.partition("_")[0] + "_"
    names = sorted(name for name in own_names(text) if not name.lower().startswith(library))
    if not names:
        return text
    found = re.compile(rf"(?<![.\w])(?<!->)(?:{'|'.join(names)})\b")
    return found.sub(lambda match: (prefix.upper() if match[0].isupper() else prefix) + match[0], text)
