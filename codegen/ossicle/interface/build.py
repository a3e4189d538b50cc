"""Builds the characters of configuration files."""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..base.option_names import toml_names
from ..base.problem import Problem
from ..building.build import build_requests
from ..building.digests import remembered_in
from ..building.faults import Faults
from ..building.job import Finished
from ..building.local_builder import Builder, LocalBuilder
from ..building.manifest import LastBuilds, Request, requests_of
from ..building.options import BuildOptions
from ..config.option_lookup import names_in_files
from ..encoding.cache.place import digests_folder
from .paths import PathName, path_of, paths
from .options import options_of


class BuildFailed(Problem):
    """Characters that could not be built; the others were. lines: the reason and the remedy by character."""

    def __init__(self, lines: Mapping[str, str]) -> None:
        super().__init__("\n".join(lines.values()))
        self.lines = lines

    def __reduce__(self) -> tuple[type[BuildFailed], tuple[dict[str, str]]]:
        """Lets pools of processes return it; BaseException would pass the text instead of the lines."""
        return BuildFailed, (dict(self.lines),)


@dataclass(frozen=True)
class Built:
    """A character after a build. name: the configuration file, with the character if it has several; files: its
    outputs; changed: whether this build wrote them; warnings: a line each, if it did."""

    name: str
    files: Sequence[Path]
    changed: bool
    warnings: Sequence[str] = ()


def build(*configs: PathName, output: PathName | None = None, jobs: int | None = None, cache: PathName | None = None
          ) -> list[Built]:
    """Builds the characters of configuration files whose inputs or outputs have changed since the last build, as
    `ossicle build`, and returns all. output: a folder for all outputs, instead of those that the files name; jobs,
    cache: as for encode. Raises BuildFailed if characters could not be built, after building the others."""
    checked = options_of(jobs, cache)
    warnings: dict[Request, list[str]] = {}
    with remembered_in(digests_folder(checked.cache)):
        requests = requests_of(paths(configs), None if output is None else path_of(output))
        last, work, faults = LastBuilds(requests), BuildOptions(checked.jobs, checked.cache), Faults()
        built = build_changed(last, work, LocalBuilder(work), lambda finished: warnings.update(
            {finished.job.request: finished.result.warnings}), faults)
        if faults.lines:
            raise BuildFailed({str(request): line for request, line in faults.reported(requests).items()})
        after = LastBuilds(requests)
        return [Built(str(request), list(manifest.outputs), request in built, warnings.get(request, ()))
                for request in requests if (manifest := after.manifest(request)) is not None]


def build_changed(last: LastBuilds, work: BuildOptions, builder: Builder, on_written: Callable[[Finished], None],
                  faults: Faults, keeps_old: bool = False) -> set[Request]:
    """Builds the requests that are not current, and returns them; see build_requests."""
    with toml_names(names_in_files()):
        return set(build_requests(last, work, builder, on_written, faults, keeps_old))
