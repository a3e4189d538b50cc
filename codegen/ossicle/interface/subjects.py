"""Reads the banks that pages and reports are about."""
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
from ..building.options import EncodeOptions
from ..config.option_lookup import names_in_files
from ..config.project import Project, read_project

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


@dataclass(frozen=True)
class SubjectFiles:
    """The files of a subject. inputs: source files, which are encoded with the settings of `config`; or a bank, with
    its sources if `source` names them; or a configuration file, whose bank `ossicle build` has written, with the name
    of the character if it has several."""

    inputs: Sequence[Path]
    source: Sequence[Path] = ()
    config: Path | None = None
    character: str | None = None

    @classmethod
    def of(cls, arguments: argparse.Namespace) -> SubjectFiles:
        """Returns the names of a command line."""
        return cls(arguments.inputs, arguments.source, arguments.config, arguments.character)

    @property
    def settings(self) -> Settings:
        """The settings of `config`."""
        return Settings() if self.config is None else read_project(self.config).settings


@toml_names(names_in_files())
def read_subjects(named: SubjectFiles, work: EncodeOptions, others: Sequence[Path] = ()) -> list[Subject]:
    """Returns the subject, followed by the other banks, which must have the same skeleton. Raises SettingProblem."""
    inputs = named.inputs
    kinds = {path.suffix.lower() for path in inputs}
    origin: _Origin | None
    if named.source and kinds != {BANK_SUFFIX}:
        raise SettingProblem("--source applies to a bank; leave it out, because configuration files name their sources")
    if kinds == {".toml"} and named.config is not None:
        raise SettingProblem(f"{inputs[0]}: contains the settings of its bank; leave out --config")
    if named.character is not None and kinds != {".toml"}:
        raise SettingProblem("--character applies to configuration files; leave it out")
    settings = named.settings
    if kinds <= set(SUFFIXES):
        read = origin = _Origin(read_sources(inputs, settings), settings, inputs)
        first = _encoded(read, named.config, work)
    elif len(inputs) > 1:
        raise SettingProblem(f"{inputs[0]} and {inputs[1]}: give only one input, or only sources")
    elif kinds == {".toml"}:
        project = chosen_project(inputs[0], named.character)
        built = origin = _origin_of(project)
        first = built.subject(project.output)
    elif kinds == {BANK_SUFFIX}:
        origin = _Origin(read_sources(named.source, settings), settings, named.source) \
            if named.source else None
        first = _of_bank(inputs[0], origin)
    else:
        raise SettingProblem(f"{inputs[0]}: has an unknown suffix; give {_KINDS}")
    return [first, *(_beside(first, _of_bank(path, origin), path) for path in others)]


def built_subject(project: Project) -> Subject:
    """Returns the subject of a project whose bank `ossicle build` has written."""
    return _origin_of(project).subject(project.output)


def files_read(named: SubjectFiles) -> dict[Path, Path]:
    """Returns the files that read_subjects reads, each with the input that it belongs to."""
    files = files_of([*named.inputs, *named.source])
    if named.config is not None:
        files |= {named.config: named.config} | source_files([], named.settings)
    for path in named.inputs:
        if path.suffix.lower() == ".toml":
            project = chosen_project(path, named.character)
            files |= source_files([*project.inputs, project.output], project.settings)
    return files


def _origin_of(project: Project) -> _Origin:
    return _Origin(read_sources(project.inputs, project.settings), project.settings, project.inputs)


def _encoded(origin: _Origin, config: Path | None, work: EncodeOptions) -> Subject:
    with graph_problems_of(config):
        result = compress(edited(origin.imported, origin.settings), origin.settings, work)
    for warning in result.warnings:
        work.warn(warning)
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
