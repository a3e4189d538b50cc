"""Builds the characters of TOML files that are not current, and removes obsolete files of earlier builds."""
from __future__ import annotations

import os
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from ..base.encoder_library import library
from ..base.files.output import write_all
from ..base.files.path_names import refused_character
from ..base.problem import SettingProblem
from .local_builder import Builder
from .digests import digest, digest_of
from .faults import Fault, Faults
from .job import Finished, files_read
from .packing import image_files, planned_image
from .options import BuildOptions
from .manifest import (
    LastBuilds,
    Manifest,
    Request,
    Used,
    check_written,
    depfile_rule,
    listing,
    without_request,
    write_depfile,
)

OnWritten = Callable[[Finished], None]


def build_requests(last: LastBuilds, work: BuildOptions, builder: Builder,
                   on_written: OnWritten, faults: Faults, keeps_old: bool = False) -> list[Request]:
    """Checks the outputs of all requests, builds those that are not current, and returns these. on_written: called for
    each character once its files are written. keeps_old: whether to keep the files that earlier builds wrote for
    characters that now have faults."""
    requests = last.requests
    before = {request: last.manifest(request) for request in requests}
    current = {request: manifest for request in requests if (manifest := last.current(request)) is not None}
    if len(current) < len(requests):
        library()  # raises its problem once instead of for each character
    pending = [request for request in requests if request not in current]
    planned = list(faults.sift(builder.planned([request for request in pending if not request.packs])))
    images = [request for request in pending if request.packs]
    manifests = current | {plan.job.request: plan.manifest for plan in planned}
    for request in images:
        with faults.of(request):
            manifests[request] = planned_image(request, manifests, faults.lines)
    manifests = {request: manifests[request] for request in requests if request in manifests}
    unread = _inputs_of(faults)
    _check_outputs(manifests, work, unread, faults)
    if work.list:
        if not faults.lines:
            print("\n".join(listing(manifests, work.compiler)))
        return []
    leftovers = _Leftovers(dict(manifests), unread, work.quiet)
    built, unwritten = [], []
    for result in faults.sift(builder.finished([plan for plan in planned if plan.job.request in manifests])):
        request = result.job.request
        with faults.of(request):
            leftovers.put(request, _write(request, result.contents, result.manifest), before[request])
            built.append(request)
        if request in faults.lines:
            unwritten.append(request)
        else:
            on_written(result)
    for request in images:
        if request in manifests:
            with faults.of(request):
                manifest = planned_image(request, leftovers.manifests, faults.lines)
                contents = image_files(request, leftovers.manifests, faults.lines)
                manifest = _write(request, contents, manifest.with_outputs(contents))
                leftovers.put(request, manifest, before[request])
                built.append(request)
                for path in () if work.quiet else contents:
                    print(f"wrote {path}")
    if not keeps_old and any(request not in faults.lines and not request.packs for request in requests):
        # A game could link or ship old files by mistake. Files that could not be replaced are kept, because the disk
        # may be full.
        gone = [request for request in faults.lines if request not in unwritten]
        leftovers.drop(gone)
        for request in gone:
            if (old := before[request]) is not None and old.is_of(request.config):
                leftovers.remove_all(old, request.manifest)
    for path, old in without_request(requests, faults.lines):
        leftovers.remove_all(old, path)
    if work.depfile is not None and manifests:
        write_depfile(work.depfile, manifests | leftovers.manifests,
                      read=filter(_has_name_for_rules, _inputs_of(faults)))
    return built


def _check_outputs(manifests: dict[Request, Manifest], work: BuildOptions, unread: Sequence[Path],
                   faults: Faults) -> None:
    """Adds a fault for each character whose outputs would replace an input or the outputs of an earlier character, or
    cannot be named in a depfile. unread: inputs of characters that have faults. Raises SettingProblem if the depfile or
    the summary cannot be written."""
    def problem(count: int) -> SettingProblem | None:
        """The problem of the first `count` characters."""
        first = dict(islice(manifests.items(), count))
        try:
            check_written(first, work.depfile, work.summary, read=unread)
        except SettingProblem as found:
            return found
        return None

    if found := problem(0):
        raise found
    while found := problem(len(manifests)):
        # The smallest number of characters that have a problem: the last of them causes it.
        count = bisect_left(range(len(manifests)), True, key=lambda count: problem(count) is not None)
        request = list(manifests)[count - 1]
        faults.add(Fault.of(request, problem(count) or found))
        del manifests[request]
    for request, manifest in list(manifests.items()) if work.depfile is not None else ():
        try:
            depfile_rule({request: manifest})
        except SettingProblem as found:
            faults.add(Fault.of(request, found))
            del manifests[request]


def _inputs_of(faults: Faults) -> list[Path]:
    """The existing inputs, with usable names, of characters that cannot be built."""
    return [path for path in files_read(faults.lines) if path.exists() and not refused_character(str(path))]


def _has_name_for_rules(path: Path) -> bool:
    try:
        depfile_rule({}, [path])
    except SettingProblem:
        return False
    return True


@dataclass
class _Leftovers:
    """Removes files that earlier builds wrote and no manifest lists now, as soon as the new manifest of a character
    replaces the old one. read: files read by characters without a manifest. used: computed once for all characters."""

    manifests: dict[Request, Manifest]
    read: Sequence[Path]
    quiet: bool
    used: Used | None = None

    def put(self, request: Request, manifest: Manifest, old: Manifest | None) -> None:
        """Replaces the planned manifest of a character and removes obsolete files. old: that of the last build."""
        if not manifest.has_files_of(self.manifests[request]):  # the settings were edited during the build
            self.used = None
        self.manifests[request] = manifest
        if old is not None and not old.outputs.keys() <= manifest.outputs.keys() and old.is_of(request.config):
            self.remove(old, request.manifest)

    def remove(self, old: Manifest, path: Path) -> None:
        """Removes the obsolete files of a manifest, which was read from this path."""
        for removed in old.remove_others(path.parent, self._used()):
            if not self.quiet:
                print(f"removed {removed}")

    def remove_all(self, old: Manifest, path: Path) -> None:
        """Removes the obsolete files and the manifest."""
        self.remove(old, path)
        if os.path.realpath(path) not in self._used().files:
            path.unlink(missing_ok=True)

    def drop(self, requests: Iterable[Request]) -> None:
        """Treats the files of these characters as unused, except their inputs."""
        inputs = [path for request in requests if request in self.manifests
                  for path in self.manifests.pop(request).inputs]
        self.read, self.used = [*self.read, *inputs], None

    def _used(self) -> Used:
        self.used = self.used or Used.by(self.manifests, self.read)
        return self.used


def _write(request: Request, contents: Mapping[Path, bytes], manifest: Manifest) -> Manifest:
    """Writes the files whose content has changed, and the manifest."""
    contents = {**contents, request.manifest: manifest.to_json(request.manifest.parent)}
    write_all({path: content for path, content in contents.items() if digest(path) != digest_of(content)})
    return manifest
