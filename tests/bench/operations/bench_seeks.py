"""Costs of frames in order and at random: `scons bench`.

A bank is generated in the layout of each target, each clip is played forward at 60 Hz, and poses at positions at random
are decoded, equally many in each clip. Prints, and writes to seeks.csv, the average cost of a tick and of a seek, with
the local pose there: instructions, or cycles on targets that count those. Without banks, these are encoded at 1 mm with
each scheme of SCHEMES: the Knight of ../shared/corpus, all of its clips and two of them alone, a motion capture from
there, and characters of toolbox_character.py; or with --smallest the demo character. The table also shows what other
libraries take for the same clips (peers.toml)."""
from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
CORPUS = ROOT.parent / "shared/corpus"
sys.dont_write_bytecode = True
sys.path[:0] = [str(ROOT / folder) for folder in ("codegen", "tests/bench")]

import peers  # noqa: E402
from bench_inputs import SMALLEST  # noqa: E402
from bench_output import write_csv  # noqa: E402
from ossicle import machines  # noqa: E402
from ossicle.bank.file import read_bank  # noqa: E402
from ossicle.cli.main import PROBLEMS  # noqa: E402
from ossicle.compare.comparison import Comparison  # noqa: E402
from ossicle.config.project import read_project  # noqa: E402
from ossicle.encoding.encoder import encode_clips  # noqa: E402
from ossicle.encoding.settings import Settings  # noqa: E402
from ossicle.generate.code import Code  # noqa: E402
from ossicle.generate.emit import generate  # noqa: E402
from ossicle.importers.importer import read_clips  # noqa: E402
from ossicle.model.import_options import ImportOptions  # noqa: E402
from ossicle.model.lengths import Tolerance  # noqa: E402
from ossicle.reporting import console as report  # noqa: E402
from ossicle.reporting.tables import Table, console  # noqa: E402
from ossicle.model.clip import Imported  # noqa: E402
from toolbox import NAME, Seeks, build, play_seeks  # noqa: E402
from toolbox_character import FACE, SCALING, imported  # noqa: E402
from tools.demo import HERO, HERO_PROJECT  # noqa: E402

SCHEMES = ("transform", "delta", "acl-2017", "auto")  # codecs and presets
# Of the corpus: the name of the character, its file, and the clips that are also encoded alone.
FILES = (("Knight", "Knight.glb", ("Walking_A", "Sit_Floor_Idle")),
         ("bandai walk_normal_001", "bandai/dataset-1_walk_normal_001.bvh", ()))
GENERATED = (SCALING, FACE)
TOLERANCE = Tolerance(metres=1e-3)
CHOSEN = ("host_sse41", "host_avx2", "virt_aarch64")


@dataclass(frozen=True)
class Row:
    """A bank on a target. forward, seek: average instructions, or cycles, of a tick forward at 60 Hz, and of a seek to
    a random position, both with the local pose there; player_bytes: of RAM; hash: of all poses."""

    bank: str
    codec: str
    clips: int
    bytes: int
    target: str
    player_bytes: int
    forward: int
    seek: int
    hash: int


def read_sources(smallest: bool) -> Iterator[tuple[str, Imported]]:
    """The names and clips of the characters. Prints a line for each file of the corpus that is missing."""
    if smallest:
        yield "hero", read_clips([HERO], read_project(HERO_PROJECT).settings.importing)
        return
    for name, file, alone in FILES:
        if not (CORPUS / file).is_file():
            print(f"no ../shared/corpus/{file} beside the checkout; left out")
            continue
        source = read_clips([CORPUS / file], ImportOptions())
        yield name, source
        for clip in alone:
            yield f"{name} {clip}", replace(source, clips=[found for found in source.clips if found.name == clip])
    for character in GENERATED:
        yield character.name, imported(character)


