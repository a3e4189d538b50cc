"""Streaming tiers on devices: `scons bench-stream`.

Every corpus of ../shared/corpus is encoded with tiers and played by tests/targets/programs/stream.c, with its base in
flash, its tiers on a serial flash of 25 MHz, and 12 KB of RAM for clips: when each clip starts, when it is as fine as
it gets, and what streaming takes of a frame. Then rows of the demo character and of the corpora are counted on a
Cortex-M4 without tiers, with attached ones, and with streamed ones (programs/tier_rows.c). With --before CHECKOUT, an
earlier version of the project, built by `scons host`, plays banks without tiers, too: what these pay for tiers.
Prints tables, and writes all numbers to stream.csv.
"""
from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
HERE = Path(__file__).resolve().parent
SHARED = ROOT.parent / "shared"
sys.dont_write_bytecode = True
sys.path[:0] = [str(ROOT / folder) for folder in ("codegen", "tests/bench", "tests/support", "tests/targets")]

from bench_inputs import SMALLEST, files_of_corpora  # noqa: E402
from bench_output import write_csv  # noqa: E402
from ossicle.bank.file import read_bank  # noqa: E402
from ossicle.base.problem import SettingProblem  # noqa: E402
from tools.demo import HERO  # noqa: E402
from ossicle.cli.main import PROBLEMS  # noqa: E402
from ossicle.encoding.encoder import encode_clips  # noqa: E402
from ossicle.encoding.settings import Settings, parse_block  # noqa: E402
from ossicle.encoding.tiers.sizes import TierTargets, parse_tiers  # noqa: E402
from ossicle.importers.importer import read_clips  # noqa: E402
from ossicle.model.clip import Imported  # noqa: E402
from ossicle.model.import_options import ImportOptions  # noqa: E402
from ossicle.model.lengths import Tolerance  # noqa: E402
from ossicle.reporting.tables import Table, console  # noqa: E402
from ossicle.machines import DoesNotFit  # noqa: E402
from stream_program import CLOCKS, Rows, Streamed, rows, stream  # noqa: E402

TOLERANCE, TIERS = Tolerance(metres=1e-3), ["8mm", "3mm"]
DEVICES = ("gba", "pico", "microbit")
ROW_TARGET, ROW_CODECS = "mps2_an386", ("delta", "curve", "transform")
RUN_SECONDS = 600.0


@dataclass(frozen=True)
class Number:
    """A line of stream.csv. part: "start" (programs/stream.c), "rows" (programs/tier_rows.c), or "now" and "before",
    banks without tiers as this and the earlier version play them."""

    part: str
    corpus: str
    target: str
    codec: str
    measure: str
    value: float | None


def written(imported: Imported, codec: str, tiers: TierTargets, path: Path, **settings: object) -> Path:
    """Encodes clips to a bank."""
    settings = Settings(tolerance=TOLERANCE, codec=codec, tiers=tiers, optimise="bank", **settings)
    path.write_bytes(encode_clips(imported, settings).bank)
    return path


def of_starts(corpus: str, target: str, bank_path: Path, played: Streamed) -> Iterator[Number]:
    """The figures of a corpus on a device: milliseconds, cycles, bytes, frames."""
    hz, _ = CLOCKS[target]
    bank = read_bank(bank_path)
    chunks = [4 * chunk.words for tier in bank.tiers for chunk in tier.chunks]
    values: dict[str, float] = {"clips": len(bank.clips), "base_bytes": bank.size_bytes - sum(chunks),
                                "tier_bytes": sum(chunks), "largest_chunk_bytes": max(chunks),
                                "ram_bytes": played.numbers["ram"]}
    scales = {"first": 1e3 / hz, "full_us": 1e-3, "frame": 1e3 / hz, "update": 1, "steady": 1}
    for name, scale in scales.items():
        column = played.column(name)
        unit = "cycles" if scale == 1 else "ms"
        values[f"{name.removesuffix('_us')}_{unit}"] = scale * sum(column) / len(column)
        values[f"{name.removesuffix('_us')}_{unit}_worst"] = scale * max(column)
    values |= {"late_frames": sum(played.column("late")), "differ": played.numbers["differ"]}
    return (Number("start", corpus, target, "auto", measure, round(value, 3)) for measure, value in values.items())


def measure_starts(corpus: str, bank: Path, folder: Path) -> Iterator[Number]:
    """Plays a bank on all devices that have room for it."""
    for target in DEVICES:
        try:
            played = stream(bank, target, folder / target, RUN_SECONDS)
        except DoesNotFit as problem:
            print(f"{corpus} on {target}: {problem}; left out")
            continue
        yield from of_starts(corpus, target, bank, played)


def of_rows(corpus: str, codec: str, mode: str, counted: Rows) -> Iterator[Number]:
    """Instructions of rows by one measure."""
    yield Number("rows", corpus, ROW_TARGET, codec, f"{mode}_row", round(counted.seek_average, 1))
    if counted.streaming:
        yield Number("rows", corpus, ROW_TARGET, codec, f"{mode}_follow_and_update",
                     round(counted.streaming_average, 1))


