"""Looks up options by command, and keys by table of configuration files."""
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..base.problem import SettingProblem, nearest
from . import option_kinds as kinds
from .command_options import BUILD, WATCH
from .option import CLIPS, IMAGE, IMPORT, JOINTS, NOT_IN_FILES, RETARGET, RULES, SCREEN, SETTINGS, TABLES, TOP, Option
from .option_table import OPTIONS

# The names of tables in messages; {} is the path of the enclosing table.
_HOMES = {TOP: "the top of the file", (IMPORT,): "[{}import]", (SCREEN,): "[{}screen]", (CLIPS,): "[{}clips.\"NAME\"]",
          (JOINTS,): "[{}joints.\"NAME\"]", (IMAGE,): "[pack]",
          (RETARGET,): "[[{}retarget]]"}


def options_of(command: str, options: Sequence[Option] = OPTIONS) -> Iterator[Option]:
    """Returns the arguments and options of a command."""
    return (option for option in options if command in option.commands)


def keys_of(*tables: str) -> dict[str, Option]:
    """Returns the keys of these tables of a configuration file."""
    return {option.key: option for option in OPTIONS
            if option.table in tables or option.in_clips and CLIPS in tables}


def names_in_files() -> dict[str, tuple[str, str]]:
    """Returns the key and the table of each option, for toml_names."""
    return {option.name: (f"[{option.key}]" if option.kind in (kinds.JOINT_SETS, kinds.MASKS)
                          else option.key,
                          f"[{option.table}]" if option.table in (*TABLES, IMAGE) else "")
            for option in OPTIONS if option.is_flag and option.table not in (RULES, RETARGET, NOT_IN_FILES)}


def line_in_file(name: str, command: str) -> str:
    """Returns the line of a configuration file with the effect of an option, or an empty string."""
    files = next((option for option in options_of(command) if option.metavar == "TOML"), None)
    if files is None:
        return ""
    plain = name.removeprefix("--").partition("=")[0].replace("-", "_")
    tables = (*TABLES, RULES, *(TOP if command in BUILD + WATCH else (SETTINGS,)))
    for option in OPTIONS:
        if option.table in tables and plain in (option.name.removeprefix("--").replace("-", "_"), option.key):
            place = f" in {_HOMES[(option.table,)].format('')}" if (option.table,) in _HOMES else ""
            value = "true" if option.kind is kinds.FLAG else option.sample_value()
            line = option.sample if option.table == RULES else f"{option.key} = {value}{place}"
            return line + (f"; name the file with {files.name}" if files.is_flag else "")
    return ""


def check_keys(table: Mapping[str, Any], known: Sequence[str], where: str, above: str = "") -> None:
    """Raises SettingProblem for an unknown key; its message names the tables that have the key. above: the path of the
    enclosing table, ending with a dot."""
    for key in table:
        if key not in known:
            raise SettingProblem(f"{where}unknown key {key!r}" + (_home_of(key, above) or nearest(key, known)))


def _home_of(key: str, above: str) -> str:
    """Returns the remedy for a key that belongs to another table, or an empty string. above: as for check_keys."""
    if key == IMAGE:
        return f"; write it as the table [{IMAGE}] at the top level of the file"
    if homes := [home.format(above) for tables, home in _HOMES.items() if key in keys_of(*tables)]:
        return f"; move it to {' or '.join(homes)}"
    flags = [option.name for option in options_of(*BUILD) if option.is_flag and option.table == NOT_IN_FILES
             and option.key == key.replace("-", "_")]
    return f"; use the option {flags[0]} of `ossicle build` instead" if flags else ""


def read_keys(table: Mapping[str, Any], where: str, *tables: str) -> dict[str, Any]:
    """Returns the settings for the keys of a table, by field. Raises SettingProblem, beginning with `where`."""
    return {option.field: option.read(table[key], where + key)
            for key, option in keys_of(*tables).items() if key in table}
