"""What `ossicle view` and `ossicle report` are about, as their command lines name it."""
from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from ..analysis.subject import Subject, encoded_subject, matched_subject
from ..bank.file import read_bank
from ..base.problem import SettingProblem, nearest, said_in
from ..encode.settings import Settings
from ..importers.importer import SUFFIXES, read_clips
from .characters import characters_of
from .options import settings_of
from .printing import compress, warn
from .project import Project, read_project

BANK_SUFFIX = ".ossb"
_KINDS = f"a bank ({BANK_SUFFIX}), a configuration file (.toml) or sources ({', '.join(SUFFIXES)})"


def read_subject(arguments: argparse.Namespace) -> Subject:
    """Returns the subject of a command line: source files, which are encoded; a bank, with its sources if
    --source names them; or a configuration file, whose bank `ossicle build` has written."""
    inputs: Sequence[Path] = arguments.inputs
    kinds = {path.suffix.lower() for path in inputs}
    if kinds <= set(SUFFIXES):
        if arguments.source:
            raise SettingProblem("--source is for banks; source files are their own source")
        return _of_sources(inputs, settings_of(Settings(), arguments), arguments)
    if len(inputs) > 1:
        raise SettingProblem(f"{inputs[0]} and {inputs[1]}: name one of {_KINDS}")
    if kinds == {".toml"}:
        return _of_project(inputs[0], arguments.character)
    if kinds == {BANK_SUFFIX}:
        return _of_bank(inputs[0], arguments.source, settings_of(Settings(), arguments))
    raise SettingProblem(f"{inputs[0]}: is none of {_KINDS}")


def _of_sources(inputs: Sequence[Path], settings: Settings, arguments: argparse.Namespace) -> Subject:
    imported = read_clips(inputs, settings.importing)
    result = compress(imported, settings, arguments)
    warn(result.warnings)
    return encoded_subject(inputs[0].stem, result, imported, settings, inputs)


def _of_bank(path: Path, sources: Sequence[Path], settings: Settings) -> Subject:
    bank = read_bank(path)
    if not sources:
        return Subject(path.stem, bank)
    with said_in(path):
        return matched_subject(path.stem, bank, read_clips(sources, settings.importing), settings, sources)


def _of_project(path: Path, character: str | None) -> Subject:
    project = _chosen(path, character)
    if not project.output.is_file():
        raise SettingProblem(f"{path}: its bank {project.output} is not there; run ossicle build {path}")
    with said_in(path):
        return matched_subject(project.output.stem, read_bank(project.output),
                               read_clips(project.inputs, project.settings.importing), project.settings, project.inputs)


def _chosen(path: Path, character: str | None) -> Project:
    """The project of a file, or of one of its characters. Raises SettingProblem."""
    names = characters_of(path)
    if character is None and len(names) > 1:
        raise SettingProblem(f"{path}: has several characters; add --character" + nearest("", names))
    if character is not None and character not in names:
        raise SettingProblem(f"{path}: has no character {character!r}" + nearest(character, names))
    return read_project(path, names[0] if character is None else character)
