"""The manifest of a build: what it read and what it wrote, by content, as JSON beside the bank.

A build compares it with the files and returns early if nothing has changed; build rules learn from it
what to compile. Nothing here imports a large package, so that such a build ends at once.
"""
from __future__ import annotations

import argparse
import json
import os
from collections.abc import Container, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from ..base.codec import CODECS
from ..base.output import check_outputs, shown, write_all
from ..base.path_names import is_byte, refused_character
from ..base.places import PACKAGE, PLATFORMS, ROOT, RUNTIME
from ..base.problem import SettingProblem
from ..base.reading import read_file
from ..base.version import HEADER
from ..encode.library import library_path
from ..config.characters import PACK, parts_of, title_of
from .depfile import rule_of
from .digests import digest, digest_of
from ..config.input_names import matching
from .target_flags import compiling_for

SUFFIX, REPORT_SUFFIX = ".manifest.json", ".report.json"
# kinds of output
HEADER_FILE, SOURCE, BANK, IMAGE, REPORT = "header", "source", "bank", "image", "report"
_FORM = 2  # of the JSON
# What decides which bytes a build writes, besides its inputs and the encoder library.
_OWN_FILES = ("codegen/templates/**/*.*", "codegen/presets.csv", "runtime/**/*.[ch]", "runtime/*/*.def",
              "targets/*/target.toml", "platforms/*/*")


@dataclass(frozen=True)
class Request:
    """One character that `ossicle build` builds. folder: the folder for all outputs; None means the
    places that the file names. report: the JSON report to write, too. character: its name in a file that
    has several. packs: it is not a character but the image of all characters of the file."""

    config: Path
    folder: Path | None = None
    report: Path | None = None
    character: str = ""
    packs: bool = False

    def __str__(self) -> str:
        return f"{self.config} [{PACK}]" if self.packs else title_of(self.config, self.character)

    @property
    def real(self) -> Path:
        """The file itself, if the name is a link: its paths are relative to its folder."""
        return Path(os.path.realpath(self.config)) if self.config.is_symlink() else self.config

    def is_beside(self, other: Request) -> bool:
        """Whether it is a character of the same file."""
        return not self.packs and (self.config, self.folder) == (other.config, other.folder)

    @property
    def manifest(self) -> Path:
        name = f"{self.real.stem}.{PACK}" if self.packs else self.character or self.real.stem
        return shown((self.folder or self.real.parent) / (name + SUFFIX))


def requests_of(configs: Iterable[Path], folder: Path | None = None,
                report: Path | None = None, reports: bool = False) -> list[Request]:
    """Returns a request for each character of the files and, after those of a file, one for their image if it has one.
    reports: whether each character has a report, beside its manifest unless the place is given."""
    requests = []
    for config in dict.fromkeys(configs):
        characters, packs = parts_of(config)
        own = [Request(config, folder, report, character) for character in characters]
        requests += [replace(one, report=one.report or _report_of(one)) for one in own] if reports else own
        requests += [Request(config, folder, packs=True)] * packs
    return requests


def with_known_report(request: Request) -> Request:
    """Returns the request with a report if the last build wrote one for a summary, so that it is kept up to date."""
    last, report = read_manifest(request.manifest), _report_of(request)
    return replace(request, report=report) if last is not None and last.writes(report) else request


def _report_of(request: Request) -> Path:
    """The report that a summary of the request is made from."""
    return request.manifest.with_name(request.manifest.name.removesuffix(SUFFIX) + REPORT_SUFFIX)


