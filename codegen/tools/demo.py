"""Runs the whole pipeline: `python3 -m tools.demo [FILE]`, called by `scons demo`.

Encodes a file, generates its C, builds it for three machines, plays the clips on each, checks that
all poses have the same bits, prints the costs, and shows the character on a console.
"""
from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path

from ossicle.base import signals

if __name__ == "__main__":
    signals.exit_on_signal()  # packages are imported below

from ossicle.base.files.output import write_atomically
from ossicle.base.places import ROOT
from ossicle.base.problem import SettingProblem
from ossicle.encoding.encoder import encode
from ossicle.encoding.results import BankResult, report_json
from ossicle.encoding.settings import Settings
from ossicle.generate.code import Code
from ossicle.generate.emit import generate
from ossicle.importers.importer import files_of
from ossicle.importers.suffixes import SUFFIXES, listed
from ossicle.model.clip import ImportProblem
from ossicle.model.lengths import parse_tolerance
from ossicle.reporting import console as report
from ossicle.reporting.tables import Table, console
from ossicle.machines import (
    DoesNotFit,
    Footprint,
    RunResult,
    Target,
    TargetError,
    build,
    codec_costs,
    footprint,
    load_target,
    run,
)
from .show import targets_with_screen
from ossicle.cli.main import guarded
from ossicle.reporting.messages import warn_once
from ossicle.config.project import read_project
from .rom import NAME, Rom, make, print_player, print_rom

HERO = ROOT / "codegen/demo/hero.glb"
HERO_PROJECT = HERO.with_suffix(".toml")
MACHINES = ("host", "mps2_an386", "microbit")


@dataclass(frozen=True)
class Played:
    """A machine: the size and cost of the character on it, or the reason why it does not fit."""

    target: str
    sizes: Footprint | None
    result: RunResult | None
    problem: str = ""


def play_everywhere(bank: Path, out: Path, progress) -> list[Played]:
    """Generates the character for every machine, builds it and runs it, except on machines for which it is too large.
    Raises TargetError for any other problem. Files go to out/MACHINE."""
    played = []
    for done, target in enumerate(MACHINES):
        progress(done, len(MACHINES), target)
        try:
            generated = out / target / "generated"
            generate(bank, generated, Code(NAME, embed=True, unroll=["loop"]))
            firmware = build(target, generated, out / target)
            played.append(Played(target, footprint(firmware), run(firmware)))
        except DoesNotFit as problem:
            played.append(Played(target, None, None, str(problem)))
    progress(len(MACHINES), len(MACHINES), "")
    return played


def compare_hashes(played: list[Played], clips: list[str]) -> None:
    """Raises TargetError, which names the first clip whose poses differ between two machines."""
    ran = [p for p in played if p.result is not None]
    for other in ran[1:]:
        for name, ours, theirs in zip(clips, ran[0].result.hashes, other.result.hashes, strict=True):
            if ours != theirs:
                raise TargetError(f"clip {name}: pose hash {ours:08x} on {ran[0].target}, "
                                  f"{theirs:08x} on {other.target}")


def _print_targets(screen, played: list[Played]) -> None:
    rows = Table([("target", "left"), ("code bytes", "right"), ("bank bytes", "right"),
                  ("RAM bytes", "right"), ("stack bytes", "right"),
                  ("evaluate", "right"), ("compose", "right"), ("next row", "right"),
                  ("poses", "right"), ("hash", "left")])
    for machine in played:
        if machine.result is None or machine.sizes is None:
            rows.add_row(machine.target, "does not fit")
            continue
        cost, sizes = machine.result.instructions, machine.sizes
        rows.add_row(machine.target, f"{sizes.flash_code_bytes:,}", f"{sizes.bank_bytes:,}",
                     f"{sizes.ram_bytes:,}", f"{sizes.stack_bytes_worst:,}",
                     *(f"{cost[key]:,}" if key in cost else "-"
                       for key in ("evaluate", "compose", "row_average")),
                     f"{machine.result.poses:,}", f"{machine.result.total_hash:08x}")
    screen.print(rows)
    screen.print("code: runtime, generated code and constant tables; RAM: player, rows, local pose "
                 "and model matrices;\nevaluate, compose, next row: instructions per pose, per "
                 "pose, and per frame played forward")
    for machine in played:
        if machine.problem:
            screen.print(f"note: {machine.problem}")


def _print_rows(screen, played: list[Played], codecs: list[str]) -> None:
    """Prints the cost of a row on each emulated machine, by codec."""
    rows = Table([("target", "left"), *report.COST_COLUMNS])
    segments = False
    for machine in played:
        if machine.result is None or not machine.result.clip_costs:
            continue
        for cost in codec_costs(machine.result.clip_costs, codecs):
            segments |= cost.segment is not None
            rows.add_row(machine.target, *report.cost_cells(cost))
    if not rows.rows:
        return
    screen.print()
    screen.print(rows)
    screen.print("instructions per frame played forward" + (
        "; row alone: one within a segment, on average;\nsegment: what entering one adds on average, "
        "once in 8 frames; worst: the most expensive row, in a segment with much data" if segments
        else ""))


