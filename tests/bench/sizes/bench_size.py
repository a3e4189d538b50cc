"""Sizes, errors and encoding speed on the clips of ../shared/corpus: `scons bench-size`.

Each corpus is encoded into one bank at 1 mm and 0.1 mm and compared with what ACL needs to reach
the same error (../shared/peers/peers.csv). Times are CPU time of the encoder alone, over all
threads; raw data is ten floats a joint and frame. A bank that has grown by more than a fiftieth since
the tables of codegen/PRESETS.md were made is a failure.
"""
from __future__ import annotations

import argparse
import csv
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
SHARED = ROOT.parent / "shared"
sys.dont_write_bytecode = True
sys.path[:0] = [str(ROOT / folder) for folder in ("codegen", "tests/bench", "tests/encoder", "tests/support",
                                                  "tests/support/files")]

from bench_inputs import SMALLEST, files_of_corpora  # noqa: E402
from bench_output import write_csv  # noqa: E402
from judging import judged_error_m  # noqa: E402
from ossicle.reporting import console as report  # noqa: E402
from ossicle.reporting.tables import Table, console  # noqa: E402
from ossicle.cli.main import PROBLEMS  # noqa: E402
from ossicle.encoding.encoder import BankResult, encode_clips  # noqa: E402
from ossicle.importers.importer import read_clips  # noqa: E402
from ossicle.model.lengths import Tolerance  # noqa: E402
from ossicle.model.clip import Imported  # noqa: E402
from ossicle.model.import_options import ImportOptions  # noqa: E402
from ossicle.encoding.settings import Settings  # noqa: E402

PEERS = {"Knight": "Knight", "bandai": "bn"}  # what peers.csv calls a corpus
TOLERANCES_MM = (1.0, 0.1)
COMMITTED = ROOT / "codegen/presets.csv"  # sizes of the same corpora, made by `scons presets`
MOST_GROWTH = 1.02


@dataclass(frozen=True)
class Row:
    """One bank. bytes: of the whole bank, with skeleton, directory and names; of_acl: bytes as a
    share of ACL's clips at the same error, both None for a corpus that peers.csv lacks; mb_per_s: raw data per second
    of one core; judged_mm: worst error by readers and a measure of the tests' own, None if not asked for."""

    corpus: str
    tolerance_mm: float
    effort: str
    codecs: str
    clips: str
    bytes: int
    clip_bytes: int
    acl_bytes: int | None
    of_acl: float | None
    seconds: float
    mb_per_s: float
    error_mm: float
    judged_mm: float | None


def acl_bytes(corpus: str, tolerance_mm: float) -> int:
    """The bytes of all clips of a corpus in ACL at an error of tolerance_mm. Clips for which no
    setting reaches that count with the bytes of its default settings, in its favour. OSError,
    ValueError, KeyError when the table is not there or not as expected."""
    with (SHARED / "peers/peers.csv").open(newline="", encoding="utf-8") as file:
        return sum(int(row["acl_bytes_at_error"] or row["acl_bytes"])
                   for row in csv.DictReader(file) if row["corpus"] == corpus
                   and float(row["tolerance_mm"]) == tolerance_mm)


def choices(effort: str) -> Iterator[tuple[str, bool]]:
    """The efforts to measure, and whether only random access codecs are allowed."""
    yield from (("fast", False), ("default", False), ("default", True))
    if effort == "max":
        yield "max", False


def measure(corpus: str, acl: int | None, imported: Imported, settings: Settings,
            judge: Callable[[BankResult, Imported], float] | None, progress: Callable[[int, int, str], None]) -> Row:
    """Encodes one corpus once."""
    start = time.process_time()
    result = encode_clips(imported, settings, progress=progress)
    seconds = time.process_time() - start
    codecs = [clip.codec for clip in result.clips]
    raw = sum(clip.raw_bytes for clip in result.clips)
    return Row(
        corpus=corpus, tolerance_mm=1e3 * settings.tolerance.metres, effort=settings.effort,
        codecs="random access" if settings.random_access else settings.codec,
        clips=" ".join(f"{codec}:{codecs.count(codec)}" for codec in sorted(set(codecs))),
        bytes=len(result.bank), clip_bytes=sum(clip.bytes for clip in result.clips), acl_bytes=acl,
        of_acl=None if acl is None else round(len(result.bank) / acl, 4), seconds=round(seconds, 2),
        mb_per_s=round(raw / 1e6 / seconds, 3), error_mm=round(max(clip.error_mm for clip in result.clips), 6),
        judged_mm=None if judge is None else round(1e3 * judge(result, imported), 6))


