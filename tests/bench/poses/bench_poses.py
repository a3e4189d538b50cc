"""Costs of a pose on every target that counts: `scons bench`.

Each skeleton is encoded at 1 mm with the schemes of SCHEMES, generated in the layout of each target,
built and played. Prints, and writes to poses.csv: instructions, bytes of flash by part, worst-case
stack and RAM; where cycles are counted those of play, beside naive keyframes in 20.12 fixed point
(naive_q12.c); and on this computer nanoseconds, beside those of naive keyframes in floats
(naive_float.c), timed in turns by pose_time.c.
"""
from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
HERE = Path(__file__).resolve().parent
NAIVE = HERE.parent / "naive"
SHARED = ROOT.parent / "shared"
sys.dont_write_bytecode = True
sys.path[:0] = [str(ROOT / folder) for folder in ("codegen", "tests/bench", "tests/bench/naive")]

from bench_compare import changed_text, read_rows  # noqa: E402
from bench_inputs import SMALLEST  # noqa: E402
from bench_output import write_csv  # noqa: E402
from naive_keys import key_bytes, play  # noqa: E402
from ossicle.reporting import console as report  # noqa: E402
from ossicle.reporting.tables import Table, console  # noqa: E402
from ossicle import machines  # noqa: E402
from ossicle.cli.main import PROBLEMS  # noqa: E402
from ossicle.compare.comparison import Comparison  # noqa: E402
from tools.demo import HERO, HERO_PROJECT  # noqa: E402
from ossicle.bank.file import read_bank  # noqa: E402
from ossicle.generate.code import Code
from ossicle.generate.emit import generate  # noqa: E402
from ossicle.generate.placement import cold_codecs, place  # noqa: E402
from ossicle.encoding.encoder import encode_clips  # noqa: E402
from ossicle.importers.importer import read_clips  # noqa: E402
from ossicle.model.lengths import Tolerance  # noqa: E402
from ossicle.model.clip import Imported  # noqa: E402
from ossicle.model.import_options import ImportOptions  # noqa: E402
from ossicle.base.problem import SettingProblem, nearest  # noqa: E402
from ossicle.config.project import read_project  # noqa: E402
from ossicle.encoding.settings import Settings  # noqa: E402
from ossicle.machines import Target, TargetError  # noqa: E402
from ossicle.machines.tools import checked_tool  # noqa: E402

SCHEMES = ("transform", "delta", "curve", "acl-2017")  # codecs and presets
# Of the corpus: the name that is printed, the file, the clip, and the joints that are left out.
CORPUS = (("Knight Walking_A", "corpus/Knight.glb", "Walking_A", ()),
          ("Knight Walking_A, weighted", "corpus/Knight.glb", "Walking_A", ("unweighted",)),
          ("bandai walk_normal_001", "corpus/bandai/dataset-1_walk_normal_001.bvh",
           "dataset-1_walk_normal_001", ()))
TOLERANCE = Tolerance(metres=1e-3)
NAME = "character"
RUN_SECONDS = 600.0
JOBS = 2  # targets at once

COST_COLUMNS = ("evaluate", "compose", "skin", "row_average", "amortised", "cycles_play", "cycles_worst",
                "cycles_naive", "evaluate_ns", "compose_ns", "play_ns", "naive_ns")
BYTE_COLUMNS = ("bank_bytes", "naive_bytes", "flash_bytes", "runtime_bytes", "evaluate_bytes", "compose_bytes",
                "table_bytes", "stack_bytes", "ram_bytes")


@dataclass(frozen=True)
class Row:
    """One character on one target.

    evaluate, compose, skin, row_average: instructions of a pose, its model matrices, its skinning
    matrices (None where the source has no inverse bind matrices), and a row, or cycles on targets
    that count those; amortised: of a pose at 60 Hz of a clip at 30 Hz, which is evaluate and half a
    row. cycles_play, cycles_worst: the average and the largest number of cycles of a frame of play
    at 60 Hz (seek, evaluate and skin), None on targets that count instructions; cycles_naive: the
    average with keyframes in 20.12 fixed point, of which all clips together take naive_bytes.
    flash_bytes: code and constants without the bank, of which runtime_bytes are neither those two
    functions nor their tables.
    stack_bytes: worst case of seek, evaluate and compose. *_ns: nanoseconds a pose, None where the
    target is not this computer; play is seeking and evaluating at 60 Hz, naive the same in floats.
    """

    skeleton: str
    codec: str
    target: str
    platform: str
    unroll: str
    joints: int
    evaluate: int
    compose: int
    skin: int | None
    row_average: int
    amortised: int
    bank_bytes: int
    naive_bytes: int
    flash_bytes: int
    runtime_bytes: int
    evaluate_bytes: int
    compose_bytes: int
    table_bytes: int
    stack_bytes: int
    ram_bytes: int
    cycles_play: int | None
    cycles_worst: int | None
    cycles_naive: int | None
    evaluate_ns: float | None
    compose_ns: float | None
    play_ns: float | None
    naive_ns: float | None


