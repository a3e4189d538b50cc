"""Reads the source files of a character, including those of other skeletons."""
from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ..importers.importer import files_of, read_clips
from ..model.clip import Imported
from .settings import Settings


def read_sources(paths: Sequence[Path], settings: Settings) -> Imported:
    """Returns the selected clips of all files: see read_clips. paths: the character's own files; settings: with
    the files of other skeletons. Raises ImportProblem and SettingProblem."""
    if not settings.retarget:
        return read_clips(paths, settings.reading)
    from ..retargeting.sources import transfers_of  # imported here, because few characters need it
    return read_clips(paths, settings.reading, transfers_of(settings.retarget, paths, settings.importing))


def source_files(paths: Sequence[Path], settings: Settings) -> dict[Path, Path]:
    """Maps the files that read_sources reads, and those with curves of clips, to their input. Fast: see files_of."""
    others = [path for rule in settings.retarget for path in rule.files]
    return files_of([*paths, *others], settings.importing.outside) | {path: path for path in settings.curve_files}
