"""What the command line can say, and the settings that come of it."""
from __future__ import annotations

import argparse
import re
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

from ..bank.clips import LAYER
from ..bank.words import one_line
from ..base.problem import SettingProblem, nearest
from ..base.unrolling import PARTS
from ..base.version import versions
from ..compare.comparison import Comparison, chosen_schemes
from ..encode.native import EFFORTS, POINTS
from ..encode.presets import NO_PRESET
from ..encode.settings import (
    CODEC_CHOICES,
    ClipRule,
    Settings,
    choice,
    parse_max_ram,
    parse_restart,
)
from ..generate.skin_plan import CHOICES
from ..model.clip import MIN_RATE, ImportOptions
from ..model.joints import parse_joint_rule
from ..model.key_rate import HIGHEST
from ..model.lengths import Screen, Tolerance, parse_length, parse_tolerance


class Parser(argparse.ArgumentParser):
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

    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        """As in argparse, with the same status where nothing can be printed."""
        with suppress(OSError):
            print(message or "", end="", file=sys.stderr, flush=True)
        sys.exit(status)

    def error(self, message: str) -> NoReturn:
        choice = re.match(r"argument (.*): invalid choice: ('.*') \(choose from (.*)\)", message)
        if choice:
            what, word, choices = choice.groups()
            message = f"{what} {word} is unknown" + nearest(word[1:-1],
                                                            re.findall(r"'([^']*)'", choices))
        self.exit(2, one_line(f"{self.prog}: {message} (see {self.prog} --help)") + "\n")


def _skin(text: str) -> str | int:
    return int(text) if re.fullmatch("[0-9]{1,9}", text) else text


def _path(text: str) -> Path:
    """The path of a file or folder; an empty text would be the current folder."""
    if not text:
        raise argparse.ArgumentTypeError("'': give a path")
    return Path(text)


def _output(text: str) -> Path:
    """The path of a file or folder to write; `-` is the standard output elsewhere, not here."""
    if text == "-":
        raise argparse.ArgumentTypeError("'-': the standard output is not written to; give a path")
    return _path(text)


def _add_import_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("reading the source")
    group.add_argument("--fps", type=float, help="frames per second (those of the file's keys, or "
                       f"a multiple where a tolerance needs it), {MIN_RATE:g} to {HIGHEST}")
    group.add_argument("--scale", type=float, metavar="METRES",
                       help="metres per unit of length (glTF: 1, BVH: 0.01)")
    group.add_argument("--up", choices=("y", "z"), help="the axis that points up in the file (y)")
    group.add_argument("--skin", type=_skin, metavar="NAME",
                       help="name or index of the glTF skin, if there are several")
    group.add_argument("--ancestors", choices=("fold", "drop"),
                       help="static nodes above the root joint: fold into it (default) or ignore")


def _add_encode_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--tolerance", metavar="LENGTH",
                        help="largest error allowed, such as 0.5mm, or 0.5px on the screen (1mm); "
                        "none: any, only with presets that fit nothing")
    parser.add_argument("--shell", metavar="LENGTH",
                        help="distance from the joint at which errors are measured (3cm)")
    parser.add_argument("--points", help="which points of a joint's shell hold the tolerance: axes, the "
                        "three on the joint's axes, or sphere, all of them (axes)")
    parser.add_argument("--codec", help=f"one of {', '.join(CODEC_CHOICES)}; auto: for each clip "
                        "delta, curve or transform, whichever promises to be smallest; transform "
                        "where --effort is fast (auto)")
    parser.add_argument("--preset", metavar="NAME", help="a published scheme, in the place of "
                        "--codec: see `ossicle presets`")
    parser.add_argument("--random-access", action="store_true", default=None,
                        help="only codecs that reach every frame at the same cost: transform")
    parser.add_argument("--max-ram-bytes", type=int, metavar="BYTES",
                        help="what a player may take on a 32-bit machine, its osc_player "
                        "included: clips get codecs with less state until it fits (no limit)")
    parser.add_argument("--effort", help=f"one of {', '.join(EFFORTS)} (default)")
    parser.add_argument("--restart", type=int, metavar="FRAMES",
                        help="frames between restart points, a power of two; 0: none but the "
                        "first (64, or as a preset has it)")
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


