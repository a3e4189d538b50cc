"""The `ossicle` command."""
from __future__ import annotations

import argparse
import io
import json
import os
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

from ..analysis.analysis import analyse
from ..analysis.subject import encoded_subject
from ..bank.file import read_bank
from ..bank.strip import strip
from ..base import signals
from ..base.codec import CODECS
from ..base.output import check_outputs, check_place, write_all
from ..base.places import FOLDERS, PLATFORMS
from ..base.problem import SettingProblem
from ..compare import report as compare_report
from ..compare.comparison import read_sources, source_files
from ..encode.presets import PRESETS
from ..encode.results import report_json
from ..encode.settings import Settings
from ..generate.amalgamation import amalgamate
from ..generate.emit import generate
from ..generate.joint_sets import parse_joint_sets
from ..generate.layouts import layout_for, wants_fast_rows
from ..generate.library import as_library
from ..generate.masks import parse_masks
from ..generate.placement import cold_codecs, place
from ..generate.plan import BASE
from ..importers.importer import files_of, read_clips, read_separately
from ..model.clip_facts import clip_facts
from ..model.standing_still import still_warnings
from ..report import console as report
from ..report.page import page
from ..targets import list_targets, load_target
from .build import build
from .cache import cache
from .completion import script
from .decode import decode
from .diff import diff
from .init import init
from .inspect import inspect
from .mesh import mesh
from .options import comparison_of, make_parser, settings_of
from .pack import pack
from .printing import compress, say, show, show_code, warn
from .problems import PROBLEMS, line_of
from .project import Project, read_project, read_projects
from .report import report as write_report
from .view import view
from .watched_page import watch_and_show


def _encode(arguments: argparse.Namespace) -> None:
    project = read_project(arguments.config) if arguments.config else Project()
    settings = settings_of(project.settings, arguments)
    outputs = [path for path in (arguments.output, arguments.json, arguments.html) if path is not None]
    read = files_of(arguments.inputs, settings.importing.outside) | {path: path for path in settings.curve_files}
    if arguments.config:
        read[arguments.config] = arguments.config
    check_outputs(read, outputs)
    if project.build_keys:
        warn([f"{arguments.config}: {', '.join(project.build_keys)}: only for `ossicle build`, "
              "ignored by encode"])
    imported = read_clips(arguments.inputs, settings.reading)
    result = compress(imported, settings, arguments)
    contents = {arguments.output: result.bank}
    if arguments.json is not None:
        contents[arguments.json] = report_json(result)
    if arguments.html is not None:
        subject = encoded_subject(arguments.output.stem, result, imported, settings, arguments.inputs)
        contents[arguments.html] = page(analyse(subject))
    write_all(contents)
    show(result, arguments.output, arguments.quiet)


def _generate(arguments: argparse.Namespace) -> None:
    if arguments.embed and arguments.embed_base:
        raise SettingProblem("--embed and --embed-base: the array is the bank with its tiers or without; choose one")
    sets, masks = parse_joint_sets(arguments.sets, "--joints"), parse_masks(arguments.masks, "--mask")
    machine = None if arguments.target is None else load_target(arguments.target)
    layout = layout_for(machine, arguments.optimise, arguments.unroll)
    fast_rows = wants_fast_rows(machine, arguments.optimise)
    bank = read_bank(arguments.bank)
    parts = place(machine, bank.played_codecs, len(bank.joints), arguments.hot_bytes)
    embed = BASE if arguments.embed_base else arguments.embed
    paths = generate(arguments.bank, arguments.output, arguments.name, embed, layout, sets,
                     arguments.matrices, arguments.rigid, fast_rows, cold_codecs(parts), masks, arguments.mirror)
    if not arguments.quiet:
        show_code(arguments.bank, paths, machine, layout, sets, parts)


def _strip(arguments: argparse.Namespace) -> None:
    for path in strip(arguments.bank, arguments.output, arguments.tiers, arguments.tier_files):
        print(f"wrote {path}")


def _compare(arguments: argparse.Namespace) -> None:
    comparison = comparison_of(arguments)
    if arguments.output is not None:  # checks before the long work
        check_place(arguments.output / compare_report.TABLE)
        compare_report.plots()
    groups, warnings = read_sources(arguments.inputs, comparison.settings.importing)
    if arguments.output is not None:
        check_outputs(files_of(source_files(arguments.inputs)[0]), [
            arguments.output / name for name in compare_report.file_names(
                [group.label for group in groups],
                [tolerance.metres * 1e3 for tolerance in comparison.tolerances])])
    warn(warnings)
    if arguments.quiet:
        figures = comparison.run(groups)
    else:
        with report.progress_bar("comparing", "frames") as progress:
            figures = comparison.run(groups, progress)
    outputs = {} if arguments.output is None else {
        arguments.output / name: content for name, content in compare_report.files(figures).items()}
    write_all(outputs)
    if not arguments.quiet:
        for part in compare_report.tables(figures):
            report.console().print(part)
        for path in outputs:
            print(f"wrote {path}")


def _target_of(file: Path, projects: Sequence[Project]) -> str | None:
    """The target of all characters of a file."""
    targets = list(dict.fromkeys(project.settings.target for project in projects))
    if len(targets) > 1:
        raise SettingProblem(f"{file}: its characters have several targets "
                             f"({', '.join(str(target) for target in targets)}), and a runtime has one; add --target")
    return targets[0]


