"""Compares the cost of a frame of play, from keys to matrices, with that of uncompressed layouts.

    bench_hierarchy.py --clip Walking_A Knight.glb
    bench_hierarchy.py --clip Walking_A --drop unweighted --target gba --target pico Knight.glb

Each file is a character. Its clips are encoded at 1 mm in one bank, once with the axes of the file and once with those
of the model (--joint-axes). One clip is played at 60 Hz from these banks and from the layouts that a programmer of a
small machine would write (naive_q14.h): 16-bit local keys with and without inverse bind matrices, 16-bit absolute keys
without a hierarchy, and baked matrices. Costs are cycles on targets that count them, otherwise instructions. Bytes are
those of all clips.
"""
from __future__ import annotations

import argparse
import sys
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.dont_write_bytecode = True
sys.path[:0] = [str(ROOT / folder) for folder in ("codegen", "tests/bench")]

from bench_output import write_csv  # noqa: E402
from naive_layouts import bytes_of, play  # noqa: E402
from ossicle import machines  # noqa: E402
from ossicle.bank.file import read_bank  # noqa: E402
from ossicle.base.problem import SettingProblem, nearest  # noqa: E402
from ossicle.cli.main import PROBLEMS  # noqa: E402
from ossicle.encoding.encoder import encode_clips  # noqa: E402
from ossicle.encoding.settings import Settings  # noqa: E402
from ossicle.generate.code import Code  # noqa: E402
from ossicle.generate.emit import generate  # noqa: E402
from ossicle.generate.placement import cold_codecs, place  # noqa: E402
from ossicle.importers.importer import read_clips  # noqa: E402
from ossicle.model.clip import Imported  # noqa: E402
from ossicle.model.import_options import ImportOptions  # noqa: E402
from ossicle.model.lengths import Tolerance  # noqa: E402
from ossicle.reporting.tables import Table, console  # noqa: E402

TOLERANCE = Tolerance(metres=1e-3)
RUN_SECONDS = 600.0
NAME = "character"
NAIVE = {"local": "16-bit local keys, skinning matrices", "model": "16-bit local keys, model matrices only",
         "absolute": "16-bit absolute keys, skinning matrices", "baked": "baked skinning matrices, copied"}


@dataclass(frozen=True)
class Case:
    """A layout of a character on a target. bytes: of all clips. average, worst: the cost of a frame, None where nothing
    is counted."""

    target: str
    character: str
    joints: int
    clip: str
    layout: str
    bytes: int
    average: int | None
    worst: int | None


def read(path: Path, options: ImportOptions, first: str | None) -> Imported:
    """Returns the clips of a file, with the clip to play first. Raises SettingProblem if the file lacks it."""
    imported = read_clips([path], options)
    names = [clip.name for clip in imported.clips]
    if first is not None and first not in names:
        raise SettingProblem(f"{path}: has no clip {first!r}" + nearest(first, names))
    return replace(imported, clips=sorted(imported.clips, key=lambda clip: clip.name != first))


def measure_bank(target: str, bank: Path, skinned: bool, folder: Path) -> tuple[int | None, int | None]:
    """Plays the first clip of a bank on a target. Returns the average and the worst cost of a frame."""
    machine = machines.load_target(target)
    read_as = read_bank(bank)
    parts = place(machine, (clip.codec for clip in read_as.clips), len(read_as.joints))
    matrices = (machine.matrices or "q20") if skinned else "none"
    generate(bank, folder / "generated", Code(NAME, embed=True, unroll=machine.unroll, matrices=matrices,
                                              cold=cold_codecs(parts)))
    played = machines.run(machines.build(target, folder / "generated", folder), timeout_s=RUN_SECONDS)
    cost = played.cycles or played.instructions
    return cost.get("play_average"), cost.get("play_worst")


def measure(path: Path, first: str | None, options: ImportOptions, codec: str, targets: list[str],
            folder: Path) -> list[Case]:
    """Measures a character; files go to `folder`."""
    cases = []
    imported = read(path, options, first)
    skeleton, clip = imported.skeleton, imported.clips[0]
    banks = {}
    for axes in ("source", "model"):
        for skinned in (True, False):
            name = f"ossicle {codec}, axes of the {axes}" + ("" if skinned else ", model matrices only")
            if axes == "model" and not skinned:
                continue
            chosen = imported if axes == "source" else read(path, replace(options, axes="model"), first)
            bank = folder / f"{axes}{skinned:d}.ossb"
            bank.write_bytes(encode_clips(chosen, Settings(tolerance=TOLERANCE, codec=codec, skinning=skinned)).bank)
            banks[name] = bank, skinned
    for target in targets:
        def case(layout: str, size: int, average: int | None, worst: int | None) -> Case:
            return Case(target, path.stem, len(skeleton.names), clip.name, layout, size, average, worst)
        for number, (name, (bank, skinned)) in enumerate(banks.items()):
            cases.append(case(name, bank.stat().st_size,
                              *measure_bank(target, bank, skinned, folder / f"{target}{number}")))
        for layout, played in play(target, clip, skeleton, folder / f"{target}_naive").items():
            cases.append(case(NAIVE[layout], bytes_of(imported.clips, layout), played.average, played.worst))
    return cases


def print_table(cases: list[Case]) -> None:
    """Prints a line for each case."""
    table = Table([("target", "left"), ("character", "left"), ("joints", "right"), ("clip", "left"),
                   ("layout", "left"), ("bytes", "right"), ("average", "right"), ("worst", "right")])
    for case in cases:
        table.add_row(case.target, case.character, str(case.joints), case.clip, case.layout, f"{case.bytes:,}",
                      *("-" if cost is None else f"{cost:,}" for cost in (case.average, case.worst)))
    console().print(table)


def main(argv: list[str] | None = None) -> int:
    """The command line; 0, or 1 after one line on stderr."""
    parser = argparse.ArgumentParser(prog="bench_hierarchy.py", description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--clip", help="the clip to play (default: the first)")
    parser.add_argument("--drop", action="append", default=[], metavar="JOINTS",
                        help="a pattern of joints to leave out, as for `encode`; repeatable")
    parser.add_argument("--codec", default="delta", help="the codec of the banks (default: delta)")
    parser.add_argument("--target", action="append", default=[], metavar="T",
                        help="a target to measure; repeatable (default: gba)")
    parser.add_argument("--output", type=Path, default=Path("build/bench"), metavar="DIR")
    arguments = parser.parse_args(argv)
    try:
        cases = []
        for path in arguments.files:
            with tempfile.TemporaryDirectory() as folder:
                cases += measure(path, arguments.clip, ImportOptions(drop=tuple(arguments.drop)), arguments.codec,
                                 arguments.target or ["gba"], Path(folder))
        print_table(cases)
        write_csv([vars(case) for case in cases], arguments.output / "hierarchy.csv")
    except (*PROBLEMS, OSError) as problem:
        print(f"bench_hierarchy.py: {problem}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