def encode_all(folder: Path, smallest: bool) -> Iterator[tuple[str, str, Path]]:
    """Names, schemes and banks of the characters."""
    for number, (name, source) in enumerate(read_sources(smallest)):
        for scheme in SCHEMES:
            path = folder / f"{number}-{scheme}.ossb"
            settings = Comparison(Settings(), (scheme,), (TOLERANCE,)).settings_of(scheme, TOLERANCE)
            path.write_bytes(encode_clips(source, settings).bank)
            yield name, scheme, path


def measure(bank: Path, target: str, folder: Path) -> Seeks:
    """The costs of a bank on a target."""
    generate(bank, folder, Code(NAME, embed=True, unroll=machines.load_target(target).unroll))
    return play_seeks(build(target, folder, folder, main="seeks_main.c"))


def peer_rows(names: Sequence[str], banks: Sequence[str]) -> Iterator[tuple[str, str, str, str, str]]:
    """What other libraries take for these banks: bank, library, target, forward and at random."""
    for target in names:
        forward, random = peers.costs("forward", target), peers.costs("random", target)
        for library, name in peers.versions().items():
            for bank in banks:
                costs = [costs.get(library, {}).get(bank) for costs in (forward, random)]
                if any(costs):
                    yield bank, name, target, *("" if cost is None else f"{cost:,}" for cost in costs)


def print_table(rows: Sequence[Row]) -> None:
    """A bank on a target a line, and those of other libraries below."""
    table = Table([("bank", "left"), ("codec", "left"), ("clips", "right"), ("bytes", "right"),
                   ("target", "left"), ("player", "right"), ("forward", "right"), ("seek", "right")])
    for row in rows:
        table.add_row(row.bank, row.codec, *(f"{value:,}" for value in (row.clips, row.bytes)), row.target,
                      *(f"{value:,}" for value in (row.player_bytes, row.forward, row.seek)))
    for bank, library, target, *costs in peer_rows(list(dict.fromkeys(row.target for row in rows)),
                                                   list(dict.fromkeys(row.bank for row in rows))):
        table.add_row(bank, library, "", "", target, "", *costs)
    console().print(table)
    print("player: bytes of RAM; forward, seek: instructions of a tick at 60 Hz and of a seek to a random position, on "
          "average, with the local pose there")


def bench(output: Path, names: Sequence[str], banks: Sequence[Path], smallest: bool) -> None:
    """Measures, prints and writes seeks.csv to the folder `output`."""
    rows = []
    with tempfile.TemporaryDirectory() as temporary, report.progress_bar("measuring seeks") as progress:
        folder = Path(temporary)
        chosen = [(path.name, "", path) for path in banks] or list(encode_all(folder, smallest))
        for number, (name, scheme, bank) in enumerate(chosen):
            clips = len(read_bank(bank).clips)
            for target in names:
                found = measure(bank, target, folder / f"{number}-{target}")
                rows.append(Row(name, scheme, clips, bank.stat().st_size, target, found.player_bytes, found.forward,
                                found.seek, found.hash))
                progress(len(rows), len(chosen) * len(names), f"{name} {scheme} on {target}")
    print_table(rows)
    write_csv([asdict(row) for row in rows], output / "seeks.csv")
    print(f"wrote {output / 'seeks.csv'}")


def main(argv: list[str] | None = None) -> int:
    """The command line; 0, or 1 after one line on stderr."""
    parser = argparse.ArgumentParser(prog="bench_seeks.py", description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=Path("build/bench"), metavar="DIR")
    parser.add_argument("--target", action="append", default=[], metavar="T",
                        help=f"a target to measure, repeatable ({', '.join(CHOSEN)})")
    parser.add_argument("--smallest", action="store_true", help=SMALLEST)
    parser.add_argument("banks", nargs="*", type=Path, metavar="BANK")
    arguments = parser.parse_args(argv)
    supported = machines.list_supported_targets()
    try:
        bench(arguments.output, arguments.target or [name for name in CHOSEN if name in supported], arguments.banks,
              arguments.smallest)
    except (*PROBLEMS, OSError) as problem:
        print(f"bench_seeks.py: {problem}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
