"""`ossicle build`: from TOML files to banks and their C."""
from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from ..base.option_names import toml_names
from ..base.output import write_all
from ..base.problem import SettingProblem
from .building import Builder, Here
from .cache_place import digests_folder
from .digests import digest, digest_of, remembered_in
from .job import Finished
from .library_summary import check_summary, write_summary
from .manifest import (
    Manifest,
    Request,
    Used,
    check_written,
    depfile_rule,
    finish_current,
    listing,
    read_manifest,
    requests_of,
    without_request,
    write_depfile,
)
from .option_table import names_in_files
from .printing import show, show_code

Made = Callable[[Finished], None]


def build(arguments: argparse.Namespace) -> None:
    """Writes the outputs of each file together, or none of them. Files that are current are left."""
    requests = requests_of(arguments.configs, arguments.output, arguments.json, arguments.summary is not None)
    if arguments.json and len(requests) > 1:
        raise SettingProblem(f"--json {arguments.json}: a report is of one character, and there are "
                             f"{len(requests)}; build one file of one character")
    if arguments.summary is not None:
        check_summary(arguments.summary)
    with remembered_in(digests_folder(arguments.cache)):
        _build(requests, arguments)
        if arguments.summary is not None and not arguments.list:
            write_summary(arguments.summary, requests, arguments.quiet)


def _build(requests: Sequence[Request], arguments: argparse.Namespace) -> None:
    flags = [f"--{name}" for name in ("list", "quiet") if getattr(arguments, name)]
    if finish_current(requests, arguments.depfile, flags, arguments.summary, arguments.compiler):
        return
    with toml_names(names_in_files()), _builder(arguments) as builder:
        built = set(build_requests(requests, arguments, builder, lambda one: _show(one, arguments.quiet)))
    if not arguments.quiet and not arguments.list:
        for request in requests:
            if request not in built:
                print(f"{request} is unchanged")


@contextmanager
def _builder(arguments: argparse.Namespace) -> Iterator[Builder]:
    """What builds for a command line."""
    if arguments.workers is None and arguments.scheduler is None:
        yield Here(arguments)
        return
    from .workers import workers  # not above: needs a package that no other build needs
    with workers(arguments) as builder:
        yield builder


def build_requests(requests: Sequence[Request], arguments: argparse.Namespace, builder: Builder,
                   made: Made) -> list[Request]:
    """Builds those of the requests that are not current, after checking the outputs of all, and returns
    them. made: called with each once it is written."""
    before = {request: read_manifest(request.manifest) for request in requests}
    current = {request: manifest for request, manifest in before.items()
               if manifest is not None and manifest.is_current(request)}
    planned = list(builder.planned([request for request in requests if request not in current]))
    manifests = current | {one.job.request: one.manifest for one in planned}
    manifests = {request: manifests[request] for request in requests}
    check_written(manifests, arguments.depfile, arguments.summary)
    if arguments.depfile is not None:
        depfile_rule(manifests)  # raises its problem before the long work
    if arguments.list:
        print("\n".join(listing(manifests, arguments.compiler)))
        return []
    leftovers = _Leftovers(manifests, arguments.quiet)
    for one in builder.finished(planned):
        request = one.job.request
        leftovers.put(request, _write(one))
        made(one)
        old = before[request]
        if old is not None and not old.outputs.keys() <= one.contents.keys() and old.is_of(request.config):
            leftovers.remove(old, request.manifest)
    for path, old in without_request(requests):
        leftovers.remove(old, path)
        path.unlink()
    if arguments.depfile is not None:
        write_depfile(arguments.depfile, manifests)
    return [one.job.request for one in planned]


@dataclass
class _Leftovers:
    """What earlier builds wrote and no manifest has. It is removed as soon as the new manifest of a character is there,
    which is the last moment that the old one is known. used: found once, not for each character; None for not yet."""

    manifests: dict[Request, Manifest]
    quiet: bool
    used: Used | None = None

    def put(self, request: Request, manifest: Manifest) -> None:
        """Replaces the manifest that a character was planned with."""
        if not manifest.has_files_of(self.manifests[request]):  # its settings were edited meanwhile
            self.used = None
        self.manifests[request] = manifest

    def remove(self, old: Manifest, place: Path) -> None:
        """Removes what an earlier build left, whose manifest was at this place."""
        self.used = self.used or Used.by(self.manifests)
        for path in old.remove_others(place.parent, self.used):
            if not self.quiet:
                print(f"removed {path}")


def _write(one: Finished) -> Manifest:
    """Writes what differs from the files that are there."""
    place = one.job.request.manifest
    contents = {**one.contents, place: one.manifest.to_json(place.parent)}
    write_all({path: content for path, content in contents.items() if digest(path) != digest_of(content)})
    return one.manifest


def _show(one: Finished, quiet: bool) -> None:
    job = one.job
    show(one.result, job.project.output, quiet)
    if one.generated and not quiet:
        show_code(job.project.output, one.generated, job.machine, job.code.unroll, job.project.sets, job.parts)