@dataclass(frozen=True)
class Character:
    """A bank to generate for each target; files of its targets go to `folder`."""

    skeleton: str
    codec: str
    source: Imported
    folder: Path

    @property
    def bank(self) -> Path:
        """The encoded clips."""
        return self.folder / "bank.ossb"

    @property
    def skinned(self) -> bool:
        """True if the bank has inverse bind matrices."""
        return self.source.skeleton.inverse_bind is not None


def read_sources(smallest: bool) -> list[tuple[str, Imported, Settings]]:
    """Returns the files to encode: the demo character and, unless `smallest`, those of CORPUS that ../shared has."""
    hero = read_project(HERO_PROJECT).settings
    found = [("demo hero", read_clips([HERO], hero.importing), replace(hero, max_ram_bytes=None))]
    for skeleton, file, name, drop in () if smallest else CORPUS:
        path = SHARED / file
        if not path.is_file():
            print(f"{skeleton}: no ../shared/{file} beside the checkout; left out")
            continue
        imported = read_clips([path], ImportOptions(drop=drop))
        clips = [clip for clip in imported.clips if clip.name == name]
        if not clips:
            raise SettingProblem(f"{path}: has no clip {name!r}; give the file that has it")
        found.append((skeleton, replace(imported, clips=clips), Settings()))
    return found


def encode_all(folder: Path, smallest: bool) -> list[Character]:
    """Every source with every scheme."""
    characters = []
    for skeleton, imported, settings in read_sources(smallest):
        comparison = Comparison(settings, SCHEMES, (TOLERANCE,))
        for scheme in SCHEMES:
            place = folder / f"{len(characters)}"
            place.mkdir()
            character = Character(skeleton, scheme, imported, place)
            chosen = comparison.settings_of(scheme, TOLERANCE)
            character.bank.write_bytes(encode_clips(imported, replace(chosen, skinning=character.skinned)).bank)
            characters.append(character)
    return characters


def counting_targets() -> list[str]:
    """The targets where instructions and stack are known: boards in an emulator, this computer."""
    boards = [machines.load_target(name) for name in machines.list_supported_targets()]
    return [machine.name for machine in boards if machine.writes_call_graphs
            and (machine.memory is not None or is_this_computer(machine))]


def is_this_computer(machine: Target) -> bool:
    """True if programs run here, without an emulator."""
    return machine.emulator is None


def choose_targets(names: Sequence[str]) -> list[str]:
    """The named targets, all by default; SettingProblem for one that does not count."""
    known = counting_targets()
    for name in names:
        if name not in known:
            raise SettingProblem(f"target {name!r} is none that counts instructions" + nearest(name, known))
    return list(names) or known


def measure(character: Character, target: str) -> Row:
    """Generates, builds and plays a character on one target."""
    machine = machines.load_target(target)
    here = character.folder / target
    bank = read_bank(character.bank)
    parts = place(machine, (clip.codec for clip in bank.clips), len(bank.joints))
    generate(character.bank, here / "generated", Code(
        NAME, embed=True, unroll=machine.unroll, matrices=machine.matrices if character.skinned else None,
        cold=cold_codecs(parts)))
    firmware = machines.build(target, here / "generated", here)
    played = machines.run(firmware, timeout_s=RUN_SECONDS)
    sizes, cost = machines.footprint(firmware), played.instructions or played.cycles
    skeleton, clips = character.source.skeleton, character.source.clips
    naive = play(target, clips[0], skeleton, here / "naive").average if played.cycles else None
    if "evaluate" not in cost:
        raise TargetError(f"target {target}: instructions were not counted; install valgrind")
    [pose] = [path for path in firmware.generated_objects if path.stem == f"{NAME}_pose"]
    parts = {part: machines.section_bytes(machine, pose, f"{NAME}_{part}") for part in ("evaluate", "compose")}
    generated = sum(code + tables for code, tables in parts.values())
    return Row(
        character.skeleton, character.codec, target, machine.platform,
        " ".join(machine.unroll) or "full", len(skeleton.names), cost["evaluate"], cost["compose"],
        cost.get("skin"), cost["row_average"], cost["evaluate"] + cost["row_average"] // 2,
        sizes.bank_bytes, key_bytes(clips), sizes.flash_code_bytes, sizes.flash_code_bytes - generated,
        parts["evaluate"][0], parts["compose"][0], sum(tables for _, tables in parts.values()),
        sizes.stack_bytes_worst, sizes.ram_bytes, played.cycles.get("play_average"),
        played.cycles.get("play_worst"), naive, None, None, None, None)