@dataclass(frozen=True)
class Manifest:
    """inputs: the digest of each file, empty for one that is missing. outputs: kind and digest of each file. in_folder:
    whether they are in the folder of the request. target, fast_rows, cold: what the runtime is compiled for and with;
    target: empty for any machine. patterns: the files that each pattern of inputs stood for, relative to the folder of
    the settings."""

    inputs: Mapping[Path, str]
    outputs: Mapping[Path, tuple[str, str]]
    in_folder: bool
    target: str
    fast_rows: bool
    cold: tuple[str, ...]
    made_by: str
    patterns: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def is_current(self, request: Request) -> bool:
        """Whether a build would write the same files again."""
        return (self.is_of(request.config) and self.made_by == own_digest()
                and self.in_folder == (request.folder is not None)
                and (request.report is None or self.writes(request.report))
                and all(matching(request.real.parent, name) == found for name, found in self.patterns.items())
                and all(digest(path) == known for path, known in self.inputs.items())
                and all(digest(path) == known for path, (_, known) in self.outputs.items()))

    def writes(self, path: Path) -> bool:
        """Whether this is one of its outputs."""
        return os.path.abspath(path) in [os.path.abspath(output) for output in self.outputs]

    def with_outputs(self, contents: Mapping[Path, bytes]) -> Manifest:
        """Returns the manifest with the digests of its outputs."""
        return replace(self,
                       outputs={path: (kind, digest_of(contents[path])) for path, (kind, _) in self.outputs.items()})

    def is_of(self, config: Path) -> bool:
        """Whether this file asked for it: the first that was read."""
        return [os.path.realpath(path) for path in self.inputs][:1] == [os.path.realpath(config)]

    def to_json(self, folder: Path) -> bytes:
        """Returns the manifest as a file in this folder, which its paths are relative to."""
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
        """Whether both name the same inputs and outputs."""
        return self.inputs.keys() == other.inputs.keys() and self.outputs.keys() == other.outputs.keys()

    def remove_others(self, home: Path, used: Used) -> list[Path]:
        """Removes the outputs that are not used now, unless their content has changed, and returns them.
        Leaves those that are neither below home, the manifest's folder, nor beside a file that is
        written: a manifest that was copied with its project names files of the other one."""
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
    """Real names of the files that a build reads or writes, and of the folders that it writes to."""

    files: Set[str]
    folders: Set[str]

    @classmethod
    def by(cls, manifests: Mapping[Request, Manifest], read: Iterable[Path]) -> Used:
        """Returns the files and folders that characters use. read: files read by characters without a manifest."""
        written = {os.path.realpath(path) for request, one in manifests.items()
                   for path in (request.manifest, *one.outputs)}
        inputs = {os.path.realpath(path)
                  for path in (*read, *(path for one in manifests.values() for path in one.inputs))}
        return cls(written | inputs, {os.path.dirname(name) for name in written})


def read_manifest(path: Path) -> Manifest | None:
    """Returns the manifest of the last build; None if there is none that can be used."""
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
                        {place(name): (str(one["kind"]), str(one["sha256"]))
                         for name, one in table["outputs"].items()},
                        bool(table["in_folder"]), str(table["target"]), bool(table["fast_rows"]),
                        cold, str(table["made_by"]),
                        {str(name): list(map(str, found)) for name, found in table.get("patterns", {}).items()})
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


class LastBuilds:
    """The manifests of these requests, as the last build left them. Each is read and checked once, when it is
    requested."""

    def __init__(self, requests: Sequence[Request]) -> None:
        self.requests = requests
        self._read: dict[Request, Manifest | None] = {}
        self._current: dict[Request, bool] = {}

    def manifest(self, request: Request) -> Manifest | None:
        """Returns the manifest; None if there is none that can be used."""
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
    """Returns the manifests beside those of the requests that the same files wrote for characters that
    they no longer have. unread: requests whose file may have unknown characters."""
    found: dict[Path, Manifest] = {}
    wanted: set[str] = set()
    configs: dict[Path, dict[Path, None]] = {}
    for request in requests:
        wanted.add(os.path.abspath(request.manifest))
        if request not in unread:
            configs.setdefault(request.manifest.parent, {})[request.config] = None
    for folder, asking in configs.items():
        for path in sorted(folder.glob("*" + SUFFIX)):
            manifest = read_manifest(path) if os.path.abspath(path) not in wanted else None
            if manifest is not None and any(map(manifest.is_of, asking)):
                found[path] = manifest
    return list(found.items())


@lru_cache(maxsize=1)
def own_digest() -> str:
    """The digest of this Ossicle: another one may write other files."""
    files = {path for pattern in _OWN_FILES for path in ROOT.glob(pattern)}
    files |= {library_path(), *PACKAGE.glob("**/*.py")}
    return digest_of("".join(f"{path.name} {digest(path)}\n" for path in sorted(files)).encode())