def print_table(rows: list[Row]) -> None:
    """One line a bank."""
    table = Table([
        ("corpus", "left"), ("mm", "right"), ("effort", "left"), ("codecs", "left"),
        ("clips", "left"), ("bytes", "right"), ("ACL bytes", "right"), ("of ACL", "right"),
        ("CPU s", "right"), ("MB/s", "right"), ("error mm", "right"), ("judged mm", "right")])
    for row in rows:
        table.add_row(row.corpus, f"{row.tolerance_mm:g}", row.effort, row.codecs, row.clips,
                      f"{row.bytes:,}", _cell(row.acl_bytes, ","), _cell(row.of_acl, ".3f"),
                      f"{row.seconds:.1f}", f"{row.mb_per_s:.2f}", f"{row.error_mm:.4f}", _cell(row.judged_mm, ".4f"))
    console().print(table)


def _cell(value: float | None, form: str) -> str:
    return "-" if value is None else format(value, form)


def grown(rows: list[Row]) -> list[str]:
    """A line for each bank of default settings that is larger than the committed table says."""
    with COMMITTED.open(newline="", encoding="utf-8") as file:
        known = {(row["corpus"], float(row["tolerance_mm"])): int(row["bytes"])
                 for row in csv.DictReader(file) if row["scheme"] == "auto"}
    return [f"{row.corpus} at {row.tolerance_mm:g} mm takes {row.bytes:,} bytes, "
            f"codegen/{COMMITTED.name} has {known[row.corpus, row.tolerance_mm]:,}"
            for row in rows if (row.effort, row.codecs) == ("default", "auto")
            and row.bytes > MOST_GROWTH * known[row.corpus, row.tolerance_mm]]


def bench(output: Path, effort: str, judged: bool, smallest: bool) -> list[str]:
    """Measures all available corpora, prints the table and writes size.csv to the folder `output`. Returns
    those that have grown."""
    rows: list[Row] = []
    for corpus, paths in files_of_corpora(SHARED, smallest).items():
        imported = read_clips(paths, ImportOptions())
        judge = partial(judged_error_m, paths) if judged else None
        for tolerance_mm in TOLERANCES_MM:
            acl = acl_bytes(PEERS[corpus], tolerance_mm) if corpus in PEERS else None
            for of_effort, random_access in choices(effort):
                settings = Settings(tolerance=Tolerance(metres=tolerance_mm / 1e3),
                                    effort=of_effort, random_access=random_access)
                with report.progress_bar(f"{corpus} {tolerance_mm:g} mm {of_effort}") as progress:
                    rows.append(measure(corpus, acl, imported, settings, judge, progress))
    if rows:
        print_table(rows)
        write_csv([asdict(row) for row in rows], output / "size.csv")
        print(f"wrote {output / 'size.csv'}")
    return grown(rows)


def main(argv: list[str] | None = None) -> int:
    """The command line; 0, or 1 after one line on stderr."""
    parser = argparse.ArgumentParser(prog="bench_size.py", description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=Path("build/bench"), metavar="DIR")
    parser.add_argument("--effort", choices=("default", "max"), default="default")
    parser.add_argument("--judge", action="store_true")
    parser.add_argument("--smallest", action="store_true", help=SMALLEST)
    arguments = parser.parse_args(argv)
    try:
        problems = bench(arguments.output, arguments.effort, arguments.judge, arguments.smallest)
    except (*PROBLEMS, OSError, KeyError, ValueError) as problem:
        print(f"bench_size.py: {problem}", file=sys.stderr)
        return 1
    for problem in problems:
        print(f"bench_size.py: {problem}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