def _runtime(arguments: argparse.Namespace) -> None:
    """Writes the runtime as one file, with all codecs or those of a project's bank."""
    target, codecs = arguments.target, None
    if arguments.project is not None:
        projects = read_projects(arguments.project)
        target = target or _target_of(arguments.project, projects)
        for project in projects:
            if not project.output.is_file():
                raise SettingProblem(f"{arguments.project}: its bank {project.output} is not there; run "
                                     f"ossicle build {arguments.project}")
        kept = {codec for project in projects for codec in read_bank(project.output).codecs}
        codecs = [codec for codec in CODECS if codec in kept]
    machine = load_target(target) if target else None
    parts = amalgamate(machine.platform_folder if machine else PLATFORMS / "scalar", codecs,
                       [entry for entry in machine.defines if "OSC_FAST_ROWS" not in entry] if machine else ())
    if arguments.library:
        parts = as_library(parts)
    files = {arguments.output / name: content for name, content in parts.items()}
    check_outputs({}, files)
    write_all(files)
    if not arguments.quiet:
        for path in files:
            print(f"wrote {path}")


def _clips(arguments: argparse.Namespace) -> None:
    settings = settings_of(Settings(), arguments)
    files = read_separately(arguments.inputs, settings.importing)
    facts = [clip_facts(clip, file.skeleton, settings.tolerance.metres, settings.shell_m)
             for file in files for clip in file.clips]
    warn(warning for file in files for warning in (*file.warnings, *still_warnings(
        file.clips, file.skeleton, settings.shell_m)))
    if arguments.json:
        print(json.dumps({"clips": [asdict(one) for one in facts]}, indent=1, ensure_ascii=False))
    else:
        report.console().print(report.facts_table(facts))


def _targets(arguments: argparse.Namespace) -> None:
    targets = [load_target(name) for name in list_targets()]
    if arguments.json:
        print(json.dumps([report.target_facts(target) for target in targets], indent=1))
    else:
        report.console().print(report.target_table(targets))


def _paths(arguments: argparse.Namespace) -> None:
    if arguments.folder:
        print(FOLDERS[arguments.folder])
        return
    for name, folder in FOLDERS.items():
        print(f"{name:9} {folder}")


def _presets(_: argparse.Namespace) -> None:
    report.console().print(report.preset_table(PRESETS.values()))


def _completion(arguments: argparse.Namespace) -> None:
    print(script(arguments.shell), end="")


def _init(arguments: argparse.Namespace) -> None:
    written, next_step = init(arguments.machine, arguments.output or Path())
    for path in written:
        print(f"wrote {path}")
    print(next_step)


_RUNS = {"encode": _encode, "generate": _generate, "decode": decode, "strip": _strip, "pack": pack,
         "inspect": inspect, "diff": diff, "compare": _compare, "runtime": _runtime, "presets": _presets,
         "clips": _clips, "build": build, "watch": watch_and_show, "mesh": mesh, "view": view,
         "report": write_report, "targets": _targets, "paths": _paths,
         "cache": cache, "init": _init, "completion": _completion}


def _run(argv: Sequence[str] | None) -> int:
    parser = make_parser(_RUNS)
    arguments = parser.parse_args(argv)
    if arguments.run is None:
        parser.print_help()
        status = 2
    else:
        status = arguments.run(arguments) or 0
    sys.stdout.flush()
    return status


def _prepare_streams() -> None:
    """Makes the standard streams usable, even if they were closed, or their encoding lacks letters
    of a name. No output file takes the number of a closed stream."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest free number
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")
    if isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout.errors == "strict":
        sys.stdout.reconfigure(errors="backslashreplace")


def _interrupted(stop: KeyboardInterrupt) -> int:
    """Reports the interruption and returns the exit status. Does not wait for clips that are being
    encoded, which may take minutes."""
    number = stop.args[0] if stop.args else signal.SIGINT
    say(signals.MESSAGE)
    if threading.active_count() > 1:
        os._exit(128 + number)
    return 128 + number


def _run_or_say(run: Callable[[], int]) -> int:
    """Returns the exit status of a run, after printing one line to stderr if the status is not
    0."""
    try:
        return run()
    except PROBLEMS as problem:
        say(line_of(problem))
        return 1
    except OSError as error:  # inputs and outputs raise PROBLEMS instead
        with suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if error.filename is not None:
            say(f"{os.fsdecode(error.filename)}: {error.strerror}")
        elif not isinstance(error, BrokenPipeError):  # `head` may stop reading early
            say(f"cannot print: {error.strerror}")
        return 1


def guarded(run: Callable[[], int], own_process: bool) -> int:
    """Returns the exit status of a run, after printing one line to stderr if it is not 0.
    own_process: whether the process does nothing else, so that signals end it."""
    _prepare_streams()
    try:
        if own_process:
            signals.end_by_exception()
        status = _run_or_say(run)
        if own_process:
            signals.end_at_once()
        return status
    except KeyboardInterrupt as stop:
        return _interrupted(stop)


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit status. Without argv, runs the process's own command
    line."""
    return guarded(lambda: _run(argv), argv is None)
