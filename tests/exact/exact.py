"""The promise of the same bits everywhere: `scons exact`.

Characters and the sample are played, and operations on poses are done, on every target, compiled by gcc and by clang
from -O0 to -O3; all hashes have to be equal. TARGETS names some of the targets for a shorter run; the host is always
among them.
"""
from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from zlib import crc32

ROOT = Path(__file__).resolve().parents[2]
CORPUS = ROOT.parent / "shared/corpus"
sys.dont_write_bytecode = True
sys.path[:0] = [str(ROOT / "codegen"), str(ROOT / "tests/bench/operations"), str(ROOT / "tests/sample")]

from ossicle.reporting import console as report  # noqa: E402
from ossicle.reporting.tables import Table, console  # noqa: E402
from ossicle.cli.main import PROBLEMS  # noqa: E402
from tools.demo import HERO, HERO_PROJECT  # noqa: E402
from ossicle.generate.code import Code
from ossicle.generate.emit import generate  # noqa: E402
from ossicle.encoding.encoder import encode  # noqa: E402
from ossicle.config.project import read_project  # noqa: E402
from ossicle.encoding.settings import Settings  # noqa: E402
from ossicle.machines import (  # noqa: E402
    DoesNotFit, RunResult, TargetError, list_supported_targets, load_target, run,
)
from ossicle.machines.firmware import build, compile_runtime  # noqa: E402
from tools.variants import LEVELS, Variant, list_variants  # noqa: E402
from play_sample import build as build_sample  # noqa: E402
from play_sample import play as play_sample  # noqa: E402
from play_sample import write_character  # noqa: E402
from toolbox import build as build_toolbox  # noqa: E402
from toolbox import play as play_toolbox  # noqa: E402
from toolbox import write_sources  # noqa: E402
from toolbox_table import OPERATIONS  # noqa: E402

RUN_SECONDS = 600.0
REFERENCE = "host"
SAMPLE_TICKS = 1000


@dataclass(frozen=True)
class Character:
    """Generated code with its bank in `folder`, and the names of the bank's clips; or the toolbox, with
    the names of its operations; or the sample, with one name for its session."""

    name: str
    folder: Path
    clips: tuple[str, ...]
    toolbox: bool = False
    sample: bool = False

    def play(self, variant: Variant, folder: Path, runtime: Sequence[Path]) -> RunResult:
        """Builds and runs its program. Raises TargetError."""
        machine = variant.machine()
        if self.toolbox:
            program = build_toolbox(variant.target, self.folder, folder, machine, runtime, jobs=1)
            played = play_toolbox(program, OPERATIONS, count=False, timeout_s=RUN_SECONDS)
            hashes = [operation.hash for operation in played]
            return RunResult(hashes, len(hashes), crc32(b"".join(hashed.to_bytes(4, "little") for hashed in hashes)))
        if self.sample:
            target = load_target(variant.target)
            image = build_sample(target, self.folder, folder, SAMPLE_TICKS, tested=machine, runtime=runtime)
            printed = play_sample(target, image).printed["hash"]
            return RunResult([int(printed, 16)], SAMPLE_TICKS, int(printed, 16))
        program = build(variant.target, self.folder, folder, tested=machine, runtime=runtime)
        return run(program, RUN_SECONDS, count=False)


@dataclass(frozen=True)
class Outcome:
    """Output of a program, or why there is none; `fits` is False if the target is too small for the character."""

    character: str
    variant: Variant
    result: RunResult | None = None
    problem: str = ""
    fits: bool = True


def make_characters(out: Path, corpus: Path = CORPUS) -> list[Character]:
    """Encodes and generates the demo character in both layouts, and what is there of the corpus:
    together they need all codecs."""
    demo = read_project(HERO_PROJECT).settings
    sources = [
        ("demo", [HERO], demo, "full"),
        ("demo loops", [HERO], demo, "loop"),
        ("demo velocity", [HERO], Settings(codec="velocity"), "full"),
        ("demo sparse", [HERO], Settings().with_preset("riot-2015-centripetal", "exact"), "full"),
        ("demo dense", [HERO], Settings().with_preset("acl-2017", "exact"), "loop"),
        ("Knight", sorted(corpus.glob("Knight.glb")), Settings(effort="fast"), "full"),
        ("bandai", sorted(corpus.glob("bandai/*.bvh")), Settings(codec="curve", effort="fast"), "loop"),
    ]
    characters = []
    for name, paths, settings, layout in sources:
        if not paths:
            print(f"{name}: not in ../shared/corpus beside the checkout; left out")
            continue
        folder = out / name.replace(" ", "_")
        folder.mkdir()
        result = encode(paths, settings)
        (folder / "character.ossb").write_bytes(result.bank)
        generate(folder / "character.ossb", folder, Code("character", embed=True, unroll=[layout]))
        codecs = sorted({clip.codec for clip in result.clips})
        print(f"{name}: {len(result.clips)} clips, {len(result.bank):,} bytes, {', '.join(codecs)}")
        characters.append(Character(name, folder, tuple(clip.name for clip in result.clips)))
    for layout in ("full", "loop"):
        folder = out / f"toolbox_{layout}"
        names = tuple(operation.name for operation in OPERATIONS)
        write_sources(OPERATIONS, folder, [layout])
        print(f"toolbox {layout}: {len(OPERATIONS)} operations")
        characters.append(Character(f"toolbox {layout}", folder, names, toolbox=True))
    write_character(out / "sample")
    print(f"sample: {SAMPLE_TICKS:,} ticks")
    characters.append(Character("sample", out / "sample", ("session",), sample=True))
    return characters


