"""Options of encoding and building, for commands and for Python programs."""
from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TypeVar

from ..reporting.messages import warn_once


def _ignore(warning: str) -> None:
    """Does nothing: a library prints nothing."""


_Options = TypeVar("_Options", bound="EncodeOptions")


@dataclass(frozen=True)
class EncodeOptions:
    """jobs: the number of threads, None for one per core; cache: the folder that stores encoded clips, "off", or None
    for the default; cache_size: the limit of that folder in bytes, None for its own; quiet: without a progress bar and
    lines about results; warn: called with warnings that are not part of the result."""

    jobs: int | None = None
    cache: str | None = None
    cache_size: int | None = None
    quiet: bool = True
    warn: Callable[[str], None] = _ignore

    @classmethod
    def of(cls: type[_Options], arguments: argparse.Namespace) -> _Options:
        """Returns the options of a command line, which has those that the command takes."""
        given = {field.name: getattr(arguments, field.name) for field in fields(cls) if hasattr(arguments, field.name)}
        return cls(**given, warn=warn_once)


@dataclass(frozen=True)
class BuildOptions(EncodeOptions):
    """list: print the files instead of building them; compiler: as in compiling_for; depfile, summary: files to
    write."""

    list: bool = False
    compiler: str | None = None
    depfile: Path | None = None
    summary: Path | None = None
