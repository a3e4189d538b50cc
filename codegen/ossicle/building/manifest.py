"""The manifest of a build: the digests of its inputs and outputs, as JSON beside the bank.

A build compares it with the files and returns early if nothing has changed; build rules read from it which files to
compile. This module imports no large package, so that such a build is fast.
"""
from __future__ import annotations

import json
import os
from collections.abc import Container, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from ..base.codec import CODECS
from ..base.encoder_library import library_path
from ..base.files.output import check_outputs, shown, write_all
from ..base.files.path_names import is_byte, refused_character
from ..base.places import PACKAGE, PLATFORMS, ROOT, RUNTIME, TARGETS, TEMPLATES
from ..base.problem import SettingProblem
from ..base.files.reading import read_file
from ..base.version import HEADER
from ..config.characters import PACK, parts_of, title_of
from .depfile import rule_of
from .digests import digest, digest_of, digest_of_all
from ..config.input_names import matching
from .target_flags import compiling_for
from .options import BuildOptions

SUFFIX, REPORT_SUFFIX = ".manifest.json", ".report.json"
# kinds of output
HEADER_FILE, SOURCE, BANK, IMAGE, REPORT = "header", "source", "bank", "image", "report"
_FORM = 2  # version of the JSON
# Files that determine the outputs of a build, besides its inputs and the encoder library: folders, and ends of names.
_OWN_FILES = {PACKAGE: (".py",), TEMPLATES: (".j2", ".c", ".css"), RUNTIME: (".c", ".h", ".def"),
              PLATFORMS: (".c", ".h", ".S", ".inc"), TARGETS: ("target.toml",)}


@dataclass(frozen=True)
class Request:
    """A character to build, or with packs the image of all characters of a file. folder: for all outputs; None: those
    that the file names. report: the path of a JSON report. character: its name in a file with several characters."""

    config: Path
    folder: Path | None = None
    report: Path | None = None
    character: str = ""
    packs: bool = False

    def __str__(self) -> str:
        return f"{self.config} [{PACK}]" if self.packs else title_of(self.config, self.character)

    @property
    def real(self) -> Path:
        """The file to which the path leads if it is a link. Paths in the file are relative to its folder."""
        return Path(os.path.realpath(self.config)) if self.config.is_symlink() else self.config

    def is_beside(self, other: Request) -> bool:
        """Returns whether this is a character of the same file as `other`."""
        return not self.packs and (self.config, self.folder) == (other.config, other.folder)

    @property
    def manifest(self) -> Path:
        name = f"{self.real.stem}.{PACK}" if self.packs else self.character or self.real.stem
        return shown((self.folder or self.real.parent) / (name + SUFFIX))


def requests_of(configs: Iterable[Path], folder: Path | None = None,
                report: Path | None = None, reports: bool = False) -> list[Request]:
    """Returns requests for the characters of each file, followed by one for their image if the file has a table [pack].
    reports: whether each character gets a report, by default beside its manifest."""
    requests = []
    for config in dict.fromkeys(configs):
        characters, packs = parts_of(config)
        own = [Request(config, folder, report, character) for character in characters]
        requests += [replace(request, report=report or _report_of(request)) for request in own] if reports else own
        requests += [Request(config, folder, packs=True)] * packs
    return requests


def with_known_report(request: Request) -> Request:
    """Adds a report to the request if the last build wrote one for a summary, to keep it up to date."""
    last, report = read_manifest(request.manifest), _report_of(request)
    return replace(request, report=report) if last is not None and last.writes(report) else request


def _report_of(request: Request) -> Path:
    """Returns the path of the report from which a summary reads the request."""
    return request.manifest.with_name(request.manifest.name.removesuffix(SUFFIX) + REPORT_SUFFIX)


