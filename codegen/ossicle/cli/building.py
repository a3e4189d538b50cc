"""Builds the characters of `ossicle build` that have changed."""
from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager

from ..interface.build import build_changed
from ..building.faults import Faults
from ..building.job import Finished
from ..building.local_builder import Builder, LocalBuilder
from ..building.manifest import LastBuilds
from ..building.options import BuildOptions, EncodeOptions
from .printing import show, show_code


def build_and_show(last: LastBuilds, arguments: argparse.Namespace, faults: Faults) -> None:
    """Builds the requests that are not current, and shows their results."""
    requests = last.requests
    with _builder(arguments) as builder:
        built = build_changed(last, BuildOptions.of(arguments), builder,
                              lambda finished: _show(finished, arguments.quiet), faults)
    if not arguments.quiet and not arguments.list:
        for request in requests:
            if request not in built and request not in faults.lines:
                print(f"{request} is unchanged")
        characters = [request for request in requests if not request.packs]
        if faults.lines and len(characters) > 1:
            good = sum(request not in faults.lines for request in characters)
            print(f"{good} of {len(characters)} characters are up to date")


@contextmanager
def _builder(arguments: argparse.Namespace) -> Iterator[Builder]:
    """Yields the builder that a command line selects."""
    if arguments.workers is None and arguments.scheduler is None:
        yield LocalBuilder(EncodeOptions.of(arguments))
        return
    from ..building.workers import workers  # imported here: needs Dask
    with workers(arguments) as builder:
        yield builder


def _show(finished: Finished, quiet: bool) -> None:
    job, result = finished.job, finished.result
    show(result, job.project.output, quiet)
    if finished.generated and not quiet:
        show_code(result.parsed, finished.generated, job.machine, job.code.unroll, job.project.sets, job.parts)
