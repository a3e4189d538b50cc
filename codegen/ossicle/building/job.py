"""A character of `ossicle build`: its inputs, its plan, and its outputs."""
from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from ..bank.file import Bank
from ..base.files.output import check_outputs
from ..base.problem import SettingProblem, setting_problems_of
from ..encoding.clip_queue import ClipQueue
from ..encoding.edits import Edited, edited
from ..encoding.outline import outline
from ..encoding.results import BankResult, report_json
from ..encoding.settings import Settings
from ..encoding.sources import read_sources, source_files
from ..generate.code import Code
from ..generate.emit import code_file_names, code_files
from ..generate.identifiers import check_c_name, name_of_stem
from ..generate.layouts import layout_for, wants_fast_rows
from ..generate.placement import Part, cold_codecs, place
from ..importers.suffixes import SUFFIXES
from ..machines import Target, load_target
from .digests import digest, digest_of
from .manifest import (
    BANK,
    HEADER_FILE,
    REPORT,
    SOURCE,
    Manifest,
    Request,
    own_digest,
)
from .encoding import with_costs
from .problems import PROBLEMS
from ..config.input_names import searched
from ..config.project import Project, patterns_of, project_of_source, read_project

Compress = Callable[[Edited, Settings], BankResult]


@dataclass(frozen=True)
class Job:
    """A request with known outputs. inputs: the digests of all its files, computed before they were read. parts: the
    placement of code, with all codecs that clips may have."""

    request: Request
    project: Project
    code: Code
    machine: Target | None
    inputs: Mapping[Path, str]
    parts: Sequence[Part]

    @property
    def state(self) -> str:
        """A digest of all files that belong to the request."""
        return digest_of(repr(list(self.inputs.items())).encode())

    def code_of(self, bank: Bank) -> dict[Path, bytes]:
        """Returns the generated files of a bank; none without a folder for them."""
        folder = self.project.generate
        return {folder / name: content for name, content in code_files(bank, self.code).items()} if folder else {}

    def code_names(self, bank: Bank) -> list[Path]:
        """Returns the paths of code_of. bank: needs no words."""
        folder = self.project.generate
        return [folder / name for name in code_file_names(bank, self.code)] if folder else []

    def manifest(self, contents: Mapping[Path, bytes]) -> Manifest:
        """Returns the manifest of these outputs."""
        def kind(path: Path) -> str:
            first = _first_outputs(self.request, self.project)
            return first[path] if path in first else HEADER_FILE if path.suffix == ".h" else SOURCE

        return Manifest(self.inputs, {path: (kind(path), digest_of(content))
                                      for path, content in contents.items()},
                        self.request.folder is not None,
                        self.machine.name if self.machine else "",
                        self.code.fast_rows, tuple(self.code.cold), own_digest(), self.project.patterns)


@dataclass(frozen=True)
class Planned:
    """The plan of a character before it is encoded. manifest: without the digests of outputs; clips: the names; work:
    the number of frames to encode of each clip, times its codecs; joints: the number of joints."""

    job: Job
    manifest: Manifest
    clips: Sequence[str]
    work: Sequence[int]
    joints: int


@dataclass(frozen=True)
class Finished:
    """An encoded character whose files are not written yet. contents: all files except the manifest. result: without
    the samples of clips."""

    job: Job
    result: BankResult
    contents: Mapping[Path, bytes]
    manifest: Manifest

    @property
    def generated(self) -> list[Path]:
        """The paths of the generated C."""
        return [path for path in self.contents if path not in _first_outputs(self.job.request, self.job.project)]


