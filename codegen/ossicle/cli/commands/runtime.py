"""`ossicle runtime`: writes the runtime as one C file or as a library."""
from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from ...bank.file import read_bank
from ...base.codec import CODECS
from ...base.files.output import check_outputs, write_all
from ...base.places import PLATFORMS
from ...base.problem import SettingProblem
from ...generate.amalgamation import amalgamate
from ...generate.library import as_library
from ...machines import load_target
from ...config.project import Project, read_projects


def _target_of(file: Path, projects: Sequence[Project]) -> str | None:
    """Returns the target of all characters of a file. Raises SettingProblem if there are several."""
    targets = list(dict.fromkeys(project.settings.target for project in projects))
    if len(targets) > 1:
        raise SettingProblem(f"{file}: the characters have several targets "
                             f"({', '.join(str(target) for target in targets)}); choose one with --target")
    return targets[0]


def runtime(arguments: argparse.Namespace) -> None:
    """Writes the runtime with all codecs, or with those of a project's banks."""
    target, codecs = arguments.target, None
    if arguments.project is not None:
        projects = read_projects(arguments.project)
        target = target or _target_of(arguments.project, projects)
        for project in projects:
            if not project.output.is_file():
                raise SettingProblem(f"{arguments.project}: its bank {project.output} does not exist; run "
                                     f"ossicle build {arguments.project}")
        kept = {codec for project in projects for codec in read_bank(project.output).codecs}
        codecs = [codec for codec in CODECS if codec in kept]
    machine = load_target(target) if target else None
    parts = amalgamate(machine.platform_folder if machine else PLATFORMS / "scalar", codecs,
                       [entry for entry in machine.defines if "OSC_FAST_ROWS" not in entry] if machine else ())
    if arguments.library:
        parts = as_library(parts)
    files = {arguments.output / name: content for name, content in parts.items()}
    check_outputs({}, files)
    write_all(files)
    if not arguments.quiet:
        for path in files:
            print(f"wrote {path}")