def listing(manifests: Mapping[Request, Manifest], compiler: str | None = None) -> list[str]:
    """Returns the lines of `ossicle build --list`. compiler: as in compiling_for. Raises SettingProblem for a path that
    is not UTF-8, and for characters of several targets."""
    lines = [f"manifest={request.manifest}" for request in manifests]
    for one in manifests.values():
        lines += [f"{kind}={path}" for path, (kind, _) in one.outputs.items()]
        lines += [f"include={path.parent}" for path, (kind, _) in one.outputs.items()
                  if kind == HEADER_FILE]
        lines += [f"input={path}" for path, known in one.inputs.items() if known]
    lines += _runtime_lines(manifests, compiler)
    for line in lines:
        if any(map(is_byte, line)):
            raise SettingProblem(f"--list: {line!r}: the path holds bytes that are not UTF-8; rename the file")
    return list(dict.fromkeys(lines))


def _runtime_lines(manifests: Mapping[Request, Manifest], compiler: str | None) -> list[str]:
    """The runtime of all characters, which lie in one program."""
    targets = {one.target: request for request, one in manifests.items() if one.target}
    if len(targets) > 1:
        raise SettingProblem("--list: one program has one target: " + ", ".join(
            f"{request} is for {target}" for target, request in targets.items()))
    how = compiling_for(next(iter(targets), ""), any(one.fast_rows for one in manifests.values()),
                        dict.fromkeys(codec for one in manifests.values() for codec in one.cold), compiler)
    sources = [*sorted(RUNTIME.glob("*/*.c")), *(sorted(how.platform.glob("*.S")) if how.assembler else ())]
    return [*(f"runtime={path}" for path in sources),
            *(f"runtime-include={folder}" for folder in (RUNTIME, how.platform, PLATFORMS / "float")),
            *(f"define={flag[2:]}" if flag.startswith("-D") else f"flag={flag}" for flag in how.flags)]


def check_written(manifests: Mapping[Request, Manifest], *more: Path | None, read: Iterable[Path] = ()) -> None:
    """Raises SettingProblem if an output would replace an input or another output. more: outputs of no character, None
    for those that were not asked for. read: by characters without a manifest."""
    check_outputs({path: path for path in (*read, *(path for one in manifests.values() for path in one.inputs))},
                  [*(path for path in more if path is not None),
                   *(path for request, one in manifests.items() for path in (*one.outputs, request.manifest))])


def depfile_rule(manifests: Mapping[Request, Manifest], read: Iterable[Path] = ()) -> bytes:
    """Returns the rule "outputs: inputs" for Make and Ninja. Raises SettingProblem for a path that they cannot read.
    read: further files that they depend on."""
    targets = [output for request, one in manifests.items() for output in (request.manifest, *one.outputs)]
    needed = [name for one in manifests.values() for name, known in one.inputs.items() if known]
    return rule_of(dict.fromkeys(targets), dict.fromkeys([*needed, *read, HEADER]))


def write_depfile(path: Path, manifests: Mapping[Request, Manifest], read: Iterable[Path] = ()) -> None:
    """Writes the rule, unless the file has it already. read: as for depfile_rule."""
    rule = depfile_rule(manifests, read)
    if digest(path) != digest_of(rule):
        write_all({path: rule})


def finish_current(last: LastBuilds, arguments: argparse.Namespace) -> bool:
    """Finishes a build whose requests are all current; returns False if one is not. The summary is checked, but written
    by the caller."""
    manifests = {}
    for request in last.requests:
        if (manifest := last.current(request)) is None:
            return False
        manifests[request] = manifest
    if arguments.list:
        print("\n".join(listing(manifests, arguments.compiler)), flush=True)
        return True
    if arguments.depfile is not None or arguments.summary is not None:
        check_written(manifests, arguments.depfile, arguments.summary)
    if arguments.depfile is not None:
        write_depfile(arguments.depfile, manifests)
    if not arguments.quiet:
        print("\n".join(f"{request} is unchanged" for request in last.requests), flush=True)
    return True
