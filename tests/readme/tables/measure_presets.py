"""Measures every scheme on the demo character and on the clips of ../shared/corpus, and writes the tables
of codegen/PRESETS.md: `scons presets`. Rows are counted on the demo character alone; counting those of
the larger corpora takes hours."""
from __future__ import annotations

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.dont_write_bytecode = True
sys.path[:0] = [str(ROOT / folder) for folder in ("codegen", "tests/support", "tests/bench", "tests/bench/sizes",
                                                  "tests/encoder", "tests/readme/tables")]

import bench_inputs  # noqa: E402
import bench_size  # noqa: E402
import update_presets  # noqa: E402
from ossicle.cli.main import main as ossicle  # noqa: E402
from ossicle.compare.report import TABLE  # noqa: E402
from tools.demo import HERO  # noqa: E402

TOLERANCES = ",".join(f"{millimetres:g}mm" for millimetres in bench_size.TOLERANCES_MM)


def sources(smallest: bool) -> list[tuple[str, list[Path], list[str]]]:
    """Corpora with their files and the options of `ossicle compare`; OSError for one that is missing."""
    found = [("hero", [HERO], ["--rows"])]
    for corpus, pattern in () if smallest else bench_inputs.CORPORA.items():
        paths = sorted(bench_size.SHARED.glob(pattern))
        if not paths:
            raise OSError(f"{bench_size.SHARED / pattern}: no such file; the tables need all corpora")
        found.append((corpus, paths, []))
    return found


def main(argv: list[str] | None = None) -> int:
    """The command line; 0, or another status after one line on stderr."""
    parser = argparse.ArgumentParser(prog="measure_presets.py", description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=Path("build/presets"), metavar="DIR")
    parser.add_argument("--smallest", action="store_true", help=f"{bench_inputs.SMALLEST}; writes no page")
    arguments = parser.parse_args(argv)
    try:
        corpora = sources(arguments.smallest)
    except OSError as problem:
        print(f"measure_presets.py: {problem}", file=sys.stderr)
        return 1
    for corpus, paths, options in corpora:
        folder = arguments.output / corpus
        folder.mkdir(parents=True, exist_ok=True)
        status = ossicle(["compare", *map(str, paths), "--tolerance", TOLERANCES, *options,
                          "-o", str(folder), "--quiet"])
        if status:
            return status
    return 0 if arguments.smallest else update_presets.main([str(arguments.output / corpus / TABLE)
                                                             for corpus, _, _ in corpora])


if __name__ == "__main__":
    sys.exit(main())