def _add_compare(commands) -> None:
    command = commands.add_parser("compare", help="published schemes and codecs on your clips",
                                  description="Encode clips with every preset and codec, measure "
                                  "them as they are played, and print sizes, errors and memory; a "
                                  "table for each skeleton.")
    command.add_argument("inputs", nargs="+", type=_path, metavar="FILE|FOLDER",
                         help="a .glb, .gltf or .bvh, or a folder with such files")
    command.add_argument("--tolerance", action="append", default=[], metavar="LENGTH[,LENGTH]",
                         help="largest error allowed, such as 0.5mm; repeatable (1mm)")
    command.add_argument("--presets", action="append", default=[], metavar="NAME[,NAME]",
                         help="only these presets and codecs, beside auto; repeatable (all)")
    command.add_argument("--clips", action="append", default=[], metavar="PATTERN",
                         help="only clips of these names, such as 'walk*'; repeatable (all)")
    command.add_argument("-o", "--output", type=_output, metavar="DIR",
                         help="also write tables (CSV) and pictures (PNG) to this folder")
    command.add_argument("--rows", action="store_true",
                         help="also count what a row costs on a Cortex-M4; slow, with "
                         "arm-none-eabi-gcc and qemu-system-arm")
    command.add_argument("--shell", metavar="LENGTH",
                         help="distance from the joint at which errors are measured (3cm)")
    command.add_argument("--effort", help=f"one of {', '.join(EFFORTS)} (default)")
    command.add_argument("--jobs", type=int, metavar="N", help="threads (one a core)")
    command.add_argument("--quiet", action="store_true", help="print nothing but errors")
    _add_import_options(command)