@dataclass(frozen=True)
class Manifest:
    """The inputs and outputs of a build. inputs: the digest of each file, empty if it is missing; outputs: the kind and
    digest of each file; in_folder: whether the request names their folder; target, fast_rows, cold: how the runtime is
    compiled (target: empty for any machine); patterns: the files that each pattern of `inputs` matched, relative to the
    folder of the settings file."""

    inputs: Mapping[Path, str]
    outputs: Mapping[Path, tuple[str, str]]
    in_folder: bool
    target: str
    fast_rows: bool
    cold: tuple[str, ...]
    made_by: str
    patterns: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def is_current(self, request: Request) -> bool:
        """Returns whether a build would write the same files again."""
        return (self.is_of(request.config) and self.made_by == own_digest()
                and self.in_folder == (request.folder is not None)
                and (request.report is None or self.writes(request.report))
                and self.changed_input(request) is None
                and all(digest(path) == known for path, (_, known) in self.outputs.items()))

    def changed_input(self, request: Request) -> Path | None:
        """Returns an input that has changed since the build, or the settings file if one of its patterns matches other
        files than then; None if there is none."""
        if any(matching(request.real.parent, name) != found for name, found in self.patterns.items()):
            return request.config
        return next((path for path, known in self.inputs.items() if digest(path) != known), None)

    def writes(self, path: Path) -> bool:
        """Returns whether `path` is one of the outputs."""
        return os.path.abspath(path) in [os.path.abspath(output) for output in self.outputs]

    def with_outputs(self, contents: Mapping[Path, bytes]) -> Manifest:
        """Returns the manifest with the digests of its outputs."""
        return replace(self,
                       outputs={path: (kind, digest_of(contents[path])) for path, (kind, _) in self.outputs.items()})

    def is_of(self, config: Path) -> bool:
        """Returns whether `config` is the settings file, which is the first input."""
        return [os.path.realpath(path) for path in self.inputs][:1] == [os.path.realpath(config)]

    def to_json(self, folder: Path) -> bytes:
        """Returns the JSON, with paths relative to `folder`."""
        def name(path: Path) -> str:
            return Path(os.path.relpath(path, folder)).as_posix()

        return (json.dumps({
            "manifest": _FORM, "made_by": self.made_by, "in_folder": self.in_folder,
            "target": self.target, "fast_rows": self.fast_rows, "cold": list(self.cold),
            "flags": list(compiling_for(self.target, self.fast_rows, self.cold).flags),
            "inputs": {name(path): known for path, known in self.inputs.items()},
            "outputs": {name(path): {"kind": kind, "sha256": known}
                        for path, (kind, known) in self.outputs.items()},
        } | ({"patterns": self.patterns} if self.patterns else {}), indent=1) + "\n").encode()

    def has_files_of(self, other: Manifest) -> bool:
        """Returns whether both have the same input and output paths."""
        return self.inputs.keys() == other.inputs.keys() and self.outputs.keys() == other.outputs.keys()

    def remove_others(self, home: Path, used: Used) -> list[Path]:
        """Removes unused outputs whose content has not changed, and returns their paths. Keeps files outside home, the
        manifest's folder, unless the build writes beside them: a manifest that was copied with its project names files
        of the original project."""
        below = Path(os.path.realpath(home))

        def is_own(path: Path) -> bool:
            folder = os.path.realpath(path.parent)
            return folder in used.folders or Path(folder).is_relative_to(below)

        left = [path for path, (_, known) in self.outputs.items()
                if known and digest(path) == known and os.path.realpath(path) not in used.files and is_own(path)]
        for path in left:
            path.unlink()
        return left


@dataclass(frozen=True)
class Used:
    """The real paths of the files that a build reads or writes, and of the folders that it writes to."""

    files: Set[str]
    folders: Set[str]

    @classmethod
    def by(cls, manifests: Mapping[Request, Manifest], read: Iterable[Path]) -> Used:
        """Returns the files and folders of these characters. read: files read by characters without a manifest."""
        written = {os.path.realpath(path) for request, manifest in manifests.items()
                   for path in (request.manifest, *manifest.outputs)}
        inputs = {os.path.realpath(path)
                  for path in (*read, *(path for manifest in manifests.values() for path in manifest.inputs))}
        return cls(written | inputs, {os.path.dirname(name) for name in written})


def read_manifest(path: Path) -> Manifest | None:
    """Returns the manifest of the last build, or None if it is missing or invalid."""
    try:
        table: dict[str, Any] = json.loads(read_file(path))
        if table["manifest"] != _FORM:
            return None
        folder, cold = path.parent, tuple(map(str, table["cold"]))
        if not set(cold) <= set(CODECS):
            return None

        def place(name: str) -> Path:
            if refused_character(name):
                raise ValueError(name)
            return shown(Path(os.path.normpath(folder / name)))

        return Manifest({place(name): str(known) for name, known in table["inputs"].items()},
                        {place(name): (str(output["kind"]), str(output["sha256"]))
                         for name, output in table["outputs"].items()},
                        bool(table["in_folder"]), str(table["target"]), bool(table["fast_rows"]),
                        cold, str(table["made_by"]),
                        {str(name): list(map(str, found)) for name, found in table.get("patterns", {}).items()})
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


class LastBuilds:
    """The manifests that the last build wrote for these requests. Each is read and checked once, on demand."""

    def __init__(self, requests: Sequence[Request]) -> None:
        self.requests = requests
        self._read: dict[Request, Manifest | None] = {}
        self._current: dict[Request, bool] = {}

    def manifest(self, request: Request) -> Manifest | None:
        """Returns the manifest, or None if it is missing or invalid."""
        if request not in self._read:
            self._read[request] = read_manifest(request.manifest)
        return self._read[request]

    def current(self, request: Request) -> Manifest | None:
        """Returns the manifest if a build would write the same files again."""
        manifest = self.manifest(request)
        if request not in self._current:
            self._current[request] = manifest is not None and manifest.is_current(request)
        return manifest if self._current[request] else None