def measure_rows(corpus: str, imported: Imported, codec: str, folder: Path) -> Iterator[Number]:
    """Plays the same clips without tiers, and as versions of a tier. The poses have to be the same, so that no clip is
    divided: a block is encoded as a clip of its own, whose bits differ from those of the same frames in a whole
    clip."""
    plain = written(imported, codec, TierTargets(), folder / "plain.ossb")
    tiered = written(imported, codec, parse_tiers(TIERS[:1], "tiers"), folder / "tiers.ossb",
                     tier_block_log2=parse_block(0, "tier_block"))
    without = rows(plain, ROW_TARGET, folder / "plain", RUN_SECONDS)["base"]
    found = rows(tiered, ROW_TARGET, folder / "tiers", RUN_SECONDS)
    for mode in ("attached", "streamed"):
        if found[mode].poses != without.poses:
            raise SettingProblem(f"{corpus} with {codec}: {mode} tiers play other poses than a bank without tiers")
    modes = {"without": without, **{mode: found[mode] for mode in ("attached", "streamed")}}
    for mode, counted in modes.items():
        yield from of_rows(corpus, codec, mode, counted)


def measure_checkout(part: str, checkout: Path) -> Iterator[Number]:
    """Banks without tiers, as a checkout plays them."""
    ran = subprocess.run([sys.executable, HERE / "checkout_rows.py", checkout], check=False, text=True,
                         capture_output=True)
    if ran.returncode != 0:
        raise SettingProblem(f"{checkout}: {(ran.stderr.splitlines() or ['no output'])[-1]}; build it with scons host")
    for line in ran.stdout.splitlines():
        found = json.loads(line)
        for measure in ("row", "flash"):
            yield Number(part, found["corpus"], found["target"], found["codec"], measure, round(found[measure], 1))


def print_part(numbers: Sequence[Number], parts: Sequence[str], title: str) -> None:
    """A table with a line for each measure, and a column for each corpus, target and codec."""
    chosen = [number for number in numbers if number.part in parts]
    if not chosen:
        return
    print(title)
    keys = list(dict.fromkeys((item.corpus, item.target, item.codec) for item in chosen))
    lines = list(dict.fromkeys((item.part, item.measure) for item in chosen))
    values = {(item.part, item.measure, item.corpus, item.target, item.codec): item.value for item in chosen}
    table = Table([("", "left"), *((" ".join(key), "right") for key in keys)])
    for part, measure in lines:
        name = measure if len(parts) == 1 else f"{part} {measure}"
        cells = (values.get((part, measure, *key)) for key in keys)
        table.add_row(name, *("" if cell is None else f"{cell:,.10g}" for cell in cells))
    console().print(table)


def bench(output: Path, before: Path | None, smallest: bool) -> None:
    """Measures all available characters, prints the tables and writes stream.csv to the folder `output`."""
    corpora = {corpus: read_clips(paths, ImportOptions())
               for corpus, paths in files_of_corpora(SHARED, smallest).items()}
    numbers: list[Number] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for corpus, imported in corpora.items():
            (folder / corpus).mkdir()
            bank = written(imported, "auto", parse_tiers(TIERS, "tiers"), folder / corpus / "bank.ossb")
            numbers += measure_starts(corpus, bank, folder / corpus)
        for corpus, imported in {"hero": read_clips([HERO], ImportOptions()), **corpora}.items():
            for codec in ROW_CODECS:
                place = folder / f"{corpus}-{codec}"
                place.mkdir()
                numbers += measure_rows(corpus, imported, codec, place)
    if before is not None:
        for part, checkout in (("before", before), ("now", ROOT)):
            numbers += measure_checkout(part, checkout)
    print_part(numbers, ["start"], "clips that start with their base and stream from 25 MHz, tiers at "
               f"{', '.join(TIERS)} and 1mm")
    print_part(numbers, ["rows"], "instructions in steady play, of clips at 1 mm")
    print_part(numbers, ["before", "now"], "banks without tiers: instructions of a row, bytes of code and tables")
    write_csv([asdict(number) for number in numbers], output / "stream.csv")
    print(f"wrote {output / 'stream.csv'}")


def main(argv: list[str] | None = None) -> int:
    """The command line; 0, or 1 after one line on stderr."""
    parser = argparse.ArgumentParser(prog="bench_stream.py", description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=Path("build/bench"), metavar="DIR")
    parser.add_argument("--before", type=Path, metavar="CHECKOUT",
                        help="an earlier version of the project, to play banks without tiers")
    parser.add_argument("--smallest", action="store_true", help=SMALLEST)
    arguments = parser.parse_args(argv)
    try:
        bench(arguments.output, arguments.before, arguments.smallest)
    except (*PROBLEMS, OSError) as problem:
        print(f"bench_stream.py: {problem}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
