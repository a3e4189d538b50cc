"""The `ossicle` command."""
from __future__ import annotations

import argparse
import io
import json
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path

from ..bank.file import Bank, describe, parse_bank, read_bank
from ..bank.strip import strip
from ..bank.words import BankProblem, one_line
from ..base import signals
from ..base.option_names import toml_names
from ..base.output import check_outputs, check_place, shown, write_all
from ..base.places import FOLDERS, RUNTIME
from ..base.problem import SettingProblem, said_in
from ..base.unrolling import parse_unroll
from ..compare import report as compare_report
from ..compare.comparison import read_sources, source_files
from ..encode.encoder import EncodeProblem, bank_without_clips, encode_clips
from ..encode.native import NativeProblem
from ..encode.presets import PRESETS
from ..encode.results import BankResult, report_json
from ..encode.settings import Settings
from ..generate.emit import Code, generate
from ..generate.identifiers import check_c_name, name_of_stem
from ..generate.joint_sets import JointSets, parse_joint_sets
from ..generate.layouts import layout_sizes
from ..importers.importer import files_of, read_clips
from ..model.bind_size import size_text
from ..model.clip import Imported, ImportProblem
from ..report import console as report
from ..targets import Target, TargetError, list_targets, load_target
from .decode import decode
from .completion import script
from .option_table import names_in_files
from .options import comparison_of, make_parser, settings_of
from .project import Project, read_project

PROBLEMS = (BankProblem, EncodeProblem, ImportProblem, NativeProblem, SettingProblem, TargetError)


def _say(line: str) -> None:
    """Prints one line to the standard error, if it can be written."""
    with suppress(OSError):
        print(one_line(f"ossicle: {line}"), file=sys.stderr, flush=True)


def _warn(warnings: Iterable[str]) -> None:
    for warning in warnings:
        _say(f"warning: {warning}")


def _compress(imported: Imported, settings: Settings, arguments: argparse.Namespace) -> BankResult:
    if arguments.quiet:
        return encode_clips(imported, settings, arguments.jobs)
    with report.progress_bar("encoding") as progress:
        return encode_clips(imported, settings, arguments.jobs, progress)


def _show(result: BankResult, output: Path, quiet: bool) -> None:
    _warn(result.warnings)
    if quiet:
        return
    report.console().print(report.clip_table(result))
    print(f"the bind pose is {size_text(result.size_m)}")
    print(f"a player takes {result.player_bytes:,} bytes of RAM on a 32-bit machine")
    if pixels := report.pixel_text(result):
        print(pixels)
    if tiers := report.tier_text(result):
        print(tiers)
    print(f"wrote {output}")


def _encode(arguments: argparse.Namespace) -> None:
    project = read_project(arguments.config) if arguments.config else Project()
    settings = settings_of(project.settings, arguments)
    outputs = [arguments.output] + ([arguments.json] if arguments.json else [])
    check_outputs(_files_read(arguments.inputs, arguments.config), outputs)
    if project.build_keys:
        _warn([f"{arguments.config}: {', '.join(project.build_keys)}: only for `ossicle build`, "
               "ignored by encode"])
    result = _compress(read_clips(arguments.inputs, settings.importing), settings, arguments)
    write_all(dict(zip(outputs, (result.bank, report_json(result)))))
    _show(result, arguments.output, arguments.quiet)


def _files_read(inputs: Sequence[Path], config: Path | None) -> dict[Path, Path]:
    """Returns all files that belong to the inputs, and the configuration file, in the form for
    check_outputs."""
    return files_of(inputs) | ({config: config} if config else {})


def _generate(arguments: argparse.Namespace) -> None:
    sets = parse_joint_sets(arguments.sets, "--joints")
    machine = None if arguments.target is None else load_target(arguments.target)
    layout = (*(machine.unroll if machine else ()), *arguments.unroll)
    fast_rows = arguments.optimise == "cycles"
    paths = generate(arguments.bank, arguments.output, arguments.name, arguments.embed, layout, sets,
                     arguments.matrices, arguments.rigid, fast_rows)
    if fast_rows:
        machine = _with_fast_rows(machine, read_bank(arguments.bank))
    if not arguments.quiet:
        _show_code(arguments.bank, paths, machine, layout, sets)


def _with_fast_rows(machine: Target | None, bank: Bank) -> Target | None:
    """Returns the machine with fast rows. Warns if they have no effect on it, or on this bank."""
    if all(clip.codec != "curve" for clip in bank.clips):
        _warn(['optimise = "cycles" has no effect: only clips of the codec curve have fast rows'])
    elif machine and not any(machine.platform_folder.glob("*.S")):
        _warn([f'optimise = "cycles" has no effect: platforms/{machine.platform} has no fast rows'])
    return machine and machine.with_fast_rows()


def _show_code(bank: Path, paths: Sequence[Path], machine: Target | None, layout: Sequence[str],
               sets: JointSets) -> None:
    for path in paths:
        print(f"wrote {path}")
    if machine is not None:
        folder, name = paths[0].parent, paths[0].stem
        _print_layouts(bank, name, machine, layout, sets)
        print(f"compile with: {machine.compiler} -c -std=c99 {' '.join(machine.flags)} "
              f"-I {shown(RUNTIME)} -I {shown(machine.platform_folder)} "
              f"{' '.join(str(shown(pattern)) for pattern in machine.runtime_files)} {folder}/{name}_*.c")


