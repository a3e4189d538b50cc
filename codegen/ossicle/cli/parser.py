"""The parser of the command line."""
from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable
from contextlib import suppress
from typing import Any, NoReturn

from ..base.problem import one_line
from ..base.problem import nearest
from ..base.version import versions
from ..config import option_kinds as kinds
from .command_table import COMMANDS
from ..config.option import IMPORT, Option
from ..config.option_lookup import line_in_file, options_of

_TITLES = {IMPORT: "reading the source"}


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one line and name the nearest option or command."""

    def __init__(self, command: str = "", **settings: Any) -> None:
        """command: options are added on demand, because only those of one command are needed."""
        super().__init__(allow_abbrev=False, **settings)
        self._command = command
        self._negative_number_matcher = re.compile(r"-\.?\d")  # also accepts lengths, whose own messages are better

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:
        """Works like argparse, but reports an unknown option as an error of the command, with its nearest options."""
        _add_all(self, options_of(self._command))
        namespace, unknown = super().parse_known_args(args, namespace)
        if unknown:
            known = [option for action in self._actions for option in action.option_strings]
            if not unknown[0].startswith("-"):
                self.error(f"unexpected argument {unknown[0]!r}")
            if line := line_in_file(unknown[0], self._command):
                self.error(f"{unknown[0].partition('=')[0]} is a key of configuration files: {line}")
            self.error(f"unknown option {unknown[0]!r}" + nearest(unknown[0], known))
        return namespace, unknown

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            self.error(f"{action.metavar} {value!r} is unknown" + nearest(value, action.choices))

    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        """Works like argparse, but keeps the status if the message cannot be printed."""
        with suppress(OSError):
            print(message or "", end="", file=sys.stderr, flush=True)
        sys.exit(status)

    def error(self, message: str) -> NoReturn:
        self.exit(2, one_line(f"{self.prog}: {message} (see {self.prog} --help)") + "\n")


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
    group.add_argument(*names, metavar=option.metavar,
                       type=lambda text: option.kind.read_text(text, option.name), **settings)


def _add_all(parser: Parser, options: Iterable[Option]) -> None:
    groups: dict[str, argparse._ActionsContainer] = {}
    for option in options:
        title = _TITLES.get(option.table, "")
        if title and title not in groups:
            groups[title] = parser.add_argument_group(title)
        _add(groups.get(title, parser), option)


def make_parser() -> Parser:
    """Returns the parser of the whole command line."""
    parser = Parser(prog="ossicle", description="Compress skeletal animation to a guaranteed "
                    "error and generate the C that plays it.")
    parser.add_argument("--version", action="version",
                        version=f"ossicle {versions().library}, bank format "
                                f"{versions().bank_format}")
    parser.set_defaults(command=None)
    commands: Any = parser.add_subparsers(metavar="COMMAND", parser_class=Parser)
    for command in COMMANDS:
        added = commands.add_parser(command.name, help=command.help, description=command.description,
                                    command=command.name)
        added.set_defaults(command=command.name)
    return parser
