"""Options of encoding, as callers give them."""
from __future__ import annotations

import os
from typing import Any

from ..building.options import EncodeOptions
from ..config import option_kinds as kinds
from .paths import PathName


def options_of(jobs: int | None, cache: PathName | None) -> EncodeOptions:
    """Returns checked options; jobs, cache: as for encode. Raises SettingProblem."""
    folder: Any = os.fspath(cache) if isinstance(cache, os.PathLike) else cache
    return EncodeOptions(None if jobs is None else kinds.JOBS.read(jobs, "jobs"),
                         None if folder is None else kinds.CACHE.read(folder, "cache"))
