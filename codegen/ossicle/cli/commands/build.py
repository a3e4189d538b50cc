"""`ossicle build`: from TOML files to banks and their C."""
from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from ...base import signals
from ...base.option_names import toml_names
from ...base.problem import SettingProblem
from ...build.local_builder import Builder, LocalBuilder
from ...encode.cache.place import digests_folder
from ...build.digests import remembered_in
from ...build.faults import Faults
from ...build.job import Finished
from ...build.manifest import LastBuilds, Request, finish_current, requests_of
from ...report.messages import say
from ...config.option_table import names_in_files
from ..printing import show, show_code
from ...build.build import build_requests


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
                write_summary(arguments.summary, requests, faults.told(requests), arguments.quiet)
    finally:  # after all tables, and also if a problem stops the whole build
        told = faults.told(requests)
        for request in requests:
            if request in told:
                say(told[request])
    return 1 if faults.lines else 0


def _build(requests: Sequence[Request], arguments: argparse.Namespace, faults: Faults) -> None:
    flags = [f"--{name}" for name in ("list", "quiet") if getattr(arguments, name)]
    last = LastBuilds(requests)
    if finish_current(last, arguments.depfile, flags, arguments.summary, arguments.compiler):
        return
    with toml_names(names_in_files()), _builder(arguments) as builder:
        built = set(build_requests(last, arguments, builder, lambda one: _show(one, arguments.quiet), faults))
    if not arguments.quiet and not arguments.list:
        for request in requests:
            if request not in built and request not in faults.lines:
                print(f"{request} is unchanged")
        characters = [request for request in requests if not request.packs]
        if faults.lines and len(characters) > 1:
            good = sum(request not in faults.lines for request in characters)
            print(f"{good} of {len(characters)} characters are built")


@contextmanager
def _builder(arguments: argparse.Namespace) -> Iterator[Builder]:
    """What builds for a command line."""
    if arguments.workers is None and arguments.scheduler is None:
        yield LocalBuilder(arguments)
        return
    from ...build.workers import workers  # not above: needs a package that no other build needs
    with workers(arguments) as builder:
        yield builder


def _show(one: Finished, quiet: bool) -> None:
    job = one.job
    show(one.result, job.project.output, quiet)
    if one.generated and not quiet:
        show_code(one.result.parsed, one.generated, job.machine, job.code.unroll, job.project.sets, job.parts)
