"""`ossicle watch`: rebuilds characters that change, until Ctrl-C."""
from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from ...base.problem import SettingProblem
from ...reporting.console import counted
from ...interface.build import build_changed
from ...building.local_builder import LocalBuilder
from ...building.file_changes import FileChanges, changed
from ...building.faults import Faults
from ...building.job import Finished, files_read, folders_searched, project_of
from ...building.manifest import LastBuilds, Request, requests_of, with_known_report
from ...building.options import BuildOptions
from ...building.problems import PROBLEMS, line_of
from ...config.project import Project
from ...reporting.messages import say, warn

Hook = Callable[[Sequence[Project]], None]


def watch(arguments: argparse.Namespace, hooks: Sequence[Hook] = ()) -> None:
    """Builds the files, and rebuilds characters that change. hooks: called with all characters after the first build,
    and after each build that wrote files or resolved an error."""
    for config in arguments.configs:
        if not config.is_file():
            raise SettingProblem(f"{config}: the file does not exist; check the path")
    whose = "its" if len(arguments.configs) == 1 else "their"
    print(f"watching {', '.join(map(str, arguments.configs))} and {whose} sources; press Ctrl-C to stop", flush=True)
    warned: set[str] = set()
    pending, failed = list(hooks), False
    with FileChanges() as changes:
        while True:
            requests = list(map(with_known_report, requests_of(arguments.configs, arguments.output)))
            seen = changes.look_at([*files_read(requests), *folders_searched(requests)])
            faults = Faults()
            try:
                line = _build(requests, arguments, warned, faults)
                if line or failed and not faults.lines:
                    print(line or "all files are up to date", flush=True)
                    pending = list(hooks)
                while pending and not faults.lines:
                    pending[0]([project_of(request) for request in requests if not request.packs])
                    pending.pop(0)
                lines = list(faults.reported(requests).values())
            except PROBLEMS as problem:
                lines = [line_of(problem)]
            if not lines:
                failed = False
            elif not changed(seen):  # otherwise a file was incomplete, and is read again below
                for line in lines:
                    say(line)
                failed = True
            changes.wait(seen)


def _build(requests: Sequence[Request], arguments: argparse.Namespace, warned: set[str], faults: Faults) -> str:
    """Builds characters that are not current. Returns a line about them, empty if all are current. warned: the warnings
    so far, which are not repeated."""
    built: list[str] = []

    def note(finished: Finished) -> None:
        result = finished.result
        built.append(f"{finished.job.request}: {counted(len(result.clips), 'clip')}, {len(result.bank):,} bytes")
        warn(warning for warning in result.warnings if warning not in warned)
        warned.update(result.warnings)

    work = replace(BuildOptions.of(arguments), quiet=False)
    started = time.monotonic()
    build_changed(LastBuilds(requests), work, LocalBuilder(work), note, faults, keeps_old=True)
    return f"{'; '.join(built)}, {time.monotonic() - started:.1f} s" if built else ""