def _print_layouts(bank: Path, name: str, machine: Target, unroll: Sequence[str],
                   sets: JointSets) -> None:
    """Prints the flash of each generated part in both layouts, if the machine's compiler is
    installed."""
    try:
        sizes = layout_sizes(bank, name, machine, sets)
    except TargetError as problem:
        print(f"what the layouts take in flash is not known: {problem}")
        return
    report.console().print(report.layout_table(sizes, parse_unroll(unroll)))
    print("*: as generated; parts share tables")


def _build(arguments: argparse.Namespace) -> None:
    """Writes the bank, its C and the report together, or nothing."""
    with toml_names(names_in_files()):
        _build_project(arguments)


def _build_project(arguments: argparse.Namespace) -> None:
    project = read_project(arguments.config)
    with said_in(arguments.config):
        if not project.inputs:
            raise SettingProblem("no inputs; add inputs = [\"hero.glb\"]")
        machine = load_target(project.target) if project.target else None
        layout = (*(machine.unroll if machine else ()), *project.unroll)
        code = Code(project.name or name_of_stem(project.output.stem), project.embed, layout,
                    project.sets, project.matrices, project.rigid, project.optimise == "cycles")
        if project.generate:
            check_c_name(code.name)
    read = _files_read(project.inputs, arguments.config)
    outputs = [project.output] + ([arguments.json] if arguments.json else [])
    check_outputs(read, outputs)
    imported = read_clips(project.inputs, project.settings.importing)

    def code_of(bank: Bank) -> dict[Path, bytes]:
        return {project.generate / name: content for name, content in code.files(bank).items()} \
            if project.generate else {}

    with said_in(arguments.config):
        generated = code_of(bank_without_clips(imported, project.settings))
    check_outputs(read, [*outputs, *generated])
    with said_in(arguments.config):
        result = _compress(imported, project.settings, arguments)
        bank = parse_bank(result.bank)
        generated = code_of(bank)
        if code.fast_rows and generated:
            machine = _with_fast_rows(machine, bank)
    write_all(dict(zip(outputs, (result.bank, report_json(result)))) | generated)
    _show(result, project.output, arguments.quiet)
    if generated and not arguments.quiet:
        _show_code(project.output, list(generated), machine, layout, project.sets)


def _inspect(arguments: argparse.Namespace) -> None:
    description = describe(read_bank(arguments.bank))
    if arguments.json:
        print(json.dumps(description, indent=1, ensure_ascii=False))
        return
    screen = report.console()
    for part in report.inspect_tables(description):
        screen.print(part)
        screen.print()


def _decode(arguments: argparse.Namespace) -> None:
    frames = decode(arguments.bank, arguments.clip, arguments.output, arguments.midpoints)
    print(f"wrote {arguments.output}, {frames} frames")


def _strip(arguments: argparse.Namespace) -> None:
    for path in strip(arguments.bank, arguments.output, arguments.tiers, arguments.tier_files):
        print(f"wrote {path}")


def _compare(arguments: argparse.Namespace) -> None:
    comparison = comparison_of(arguments)
    if arguments.output is not None:  # checks before the long work
        check_place(arguments.output / compare_report.TABLE)
        compare_report.plots()
    groups, warnings = read_sources(arguments.inputs, comparison.settings.importing,
                                    arguments.clips)
    if arguments.output is not None:
        check_outputs(files_of(source_files(arguments.inputs)[0]), [
            arguments.output / name for name in compare_report.file_names(
                [group.label for group in groups],
                [tolerance.metres * 1e3 for tolerance in comparison.tolerances])])
    _warn(warnings)
    if arguments.quiet:
        figures = comparison.run(groups)
    else:
        with report.progress_bar("comparing") as progress:
            figures = comparison.run(groups, progress)
    outputs = {} if arguments.output is None else {
        arguments.output / name: content for name, content in compare_report.files(figures).items()}
    write_all(outputs)
    if not arguments.quiet:
        for part in compare_report.tables(figures):
            report.console().print(part)
        for path in outputs:
            print(f"wrote {path}")


def _presets(_: argparse.Namespace) -> None:
    report.console().print(report.preset_table(PRESETS.values()))


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


def _completion(arguments: argparse.Namespace) -> None:
    print(script(arguments.shell), end="")


_RUNS = {"encode": _encode, "generate": _generate, "decode": _decode, "strip": _strip,
         "inspect": _inspect, "compare": _compare, "presets": _presets, "build": _build,
         "targets": _targets, "paths": _paths, "completion": _completion}


def _run(argv: Sequence[str] | None) -> int:
    parser = make_parser(_RUNS)
    arguments = parser.parse_args(argv)
    if arguments.run is None:
        parser.print_help()
    else:
        arguments.run(arguments)
    sys.stdout.flush()
    return 2 if arguments.run is None else 0


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
    _say(signals.MESSAGE)
    if threading.active_count() > 1:
        os._exit(128 + number)
    return 128 + number


def _run_or_say(run: Callable[[], int]) -> int:
    """Returns the exit status of a run, after printing one line to stderr if the status is not
    0."""
    try:
        return run()
    except PROBLEMS as problem:
        _say(str(problem))
        return 1
    except MemoryError:
        _say("out of memory; encode fewer files at once")
        return 1
    except OSError as error:  # inputs and outputs raise PROBLEMS instead
        with suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if error.filename is not None:
            _say(f"{os.fsdecode(error.filename)}: {error.strerror}")
        elif not isinstance(error, BrokenPipeError):  # `head` may stop reading early
            _say(f"cannot print: {error.strerror}")
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
