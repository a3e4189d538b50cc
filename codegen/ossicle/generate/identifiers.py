"""Converts names of joints and clips to C identifiers, C strings and C comments."""
from __future__ import annotations

import re
import zlib
from collections.abc import Sequence, Set

from ..base.names import MAX_IDENTIFIER
from ..base.option_names import named
from ..base.problem import SettingProblem
from .transliteration import code_points, latin

MAX_COMMENT = 60

_C_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*\Z")
# A generated <name>.h with one of these names would hide a header that the runtime or the game includes.
_HEADERS = frozenset(
    "assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal "
    "stdalign stdarg stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string tgmath "
    "threads time uchar wchar wctype ossicle ossicle_version osc".split())

KEYWORDS = frozenset(  # C up to C23 and C++ up to C++20, because the header is for both
    "alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t "
    "char8_t class co_await co_return co_yield compl concept const const_cast consteval constexpr "
    "constinit continue decltype default delete do double dynamic_cast else enum explicit export "
    "extern false float for friend goto if inline int long mutable namespace new noexcept not not_eq "
    "nullptr operator or or_eq private protected public register reinterpret_cast requires restrict "
    "return short signed sizeof static static_assert static_cast struct switch template this "
    "thread_local throw true try typedef typeid typename typeof typeof_unqual union unsigned using "
    "virtual void volatile wchar_t while xor xor_eq".split())


def upper_snake(name: str) -> str:
    """Converts a name to UPPER_SNAKE_CASE: transliterates other scripts, splits camelCase, and replaces characters
    other than letters and digits by underscores. The result may begin with a digit. It is empty only for an empty
    name."""
    plain = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", latin(name))
    words = re.sub(r"[^A-Za-z0-9]+", "_", plain).strip("_") or code_points(name)
    return words.upper()[:MAX_IDENTIFIER].rstrip("_")


def unique_identifiers(names: Sequence[str], fallbacks: Sequence[str],
                       reserved: frozenset[str]) -> list[str]:
    """Returns an identifier for each name, all unique and none in `reserved`.

    fallbacks: used for empty names. If several names give the same identifier, the alphabetically first one gets it,
    and the others get it with a checksum of their name. Thus identifiers depend neither on the order of the names nor
    on names with other identifiers.
    """
    bases = [upper_snake(name) or fallback for name, fallback in zip(names, fallbacks)]
    taken = reserved | set(bases)
    owners: dict[str, int] = {}
    by_alphabet = sorted(range(len(names)), key=lambda at: (names[at], fallbacks[at]))
    for at in by_alphabet:
        if bases[at] not in reserved:
            owners.setdefault(bases[at], at)
    result = list(bases)
    for at in by_alphabet:
        if owners.get(bases[at]) != at:
            result[at] = _with_checksum(bases[at], names[at], taken)
            taken |= {result[at]}
    return result


def _with_checksum(base: str, name: str, taken: Set[str]) -> str:
    """Appends a checksum of the name to `base`: four digits, or more if the result is taken."""
    number = 0
    while True:
        checksum = f"{zlib.crc32(name.encode('utf-8', 'surrogatepass') + bytes(number)):08X}"
        for digits in (4, 8):
            if (identifier := f"{base}_{checksum[:digits]}") not in taken:
                return identifier
        number += 1


def c_name_problem(name: str) -> str | None:
    """Returns the reason why `name` cannot be the prefix of generated functions and files, or None."""
    if not _C_NAME.match(name):
        return "is not a C identifier that begins with a letter"
    if name in KEYWORDS:
        return "is a keyword of C or C++"
    if name.lower() in _HEADERS or name.lower().startswith("osc_"):
        return "would clash with a header or with the runtime's own names"
    if len(name) > MAX_IDENTIFIER:
        return f"is longer than {MAX_IDENTIFIER} characters"
    return None


def check_c_name(name: str) -> None:
    """Raises SettingProblem for a name that cannot be the prefix of generated functions and files."""
    if problem := c_name_problem(name):
        raise SettingProblem(f"the name {name!r} {problem}; choose another with "
                             f"{named('--name', 'hero')}")


def name_of_stem(stem: str) -> str:
    """Returns the default prefix for a bank file's stem: "My Hero-2" gives "my_hero_2"; may be empty."""
    name = upper_snake(stem).lower()
    return f"bank_{name}" if name[:1].isdigit() else name


def c_string(text: str) -> str:
    """Returns a text as a C string literal in UTF-8. Escapes have three octal digits, so that they cannot absorb the
    next character."""
    parts = []
    for byte in text.encode("utf-8"):
        char = chr(byte)
        if char in '"\\?':  # escapes ?, so that no trigraph can form
            parts.append("\\" + char)
        elif 32 <= byte < 127:
            parts.append(char)
        else:
            parts.append(f"\\{byte:03o}")
    return '"' + "".join(parts) + '"'


def c_comment(text: str) -> str:
    """Makes a text safe between /* and */: printable, on one line, not too long."""
    line = "".join(c if c.isprintable() else "_" for c in text)
    if len(line) > MAX_COMMENT:
        line = line[:MAX_COMMENT - 3] + "..."
    line = line.replace("*/", "* /").replace("/*", "/ *")
    return re.sub(r"\?(?=\?)", "? ", line)
