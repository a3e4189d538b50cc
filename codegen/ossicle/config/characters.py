"""The characters of a TOML file: one, or those of its tables [character.NAME].

Nothing here imports a large package: a build that has nothing to do ends at once.
"""
from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..base.path_names import refused_character
from ..base.problem import SettingProblem
from ..base.reading import read_file

CHARACTER, PACK = "character", "pack"
OWN = ("name", "output")  # keys that no two characters can share
_FILE_NAME = re.compile(r'[^\s./\\:*?"<>|$#;][^/\\:*?"<>|$#;]*')  # of all systems, Make and CMake


def characters_of(config: Path) -> tuple[str, ...]:
    """Returns the names of the characters in a file; one empty name for a file without such tables, and
    for one that is invalid, which read_project reports."""
    return parts_of(config)[0]


def parts_of(config: Path) -> tuple[tuple[str, ...], bool]:
    """Returns the names of the characters in a file, and whether it has a table [pack]."""
    try:
        content = read_file(config)
        if CHARACTER.encode() not in content and PACK.encode() not in content:
            return ("",), False
        import tomllib  # takes as long as the rest of a build that has nothing to do

        table = tomllib.loads(content.decode("utf-8-sig"))
    except (OSError, ValueError, RecursionError):
        return ("",), False
    named = table.get(CHARACTER)
    return tuple(named) if isinstance(named, dict) and named else ("",), PACK in table


def title_of(config: Path, character: str) -> str:
    """The name of a character of a file in messages."""
    return f"{config} [{CHARACTER}.{character}]" if character else str(config)


def check_characters(table: Mapping[str, Any]) -> None:
    """Raises SettingProblem if the parsed file has characters that cannot be told apart."""
    named = table.get(CHARACTER, {"": {}})
    if not isinstance(named, dict) or not named or not all(isinstance(one, dict) for one in named.values()):
        raise SettingProblem(f"{CHARACTER} is no table of characters; begin each with [{CHARACTER}.NAME]")
    if CHARACTER not in table:
        return
    for name in named:
        if not _FILE_NAME.fullmatch(name) or refused_character(name):
            raise SettingProblem(f"[{CHARACTER}.{name!r}] names files, and cannot name these; use letters, "
                                 "digits, - and _")
    for key in OWN:
        if key in table:
            raise SettingProblem(f"{key} stands above all characters; move it below one [{CHARACTER}.NAME]")


def overlaid(table: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """Returns a table with keys of a character, or of a folder, in place of those that stand above. Tables
    in it are joined in the same way."""
    joined = dict(table)
    for key, value in own.items():
        both = isinstance(value, dict) and isinstance(joined.get(key), dict)
        joined[key] = overlaid(joined[key], value) if both else value
    return joined