@dataclass(frozen=True)
class Opened:
    """A request whose source files have been read."""

    job: Job
    character: Edited

    def queue(self) -> ClipQueue:
        """Returns its clips as a queue, which encodes them individually."""
        return ClipQueue(self.character, with_costs(self.job.project.settings))

    def planned(self, queue: ClipQueue | None = None) -> Planned:
        """Returns the plan. Raises the problems that encode_clips finds before it encodes."""
        job = self.job
        with setting_problems_of(str(job.request)):
            generated = job.code_names(outline(self.character, job.project.settings))
            queue = queue or self.queue()
        outputs = [*_first_outputs(job.request, job.project), *generated]
        check_outputs({}, outputs)
        return Planned(job, job.manifest(dict.fromkeys(outputs, b"")), queue.names, queue.work, queue.joints)

    def finished(self, compress: Compress) -> Finished:
        """Encodes the character."""
        job = self.job
        with setting_problems_of(str(job.request)):
            result = compress(self.character, job.project.settings)
            generated = job.code_of(result.parsed)
        contents = {job.project.output: result.bank} | generated
        if job.request.report:
            contents[job.request.report] = report_json(result)
        # Characters may have sources of the same name. The warnings of a source file already name it.
        warnings = result.warnings if job.request.config.suffix.lower() in SUFFIXES else \
            [f"{job.request}: {warning}" for warning in result.warnings]
        return Finished(job, replace(result, sources=[], warnings=warnings), contents, job.manifest(contents))


def project_of(request: Request) -> Project:
    """Reads the project of a request."""
    if request.config.suffix.lower() in SUFFIXES:
        project = project_of_source(request.config)
    else:
        project = read_project(request.config, request.character)
    return project if request.folder is None else project.in_folder(request.folder)


def files_read(requests: Iterable[Request]) -> list[Path]:
    """Returns the settings files of these requests, and the sources of those whose settings can be read."""
    files: dict[Path, None] = {}
    for request in requests:
        files[request.config] = None
        with suppress(*PROBLEMS):
            project = project_of(request)
            files |= dict.fromkeys(source_files(project.inputs, project.settings))
    return list(files)


def folders_searched(requests: Iterable[Request]) -> list[Path]:
    """Returns the folders in which the patterns of these requests look for files."""
    folders: dict[Path, None] = {}
    for request in requests:
        if request.config.suffix.lower() in SUFFIXES:
            continue
        with suppress(*PROBLEMS, OSError, ValueError, RecursionError):  # the build states the reason
            for pattern in patterns_of(request.config, request.character):
                folders |= dict.fromkeys(searched(request.real.parent, pattern))
    return list(folders)


def open_request(request: Request) -> Opened:
    """Reads the settings file and the source files of a request."""
    known = {request.config: digest(request.config)}  # before reading, so that later edits count as changes
    project = project_of(request)
    with setting_problems_of(str(request)):
        if not project.inputs:
            raise SettingProblem("has no inputs; add inputs = [\"hero.glb\"]")
        goal, target = project.settings.optimise, project.settings.target
        machine = load_target(target) if target else None
        name = project.name or name_of_stem(project.output.stem)
        code = Code(name, project.embed,
                    layout_for(machine, goal, project.unroll), project.sets,
                    project.matrices, project.rigid, wants_fast_rows(machine, goal),
                    masks=project.masks, mirror=project.mirror)
        if project.generate:
            check_c_name(name)
    read = {request.config: request.config} | source_files(project.inputs, project.settings)
    check_outputs(read, [*_first_outputs(request, project), request.manifest])
    inputs = known | {path: digest(path) for path in read if path not in known}
    with setting_problems_of(str(request)):
        imported = read_sources(project.inputs, project.settings)
        possible = [codec for clip in imported.clips for codec in project.settings.options_for(clip.name).codecs]
        parts = place(machine, possible, len(imported.skeleton.names), project.hot_bytes)
        job = Job(request, project, replace(code, cold=cold_codecs(parts)), machine, inputs, parts)
        return Opened(job, edited(imported, project.settings))


def _first_outputs(request: Request, project: Project) -> dict[Path, str]:
    """Returns the kind of each output that is known without reading the sources."""
    return {project.output: BANK} | ({request.report: REPORT} if request.report else {})
