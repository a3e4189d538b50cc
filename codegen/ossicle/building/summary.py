"""`ossicle build --summary`: a report about all characters, including unchanged ones."""
from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ..base.files.output import write_all
from ..base.problem import SettingProblem, nearest
from ..base.files.reading import read_file
from ..reporting.library import WRITERS, Library
from .digests import digest, digest_of
from .manifest import Request


def check_summary(path: Path) -> None:
    """Raises SettingProblem for a file whose suffix is unknown."""
    if path.suffix.lower() not in WRITERS:
        raise SettingProblem(f"--summary {path}: its suffix, which selects the format, is unknown"
                             + nearest(path.suffix, WRITERS))


def write_summary(path: Path, requests: Sequence[Request], faults: Mapping[Request, str], quiet: bool) -> None:
    """Writes the summary of characters from their reports. faults: messages about requests that cannot be built."""
    named = dict(zip(_names(requests), requests))
    reports = {name: _report(request) for name, request in named.items() if request not in faults and not request.packs}
    lines = {name: faults[request] for name, request in named.items() if request in faults}
    content = WRITERS[path.suffix.lower()](Library(reports, lines))
    if digest(path) != digest_of(content):
        write_all({path: content})
        if not quiet:
            print(f"wrote {path}")


def _names(requests: Sequence[Request]) -> list[str]:
    """Returns the name of each character, with its file if other characters have the same name."""
    short = [str(request) if request.packs else request.character or request.config.stem for request in requests]
    uses = Counter(short)
    return [str(request) if uses[name] > 1 else name for request, name in zip(requests, short)]


def _report(request: Request) -> dict[str, Any]:
    assert request.report is not None
    try:
        return json.loads(read_file(request.report))
    except (OSError, ValueError) as error:
        raise SettingProblem(f"{request.report}: cannot be read ({error}); remove it and build again") from error
