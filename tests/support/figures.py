"""Figures that documentation states: tests/readme/figures.toml has them, tests compare them with their measurements,
and tests/readme/update_figures.py shows them where pages have markers (tests/README.md, Figures)."""
from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from pages import ROOT

FIGURES = ROOT / "tests/readme/figures.toml"
FILE = "file"  # the key of a table whose figures are in the comments of that file, where markers would be in the way
GOAL = "goal"  # the key of a table whose figures no test measures, but this goal of scons
SCALES = {"KB": 1e3, "MB": 1e6, "million": 1e6, "KiB": 1 << 10, "MiB": 1 << 20}
_MARKER = re.compile(r"(?P<start><!-- figure: (?P<name>[a-z][\w.]*)(?: (?P<format>[\w. ]+))? -->)"
                     r"(?P<shown>[^<\n]*)<!-- -->")

Number = int | float | str  # str: a version


def flat(table: Mapping, prefix: str = "") -> dict[str, Number]:
    """The figures of nested tables by their dotted names."""
    found: dict[str, Number] = {}
    for key, value in table.items():
        if isinstance(value, dict):
            found |= flat(value, f"{prefix}{key}.")
        elif key not in (FILE, GOAL):
            found[prefix + key] = value
    return found


@cache
def tables() -> dict[str, dict]:
    """The tables of figures.toml."""
    return tomllib.loads(FIGURES.read_text(encoding="utf-8"))


@cache
def all_figures() -> dict[str, Number]:
    return flat(tables())


def tables_with(key: str) -> dict[str, str]:
    """The tables that have FILE or GOAL, by name, and its value."""
    return {name: table[key] for name, table in tables().items() if key in table}


def figure(name: str) -> Number:
    """The number that documentation states under this name; ValueError with the nearest name."""
    known = all_figures()
    if name not in known:
        near = difflib.get_close_matches(name, known, 1)
        raise ValueError(f"{FIGURES.name}: no figure {name!r}" + (f"; did you mean {near[0]!r}?" if near else ""))
    return known[name]


def shown(value: Number, form: str = "") -> str:
    """A figure as pages show it: a unit of SCALES divides it, and .1f rounds it to one digit. Figures with a unit
    are rounded to whole ones unless there is such a word."""
    if isinstance(value, str):
        return value
    words = form.split()
    for word in words:
        if word in SCALES:
            value = value / SCALES[word]
        elif not re.fullmatch(r"\.\df", word):
            raise ValueError(f"{word!r} is no format of a figure; there are {', '.join(SCALES)} and .1f")
    digits = next((word for word in words if word not in SCALES), ".0f" if words else "")
    return f"{value:,{digits}}"


def filled(text: str) -> str:
    """A text with the figures of its markers; ValueError for a name or format that there is not."""
    return _MARKER.sub(lambda found: f"{found['start']}{shown(figure(found['name']), found['format'] or '')}<!-- -->",
                       text)


def marked(text: str) -> set[str]:
    """The names that markers of a text have."""
    return {found["name"] for found in _MARKER.finditer(text)}


def table(path: Path, name: str) -> str:
    """The table of this name in a page, which a script wrote; ValueError without its markers."""
    return _parts(path, name)[1]


def write_table(path: Path, name: str, new: str) -> bool:
    """Replaces the table; whether that changed the page."""
    before, old, after = _parts(path, name)
    path.write_text(before + new + after, encoding="utf-8")
    return new != old


def _parts(path: Path, name: str) -> tuple[str, str, str]:
    text = path.read_text(encoding="utf-8")
    found = re.findall(rf"\A(.*<!-- table: {name} -->\n)(.*?)(<!-- end of table -->\n.*)\Z", text, re.DOTALL)
    if len(found) != 1:
        raise ValueError(f"{path.name}: the markers of the table {name!r} are missing")
    return found[0]
