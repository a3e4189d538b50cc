"""`ossicle build`: from TOML files to banks and their C."""
from __future__ import annotations

import argparse
from collections.abc import Sequence

from ...base import signals
from ...base.problem import SettingProblem
from ...build.digests import remembered_in
from ...build.faults import Faults
from ...build.manifest import LastBuilds, Request, finish_current, requests_of
from ...encode.cache.place import digests_folder
from ...report.messages import say


def build(arguments: argparse.Namespace) -> int:
    """Writes the outputs of each character together, or none of them. Outputs that are current are not written. Returns
    the exit status: 1 if a character cannot be built, with a line about each on stderr."""
    requests = requests_of(arguments.configs, arguments.output, arguments.json, arguments.summary is not None)
    characters = [request for request in requests if not request.packs]
    if arguments.json and len(characters) > 1:
        raise SettingProblem(f"--json {arguments.json}: a report is of one character, and there are "
                             f"{len(characters)}; build one file of one character")
    if arguments.summary is not None:
        with signals.deferred():
            from ...build.summary import check_summary, write_summary  # not above: it takes what shows tables
        check_summary(arguments.summary)
    faults = Faults(stops=arguments.fail_fast)
    try:
        with remembered_in(digests_folder(arguments.cache)):
            _build(requests, arguments, faults)
            if arguments.summary is not None and not arguments.list:
                write_summary(arguments.summary, requests, faults.reported(requests), arguments.quiet)
    finally:  # after all tables, and also if a problem stops the whole build
        told = faults.reported(requests)
        for request in requests:
            if request in told:
                say(told[request])
    return 1 if faults.lines else 0


def _build(requests: Sequence[Request], arguments: argparse.Namespace, faults: Faults) -> None:
    last = LastBuilds(requests)
    if finish_current(last, arguments):
        return
    with signals.deferred():
        from ..building import build_changed  # not above: its packages take longer than a build with nothing to do
    build_changed(last, arguments, faults)
