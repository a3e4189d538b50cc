"""The fields of JSON documents, as the tables of the pages describe them."""
from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from pages import read_page

Table = Mapping[str, str]  # the type of each field
ABSENT = "absent"
_HEADING = re.compile(r"^##+ (.+)\n", re.MULTILINE)
HEAD = "| field | type | unit | is |\n"
_LINK = re.compile(r"\[[\w ]+\]\(([\w.]*)#([\w-]+)\)")
_SCALARS = {"integer": (int,), "number": (int, float), "string": (str,), "boolean": (bool,), "null": (type(None),)}


def anchor(heading: str) -> str:
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


@lru_cache(maxsize=None)
def tables(page: str) -> dict[str, Table]:
    """The tables of fields on a page, by the anchors of their headings."""
    pieces = _HEADING.split(read_page(page))
    return {anchor(heading): dict(_rows(text)) for heading, text in zip(pieces[1::2], pieces[2::2]) if HEAD in text}


def _rows(text: str) -> Iterator[tuple[str, str]]:
    for row in re.findall(r"^\|.*\|$", text.partition(HEAD)[2].partition("\n\n")[0], re.MULTILINE)[1:]:
        names, kind, *rest = re.split(r"(?<!\\) ?\| ?", row.strip("| "))
        assert len(rest) == 2 and rest[1], row
        for name in names.split(", "):
            yield name.strip("`"), kind


def _split(text: str, separator: str) -> list[str]:
    """Splits a type outside brackets."""
    parts, depth, first = [], 0, 0
    for at, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if depth == 0 and text.startswith(separator, at):
            parts.append(text[first:at])
            first = at + len(separator)
    return [*parts, text[first:]]


@dataclass
class Checker:
    """Compares documents with the tables. seen: the tables and alternatives of types that occurred, each as page,
    anchor and, below that, a path."""

    seen: set[tuple[str, ...]] = field(default_factory=set)

    def check(self, page: str, name: str, value: Any) -> None:
        """AssertionError unless an object has exactly the fields of a table, of their types."""
        fields = tables(page)[name]
        self.seen.add((page, name))
        assert isinstance(value, dict), (name, value)
        assert not set(value) - set(fields), f"{page}#{name} lacks {sorted(set(value) - set(fields))}"
        for key, kind in fields.items():
            where = (page, name, key)
            if key not in value:
                assert ABSENT in _split(kind, " or "), f"{page}#{name}: {key} is absent"
                self.seen.add((*where, ABSENT))
            else:
                self._check(where, kind, value[key])

    def _check(self, where: tuple[str, ...], kind: str, value: Any) -> None:
        for alternative in _split(kind, " or "):
            if self._is(where, alternative, value):
                return
        raise AssertionError(f"{where}: {value!r} is no {kind}")

    def _is(self, where: tuple[str, ...], kind: str, value: Any) -> bool:
        """Checks a type without alternatives; false if the value has another one."""
        here = (*where, kind)
        if link := _LINK.fullmatch(kind):
            found = isinstance(value, dict)
            if found:
                self.check(f"codegen/{link[1]}" if link[1] else where[0], link[2], value)
        elif kind.startswith("("):
            self._check(where, kind[1:-1], value)
            return True
        elif kind.startswith("list ("):
            kinds = _split(kind.removeprefix("list (")[:-1], ", ")
            found = isinstance(value, list) and len(value) == len(kinds)
            for number, item in enumerate(kinds if found else ()):
                self._check((*here, str(number)), item, value[number])
        elif kind.startswith(("list of ", "map of ")):
            outer, _, inner = kind.partition(" of ")
            found = isinstance(value, {"list": list, "map": dict}[outer])
            for item in (value.values() if outer == "map" else value) if found else ():
                self._check(here, inner, item)
        elif kind == ABSENT:
            found = False
        else:
            found = isinstance(value, _SCALARS[kind]) and (kind == "boolean" or not isinstance(value, bool))
        if found:
            self.seen.add(here)
        return found


def alternatives(page: str) -> set[tuple[str, ...]]:
    """All that the tables of a page describe, as a Checker has it in `seen`."""
    found: set[tuple[str, ...]] = set()
    for name, fields in tables(page).items():
        found.add((page, name))
        for key, kind in fields.items():
            found |= set(_alternatives((page, name, key), kind))
    return found


def _alternatives(where: tuple[str, ...], kind: str) -> Iterator[tuple[str, ...]]:
    for alternative in _split(kind, " or "):
        here = (*where, alternative)
        if alternative.startswith("("):
            yield from _alternatives(where, alternative[1:-1])
            continue
        yield here
        if alternative.startswith("list ("):
            for number, item in enumerate(_split(alternative.removeprefix("list (")[:-1], ", ")):
                yield from _alternatives((*here, str(number)), item)
        elif not _LINK.fullmatch(alternative) and " of " in alternative:
            yield from _alternatives(here, alternative.partition(" of ")[2])
