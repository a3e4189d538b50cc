"""`ossicle build`: from TOML files to banks and their C."""
from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ..bank.file import Bank, parse_bank
from ..base.option_names import toml_names
from ..base.output import check_outputs, write_all
from ..base.problem import SettingProblem, said_in
from ..encode.encoder import bank_without_clips
from ..encode.results import BankResult, report_json
from ..generate.emit import Code
from ..generate.identifiers import check_c_name, name_of_stem
from ..generate.layouts import layout_for, wants_fast_rows
from ..generate.placement import Part, cold_codecs, place
from ..importers.importer import SUFFIXES, files_of, read_clips
from ..model.clip import Imported
from ..targets import Target, load_target
from .manifest import (
    BANK,
    HEADER_FILE,
    PLAIN_PLATFORM,
    REPORT,
    SOURCE,
    Manifest,
    Request,
    digest,
    digest_of,
    finish_current,
    listing,
    own_digest,
    read_manifest,
    requests_of,
    without_request,
    write_depfile,
)
from .option_table import names_in_files
from .printing import compress, show, show_code
from .project import Project, project_of_source, read_project


@dataclass(frozen=True)
class Job:
    """A request whose files are read and whose outputs are known. inputs: the digests of all files that
    belong to it, from before they were read. parts: where the code lies, with the codecs that clips may have."""

    request: Request
    project: Project
    code: Code
    machine: Target | None
    inputs: Mapping[Path, str]
    imported: Imported
    parts: Sequence[Part]

    def code_of(self, bank: Bank) -> dict[Path, bytes]:
        """The generated files of a bank; none without a folder for them."""
        folder = self.project.generate
        return {folder / name: content for name, content in self.code.files(bank).items()} \
            if folder else {}

    def planned(self) -> Manifest:
        """The manifest, without the digests of outputs; known before the encoding."""
        with said_in(str(self.request)):
            generated = self.code_of(bank_without_clips(self.imported, self.project.settings))
        outputs = [*_first_outputs(self.request, self.project), *generated]
        check_outputs({}, outputs)
        return self.manifest(dict.fromkeys(outputs, b""))

    def manifest(self, contents: Mapping[Path, bytes]) -> Manifest:
        """The manifest of these outputs."""
        def kind(path: Path) -> str:
            first = _first_outputs(self.request, self.project)
            return first[path] if path in first else HEADER_FILE if path.suffix == ".h" else SOURCE

        return Manifest(self.inputs, {path: (kind(path), digest_of(content))
                                      for path, content in contents.items()},
                        self.request.folder is not None,
                        self.machine.platform if self.machine else PLAIN_PLATFORM,
                        self.code.fast_rows, tuple(self.code.cold), own_digest())


Made = Callable[[Job, BankResult, Sequence[Path]], None]


def build(arguments: argparse.Namespace) -> None:
    """Writes the outputs of each file together, or none of them. Files that are current are left."""
    requests = requests_of(arguments.configs, arguments.output, arguments.json)
    if arguments.json and len(requests) > 1:
        raise SettingProblem(f"--json {arguments.json}: a report is of one character, and there are "
                             f"{len(requests)}; build one file of one character")
    flags = [f"--{name}" for name in ("list", "quiet") if getattr(arguments, name)]
    if finish_current(requests, arguments.depfile, flags):
        return
    with toml_names(names_in_files()):
        built = build_requests(requests, arguments, lambda *written: _show(*written, arguments.quiet))
    if not arguments.quiet and not arguments.list:
        for request in requests:
            if request not in built:
                print(f"{request} is unchanged")


def build_requests(requests: Sequence[Request], arguments: argparse.Namespace, made: Made) -> list[Request]:
    """Builds those of the requests that are not current, after checking the outputs of all, and returns
    them. made: called with each, its result and the generated files once they are written."""
    before = {request: read_manifest(request.manifest) for request in requests}
    current = {request: manifest for request, manifest in before.items()
               if manifest is not None and manifest.is_current(request)}
    jobs = [_job(request) for request in requests if request not in current]
    manifests = current | {job.request: job.planned() for job in jobs}
    manifests = {request: manifests[request] for request in requests}
    _check(manifests, arguments.depfile)
    if arguments.list:
        print("\n".join(listing(manifests)))
        return []
    for job in jobs:
        manifests[job.request] = _make(job, arguments, made)
        old = before[job.request]
        if old is not None and old.is_of(job.request.config):
            _remove(old, job.request.manifest, manifests, arguments.quiet)
    for path, old in without_request(requests):
        _remove(old, path, manifests, arguments.quiet)
        path.unlink()
    if arguments.depfile is not None:
        write_depfile(arguments.depfile, manifests)
    return [job.request for job in jobs]


