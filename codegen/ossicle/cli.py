"""The `ossicle` command."""
from __future__ import annotations

import argparse
import io
import json
import os
import signal
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from . import compare_report, report
from .bank_file import describe, read_bank
from .bank_words import BankProblem, one_line
from .bind_size import size_text
from .compare import read_sources
from .decode import decode
from .emit import generate
from .encode import BankResult, EncodeProblem, encode, report_json
from .identifiers import c_name_problem, name_of_stem
from .joint_sets import JointSets, parse_joint_sets
from .layouts import layout_sizes
from .model import ImportProblem
from .native import NativeProblem
from .options import check_jobs, comparison_of, make_parser, settings_of
from .output import check_outputs, check_place, write_all
from .presets import PRESETS
from .problem import SettingProblem
from .project import Project, read_project
from .settings import Settings
from .skin_plan import parse_matrices
from .strip import strip
from .targets import Target, TargetError, load_target
from .unrolling import parse_unroll

PROBLEMS = (BankProblem, EncodeProblem, ImportProblem, NativeProblem, SettingProblem, TargetError)


def _encode(inputs: Sequence[Path], output: Path, settings: Settings,
            arguments: argparse.Namespace) -> BankResult:
    check_jobs(arguments.jobs)
    outputs = [output] + ([arguments.json] if arguments.json else [])
    check_outputs([*inputs, *([arguments.config] if arguments.config else [])], outputs)
    if arguments.quiet:
        result = encode(inputs, settings, arguments.jobs)
    else:
        with report.progress_bar("encoding") as progress:
            result = encode(inputs, settings, arguments.jobs, progress)
    write_all(dict(zip(outputs, (result.bank, report_json(result)))))
    for warning in result.warnings:
        print(f"ossicle: warning: {warning}", file=sys.stderr)
    if not arguments.quiet:
        report.console().print(report.clip_table(result))
        print(f"the bind pose is {size_text(result.size_m)}")
        print(f"a player takes {result.player_bytes:,} bytes of RAM on a 32-bit machine")
        if pixels := report.pixel_text(result):
            print(pixels)
        if tiers := report.tier_text(result):
            print(tiers)
        print(f"wrote {output}")
    return result


def _generate(bank: Path, output: Path, name: str | None, embed: bool, target: str | None,
              unroll: Sequence[str], sets: JointSets, matrices: str | None, rigid: bool,
              quiet: bool) -> None:
    machine = None if target is None else load_target(target)
    layout = (*(machine.unroll if machine else ()), *unroll)
    paths = generate(bank, output, name, embed, layout, sets, matrices, rigid)
    for path in paths:
        if not quiet:
            print(f"wrote {path}")
    if machine is not None and not quiet:
        _print_layouts(bank, paths[0].stem, machine, layout, sets)
        print(f"compile in the checkout with: {machine.compiler} -c -std=c99 "
              f"{' '.join(machine.flags)} -I runtime -I platforms/{machine.platform} "
              f"runtime/*.c {output}/{paths[0].stem}_*.c")


def _print_layouts(bank: Path, name: str, machine: Target, unroll: Sequence[str],
                   sets: JointSets) -> None:
    """What each generated part takes in both layouts, if the machine's compiler is there."""
    try:
        sizes = layout_sizes(bank, name, machine, sets)
    except TargetError as problem:
        print(f"what the layouts take in flash is not known: {problem}")
        return
    report.console().print(report.layout_table(sizes, parse_unroll(unroll)))
    print("*: as generated; parts share tables")


def _build(arguments: argparse.Namespace) -> None:
    project: Project = read_project(arguments.config)
    if not project.inputs:
        raise SettingProblem(f"{arguments.config}: no inputs; add inputs = [\"hero.glb\"]")
    if project.target:
        load_target(project.target)  # before the long work, not after it
    name = project.name or name_of_stem(project.output.stem)
    if project.generate and (problem := c_name_problem(name)):
        raise SettingProblem(f"{arguments.config}: the name {name!r} {problem}; choose another with "
                             "name = \"hero\"")
    _encode(project.inputs, project.output, project.settings, arguments)
    if project.generate:
        _generate(project.output, project.generate, project.name, project.embed, project.target,
                  project.unroll, project.sets, project.matrices, project.rigid, arguments.quiet)


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


