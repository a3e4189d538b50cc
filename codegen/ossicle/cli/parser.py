"""The parser of the command line."""
from __future__ import annotations

import argparse
import re
import sys
import textwrap
from contextlib import suppress
from itertools import groupby
from typing import Any, NoReturn

from ..base import signals
from ..base.problem import nearest, one_line
from ..base.version import versions
from .command_table import COMMANDS

_HELP_WIDTH = 80


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one line and name the nearest option or command."""

    def __init__(self, command: str = "", **settings: Any) -> None:
        """command: options are added on demand, because only those of one command are needed."""
        super().__init__(allow_abbrev=False, **settings)
        self._command = command
        self.set_defaults(command=command or None)
        self._negative_number_matcher = re.compile(r"-\.?\d")  # also accepts lengths, whose own messages are better

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:
        """Works like argparse, but reports an unknown option as an error of the command, with its nearest options."""
        if self._command:
            with signals.deferred():
                from .options import add_options  # imported here, because --version needs no options
            add_options(self, self._command)
        args = self._without_dashes(list(sys.argv[1:] if args is None else args))
        namespace, unknown = super().parse_known_args(args, namespace)
        if unknown:
            known = [option for action in self._actions for option in action.option_strings]
            if not unknown[0].startswith("-"):
                self.error(f"unexpected argument {unknown[0]!r}")
            from ..config.option_lookup import line_in_file
            if line := line_in_file(unknown[0], self._command):
                self.error(f"{unknown[0].partition('=')[0]} is a key of configuration files: {line}")
            self.error(f"unknown option {unknown[0]!r}" + nearest(unknown[0], known))
        return namespace, unknown

    def _without_dashes(self, words: list[str]) -> list[str]:
        """Removes - after --json where that option always prints to the standard output."""
        prints = any("--json" in action.option_strings and action.nargs == 0 for action in self._actions)
        if not prints:
            return words
        words = ["--json" if word == "--json=-" else word for word in words]
        return [word for before, word in zip(["", *words], words) if (before, word) != ("--json", "-")]

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


class _Later:
    """The parser of a command, which is made if the command is the one that runs."""

    def __init__(self, **settings: Any) -> None:
        self._settings = settings

    def parse_known_args(self, args: Any, namespace: Any) -> tuple[Any, list[str]]:
        return Parser(**self._settings).parse_known_args(args, namespace)


class _WholeParser(Parser):
    """The parser of the whole command line, whose help lists the commands by topic."""

    def format_help(self) -> str:
        width = max(len(command.name) for command in COMMANDS) + 2
        lines = [self.format_usage(), *textwrap.wrap(self.description or "", _HELP_WIDTH), ""]
        for topic, commands in groupby(COMMANDS, lambda command: command.topic):
            lines += [f"{topic}:", *(f"  {command.name:{width}}{command.help}" for command in commands), ""]
        options = [f"  {', '.join(action.option_strings):{width + 4}}{action.help}"
                   for action in self._actions if action.option_strings]
        return "\n".join([*lines, "options:", *options, "", "ossicle COMMAND --help describes a command.", ""])


def make_parser() -> Parser:
    """Returns the parser of the whole command line."""
    parser = _WholeParser(prog="ossicle", description="Compress skeletal animation to a guaranteed error and generate "
                          "the C that plays it.")
    parser.add_argument("--version", action="version",
                        version=f"ossicle {versions().library}, bank format "
                                f"{versions().bank_format}")
    commands: Any = parser.add_subparsers(metavar="COMMAND", parser_class=_Later)
    for command in COMMANDS:
        commands.add_parser(command.name, help=command.help, description=command.description, command=command.name)
    return parser
