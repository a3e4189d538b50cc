"""`ossicle build`: writes the banks and the C of TOML files."""
from __future__ import annotations

import argparse
from collections.abc import Sequence

from ...base import signals
from ...base.problem import SettingProblem
from ...building.digests import remembered_in
from ...building.faults import Faults
from ...building.manifest import LastBuilds, Request, finish_current, requests_of
from ...building.options import BuildOptions
from ...encoding.cache.place import digests_folder
from ..json_output import STDOUT, print_json_text
from ...reporting.messages import say


def build(arguments: argparse.Namespace) -> int:
    """Writes for each character all outputs that are not current, or none. Returns the exit status: 1 if a character
    cannot be built, which a line on stderr explains."""
    prints = arguments.json == STDOUT
    arguments.quiet |= prints
    requests = requests_of(arguments.configs, arguments.output, None if prints else arguments.json,
                           prints or arguments.summary is not None)
    characters = [request for request in requests if not request.packs]
    if arguments.json and len(characters) > 1:
        raise SettingProblem(f"--json {arguments.json}: the report is of one character, and the files have "
                             f"{len(characters)}; build a file with one character")
    if prints and arguments.list:
        raise SettingProblem("--json - and --list both print; leave out one of them")
    if arguments.summary is not None:
        with signals.deferred():
            from ...building.summary import check_summary, write_summary  # imported here: it imports the tables
        check_summary(arguments.summary)
    faults = Faults(stops=arguments.fail_fast)
    try:
        with remembered_in(digests_folder(arguments.cache)):
            _build(requests, arguments, faults)
            if arguments.summary is not None and not arguments.list:
                write_summary(arguments.summary, requests, faults.reported(requests), arguments.quiet)
    finally:  # after all tables, even if a problem ends the build
        lines = faults.reported(requests)
        for request in requests:
            if request in lines:
                say(lines[request])
    for request in characters if prints and not faults.lines else ():
        if request.report is not None:
            print_json_text(request.report.read_text(encoding="utf-8"))
    return 1 if faults.lines else 0


def _build(requests: Sequence[Request], arguments: argparse.Namespace, faults: Faults) -> None:
    last = LastBuilds(requests)
    if finish_current(last, BuildOptions.of(arguments)):
        return
    with signals.deferred():
        from ..building import build_and_show  # imported here: takes longer than an up-to-date build
    build_and_show(last, arguments, faults)