def time_poses(character: Character, row: Row) -> Row:
    """The row with the nanoseconds of a target that is this computer."""
    machine = machines.load_target(row.target)
    here = character.folder / row.target
    sources = [HERE / "pose_time.c", NAIVE / "naive_float.c", *here.glob(f"generated/{NAME}_*.c"),
               *(ROOT / "runtime").rglob("*.c")]
    image = here / "pose_time"
    checked_tool(
        [machine.compiler, *machine.flags, "-std=c99", *map(str, sorted(sources)),
         *(f"-I{path}" for path in (ROOT / "runtime", machine.platform_folder, NAIVE, here / "generated")),
         "-lm", "-o", str(image)], f"target {row.target}: pose_time does not compile")
    output = checked_tool([str(image)], f"target {row.target}: pose_time")
    times = {name: float(ns) for name, ns in (line.split() for line in output.splitlines())}
    return replace(row, **{f"{name}_ns": times[name] for name in ("evaluate", "compose", "play", "naive")})


def measure_all(characters: list[Character], names: list[str], progress: Callable[[int, int, str], None]) -> list[Row]:
    """One row for each character on each target; times are taken when nothing else runs."""
    jobs = [(character, name) for character in characters for name in names]
    rows = []
    with ThreadPoolExecutor(JOBS) as pool:
        for job, row in zip(jobs, pool.map(lambda job: measure(*job), jobs)):
            rows.append(row)
            progress(len(rows), len(jobs), f"{job[0].skeleton} on {job[1]}")
    return [time_poses(character, row)
            if is_this_computer(machines.load_target(row.target)) else row
            for (character, _), row in zip(jobs, rows)]


def print_tables(rows: list[Row], before: dict[tuple[str, ...], dict[str, str]] | None) -> None:
    """Costs and bytes of poses, with the changes since `before`."""
    for columns in (COST_COLUMNS, BYTE_COLUMNS):
        table = Table([("skeleton", "left"), ("codec", "left"), ("target", "left"),
                       *((column.replace("_", " "), "right") for column in columns)])
        for row in rows:
            cells = asdict(row)
            key = (row.skeleton, row.codec, row.target)
            table.add_row(*key, *(changed_text(column, cells[column], before, key) for column in columns))
        console().print(table)
        print()
    print("instructions of a pose (evaluate), its model and skinning matrices (compose, skin), a "
          "row,\nand a pose at 60 Hz of a clip at 30 Hz (amortised);\nns: nanoseconds a pose on "
          "this computer, medians; play: seek and evaluate at 60 Hz; naive: float keyframes;\ncycles "
          "of a frame of play with skinning matrices: on average, at most, and with naive keyframes in 20.12")


def bench(output: Path, names: list[str], compare: Path | None, smallest: bool) -> None:
    """Measures all available characters, prints tables and writes poses.csv to the folder `output`."""
    before = None if compare is None else read_rows(compare)
    chosen = choose_targets(names)
    with tempfile.TemporaryDirectory() as folder, report.progress_bar("measuring") as progress:
        rows = measure_all(encode_all(Path(folder), smallest), chosen, progress)
    print_tables(rows, before)
    write_csv([asdict(row) for row in rows], output / "poses.csv")
    print(f"wrote {output / 'poses.csv'}")


def main(argv: list[str] | None = None) -> int:
    """The command line; 0, or 1 after one line on stderr."""
    parser = argparse.ArgumentParser(prog="bench_poses.py", description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=Path("build/bench"), metavar="DIR")
    parser.add_argument("--target", action="append", default=[], metavar="T",
                        help="a target to measure, repeatable (all that count)")
    parser.add_argument("--compare", type=Path, metavar="OLD.csv", help="show what changed since this poses.csv")
    parser.add_argument("--smallest", action="store_true", help=SMALLEST)
    arguments = parser.parse_args(argv)
    try:
        bench(arguments.output, arguments.target, arguments.compare, arguments.smallest)
    except (*PROBLEMS, OSError) as problem:
        print(f"bench_poses.py: {problem}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
