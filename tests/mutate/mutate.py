"""`scons mutate`: each mutation of the list is built in a copy of the checkout and run against the tests
that should see it. README.md says how to read the results."""
from __future__ import annotations

import argparse
import csv
import queue
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

from mutations import ROOT, Mutation, MutationProblem, chosen, read_mutations  # noqa: E402
from scratch import BuildProblem, Copy, Run, copy_of, is_built, make_base  # noqa: E402

LEAST_SECONDS = 60.0  # for a test, however short it is without a mutation
TIMES_SLOWER = 10.0  # than without a mutation: a test that takes longer counts as hanging
KILLED, SURVIVED, EXPLAINED = "killed", "survived", "explained"
STALE, UNEXPLAINED_KILL = "does not apply", "killed, although it has a reason to survive"
UNBUILT, UNTESTED = "does not build", "not tested"
GOOD = (KILLED, EXPLAINED)
_ENCODER = ("runtime/", "platforms/", "codegen/encoder/")  # what `scons encoder` is made of
_PAGE = ("tests/view/", "tests/report/")  # tests of the page, which is built from these files as well


@dataclass(frozen=True)
class Result:
    """The outcome of a mutation. note: what the test said, or the reason."""

    mutation: Mutation
    outcome: str
    test: str
    note: str
    seconds: float


class _Pool:
    """Copies of the base, as many as workers."""

    def __init__(self, base: Copy, folder: Path, workers: int) -> None:
        self.base, self.free = base, queue.SimpleQueue()
        for number in range(workers):
            self.free.put(folder / f"work{number}")
        self.executor = ThreadPoolExecutor(workers)

    def map(self, function: Callable, entries: Sequence) -> list:
        def one(entry: object) -> object:
            folder = self.free.get()
            try:
                return function(copy_of(self.base, folder), entry)
            finally:
                self.free.put(folder)

        return list(self.executor.map(one, entries))


def _without_mutation(copy: Copy, test: str) -> Run:
    try:
        return copy.run(test, limit_s=1800.0)
    except BuildProblem as problem:
        return Run(str(problem), 0.0)


def _goals(mutation: Mutation) -> list[str]:
    """The goals to build before Python tests see a mutation: `host` also builds the page, which takes longest."""
    is_page = any(test.startswith(_PAGE) for test in mutation.tests)
    return ["encoder"] if mutation.file.startswith(_ENCODER) and not is_page else ["host"]


def _try(copy: Copy, mutation: Mutation, healthy: dict[str, Run]) -> Result:
    begin = time.monotonic()

    def result(outcome: str, test: str = "", note: str = "") -> Result:
        return Result(mutation, outcome, test, note, time.monotonic() - begin)

    for test in mutation.tests:
        if not healthy[test].ran or healthy[test].how is not None:
            return result(UNTESTED, test, healthy[test].how or "every test in it is skipped here")
    try:
        mutation.apply(copy.folder)
        if is_built(mutation.file) and not all(test.endswith(".c") for test in mutation.tests):
            copy.build(_goals(mutation))
        for test in mutation.tests:
            run = copy.run(test, max(LEAST_SECONDS, TIMES_SLOWER * healthy[test].seconds))
            if run.how is not None:
                return result(UNEXPLAINED_KILL if mutation.survives else KILLED, test, run.how)
    except MutationProblem as problem:
        return result(STALE, note=str(problem))
    except BuildProblem as problem:
        return result(UNBUILT, note=str(problem))
    if mutation.survives:
        return result(EXPLAINED, note=mutation.survives)
    return result(SURVIVED)


def try_mutations(root: Path, mutations: Sequence[Mutation], output: Path, workers: int,
                  say: Callable[[str], None] = print) -> list[Result]:
    """Tries all mutations in copies of the checkout at root; `output` holds the copies.

    BuildProblem where the checkout does not build as it is."""
    tests = sorted({test for mutation in mutations for test in mutation.tests})
    programs = [f"build/tests/{variant}/{Path(test).stem}" for test in tests
                if test.endswith(".c") for variant in ("plain", "sanitized")]
    base = make_base(root, output / "base", output / "objects", ["host", *programs])
    pool = _Pool(base, output, workers)
    say(f"{len(tests)} tests without a mutation")

    def alone(copy: Copy, test: str) -> Run:
        run = _without_mutation(copy, test)
        say(f"{test} ({run.seconds:.0f} s)" + (f" fails without a mutation: {run.how}" if run.how else ""))
        return run

    healthy = dict(zip(tests, pool.map(alone, tests)))

    def one(copy: Copy, mutation: Mutation) -> Result:
        result = _try(copy, mutation, healthy)
        say(f"{result.outcome}: {mutation.name} ({result.seconds:.0f} s)"
            + (f": {result.note}" if result.outcome != KILLED and result.note else ""))
        return result

    return pool.map(one, mutations)


def write_results(results: Sequence[Result], path: Path) -> None:
    """Writes one line a mutation."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["mutation", "file", "outcome", "test", "note", "seconds"])
        for each in results:
            writer.writerow([each.mutation.name, each.mutation.file, each.outcome, each.test, each.note,
                             f"{each.seconds:.1f}"])


def summary(results: Sequence[Result]) -> list[str]:
    """A table by folder, then the outcomes that have to be looked at."""
    folders = Counter(str(Path(each.mutation.file).parent) for each in results)
    killed = Counter(str(Path(each.mutation.file).parent) for each in results
                     if each.outcome == KILLED)
    width = max(map(len, folders))
    lines = [f"{'folder':{width}}  mutations  killed"]
    lines += [f"{folder:{width}}  {count:9}  {killed[folder]:6}"
              for folder, count in sorted(folders.items())]
    lines.append(f"{'all':{width}}  {len(results):9}  {killed.total():6}")
    lines += [f"{each.outcome}: {each.mutation.name}: {each.note or each.mutation.file}"
              for each in results if each.outcome != KILLED]
    return lines


def read_options(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The options of a command line; None stands for that of this process."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, required=True, help="folder for copies and results.csv")
    parser.add_argument("--only", default="", help="mutations with this text in their name or file")
    parser.add_argument("--part", default="", metavar="SEED/COUNT", help="one mutation of COUNT")
    parser.add_argument("--workers", type=int, default=2, help="mutations at a time")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    """0 where every mutation was killed, or survived for its reason."""
    options = read_options(arguments)
    try:
        mutations = chosen(read_mutations(), options.only, options.part)
        results = try_mutations(ROOT, mutations, options.output.resolve(), options.workers,
                                lambda line: print(line, flush=True))
    except (MutationProblem, BuildProblem) as problem:
        print(f"mutate: {problem}", file=sys.stderr)
        return 1
    write_results(results, options.output / "results.csv")
    print("\n".join(summary(results)))
    print(f"{options.output / 'results.csv'} has one line a mutation")
    return 0 if all(each.outcome in GOOD for each in results) else 1


if __name__ == "__main__":
    sys.exit(main())
