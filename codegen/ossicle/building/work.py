"""How a command, or a program that calls Ossicle, encodes and builds."""
from __future__ import annotations

import argparse
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TypeVar

_Options = TypeVar("_Options", bound="Work")


@dataclass(frozen=True)
class Work:
    """jobs: the number of threads, None for one per core; cache: the folder that stores encoded clips, "off", or None
    for the default; cache_size: the limit of that folder in bytes, None for its own; quiet: without a progress bar and
    lines about results."""

    jobs: int | None = None
    cache: str | None = None
    cache_size: int | None = None
    quiet: bool = True

    @classmethod
    def of(cls: type[_Options], arguments: argparse.Namespace) -> _Options:
        """Returns the options of a command line, which has those that the command takes."""
        return cls(**{field.name: getattr(arguments, field.name) for field in fields(cls)
                      if hasattr(arguments, field.name)})


@dataclass(frozen=True)
class BuildWork(Work):
    """list: print the files instead of building them; compiler: as in compiling_for; depfile, summary: files to
    write."""

    list: bool = False
    compiler: str | None = None
    depfile: Path | None = None
    summary: Path | None = None
