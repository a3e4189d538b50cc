"""Time of the npm package: `scons bench-wasm`.

Encodes each corpus at 1 mm with each codec of CODECS, plays all frames of all clips in node, and prints, and writes to
wasm.csv, the milliseconds for key rows alone, with local transforms in floats, and with model matrices."""
from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
HERE = Path(__file__).resolve().parent
PACKAGE = ROOT / "build/web/ossicle/index.js"
sys.dont_write_bytecode = True
sys.path[:0] = [str(ROOT / folder) for folder in ("codegen", "tests/bench")]

from bench_inputs import SMALLEST, files_of_corpora  # noqa: E402
from bench_output import write_csv  # noqa: E402
from ossicle.cli.main import PROBLEMS  # noqa: E402
from ossicle.compare.comparison import Comparison  # noqa: E402
from ossicle.encoding.encoder import encode_clips  # noqa: E402
from ossicle.encoding.settings import Settings  # noqa: E402
from ossicle.importers.importer import read_clips  # noqa: E402
from ossicle.machines.tools import checked_tool  # noqa: E402
from ossicle.model.import_options import ImportOptions  # noqa: E402
from ossicle.model.lengths import Tolerance  # noqa: E402
from ossicle.reporting.tables import Table, console  # noqa: E402

CODECS = ("auto", "delta", "transform")
TOLERANCE = Tolerance(metres=1e-3)
REPETITIONS = 100
TIMES = ("rows_ms", "local_ms", "model_ms")


def encode_all(files: Sequence[Path], folder: Path) -> list[Path]:
    """Returns a bank of the files for each codec."""
    source, banks = read_clips(list(files), ImportOptions()), []
    for codec in CODECS:
        settings = Comparison(Settings(), (codec,), (TOLERANCE,)).settings_of(codec, TOLERANCE)
        banks.append(folder / f"{codec}.ossb")
        banks[-1].write_bytes(encode_clips(source, settings).bank)
    return banks


def measure(banks: Sequence[Path], repetitions: int = REPETITIONS) -> list[dict[str, float]]:
    """Returns the number of poses and the times of each bank."""
    words = ["node", HERE / "bench_wasm.mjs", PACKAGE, repetitions, *banks]
    output = checked_tool([str(word) for word in words], "the npm package does not play", timeout_s=600)
    return [json.loads(line) for line in output.splitlines()]


def bench(output: Path, smallest: bool) -> None:
    """Measures, prints and writes wasm.csv to the folder `output`."""
    table = Table([("corpus", "left"), ("codec", "left"), ("bytes", "right"), ("poses", "right"),
                   *((name, "right") for name in TIMES)])
    rows: list[dict[str, object]] = []
    for corpus, files in files_of_corpora(ROOT.parent / "shared", smallest).items():
        with tempfile.TemporaryDirectory() as folder:
            banks = encode_all(files, Path(folder))
            for codec, bank, found in zip(CODECS, banks, measure(banks, 1 if smallest else REPETITIONS), strict=True):
                rows.append({"corpus": corpus, "codec": codec, "bytes": bank.stat().st_size} | found)
                table.add_row(corpus, codec, f"{bank.stat().st_size:,}", f"{found['poses']:,}",
                              *(f"{found[name]:.2f}" for name in TIMES))
    console().print(table)
    if rows:
        write_csv(rows, output / "wasm.csv")


def main(argv: list[str] | None = None) -> int:
    """The command line; 0, or 1 after one line on stderr."""
    parser = argparse.ArgumentParser(prog="bench_wasm.py", description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=Path("build/bench"), metavar="DIR")
    parser.add_argument("--smallest", action="store_true", help=SMALLEST)
    arguments = parser.parse_args(argv)
    try:
        bench(arguments.output, arguments.smallest)
    except (*PROBLEMS, OSError) as problem:
        print(f"bench_wasm.py: {problem}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
