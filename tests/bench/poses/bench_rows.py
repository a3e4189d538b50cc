"""Instructions per row on a Cortex-M4, by codec, on the clips of ../shared/corpus:
`scons bench-rows`.

Each corpus is encoded into a bank per codec at 1 mm, generated, built for mps2_an386 and played in
QEMU, which counts instructions exactly: without the platform's assembler for key rows, and with it
(OSC_FAST_ROWS). Entering a segment of the transform codec is counted apart
from the rows that only evaluate one.
"""
from __future__ import annotations

import argparse
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
SHARED = ROOT.parent / "shared"
sys.dont_write_bytecode = True
sys.path[:0] = [str(ROOT / folder) for folder in ("codegen", "tests/bench")]

from bench_inputs import SMALLEST, files_of_corpora  # noqa: E402
from bench_output import write_csv  # noqa: E402
from ossicle.reporting import console as report  # noqa: E402
from ossicle.reporting.tables import Table, console  # noqa: E402
from ossicle import machines  # noqa: E402
from ossicle.cli.main import PROBLEMS  # noqa: E402
from ossicle.generate.code import Code
from ossicle.generate.emit import generate  # noqa: E402
from ossicle.encoding.encoder import encode_clips  # noqa: E402
from ossicle.importers.importer import read_clips  # noqa: E402
from ossicle.model.lengths import Tolerance  # noqa: E402
from ossicle.model.clip import Imported  # noqa: E402
from ossicle.model.import_options import ImportOptions  # noqa: E402
from ossicle.encoding.settings import Settings  # noqa: E402
from ossicle.machines import CodecCost  # noqa: E402

CODECS = ("curve", "delta", "transform", "auto")
TARGET = "mps2_an386"
TOLERANCE_MM = 1.0
RUN_SECONDS = 600.0


@dataclass(frozen=True)
class Row:
    """The clips of one bank with one codec. choice: what the encoder was told; fast: with
    OSC_FAST_ROWS; cost: instructions per row, in total with the codec "all"."""

    corpus: str
    choice: str
    fast: bool
    cost: CodecCost

    def cells(self) -> dict[str, object]:
        """The columns of rows.csv."""
        return {"corpus": self.corpus, "choice": self.choice, "fast": int(self.fast), **asdict(self.cost)}


def measure(corpus: str, choice: str, imported: Imported, folder: Path) -> list[Row]:
    """Encodes a corpus and plays it on the emulated board; files go to `folder`."""
    settings = Settings(tolerance=Tolerance(metres=TOLERANCE_MM / 1e3), codec=choice)
    result = encode_clips(imported, settings)
    bank = folder / "bank.ossb"
    bank.write_bytes(result.bank)
    generate(bank, folder / "generated", Code("character", embed=True))
    codecs = [clip.codec for clip in result.clips]
    rows = []
    for fast in (False, True):
        firmware = machines.build(TARGET, folder / "generated", folder / f"built{int(fast)}",
                                  tested=machines.load_target(TARGET).with_fast_rows(fast))
        played = machines.run(firmware, timeout_s=RUN_SECONDS)
        found = machines.codec_costs(played.clip_costs, codecs)
        if len(found) > 1:
            found += machines.codec_costs(played.clip_costs, ["all"] * len(codecs))
        rows += [Row(corpus, choice, fast, cost) for cost in found]
    return rows


def print_table(rows: list[Row]) -> None:
    """One line a codec of a bank."""
    table = Table([("corpus", "left"), ("--codec", "left"), ("rows", "left"), *report.COST_COLUMNS])
    for row in rows:
        table.add_row(row.corpus, row.choice, "fast" if row.fast else "plain", *report.cost_cells(row.cost))
    console().print(table)


def bench(output: Path, smallest: bool) -> None:
    """Measures all available characters, prints the table and writes rows.csv to the folder `output`."""
    rows: list[Row] = []
    for corpus, paths in files_of_corpora(SHARED, smallest).items():
        imported = read_clips(paths, ImportOptions())
        with report.progress_bar(f"{corpus} on {TARGET}") as progress:
            for done, choice in enumerate(CODECS):
                progress(done, len(CODECS), choice)
                with tempfile.TemporaryDirectory() as folder:
                    rows += measure(corpus, choice, imported, Path(folder))
    if rows:
        print(f"instructions per row on {TARGET}, clips at {TOLERANCE_MM:g} mm")
        print_table(rows)
        write_csv([row.cells() for row in rows], output / "rows.csv")
        print(f"wrote {output / 'rows.csv'}")


def main(argv: list[str] | None = None) -> int:
    """The command line; 0, or 1 after one line on stderr."""
    parser = argparse.ArgumentParser(prog="bench_rows.py", description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=Path("build/bench"), metavar="DIR")
    parser.add_argument("--smallest", action="store_true", help=SMALLEST)
    arguments = parser.parse_args(argv)
    try:
        bench(arguments.output, arguments.smallest)
    except (*PROBLEMS, OSError) as problem:
        print(f"bench_rows.py: {problem}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
