"""The `ossicle` command."""
from __future__ import annotations

import argparse
import io
import json
import os
import re
import signal
import sys
import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

from . import report
from .bank_clips import LAYER
from .bank_file import describe, read_bank
from .bank_words import BankProblem, one_line
from .bind_size import size_text
from .decode import decode
from .emit import generate
from .encode import BankResult, EncodeProblem, encode, report_json
from .identifiers import c_name_problem, name_of_stem
from .joint_sets import JointSets, parse_joint_sets
from .joints import parse_joint_rule
from .layouts import layout_sizes
from .lengths import Screen, parse_length, parse_tolerance
from .model import ImportProblem
from .native import EFFORTS, NativeProblem
from .output import check_outputs, write_all
from .presets import NO_PRESET, PRESETS
from .problem import SettingProblem, nearest
from .settings import (
    CODEC_CHOICES,
    ClipRule,
    Project,
    Settings,
    parse_max_ram,
    parse_restart,
    read_project,
)
from .skin_plan import CHOICES, parse_matrices
from .targets import Target, TargetError, load_target
from .unrolling import PARTS, parse_unroll
from .version import versions

PROBLEMS = (BankProblem, EncodeProblem, ImportProblem, NativeProblem, SettingProblem, TargetError)


class _Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one line and name the nearest option or command."""

    def parse_known_args(self, args=None, namespace=None):
        """As in argparse, but what a command does not know is its own error, with its options."""
        namespace, unknown = super().parse_known_args(args, namespace)
        if unknown:
            known = [option for action in self._actions for option in action.option_strings]
            is_option = unknown[0].startswith("-")
            self.error(f"unknown option {unknown[0]!r}" + nearest(unknown[0], known) if is_option
                       else f"unexpected argument {unknown[0]!r}")
        return namespace, unknown

    def error(self, message: str) -> NoReturn:
        choice = re.match(r"argument (.*): invalid choice: ('.*') \(choose from (.*)\)", message)
        if choice:
            what, word, choices = choice.groups()
            message = f"{what} {word} is unknown" + nearest(word[1:-1],
                                                            re.findall(r"'([^']*)'", choices))
        self.exit(2, one_line(f"{self.prog}: {message} (see {self.prog} --help)") + "\n")


def _skin(text: str) -> str | int:
    return int(text) if text.isdigit() else text


def _output(text: str) -> Path:
    """The path of a file or folder to write; `-` is the standard output elsewhere, not here."""
    if text == "-":
        raise argparse.ArgumentTypeError("'-': the standard output is not written to; give a path")
    return Path(text)


def _add_import_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("reading the source")
    group.add_argument("--fps", type=float, help="frames per second (glTF: 30, BVH: the file's)")
    group.add_argument("--scale", type=float, metavar="METRES",
                       help="metres per unit of length (glTF: 1, BVH: 0.01)")
    group.add_argument("--up", choices=("y", "z"), help="the axis that points up in the file (y)")
    group.add_argument("--skin", type=_skin, metavar="NAME",
                       help="name or index of the glTF skin, if there are several")
    group.add_argument("--ancestors", choices=("fold", "drop"),
                       help="static nodes above the root joint: fold into it (default) or ignore")


def _add_encode_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--tolerance", metavar="LENGTH",
                        help="largest error allowed, such as 0.5mm, or 0.5px on the screen (1mm)")
    parser.add_argument("--shell", metavar="LENGTH",
                        help="distance from the joint at which errors are measured (3cm)")
    parser.add_argument("--codec", help=f"one of {', '.join(CODEC_CHOICES)}; auto: for each clip "
                        "the one that makes it smallest (auto)")
    parser.add_argument("--preset", metavar="NAME", help="a published scheme, in the place of --codec: "
                        "see `ossicle presets`")
    parser.add_argument("--random-access", action="store_true", default=None,
                        help="only codecs that reach every frame at the same cost: transform")
    parser.add_argument("--max-ram-bytes", type=int, metavar="BYTES",
                        help="what a player may take on a 32-bit machine, its osc_player "
                        "included: clips get codecs with less state until it fits (no limit)")
    parser.add_argument("--effort", help=f"one of {', '.join(EFFORTS)} (default)")
    parser.add_argument("--restart", type=int, metavar="FRAMES",
                        help="frames between restart points, a power of two; 0: none but the "
                        "first (64)")
    parser.add_argument("--loop", action="append", default=[], metavar="PATTERN",
                        help="clips that loop: their last frame equals the first, within the "
                        "tolerance; repeatable")
    parser.add_argument("--layer", action="append", default=[], metavar="PATTERN",
                        help="clips for masks and blends: every chain of joints keeps the tolerance "
                        "by itself; repeatable")
    parser.add_argument("--joint-tolerance", action="append", default=[],
                        metavar="PATTERN=LENGTH",
                        help="another tolerance for these joints, such as '*_hand=0.3mm'; "
                        "repeatable, the last that matches wins")
    parser.add_argument("--pin", action="append", default=[], metavar="PATTERN",
                        help="joints that keep a tenth of the tolerance, or their own, by a "
                        "translation of their own, such as '*_foot'; repeatable")
    parser.add_argument("--skin-matrices", action="store_true", default=None,
                        help="also the inverse bind matrices, which skinning matrices are made "
                        "with: 48 bytes a joint")
    parser.add_argument("--jobs", type=int, metavar="N", help="threads (one a core)")
    parser.add_argument("--json", type=_output, metavar="REPORT", help="write the report as JSON")
    parser.add_argument("--quiet", action="store_true", help="print nothing but errors")
    group = parser.add_argument_group("the screen, for tolerances in pixels")
    group.add_argument("--screen-height", type=float, metavar="PIXELS")
    group.add_argument("--fov", type=float, metavar="DEGREES", help="vertical field of view")
    group.add_argument("--distance", metavar="LENGTH",
                       help="from the camera to the character where it is nearest, such as 2m")
    _add_import_options(parser)


def _parser() -> _Parser:
    parser = _Parser(prog="ossicle", description="Compress skeletal animation to a guaranteed "
                     "error and generate the C that plays it.")
    parser.add_argument("--version", action="version",
                        version=f"ossicle {versions().library}, bank format "
                                f"{versions().bank_format}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=_Parser)

    command = commands.add_parser("encode", help="source files to a bank",
                                  description="Encode .glb, .gltf and .bvh files that share a "
                                  "skeleton into one bank.")
    command.add_argument("inputs", nargs="+", type=Path, metavar="IN")
    command.add_argument("-o", "--output", type=_output, required=True, metavar="BANK",
                         help="the bank to write, such as hero.ossb")
    command.add_argument("--config", type=Path, metavar="TOML",
                         help="settings; options on the command line win over it")
    _add_encode_options(command)

    command = commands.add_parser("generate", help="a bank to C",
                                  description="Generate the C of one bank: header, tables, "
                                  "evaluator and composition.")
    command.add_argument("bank", type=Path)
    command.add_argument("-o", "--output", type=_output, required=True, metavar="DIR")
    command.add_argument("--name", help="prefix of everything generated (the bank's file stem)")
    command.add_argument("--embed", action="store_true", help="also the bank, as an array")
    command.add_argument("--target", metavar="T",
                         help="a machine, such as microbit: lay the code out as suits it, and print "
                         "how to compile for it and the flash that each layout takes")
    command.add_argument("--unroll", action="append", default=[], metavar="[PART=]HOW",
                         help="straight-line code (full: fewer instructions on most machines) or "
                         f"loops over tables (loop: less flash), for all parts or for one of "
                         f"{', '.join(PARTS)}; repeatable (the target's, or full)")
    command.add_argument("--joints", action="append", default=[], metavar="NAME=PATTERN[,PATTERN]",
                         help="functions for these joints alone, such as upper=Spine*,*Arm* for "
                         "..._evaluate_upper and ..._compose_upper; repeatable")
    command.add_argument("--matrices", metavar="FORMAT",
                         help=f"skinning matrices: {', '.join(CHOICES)} (q20 if the bank has "
                         "inverse bind matrices)")
    command.add_argument("--rigid", action="store_true",
                         help="joints that no clip moves have the skinning matrix of their parent, "
                         "where they agree with it; edits of their local pose have no effect")
    command.add_argument("--quiet", action="store_true", help="print nothing but errors")

    command = commands.add_parser("decode", help="a clip of a bank to a .rawclip",
                                  description="Play a clip through the runtime's decoder and "
                                  "write its local transforms.")
    command.add_argument("bank", type=Path)
    command.add_argument("--clip", required=True, metavar="NAME")
    command.add_argument("--midpoints", action="store_true",
                         help="also half way between frames: 2F-1 frames")
    command.add_argument("-o", "--output", type=_output, required=True, metavar="OUT",
                         help="the file to write, such as walk.rawclip")

    command = commands.add_parser("inspect", help="what is in a bank",
                                  description="Print sections, joints and clips of a bank.")
    command.add_argument("bank", type=Path)
    command.add_argument("--json", action="store_true", help="as JSON")

    commands.add_parser("presets", help="published schemes for encode --preset",
                        description="List the presets: published schemes under their names.")

    command = commands.add_parser("build", help="all of it, from a TOML file",
                                  description="Encode and generate as a TOML file says.")
    command.add_argument("config", type=Path, metavar="TOML")
    command.add_argument("--json", type=_output, metavar="REPORT", help="write the report as JSON")
    command.add_argument("--jobs", type=int, metavar="N", help="threads (one a core)")
    command.add_argument("--quiet", action="store_true", help="print nothing but errors")
    return parser


def _settings(settings: Settings, arguments: argparse.Namespace) -> Settings:
    """The settings of the configuration file with the command line on top."""
    changes: dict[str, object] = {}
    if arguments.tolerance is not None:
        changes["tolerance"] = parse_tolerance(arguments.tolerance, "--tolerance")
    if arguments.shell is not None:
        changes["shell_m"] = parse_length(arguments.shell, "--shell")
    for option, choices in (("codec", CODEC_CHOICES), ("effort", EFFORTS)):
        value = getattr(arguments, option)
        if value is not None and value not in choices:
            raise SettingProblem(f"--{option} {value!r} is unknown" + nearest(value, choices))
        if value is not None:
            changes[option] = value
    if arguments.preset is not None:
        settings = settings.with_preset(arguments.preset, "--preset")
        if settings.preset != NO_PRESET and arguments.codec is not None:
            raise SettingProblem("--preset chooses the codec; leave out --codec")
    elif arguments.codec is not None:
        changes["preset"] = NO_PRESET
    if arguments.restart is not None:
        changes["restart_log2"] = parse_restart(arguments.restart)
    if arguments.random_access is not None:
        changes["random_access"] = arguments.random_access
    if arguments.skin_matrices is not None:
        changes["skinning"] = arguments.skin_matrices
    if arguments.max_ram_bytes is not None:
        changes["max_ram_bytes"] = parse_max_ram(arguments.max_ram_bytes)
    rules = (*(ClipRule(pattern, loop=True) for pattern in arguments.loop),
             *(ClipRule(pattern, mode=LAYER) for pattern in arguments.layer))
    reading = {key: getattr(arguments, key)
               for key in ("fps", "scale", "up", "skin", "ancestors")
               if getattr(arguments, key) is not None}
    joints = tuple(parse_joint_rule(text, "--joint-tolerance")
                   for text in arguments.joint_tolerance)
    return replace(settings, clips=settings.clips + rules, joints=settings.joints + joints,
                   pins=settings.pins + tuple(arguments.pin),
                   screen=_screen(settings.screen, arguments),
                   importing=replace(settings.importing, **reading), **changes)


def _screen(screen: Screen, arguments: argparse.Namespace) -> Screen:
    changes: dict[str, float] = {}
    if arguments.screen_height is not None:
        changes["height"] = arguments.screen_height
    if arguments.fov is not None:
        changes["fov"] = arguments.fov
    if arguments.distance is not None:
        changes["distance_m"] = parse_length(arguments.distance, "--distance")
    screen = replace(screen, **changes)
    screen.check()
    return screen


def _encode(inputs: Sequence[Path], output: Path, settings: Settings,
            arguments: argparse.Namespace) -> BankResult:
    if arguments.jobs is not None and arguments.jobs < 1:
        raise SettingProblem(f"--jobs {arguments.jobs}: choose one or more")
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


def _run(argv: Sequence[str] | None) -> int:
    parser = _parser()
    arguments = parser.parse_args(argv)
    if arguments.command is None:
        parser.print_help()
    elif arguments.command == "encode":
        project = read_project(arguments.config) if arguments.config else Project()
        _encode(arguments.inputs, arguments.output, _settings(project.settings, arguments),
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
    elif arguments.command == "inspect":
        _inspect(arguments)
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
