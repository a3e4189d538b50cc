"""Adds the options of a command to its parser."""
from __future__ import annotations

import argparse
from typing import Any

from ..config import option_kinds as kinds
from ..config.option import IMPORT, Option
from ..config.option_lookup import options_of

_TITLES = {IMPORT: "reading the source"}


def help_of(option: Option) -> str:
    """Returns the help of an option, with its default."""
    notes = ["repeatable"] if option.many and option.is_flag else []
    if option.default and option.kind is not kinds.FLAG and not option.required:
        notes.append(f"default: {option.default}")
    return option.help + (f" ({'; '.join(notes)})" if notes else "")


def _add(group: argparse._ActionsContainer, option: Option) -> None:
    names = [option.short, option.name] if option.short else [option.name]
    settings: dict[str, Any] = {"help": help_of(option).replace("%", "%%")}
    if option.is_flag:
        settings |= {"dest": option.field, "required": option.required}
    if option.kind is kinds.FLAG:
        group.add_argument(*names, action="store_true", **settings)
        return
    if not option.is_flag and not option.required:
        settings |= {"nargs": "?", "default": option.default or None}  # argparse converts texts
    if option.many:
        settings |= {"action": "append", "default": []} if option.is_flag else {"nargs": "+"}
    elif not option.is_flag and not option.required:
        settings |= {"nargs": "?"}
    group.add_argument(*names, metavar=option.value_name,
                       type=lambda text: option.kind.read_text(text, option.name), **settings)


def add_options(parser: argparse.ArgumentParser, command: str) -> None:
    """Adds the arguments and options of a command."""
    groups: dict[str, argparse._ActionsContainer] = {}
    for option in options_of(command):
        title = _TITLES.get(option.table, "")
        if title and title not in groups:
            groups[title] = parser.add_argument_group(title)
        _add(groups.get(title, parser), option)