def _remove(old: Manifest, place: Path, manifests: Mapping[Request, Manifest], quiet: bool) -> None:
    """Removes what an earlier build, whose manifest was at this place, wrote and no manifest has."""
    read = [path for one in manifests.values() for path in one.inputs]
    written = [path for request, one in manifests.items() for path in (request.manifest, *one.outputs)]
    for path in old.remove_others(place.parent, read, written):
        if not quiet:
            print(f"removed {path}")


def _first_outputs(request: Request, project: Project) -> dict[Path, str]:
    """The kind of each output that no import is needed to know."""
    return {project.output: BANK} | ({request.report: REPORT} if request.report else {})


def project_of(request: Request) -> Project:
    """Reads what a request asks for."""
    if request.config.suffix.lower() in SUFFIXES:
        project = project_of_source(request.config)
    else:
        project = read_project(request.config, request.character)
    return project if request.folder is None else project.in_folder(request.folder)


def _job(request: Request) -> Job:
    """Reads the files of a request, and its source files."""
    project = project_of(request)
    with said_in(str(request)):
        if not project.inputs:
            raise SettingProblem("no inputs; add inputs = [\"hero.glb\"]")
        goal, target = project.settings.optimise, project.settings.target
        machine = load_target(target) if target else None
        code = Code(project.name or name_of_stem(project.output.stem), project.embed,
                    layout_for(machine, goal, project.unroll), project.sets,
                    project.matrices, project.rigid, wants_fast_rows(machine, goal),
                    masks=project.masks, mirror=project.mirror)
        if project.generate:
            check_c_name(code.name)
    read = {request.config: request.config} | files_of(project.inputs) | {
        path: path for path in project.settings.curve_files}
    check_outputs(read, [*_first_outputs(request, project), request.manifest])
    inputs = {path: digest(path) for path in read}
    with said_in(str(request)):
        imported = read_clips(project.inputs, project.settings.reading)
        possible = [codec for clip in imported.clips for codec in project.settings.options_for(clip.name).codecs]
        parts = place(machine, possible, len(imported.skeleton.names), project.hot_bytes)
        code = replace(code, cold=cold_codecs(parts))
    return Job(request, project, code, machine, inputs, imported, parts)


def _check(manifests: Mapping[Request, Manifest], depfile: Path | None) -> None:
    """Raises SettingProblem if an output would replace an input or another output."""
    inputs = [path for one in manifests.values() for path in one.inputs]
    read = dict(zip(inputs, inputs)) | files_of(
        [path for path in inputs if path.suffix.lower() in SUFFIXES])
    check_outputs(read, [*([depfile] if depfile else ()),
                         *(path for request, one in manifests.items()
                           for path in (*one.outputs, request.manifest))])


def _make(job: Job, arguments: argparse.Namespace, made: Made) -> Manifest:
    """Encodes, and writes what differs from the files that are there."""
    with said_in(str(job.request)):
        result = compress(job.imported, job.project.settings, arguments)
        bank = parse_bank(result.bank)
        generated = job.code_of(bank)
    contents = {job.project.output: result.bank} | generated
    if job.request.report:
        contents[job.request.report] = report_json(result)
    manifest = job.manifest(contents)
    contents[job.request.manifest] = manifest.to_json(job.request.manifest.parent)
    write_all({path: content for path, content in contents.items() if digest(path) != digest_of(content)})
    made(job, result, list(generated))
    return manifest


def _show(job: Job, result: BankResult, generated: Sequence[Path], quiet: bool) -> None:
    show(result, job.project.output, quiet)
    if generated and not quiet:
        show_code(job.project.output, generated, job.machine, job.code.unroll, job.project.sets, job.parts)