def _compare(arguments: argparse.Namespace) -> None:
    comparison = comparison_of(arguments)
    if arguments.output is not None:  # before the long work, not after it
        check_place(arguments.output / compare_report.TABLE)
        compare_report.plots()
    groups, warnings = read_sources(arguments.inputs, comparison.settings.importing,
                                    arguments.clips)
    for warning in warnings:
        print(f"ossicle: warning: {warning}", file=sys.stderr)
    if arguments.quiet:
        figures = comparison.run(groups)
    else:
        with report.progress_bar("comparing") as progress:
            figures = comparison.run(groups, progress)
        for part in compare_report.tables(figures):
            report.console().print(part)
    if arguments.output is not None:
        contents = compare_report.files(figures)
        outputs = {arguments.output / name: content for name, content in contents.items()}
        check_outputs(arguments.inputs, outputs)
        write_all(outputs)
        if not arguments.quiet:
            for path in outputs:
                print(f"wrote {path}")


def _run(argv: Sequence[str] | None) -> int:
    parser = make_parser()
    arguments = parser.parse_args(argv)
    if arguments.command is None:
        parser.print_help()
    elif arguments.command == "encode":
        project = read_project(arguments.config) if arguments.config else Project()
        _encode(arguments.inputs, arguments.output, settings_of(project.settings, arguments),
                arguments)
        if project.build_keys:
            print(f"ossicle: warning: {arguments.config}: {', '.join(project.build_keys)}: only for "
                  "`ossicle build`, ignored by encode", file=sys.stderr)
    elif arguments.command == "generate":
        parse_unroll(arguments.unroll, "--unroll")
        if arguments.matrices is not None:
            parse_matrices(arguments.matrices, "--matrices")
        _generate(arguments.bank, arguments.output, arguments.name, arguments.embed,
                  arguments.target, arguments.unroll,
                  parse_joint_sets(arguments.joints, "--joints"), arguments.matrices,
                  arguments.rigid, arguments.quiet)
    elif arguments.command == "decode":
        _decode(arguments)
    elif arguments.command == "strip":
        for path in strip(arguments.bank, arguments.output, arguments.tiers, arguments.tier_files):
            print(f"wrote {path}")
    elif arguments.command == "inspect":
        _inspect(arguments)
    elif arguments.command == "compare":
        _compare(arguments)
    elif arguments.command == "presets":
        report.console().print(report.preset_table(PRESETS.values()))
    else:
        _build(arguments)
    sys.stdout.flush()
    return 2 if arguments.command is None else 0


def _terminate(number: int, frame: object) -> NoReturn:
    raise KeyboardInterrupt(number)


def _prepare_streams() -> None:
    """Makes of the standard output something to print to, even if it was closed, or its encoding
    lacks letters of a name."""
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")
    if isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout.errors == "strict":
        sys.stdout.reconfigure(errors="backslashreplace")


def _interrupted(number: int) -> int:
    """Says so, and leaves without the clips that are being encoded: these go on for minutes."""
    print("ossicle: interrupted; no file is half-written", file=sys.stderr, flush=True)
    if threading.active_count() > 1:
        os._exit(128 + number)
    return 128 + number


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command; 0, or non-zero after one line on stderr."""
    _prepare_streams()
    if argv is None:
        signal.signal(signal.SIGTERM, _terminate)  # so that scratch files go
    try:
        return _run(argv)
    except PROBLEMS as problem:
        print(one_line(f"ossicle: {problem}"), file=sys.stderr)
        return 1
    except MemoryError:
        print("ossicle: out of memory; encode fewer files at once", file=sys.stderr)
        return 1
    except OSError as error:  # files are PROBLEMS: this is the standard output
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):  # nobody minds what `head` does not read
            print(f"ossicle: cannot print: {error.strerror}", file=sys.stderr)
        return 1
    except KeyboardInterrupt as stop:
        return _interrupted(stop.args[0] if stop.args else signal.SIGINT)