def make_parser() -> Parser:
    """The parser of the whole command."""
    parser = Parser(prog="ossicle", description="Compress skeletal animation to a guaranteed "
                     "error and generate the C that plays it.")
    parser.add_argument("--version", action="version",
                        version=f"ossicle {versions().library}, bank format "
                                f"{versions().bank_format}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=Parser)

    command = commands.add_parser("encode", help="source files to a bank",
                                  description="Encode .glb, .gltf and .bvh files that share a "
                                  "skeleton into one bank.")
    command.add_argument("inputs", nargs="+", type=_path, metavar="IN")
    command.add_argument("-o", "--output", type=_output, required=True, metavar="BANK",
                         help="the bank to write, such as hero.ossb")
    command.add_argument("--config", type=_path, metavar="TOML",
                         help="settings; options on the command line win over it")
    _add_encode_options(command)

    command = commands.add_parser("generate", help="a bank to C",
                                  description="Generate the C of one bank: header, tables, "
                                  "evaluator and composition.")
    command.add_argument("bank", type=_path)
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
    command.add_argument("bank", type=_path)
    command.add_argument("--clip", required=True, metavar="NAME")
    command.add_argument("--midpoints", action="store_true",
                         help="also half way between frames: 2F-1 frames")
    command.add_argument("-o", "--output", type=_output, required=True, metavar="OUT",
                         help="the file to write, such as walk.rawclip")

    command = commands.add_parser("inspect", help="what is in a bank",
                                  description="Print sections, joints and clips of a bank.")
    command.add_argument("bank", type=_path)
    command.add_argument("--json", action="store_true", help="as JSON")

    command = commands.add_parser("strip", help="a bank without its streaming tiers",
                                  description="Write a bank without some of its streaming tiers, "
                                  "for devices that have no room for them: clips of the codec dense "
                                  "play coarser without.")
    command.add_argument("bank", type=_path)
    command.add_argument("--tiers", type=int, required=True, metavar="N",
                         help="how many stay: 0, 1")
    command.add_argument("--tier-files", action="store_true",
                         help="also write the tiers that go, as OUT.tie1 and OUT.tie2, for "
                         "osc_bank_attach_tier")
    command.add_argument("-o", "--output", type=_output, required=True, metavar="OUT",
                         help="the bank to write, such as small.ossb")

    commands.add_parser("presets", help="published schemes for encode --preset",
                        description="List the presets: published schemes under their names.")

    _add_compare(commands)

    command = commands.add_parser("build", help="all of it, from a TOML file",
                                  description="Encode and generate as a TOML file says.")
    command.add_argument("config", type=_path, metavar="TOML")
    command.add_argument("--json", type=_output, metavar="REPORT", help="write the report as JSON")
    command.add_argument("--jobs", type=int, metavar="N", help="threads (one a core)")
    command.add_argument("--quiet", action="store_true", help="print nothing but errors")
    return parser


def settings_of(settings: Settings, arguments: argparse.Namespace) -> Settings:
    """The settings of the configuration file with the command line on top."""
    changes: dict[str, object] = {}
    if arguments.tolerance is not None:
        changes["tolerance"] = parse_tolerance(arguments.tolerance, "--tolerance", or_none=True)
    if arguments.shell is not None:
        changes["shell_m"] = parse_length(arguments.shell, "--shell")
    for option, choices in (("codec", CODEC_CHOICES), ("effort", EFFORTS), ("points", POINTS)):
        value = getattr(arguments, option)
        if value is not None:
            changes[option] = choice(value, choices, f"--{option}")
    if arguments.preset is not None:
        settings = settings.with_preset(arguments.preset, "--preset")
        if settings.preset != NO_PRESET and arguments.codec is not None:
            raise SettingProblem("--preset chooses the codec; leave out --codec")
    elif arguments.codec is not None:
        changes["preset"] = NO_PRESET
    if arguments.restart is not None:
        changes["restart_log2"] = parse_restart(arguments.restart, "--restart")
    if arguments.random_access is not None:
        changes["random_access"] = arguments.random_access
    if arguments.skin_matrices is not None:
        changes["skinning"] = arguments.skin_matrices
    if arguments.max_ram_bytes is not None:
        changes["max_ram_bytes"] = parse_max_ram(arguments.max_ram_bytes, "--max-ram-bytes")
    rules = (*(ClipRule(pattern, loop=True) for pattern in arguments.loop),
             *(ClipRule(pattern, mode=LAYER) for pattern in arguments.layer))
    joints = tuple(parse_joint_rule(text, "--joint-tolerance")
                   for text in arguments.joint_tolerance)
    return replace(settings, clips=settings.clips + rules, joints=settings.joints + joints,
                   pins=settings.pins + tuple(arguments.pin),
                   screen=_screen(settings.screen, arguments),
                   importing=_importing(settings.importing, arguments), **changes)


def _importing(options: ImportOptions, arguments: argparse.Namespace) -> ImportOptions:
    said = {key: getattr(arguments, key) for key in ("fps", "scale", "up", "skin", "ancestors")}
    options = replace(options, **{key: value for key, value in said.items() if value is not None})
    options.check()
    return options


def check_jobs(jobs: int | None) -> None:
    """SettingProblem for less than one thread."""
    if jobs is not None and jobs < 1:
        raise SettingProblem(f"--jobs {jobs}: choose one or more")


def comparison_of(arguments: argparse.Namespace) -> Comparison:
    """What `ossicle compare` is asked to compare; SettingProblem."""
    check_jobs(arguments.jobs)
    texts = [text for said in arguments.tolerance for text in said.split(",")] or ["1mm"]
    tolerances = [Tolerance(metres=parse_length(text, "--tolerance")) for text in texts]
    settings = Settings(importing=_importing(ImportOptions(), arguments))
    if arguments.shell is not None:
        settings = replace(settings, shell_m=parse_length(arguments.shell, "--shell"))
    if arguments.effort is not None:
        settings = replace(settings, effort=choice(arguments.effort, EFFORTS, "--effort"))
    return Comparison(settings, chosen_schemes(arguments.presets, "--presets"),
                      list(dict.fromkeys(tolerances)), arguments.jobs, arguments.rows)


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
