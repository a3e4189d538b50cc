"""Measures banks."""
from __future__ import annotations

import json
from collections.abc import Sequence
from os import PathLike
from typing import Any

from ..analysis.analysis import analyse, analysis_json
from .paths import PathName, path_of, paths
from .subjects import SubjectFiles, read_subjects
from .options import options_of


def report(*inputs: PathName, source: PathName | Sequence[PathName] = (), config: PathName | None = None,
           character: str | None = None, jobs: int | None = None, cache: PathName | None = None) -> dict[str, Any]:
    """Returns sizes, costs and errors, as `ossicle report --json` writes them. inputs: source files, which are encoded
    with the settings of `config`; or a bank, with its sources if `source` names them; or a configuration file, whose
    bank `build` has written, with the name of the character if it has several. jobs, cache: as for encode. Raises
    Problem."""
    sources = (source,) if isinstance(source, str | PathLike) else source
    named = SubjectFiles(paths(inputs), paths(sources), None if config is None else path_of(config), character)
    subject, = read_subjects(named, options_of(jobs, cache))
    document: dict[str, Any] = json.loads(analysis_json(analyse(subject)))
    return document