def play(variant: Variant, characters: Sequence[Character]) -> list[Outcome]:
    """Compiles the runtime once and plays every character with it."""
    outcomes = []
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        try:
            runtime = compile_runtime(variant.machine(), here / "runtime", jobs=1)
        except TargetError as problem:
            return [Outcome(each.name, variant, problem=str(problem)) for each in characters]
        for number, each in enumerate(characters):
            try:
                outcomes.append(Outcome(each.name, variant, each.play(variant, here / str(number), runtime)))
            except DoesNotFit as problem:
                outcomes.append(Outcome(each.name, variant, problem=str(problem), fits=False))
            except TargetError as problem:
                outcomes.append(Outcome(each.name, variant, problem=str(problem)))
    return outcomes


def play_all(variants: Sequence[Variant], characters: Sequence[Character], jobs: int,
             progress: Callable[[int, int, str], None]) -> list[Outcome]:
    """The outcomes in the order of the variants, `jobs` of them at a time."""
    outcomes: list[Outcome] = []
    with ThreadPoolExecutor(jobs) as pool:
        found = pool.map(lambda variant: play(variant, characters), variants)
        for done, (variant, some) in enumerate(zip(variants, found, strict=True)):
            outcomes += some
            progress(done + 1, len(variants), str(variant))
    return outcomes


def find_differences(character: Character, outcomes: Sequence[Outcome]) -> list[str]:
    """One line for each program that failed or whose poses are not those of the first, which names
    the first clip that differs."""
    lines = [f"{character.name}: {each.variant}: {each.problem}" for each in outcomes if each.problem and each.fits]
    ran = [each for each in outcomes if each.result is not None]
    if not ran:
        return lines or [f"{character.name}: does not fit anywhere"]
    first = ran[0]
    for other in ran[1:]:
        if other.result.total_hash == first.result.total_hash:
            continue
        clip, ours, theirs = next(
            ((name, a, b) for name, a, b in zip(character.clips, first.result.hashes,
                                                other.result.hashes, strict=True) if a != b),
            ("(none, only the total)", first.result.total_hash, other.result.total_hash))
        what = "operation" if character.toolbox else "clip"
        lines.append(f"{character.name}: {what} {clip}: pose hash {ours:08x} on {first.variant}, "
                     f"{theirs:08x} on {other.variant}")
    return lines


def print_table(character: Character, outcomes: Sequence[Outcome]) -> None:
    """A line for each target and compiler, a hash for each level."""
    table = Table([("target", "left"), ("platform", "left"), ("compiler", "left"),
                   *((level, "left") for level in LEVELS)])
    cells = {each.variant: _cell(each) for each in outcomes}
    for target, compiler in dict.fromkeys((each.target, each.compiler) for each in cells):
        table.add_row(target, load_target(target).platform, compiler,
                      *(cells.get(Variant(target, compiler, level), "") for level in LEVELS))
    screen = console()
    screen.print()
    screen.print(character.name)
    screen.print(table)


def _cell(outcome: Outcome) -> str:
    if outcome.result is not None:
        return f"{outcome.result.total_hash:08x}"
    return "fails" if outcome.fits else "does not fit"


def check(names: Sequence[str], jobs: int) -> int:
    """Plays everything on these targets and prints the results; 1 if anything differs."""
    variants = list_variants(names)
    with tempfile.TemporaryDirectory() as folder:
        characters = make_characters(Path(folder))
        with report.progress_bar("compiling and playing") as progress:
            outcomes = play_all(variants, characters, jobs, progress)
    differences: list[str] = []
    for character in characters:
        own = [each for each in outcomes if each.character == character.name]
        print_table(character, own)
        differences += find_differences(character, own)
    if differences:
        for line in differences:
            print(f"exact.py: {line}", file=sys.stderr)
        return 1
    count = sum(each.result is not None for each in outcomes)
    print(f"All pose hashes are equal in {count} programs, {len(names)} targets.")
    return 0


def chosen_targets(text: str) -> list[str]:
    """The targets in a list with commas, all that this computer supports for an empty one."""
    supported = list_supported_targets()
    if not text:
        return [REFERENCE, *(name for name in supported if name != REFERENCE)]
    names = [REFERENCE]
    for name in text.split(","):
        machine = load_target(name)
        if machine.unsupported:
            raise TargetError(machine.unsupported)
        if name not in names:
            names.append(name)
    return names


def main(argv: list[str] | None = None) -> int:
    """The command line; 0, or 1 after the differences, one a line on stderr."""
    parser = argparse.ArgumentParser(prog="exact.py", description=__doc__.splitlines()[0])
    parser.add_argument("--targets", default="", metavar="NAME,...")
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args(argv)
    try:
        return check(chosen_targets(arguments.targets), arguments.jobs)
    except (*PROBLEMS, OSError) as problem:
        print(f"exact.py: {problem}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
