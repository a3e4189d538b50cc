"""`ossicle play`: plays the graph of a character from a script of inputs."""
from __future__ import annotations

import argparse
from pathlib import Path

from ...bank.file import Bank, read_bank
from ...base.problem import SettingProblem, setting_problems_of
from ...play.expectations import PlayProblem, check_expectations, check_recording
from ...play.recording import play_script, recording
from ...play.script import read_script
from ...play.table import tick_table
from ...report.console import console
from ..subjects import BANK_SUFFIX, chosen_project
from .inspect import print_json


def play(arguments: argparse.Namespace) -> None:
    """Plays the script, prints the play, and raises PlayProblem if it differs from what was expected."""
    path = _bank_of(arguments.played, arguments.character)
    bank = _with_graph(path)
    assert bank.graph is not None
    script = read_script(arguments.script, bank)
    ticks = play_script(script, bank)
    document = recording(script, ticks)
    if arguments.json:
        print_json(document)
    elif not arguments.quiet:
        console().print(tick_table(ticks, arguments.every_tick))
    try:
        check_expectations(script, ticks, bank.graph)
    except PlayProblem as problem:
        raise PlayProblem(f"{arguments.script}: {problem}") from problem
    if arguments.expect is not None:
        check_recording(arguments.expect, document)


def _bank_of(path: Path, character: str | None) -> Path:
    """Returns the bank that a command line names."""
    suffix = path.suffix.lower()
    if suffix == ".toml":
        return chosen_project(path, character).output
    if suffix != BANK_SUFFIX:
        raise SettingProblem(f"{path}: has an unknown suffix; give a configuration file (.toml) or a bank "
                             f"({BANK_SUFFIX})")
    if character is not None:
        raise SettingProblem("--character applies to configuration files; leave it out")
    return path


def _with_graph(path: Path) -> Bank:
    bank = read_bank(path)
    with setting_problems_of(path):
        if bank.graph is None:
            raise SettingProblem("has no animation graph; write one in the table [graph] of its configuration file, "
                                 "and build it again")
    return bank
