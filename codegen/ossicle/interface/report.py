"""Measures banks."""
from __future__ import annotations

import json
from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from ..analysis.analysis import analyse, analysis_json
from ..building.options import EncodeOptions
from .paths import PathName, paths
from .subjects import SubjectFiles, read_subjects


def report(*inputs: PathName, source: PathName | Sequence[PathName] = (), config: PathName | None = None,
           character: str | None = None, jobs: int | None = None, cache: PathName | None = None) -> dict[str, Any]:
    """Returns sizes, costs and errors, as `ossicle report --json` writes them. inputs: source files, which are encoded
    with the settings of `config`; or a bank, with its sources if `source` names them; or a configuration file, whose
    bank `build` has written, with the name of the character if it has several. jobs, cache: as for encode. Raises
    Problem."""
    sources = (source,) if isinstance(source, str | PathLike) else source
    named = SubjectFiles(paths(inputs), paths(sources), None if config is None else Path(config), character)
    subject, = read_subjects(named, EncodeOptions(jobs, None if cache is None else str(cache)))
    document: dict[str, Any] = json.loads(analysis_json(analyse(subject)))
    return document