def without_request(requests: Iterable[Request], unread: Container[Request]) -> list[tuple[Path, Manifest]]:
    """Returns the manifests of characters that the files of the requests no longer have. unread: requests whose file
    could not be read, so that its characters are unknown."""
    found: dict[Path, Manifest] = {}
    requested: set[str] = set()
    configs: dict[Path, dict[Path, None]] = {}
    for request in requests:
        requested.add(os.path.abspath(request.manifest))
        if request not in unread:
            configs.setdefault(request.manifest.parent, {})[request.config] = None
    for folder, asking in configs.items():
        for path in sorted(folder.glob("*" + SUFFIX)):
            manifest = read_manifest(path) if os.path.abspath(path) not in requested else None
            if manifest is not None and any(map(manifest.is_of, asking)):
                found[path] = manifest
    return list(found.items())


@lru_cache(maxsize=1)
def own_digest() -> str:
    """Returns the digest of this version of Ossicle; another version may write other files."""
    names = [os.path.join(folder, name) for top, suffixes in _OWN_FILES.items() for folder, _, found in os.walk(top)
             for name in found if name.endswith(suffixes)]
    return digest_of_all(f"Ossicle in {ROOT}", sorted([*names, str(library_path())]))


def listing(manifests: Mapping[Request, Manifest], compiler: str | None = None) -> list[str]:
    """Returns the lines of `ossicle build --list`. compiler: as in compiling_for. Raises SettingProblem for a path that
    is not UTF-8, and for characters of several targets."""
    lines = [f"manifest={request.manifest}" for request in manifests]
    for manifest in manifests.values():
        lines += [f"{kind}={path}" for path, (kind, _) in manifest.outputs.items()]
        lines += [f"include={path.parent}" for path, (kind, _) in manifest.outputs.items() if kind == HEADER_FILE]
        lines += [f"input={path}" for path, known in manifest.inputs.items() if known]
    lines += _runtime_lines(manifests, compiler)
    for line in lines:
        if any(map(is_byte, line)):
            raise SettingProblem(f"--list: {line!r}: the path is not valid UTF-8; rename the file")
    return list(dict.fromkeys(lines))


def _runtime_lines(manifests: Mapping[Request, Manifest], compiler: str | None) -> list[str]:
    """Returns the lines about the runtime, which the characters share in one program."""
    targets = {manifest.target: request for request, manifest in manifests.items() if manifest.target}
    if len(targets) > 1:
        raise SettingProblem("--list: a program can have only one target: " + ", ".join(
            f"{request} is for {target}" for target, request in targets.items()))
    how = compiling_for(next(iter(targets), ""), any(manifest.fast_rows for manifest in manifests.values()),
                        dict.fromkeys(codec for manifest in manifests.values() for codec in manifest.cold), compiler)
    sources = [*sorted(RUNTIME.glob("*/*.c")), *(sorted(how.platform.glob("*.S")) if how.assembler else ())]
    return [*(f"runtime={path}" for path in sources),
            *(f"runtime-include={folder}" for folder in (RUNTIME, how.platform, PLATFORMS / "float")),
            *(f"define={flag[2:]}" if flag.startswith("-D") else f"flag={flag}" for flag in how.flags)]


def check_written(manifests: Mapping[Request, Manifest], *more: Path | None, read: Iterable[Path] = ()) -> None:
    """Raises SettingProblem if an output would replace an input or another output. more: outputs that belong to no
    character; None is ignored. read: files read by characters without a manifest."""
    inputs = [path for manifest in manifests.values() for path in manifest.inputs]
    check_outputs({path: path for path in (*read, *inputs)},
                  [*(path for path in more if path is not None),
                   *(path for request, manifest in manifests.items()
                     for path in (*manifest.outputs, request.manifest))])


def depfile_rule(manifests: Mapping[Request, Manifest], read: Iterable[Path] = ()) -> bytes:
    """Returns the rule "outputs: inputs" for Make and Ninja. Raises SettingProblem for a path that they cannot read.
    read: further inputs."""
    targets = [output for request, manifest in manifests.items() for output in (request.manifest, *manifest.outputs)]
    needed = [name for manifest in manifests.values() for name, known in manifest.inputs.items() if known]
    return rule_of(dict.fromkeys(targets), dict.fromkeys([*needed, *read, HEADER]))


def write_depfile(path: Path, manifests: Mapping[Request, Manifest], read: Iterable[Path] = ()) -> None:
    """Writes the rule unless the file already contains it. read: as for depfile_rule."""
    rule = depfile_rule(manifests, read)
    if digest(path) != digest_of(rule):
        write_all({path: rule})


def finish_current(last: LastBuilds, work: BuildOptions) -> bool:
    """Finishes a build if all requests are current, and returns whether they are. The caller writes the summary."""
    manifests = {}
    for request in last.requests:
        if (manifest := last.current(request)) is None:
            return False
        manifests[request] = manifest
    if work.list:
        print("\n".join(listing(manifests, work.compiler)), flush=True)
        return True
    if work.depfile is not None or work.summary is not None:
        check_written(manifests, work.depfile, work.summary)
    if work.depfile is not None:
        write_depfile(work.depfile, manifests)
    if not work.quiet:
        print("\n".join(f"{request} is unchanged" for request in last.requests), flush=True)
    return True
