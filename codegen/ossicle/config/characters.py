"""The characters of a TOML file: a single one, or those of its tables [character.NAME].

This module imports no large package, so that an up-to-date build is fast.
"""
from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..base.files.path_names import refused_character
from ..base.problem import SettingProblem
from ..base.files.reading import read_file

CHARACTER, PACK = "character", "pack"
OWN = ("name", "output")  # keys whose values must differ between characters
_FILE_NAME = re.compile(r'[^\s./\\:*?"<>|$#;][^/\\:*?"<>|$#;]*')  # valid on all systems, and in Make and CMake


def characters_of(config: Path) -> tuple[str, ...]:
    """Returns the names of the characters in a file: a single empty name without such tables, or if the file is invalid
    (read_project reports why)."""
    return parts_of(config)[0]


def parts_of(config: Path) -> tuple[tuple[str, ...], bool]:
    """Returns the names of the characters in a file, and whether it has a table [pack]."""
    try:
        content = read_file(config)
        if CHARACTER.encode() not in content and PACK.encode() not in content:
            return ("",), False
        import tomllib  # imported here: takes as long as the rest of an up-to-date build

        table = tomllib.loads(content.decode("utf-8-sig"))
    except (OSError, ValueError, RecursionError):
        return ("",), False
    named = table.get(CHARACTER)
    return tuple(named) if isinstance(named, dict) and named else ("",), PACK in table


def title_of(config: Path, character: str) -> str:
    """Returns the name of a character in messages."""
    return f"{config} [{CHARACTER}.{character}]" if character else str(config)


def check_characters(table: Mapping[str, Any]) -> None:
    """Raises SettingProblem if characters of the parsed file would have the same outputs."""
    named = table.get(CHARACTER, {"": {}})
    if not isinstance(named, dict) or not named or not all(isinstance(own, dict) for own in named.values()):
        raise SettingProblem(f"{CHARACTER} must be a table of characters; begin each with [{CHARACTER}.NAME]")
    if CHARACTER not in table:
        return
    for name in named:
        if not _FILE_NAME.fullmatch(name) or refused_character(name):
            raise SettingProblem(f"[{CHARACTER}.{name!r}]: the name cannot be part of a file name; use letters, "
                                 "digits, - and _")
    for key in OWN:
        if key in table:
            raise SettingProblem(f"{key} applies to a single character; move it into a table [{CHARACTER}.NAME]")


def overlaid(table: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """Overrides the keys of a table with those of a character or a folder. Nested tables are merged in the same way."""
    joined = dict(table)
    for key, value in own.items():
        both = isinstance(value, dict) and isinstance(joined.get(key), dict)
        joined[key] = overlaid(joined[key], value) if both else value
    return joined
