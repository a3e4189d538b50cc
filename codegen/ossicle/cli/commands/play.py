"""`ossicle play`: plays the graph of a character from a script of inputs."""
from __future__ import annotations

import argparse
from pathlib import Path

from ...bank.file import Bank, read_bank
from ...base.problem import SettingProblem, setting_problems_of
from ...building.manifest import Request, read_manifest
from ...config.characters import characters_of
from ...play.expectations import difference, failed_expectations
from ...play.recording import play_script, recording
from ...play.script import read_script
from ...play.table import tick_table
from ...reporting.tables import console
from ...reporting.messages import say
from ...interface.subjects import BANK_SUFFIX, chosen_project
from ..json_output import print_json


def play(arguments: argparse.Namespace) -> int:
    """Plays the script and prints the play. Returns the exit status: 1 if the play differs from what was expected,
    which a line on stderr explains for each expectation."""
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
    problems = [f"{arguments.script}: {line}" for line in failed_expectations(script, ticks, bank.graph)]
    if arguments.expect is not None and (line := difference(arguments.expect, document)):
        problems.append(line)
    for line in problems:
        say(line)
    return 1 if problems else 0


def _bank_of(path: Path, character: str | None) -> Path:
    """Returns the bank that a command line names."""
    suffix = path.suffix.lower()
    if suffix == ".toml":
        output = chosen_project(path, character).output
        _check_current(Request(path, character=character or characters_of(path)[0]), output)
        return output
    if suffix != BANK_SUFFIX:
        raise SettingProblem(f"{path}: has an unknown suffix; give a configuration file (.toml) or a bank "
                             f"({BANK_SUFFIX})")
    if character is not None:
        raise SettingProblem("--character applies to configuration files; leave it out")
    return path


def _check_current(request: Request, bank: Path) -> None:
    """Raises SettingProblem if an input of the bank has changed since `ossicle build` wrote it."""
    manifest = read_manifest(request.manifest)
    if manifest is None or not manifest.is_of(request.config) or not manifest.writes(bank):
        return
    if (changed := manifest.changed_input(request)) is not None:
        what = "" if changed.exists() and changed.samefile(request.config) else f"{changed} "
        raise SettingProblem(f"{request.config}: {what}has changed since its bank {bank} was built; run ossicle build "
                             f"{request.config}")


def _with_graph(path: Path) -> Bank:
    bank = read_bank(path)
    with setting_problems_of(path):
        if bank.graph is None:
            raise SettingProblem("has no animation graph; write one in the table [graph] of its configuration file, "
                                 "and build it again")
    return bank
