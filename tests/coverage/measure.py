"""Runs the tests of the runtime in builds with gcc's counters and says which branches none of them
reaches: `measure.py [--workers N] OUTPUT BUILD...`; see README.md here."""
from __future__ import annotations

import argparse
import json
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from branches import combine, find_gaps, judge, read_list, totals

ROOT = Path(__file__).resolve().parents[2]
LIST = Path(__file__).with_name("unreached.toml")
FORMAT = "0.3"  # of gcovr's records, which gcovr 5.2 writes
FAULT_SCHEDULES = 4000  # the first ones of `scons faults`
# What starts the programs of a build, and what reads its counters: nothing and gcov, unless listed.
RUNNERS = dict.fromkeys(("m3", "m4"), ["qemu-arm"])
READERS = dict.fromkeys(("m3", "m4"), "arm-linux-gnueabihf-gcov")


def run(command: Iterable[object], **environment: str) -> None:
    """Runs a program; its output is shown where it fails."""
    words = [str(word) for word in command]
    result = subprocess.run(words, check=False, text=True, cwd=ROOT, env={**os.environ, **environment},
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if result.returncode != 0:
        raise SystemExit(f"{result.stdout}\n{shlex.join(words[:3])} ended with {result.returncode}")


def play_tests(build: Path, seeds: Path, workers: int) -> None:
    """Runs the C tests that were built, schedules of faults, the seeds of the fuzzer and the golden tests."""
    runner = RUNNERS.get(build.name, [])
    for old in build.glob("*.gcda"):
        old.unlink()
    for program in sorted(build.glob("test_*")):
        run([*runner, program])
    run([*runner, build / "play_faults", "--first", 0, "--count", FAULT_SCHEDULES])
    for fuzzer in ("fuzz_bank", "fuzz_graph", "fuzz_poses", "fuzz_stream"):
        run([*runner, build / fuzzer, *sorted(seeds.iterdir())])
    run([sys.executable, "-m", "pytest", "-q", "-n", workers, "-p", "no:cacheprovider",
         "--hypothesis-seed=0", ROOT / "tests/golden"],
        OSSICLE_POSE_DRIVER=shlex.join([*runner, str(build / "pose_driver")]),
        HYPOTHESIS_STORAGE_DIRECTORY=str(seeds.parent / "hypothesis"))
    for counters in build.glob("*.gcno"):
        if not counters.with_suffix(".gcda").exists():
            counters.unlink()  # its source is gone, or it would have run


def gcovr(*arguments: object) -> None:
    run(["gcovr", "--root", ROOT, "--filter", f"{ROOT}/runtime/", *arguments])


def read_counters(build: Path, report: Path) -> dict[str, dict]:
    """gcovr's record of every file."""
    gcovr("--gcov-executable", READERS.get(build.name, "gcov"), "--json", report, build)
    files = json.loads(report.read_text(encoding="utf-8"))["files"]
    return {file["file"]: file for file in files}


def write_page(output: Path, combined: dict[str, dict]) -> None:
    """The lines of all builds as a page."""
    report = output / "all.json"
    report.write_text(json.dumps({"gcovr/format_version": FORMAT, "files": [*combined.values()]}), encoding="utf-8")
    gcovr("--add-tracefile", report, "--html-details", output / "index.html",
          "--html-title", "Branches of the runtime", "--sort-percentage")


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("output", type=Path)
    parser.add_argument("builds", type=Path, nargs="+")
    arguments = parser.parse_args()
    seeds = arguments.output / "seeds"
    shutil.rmtree(arguments.output, ignore_errors=True)
    run([sys.executable, ROOT / "tests/fuzz/make_corpus.py", seeds])
    counted = []
    for build in arguments.builds:
        print(f"measuring build {build.name}", flush=True)
        play_tests(build, seeds, arguments.workers)
        counted.append(read_counters(build, arguments.output / f"{build.name}.json"))
    combined = combine(counted)
    write_page(arguments.output, combined)
    texts = {file: (ROOT / file).read_text(encoding="utf-8").splitlines() for file in combined}
    gaps, listed = find_gaps(combined, texts), read_list(LIST)

    rows = totals(combined)
    rows["all"] = [sum(column) for column in zip(*rows.values())]
    print(f"{'file':26} {'lines':>6} {'reached':>8} {'branches':>9} {'reached':>8}")
    for file, (lines, lines_reached, branches, reached) in rows.items():
        print(f"{file:26} {lines:6} {lines_reached:8} {branches:9} {reached:8}")
    problems = judge(gaps, listed, texts)
    print(f"not reached: {sum(gap.missing for gap in gaps)} branches of {len(gaps)} lines; listed: "
          f"{len(listed)} lines in {LIST.relative_to(ROOT)}; page: {arguments.output / 'index.html'}")
    for problem in problems:
        print(f"coverage: {problem}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    raise SystemExit(main())
