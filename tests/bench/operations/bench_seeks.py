"""Costs of frames at random: `scons bench`.

A bank is generated in the layout of each target, and poses at positions at random are decoded, equally many in each
clip. Prints, and writes to seeks.csv, the average cost of a seek and the pose there: instructions, or cycles on targets
that count those. Without banks, the Knight of ../shared/corpus is encoded at 1 mm with each scheme of SCHEMES, all of
its clips and two of them alone, or with --smallest the demo character."""
from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
KNIGHT = ROOT.parent / "shared/corpus/Knight.glb"
sys.dont_write_bytecode = True
sys.path[:0] = [str(ROOT / folder) for folder in ("codegen", "tests/bench")]

from bench_inputs import SMALLEST  # noqa: E402
from bench_output import write_csv  # noqa: E402
from ossicle import machines  # noqa: E402
from ossicle.bank.file import read_bank  # noqa: E402
from ossicle.cli.main import PROBLEMS  # noqa: E402
from ossicle.compare.comparison import Comparison  # noqa: E402
from ossicle.config.project import read_project  # noqa: E402
from ossicle.encode.encoder import encode_clips  # noqa: E402
from ossicle.encode.settings import Settings  # noqa: E402
from ossicle.generate.code import Code  # noqa: E402
from ossicle.generate.emit import generate  # noqa: E402
from ossicle.importers.importer import read_clips  # noqa: E402
from ossicle.model.import_options import ImportOptions  # noqa: E402
from ossicle.model.lengths import Tolerance  # noqa: E402
from ossicle.report import console as report  # noqa: E402
from toolbox import NAME, build, play_seeks  # noqa: E402
from tools.demo import HERO, HERO_PROJECT  # noqa: E402

SCHEMES = ("transform", "delta", "acl-2017", "auto")  # codecs and presets
ALONE = ("Walking_A", "Sit_Floor_Idle")
TOLERANCE = Tolerance(metres=1e-3)
CHOSEN = ("host_sse41", "virt_aarch64")
# ACL (develop 0f855f01), all settings at their defaults, on x86 with SSE4.1, clip by clip
ACL = {"Walking_A": 9014, "Sit_Floor_Idle": 6400}


@dataclass(frozen=True)
class Row:
    """A bank on a target. seek: average instructions, or cycles, of a seek to a random position and the pose there;
    hash: of all poses."""

    bank: str
    codec: str
    clips: int
    bytes: int
    target: str
    seek: int
    hash: int


def encode_all(folder: Path, smallest: bool) -> Iterator[tuple[str, str, Path]]:
    """Names, schemes and banks of the Knight, or the demo character; none if the corpus is missing."""
    file, importing = (HERO, read_project(HERO_PROJECT).settings.importing) if smallest else (KNIGHT, ImportOptions())
    if not file.is_file():
        print(f"no ../shared/corpus/{file.name} beside the checkout; left out")
        return
    source = read_clips([file], importing)
    for name in ("",) if smallest else ("", *ALONE):
        chosen = replace(source, clips=[clip for clip in source.clips if name in ("", clip.name)])
        for scheme in SCHEMES:
            path = folder / f"{name}-{scheme}.ossb"
            settings = Comparison(Settings(), (scheme,), (TOLERANCE,)).settings_of(scheme, TOLERANCE)
            path.write_bytes(encode_clips(chosen, settings).bank)
            yield f"{file.stem} {name}".strip(), scheme, path


def measure(bank: Path, target: str, folder: Path) -> tuple[int, int]:
    """The average cost of a seek in a bank on a target, and the hash of its poses."""
    generate(bank, folder, Code(NAME, embed=True, unroll=machines.load_target(target).unroll))
    return play_seeks(build(target, folder, folder, main="seeks_main.c"))


def bench(output: Path, names: Sequence[str], banks: Sequence[Path], smallest: bool) -> None:
    """Measures, prints and writes seeks.csv to the folder `output`."""
    rows = []
    with tempfile.TemporaryDirectory() as temporary, report.progress_bar("measuring seeks") as progress:
        folder = Path(temporary)
        chosen = [(path.name, "", path) for path in banks] or list(encode_all(folder, smallest))
        for number, (name, scheme, bank) in enumerate(chosen):
            clips = len(read_bank(bank).clips)
            for target in names:
                seek, digest = measure(bank, target, folder / f"{number}-{target}")
                rows.append(Row(name, scheme, clips, bank.stat().st_size, target, seek, digest))
                progress(len(rows), len(chosen) * len(names), f"{name} {scheme} on {target}")
    table = report.table([("bank", "left"), ("codec", "left"), ("clips", "right"), ("bytes", "right"),
                          ("target", "left"), ("seek", "right")])
    for row in rows:
        table.add_row(row.bank, row.codec, *(f"{value:,}" for value in (row.clips, row.bytes)), row.target,
                      f"{row.seek:,}")
    report.console().print(table)
    print("seek: instructions of a seek to a random position and the pose there, on average; ACL on SSE4.1: "
          + ", ".join(f"{clip} {cost:,}" for clip, cost in ACL.items()))
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