def _print_next_steps(source: Path, out: Path, tolerance: str) -> None:
    print(f"""
Look at
  {out / f'host/generated/{NAME}.h'}       joints, clips, buffer types, sizes
  {out / f'host/generated/{NAME}_pose.c'}  the evaluator for this skeleton
  {out / 'report.json'}                      errors, sizes and breaks of every clip
Use your own file
  ./bootstrap demo FILE.glb TOLERANCE=0.5mm
  build/bin/ossicle encode FILE.glb -o hero.ossb --tolerance {tolerance}
  build/bin/ossicle generate hero.ossb -o generated --embed
runtime/README.md shows the game's side.""")


def _clear(sources: Iterable[Path], outputs: Sequence[Path]) -> None:
    """Removes the output of an earlier run, which may have encoded another file. Raises
    SettingProblem if the output cannot be removed, or contains one of the sources."""
    for source, path in product(sources, outputs):
        if source.resolve().is_relative_to(path.resolve()):
            raise SettingProblem(f"{source}: is in {path}, whose old files the demo removes; copy it to another folder")
    for path in outputs:
        try:
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                path.unlink(missing_ok=True)
        except OSError as error:
            raise SettingProblem(f"{path}: cannot be removed ({error.strerror}); remove it, or "
                                 "choose another output") from error


def show(source: Path, target: Target, out: Path, settings: Settings) -> None:
    """Makes a program that shows the character on a console, and its pictures, or prints why not. For a machine without
    a display it makes the program that plays all clips."""
    screen = console()
    if not target.runs_here:
        screen.print(f"No picture: target {target.name}: {target.running}.")
        return
    try:
        with report.progress_bar("showing") as progress:
            result = make(source, target, out, settings, progress)
    except (DoesNotFit, ImportProblem) as problem:
        screen.print(f"No picture: {problem}.")
        return
    screen.print()
    if isinstance(result, Rom):
        print_rom(result, target.name)
    else:
        print_player(result, target)


def _settings_of(source: Path, tolerance: str) -> Settings:
    settings = read_project(HERO_PROJECT).settings if source == HERO else Settings()
    allowed = parse_tolerance(tolerance, "TOLERANCE")
    if allowed.pixels is not None:
        raise SettingProblem(f"TOLERANCE={tolerance}: the demo does not know the screen; give a length such as 0.5mm, "
                             "or encode with build/bin/ossicle and a screen")
    return replace(settings, tolerance=allowed)


def run_demo(source: Path, out: Path, tolerance: str) -> tuple[BankResult, list[Played]]:
    """Runs the demo up to the pictures. Files go to `out` and replace those of earlier runs."""
    screen = console()
    settings = _settings_of(source, tolerance)
    screen.print(f"{source.name} at {tolerance}")
    bank = out / f"{NAME}.ossb"
    _clear(files_of([source]),
           [bank, out / "report.json", *(out / machine for machine in (*MACHINES, *targets_with_screen()))])
    with report.progress_bar("encoding", "frames") as progress:
        result = encode([source], settings, progress=progress)
    write_atomically(bank, result.bank)
    write_atomically(out / "report.json", report_json(result))
    for warning in result.warnings:
        warn_once(warning)
    screen.print(report.clip_table(result))
    with report.progress_bar("building and playing") as progress:
        played = play_everywhere(bank, out, progress)
    compare_hashes(played, [clip.name for clip in result.clips])
    screen.print()
    _print_targets(screen, played)
    _print_rows(screen, played, [clip.codec for clip in result.clips])
    ran = [machine.target for machine in played if machine.result is not None]
    screen.print(f"All pose hashes are equal on {', '.join(ran)}.")
    return result, played


def main(argv: list[str] | None = None) -> int:
    """Runs the demo's command line. Returns 0, or 1 after one line on stderr."""
    parser = argparse.ArgumentParser(
        prog=f"python3 -m {__spec__.name}",
        description="Encodes a file, plays its clips on three machines, and shows the "
        "character on a console.")
    parser.add_argument("file", nargs="?", type=Path, default=HERO,
                        help=f"{listed(SUFFIXES)} (the demo character)")
    parser.add_argument("--output", type=Path, default=Path("build/demo"))
    parser.add_argument("--tolerance", default="1mm")
    parser.add_argument("--target", default="gba")
    arguments = parser.parse_args(argv)

    def run() -> int:
        target = load_target(arguments.target)
        run_demo(arguments.file, arguments.output, arguments.tolerance)
        show(arguments.file, target, arguments.output, _settings_of(arguments.file, arguments.tolerance))
        _print_next_steps(arguments.file, arguments.output, arguments.tolerance)
        sys.stdout.flush()
        return 0

    return guarded(run, argv is None)


if __name__ == "__main__":
    sys.exit(main())
