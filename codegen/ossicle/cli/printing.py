"""Progress and tables of the commands that encode and generate."""
from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

from ..bank.file import Bank
from ..base.files.output import shown
from ..base.places import RUNTIME
from ..base.unrolling import parse_unroll
from ..encoding.results import BankResult
from ..model.joint_sets import JointSets
from ..generate.layouts import layout_sizes
from ..generate.placement import Part
from ..model.bind_size import size_text
from ..machines import Target, TargetError, as_requested
from ..reporting import console as report
from ..reporting.breaks import break_table
from ..reporting.messages import warn
from ..reporting.tables import console
from ..reporting.transfers import transfer_tables


def show_next(*words: object) -> None:
    """Prints the command that usually follows. words: options as text, and files as paths."""
    print("next: " + shlex.join(["ossicle", *map(_word, words)]))


def _word(word: object) -> str:
    """Prevents that a file whose name begins with a dash is read as an option."""
    return f"./{word}" if isinstance(word, Path) and str(word).startswith("-") else str(word)


def show(result: BankResult, output: Path, quiet: bool) -> None:
    warn(result.warnings)
    if quiet:
        return
    console().print(report.clip_table(result))
    if breaks := break_table([(clip.name, clip.rate, clip.breaks) for clip in result.clips]):
        console().print(breaks)
    for transfer in transfer_tables((clip.name, clip.measure) for clip in result.clips):
        console().print(transfer)
    if curves := report.curve_table(result):
        console().print(curves)
    print(f"the bind pose is {size_text(result.size_m)}")
    print(f"a player takes {result.player_bytes:,} bytes of RAM on a 32-bit machine")
    if result.character_bytes:
        print(f"a character of the graph takes {result.character_bytes:,} bytes, with its players and poses")
    if result.step is not None:
        print(report.step_text(result.step))
    for text in report.loop_texts(result):
        print(text)
    if pixels := report.pixel_text(result):
        print(pixels)
    if len(result.choices) > 1:
        console().print(report.choice_table(result.choices))
    if contacts := report.contact_table(result):
        console().print(contacts)
    if tiers := report.tier_table(result):
        console().print(tiers)
    print(f"wrote {output}")


def show_code(bank: Bank, paths: Sequence[Path], machine: Target | None, layout: Sequence[str],
              sets: JointSets, parts: Sequence[Part]) -> None:
    for path in paths:
        print(f"wrote {path}")
    if machine is not None:
        folder, name = paths[0].parent, paths[0].stem
        machine = as_requested(machine, paths[0])
        _print_layouts(bank, name, machine, layout, sets)
        if parts:
            console().print(report.placement_table(parts, machine.name))
        print(f"compile with: {machine.compiler} -c -std=c99 {' '.join(machine.flags)} "
              f"-I {shown(RUNTIME)} -I {shown(machine.platform_folder)} "
              f"{' '.join(str(shown(pattern)) for pattern in machine.runtime_files)} {folder}/{name}_*.c")


def _print_layouts(bank: Bank, name: str, machine: Target, unroll: Sequence[str],
                   sets: JointSets) -> None:
    """Prints the flash of each generated part in both layouts, if the machine's compiler is installed."""
    try:
        sizes = layout_sizes(bank, name, machine, sets)
    except TargetError as problem:
        print(f"the flash of the layouts cannot be measured: {problem}")
        return
    console().print(report.layout_table(sizes, parse_unroll(unroll)))
    print("*: selected layout; parts share tables")
