"""Reads the banks that the command lines of `ossicle view` and `ossicle report` name."""
from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ..analysis.subject import Subject, encoded_subject, matched_subject
from ..bank.file import read_bank
from ..base.option_names import toml_names
from ..base.problem import SettingProblem, nearest, setting_problems_of
from ..encoding.edits import edited
from ..encoding.settings import Settings
from ..encoding.sources import read_sources, source_files
from ..importers.importer import files_of
from ..importers.suffixes import SUFFIXES
from ..model.clip import Imported
from ..config.characters import characters_of
from ..building.encoding import compress, graph_problems_of
from ..config.option_lookup import names_in_files
from ..config.project import Project, read_project
from ..reporting.messages import warn

BANK_SUFFIX = ".ossb"
_KINDS = f"a bank ({BANK_SUFFIX}), a configuration file (.toml) or sources ({', '.join(SUFFIXES)})"


@dataclass(frozen=True)
class _Origin:
    """The source files with which banks are compared, and the settings with which banks were encoded."""

    imported: Imported
    settings: Settings
    files: Sequence[Path]

    def subject(self, path: Path) -> Subject:
        """Returns a bank that was encoded from this source. Raises SettingProblem."""
        with setting_problems_of(path):
            return matched_subject(path.stem, read_bank(path), self.imported, self.settings, self.files)


def settings_of(arguments: argparse.Namespace) -> Settings:
    """Returns the settings of the file that --config names."""
    return Settings() if arguments.config is None else read_project(arguments.config).settings


@toml_names(names_in_files())
def read_subjects(arguments: argparse.Namespace, others: Sequence[Path] = ()) -> list[Subject]:
    """Returns the subject of a command line, followed by the other banks, which must have the same skeleton. The
    command line names source files, which are encoded with the settings of --config; or a bank, with its sources if
    --source names them; or a configuration file, whose bank `ossicle build` has written."""
    inputs: Sequence[Path] = arguments.inputs
    kinds = {path.suffix.lower() for path in inputs}
    origin: _Origin | None
    if arguments.source and kinds != {BANK_SUFFIX}:
        raise SettingProblem("--source applies to a bank; leave it out, because configuration files name their sources")
    if kinds == {".toml"} and arguments.config is not None:
        raise SettingProblem(f"{inputs[0]}: contains the settings of its bank; leave out --config")
    if arguments.character is not None and kinds != {".toml"}:
        raise SettingProblem("--character applies to configuration files; leave it out")
    settings = settings_of(arguments)
    if kinds <= set(SUFFIXES):
        read = origin = _Origin(read_sources(inputs, settings), settings, inputs)
        first = _encoded(read, arguments)
    elif len(inputs) > 1:
        raise SettingProblem(f"{inputs[0]} and {inputs[1]}: give only one input, or only sources")
    elif kinds == {".toml"}:
        project = chosen_project(inputs[0], arguments.character)
        built = origin = _origin_of(project)
        first = built.subject(project.output)
    elif kinds == {BANK_SUFFIX}:
        origin = _Origin(read_sources(arguments.source, settings), settings, arguments.source) \
            if arguments.source else None
        first = _of_bank(inputs[0], origin)
    else:
        raise SettingProblem(f"{inputs[0]}: has an unknown suffix; give {_KINDS}")
    return [first, *(_beside(first, _of_bank(path, origin), path) for path in others)]


def built_subject(project: Project) -> Subject:
    """Returns the subject of a project whose bank `ossicle build` has written."""
    return _origin_of(project).subject(project.output)


def files_read(arguments: argparse.Namespace) -> dict[Path, Path]:
    """Returns the files that read_subjects reads, each with the input that it belongs to."""
    files = files_of([*arguments.inputs, *arguments.source])
    if arguments.config is not None:
        files |= {arguments.config: arguments.config} | source_files([], settings_of(arguments))
    for path in arguments.inputs:
        if path.suffix.lower() == ".toml":
            project = chosen_project(path, arguments.character)
            files |= source_files([*project.inputs, project.output], project.settings)
    return files


def _origin_of(project: Project) -> _Origin:
    return _Origin(read_sources(project.inputs, project.settings), project.settings, project.inputs)


def _encoded(origin: _Origin, arguments: argparse.Namespace) -> Subject:
    with graph_problems_of(arguments.config):
        result = compress(edited(origin.imported, origin.settings), origin.settings, arguments)
    warn(result.warnings)
    return encoded_subject(origin.files[0].stem, result, origin.imported, origin.settings, origin.files)


def _of_bank(path: Path, origin: _Origin | None) -> Subject:
    return Subject(path.stem, read_bank(path)) if origin is None else origin.subject(path)


def _beside(first: Subject, other: Subject, path: Path) -> Subject:
    if [joint.name for joint in other.bank.joints] != [joint.name for joint in first.bank.joints]:
        raise SettingProblem(f"{path}: has different joints than {first.name}; compare banks of the same skeleton")
    return other


def chosen_project(path: Path, character: str | None) -> Project:
    """Returns the built project of a file, or of one of its characters. Raises SettingProblem."""
    names = characters_of(path)
    if character is None and len(names) > 1:
        raise SettingProblem(f"{path}: has several characters; add --character" + nearest("", names))
    if character is not None and character not in names:
        raise SettingProblem(f"{path}: has no character {character!r}" + nearest(character, names))
    project = read_project(path, names[0] if character is None else character)
    if not project.output.is_file():
        raise SettingProblem(f"{path}: its bank {project.output} does not exist; run ossicle build {path}")
    return project
