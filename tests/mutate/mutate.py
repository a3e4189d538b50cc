"""`scons mutate`: makes small changes to the code, one at a time in a copy of the checkout, and expects a test to fail.
README.md says how to read the results."""
from __future__ import annotations

import argparse
import csv
import queue
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

import catalogue  # noqa: E402
from mutation import ROOT, Mutation, MutationProblem, changed_lines, part, touched  # noqa: E402
from scratch import BuildProblem, Copy, Run, copy_of, is_built, make_base  # noqa: E402
from tests_of import Table  # noqa: E402
from unit_programs import Base, try_in  # noqa: E402

LEAST_SECONDS = 60.0  # for a test, however short it is without a mutation
TIMES_SLOWER = 10.0  # than without a mutation: a test that takes longer counts as hanging
KILLED, SURVIVED, EXPLAINED = "killed", "survived", "explained"
EQUIVALENT, UNBUILT, UNTESTED = "equivalent", "does not build", "not tested"
UNEXPLAINED_KILL = "killed, although it has a reason to survive"
GOOD = (KILLED, EXPLAINED, EQUIVALENT, UNBUILT)
_ENCODER = ("platforms/", "codegen/encoder/")  # what `scons encoder` is made of, apart from the runtime
_PAGE = ("tests/view/", "tests/report/")  # tests of the page, which is built from these files as well


@dataclass(frozen=True)
class Result:
    """The outcome of a mutation. note: what the test said, or the reason."""

    mutation: Mutation
    outcome: str
    test: str
    note: str
    seconds: float


class Pool:
    """Folders, as many as workers, each for one mutation at a time."""

    def __init__(self, folder: Path, workers: int) -> None:
        self.free: queue.SimpleQueue[Path] = queue.SimpleQueue()
        for number in range(workers):
            self.free.put(folder / f"work{number}")
        self.executor = ThreadPoolExecutor(workers)

    def map(self, function: Callable, entries: Sequence) -> list:
        """Returns the function's results for a free folder and each of the entries."""
        def on_one(entry: object) -> object:
            folder = self.free.get()
            try:
                return function(folder, entry)
            finally:
                self.free.put(folder)

        return list(self.executor.map(on_one, entries))


def _judged(mutation: Mutation, reason: str | None, killed: tuple[str, str] | None, begin: float) -> Result:
    seconds = time.monotonic() - begin
    if killed is not None:
        return Result(mutation, UNEXPLAINED_KILL if reason else KILLED, *killed, seconds)
    return Result(mutation, EXPLAINED if reason else SURVIVED, "", reason or mutation.difference(ROOT), seconds)


def try_runtime(root: Path, mutations: Sequence[Mutation], reasons: dict[str, str], output: Path, workers: int,
                say: Callable[[str], None], tell: Callable[[Result], None]) -> list[Result]:
    """Tries mutations of the runtime on the C tests and on the reference in Python."""
    base, pool = Base(root, output / "base"), Pool(output, workers)
    base.folder.mkdir(parents=True, exist_ok=True)
    base.prepare(pool.executor, say)

    def attempt(folder: Path, mutation: Mutation) -> Result:
        begin = time.monotonic()
        try:
            outcome = try_in(base, mutation, folder)
        except BuildProblem as problem:
            result = Result(mutation, UNBUILT, "", str(problem), time.monotonic() - begin)
        else:
            result = _judged(mutation, reasons.get(mutation.name), outcome.killed, begin)
            if outcome.equivalent:
                result = Result(mutation, EQUIVALENT, "", "the same machine code", result.seconds)
        tell(result)
        return result

    return pool.map(attempt, mutations)


def _goals(mutation: Mutation, tests: Sequence[str]) -> list[str]:
    """The goals to build before Python tests see a mutation: `host` also builds the page, which takes longest."""
    is_page = any(test.startswith(_PAGE) for test in tests)
    return ["encoder"] if mutation.file.startswith(_ENCODER) and not is_page else ["host"]


def try_elsewhere(root: Path, mutations: Sequence[Mutation], tests_of: Callable[[Mutation], Sequence[str]],
                  reasons: dict[str, str], output: Path, workers: int, say: Callable[[str], None],
                  tell: Callable[[Result], None]) -> list[Result]:
    """Tries mutations of other code in copies of the checkout at root, on the tests that tests_of names for each.

    BuildProblem where the checkout does not build as it is."""
    chosen = {mutation.name: tests_of(mutation) for mutation in mutations}
    tests = sorted({test for names in chosen.values() for test in names})
    programs = [f"build/tests/{variant}/{Path(test).stem}" for test in tests
                if test.endswith(".c") for variant in ("plain", "sanitized")]
    base, pool = make_base(root, output / "base", output / "objects", ["host", *programs]), Pool(output, workers)
    say(f"{len(tests)} tests without a mutation")

    def unchanged(folder: Path, test: str) -> Run:
        try:
            run = copy_of(base, folder).run(test, limit_s=1800.0)
        except BuildProblem as problem:
            run = Run(str(problem), 0.0)
        say(f"{test} ({run.seconds:.0f} s)" + (f" fails without a mutation: {run.how}" if run.how else ""))
        return run

    healthy = dict(zip(tests, pool.map(unchanged, tests)))

    def killed(copy: Copy, mutation: Mutation) -> tuple[str, str] | None:
        useful = [test for test in chosen[mutation.name] if healthy[test].ran and healthy[test].how is None]
        mutation.apply(copy.folder)
        if is_built(mutation.file) and not all(test.endswith(".c") for test in useful):
            copy.build(_goals(mutation, useful))
        for test in sorted(useful, key=lambda test: healthy[test].seconds):
            run = copy.run(test, max(LEAST_SECONDS, TIMES_SLOWER * healthy[test].seconds))
            if run.how is not None:
                return test, run.how
        return None

    def attempt(folder: Path, mutation: Mutation) -> Result:
        begin = time.monotonic()
        names = chosen[mutation.name]
        broken = [test for test in names if healthy[test].how is not None]
        if broken or not any(healthy[test].ran for test in names):
            note = healthy[broken[0]].how if broken else "every test of it is skipped here"
            result = Result(mutation, UNTESTED, broken[0] if broken else "", note, 0.0)
        else:
            try:
                result = _judged(mutation, reasons.get(mutation.name), killed(copy_of(base, folder), mutation), begin)
            except BuildProblem as problem:
                result = Result(mutation, UNBUILT, "", str(problem), time.monotonic() - begin)
        tell(result)
        return result

    return pool.map(attempt, mutations)


def choose(options: argparse.Namespace, root: Path = ROOT) -> list[Mutation]:
    """Returns the mutations that these options name; MutationProblem if there are none."""
    runtime, other, own = catalogue.of_runtime(root), [], catalogue.handwritten(root)
    if not options.only.startswith(catalogue.RUNTIME):
        other = catalogue.elsewhere(root)
    if options.since:
        lines = changed_lines(root, options.since)
        runtime, other, own = (touched(each, lines) for each in (runtime, other, own))
    elif ":" not in options.only:
        runtime = catalogue.tried_of_runtime(runtime, options.seed)
    runtime, other, own = ([each for each in mutations if options.only in each.name or options.only in each.file]
                           for mutations in (runtime, other, own))
    found = [*runtime, *catalogue.first(other, catalogue.ELSEWHERE, options.seed), *own]
    if not found:
        raise MutationProblem(f"no mutation has {options.only!r} in its name or file"
                              + (f" and has changed since {options.since}" if options.since else ""))
    return part(found, options.part)


def write_results(results: Sequence[Result], path: Path) -> None:
    """Writes one line a mutation."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["mutation", "outcome", "test", "note", "change", "seconds"])
        for each in results:
            writer.writerow([each.mutation.name, each.outcome, each.test, each.note, each.mutation.difference(ROOT),
                             f"{each.seconds:.1f}"])


def summary(results: Sequence[Result]) -> list[str]:
    """A table by folder, then the outcomes that have to be looked at."""
    folders: dict[str, Counter] = defaultdict(Counter)
    for each in results:
        for folder in (str(Path(each.mutation.file).parent), "all"):
            folders[folder][each.outcome] += 1
    columns = (KILLED, EQUIVALENT, UNBUILT, EXPLAINED, SURVIVED)
    lines = [f"{'folder':32} mutations {' '.join(f'{name:>14}' for name in columns)}"]
    lines += [f"{folder:32} {counts.total():9} {' '.join(f'{counts[name]:14}' for name in columns)}"
              for folder, counts in sorted(folders.items(), key=lambda each: (each[0] == "all", each[0]))]
    lines += [f"{each.outcome}: {each.mutation.name}: {each.note}" for each in results if each.outcome not in GOOD]
    return lines


def read_options(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The options of a command line; None stands for that of this process."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, default=ROOT / "build/mutate", help="folder for copies and results.csv")
    parser.add_argument("--only", default="", help="mutations with this text in their name or file")
    parser.add_argument("--part", default="", metavar="SEED/COUNT", help="one mutation of COUNT")
    parser.add_argument("--since", default="", metavar="COMMIT", help="mutations of what has changed since then")
    parser.add_argument("--seed", type=int, default=0, help="chooses those that are tried of many")
    parser.add_argument("--workers", type=int, default=2, help="mutations at a time")
    parser.add_argument("--list", action="store_true", help="print the mutations and how many there are")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    """0 where every mutation was killed, or survived for its reason."""
    options = read_options(arguments)

    def say(line: str) -> None:
        print(line, flush=True)

    def tell(result: Result) -> None:
        say(f"{result.outcome}: {result.mutation.name} ({result.seconds:.0f} s)"
            + (f": {result.note}" if result.outcome != KILLED and result.note else ""))

    try:
        mutations, reasons, output = choose(options), catalogue.survivors(), options.output.resolve()
        runtime = [each for each in mutations if each.file.startswith(catalogue.RUNTIME)]
        other = [each for each in mutations if each not in runtime]
        if options.list:
            say("\n".join(f"{each.name}: {each.difference(ROOT)}" for each in mutations))
            say(f"{len(runtime)} mutations of runtime/, {len(other)} others")
            return 0
        results = []
        if runtime:
            results += try_runtime(ROOT, runtime, reasons, output / "runtime", options.workers, say, tell)
        if other:
            results += try_elsewhere(ROOT, other, Table.read().tests_of, reasons, output, options.workers, say, tell)
    except (MutationProblem, BuildProblem) as problem:
        print(f"mutate: {problem}", file=sys.stderr)
        return 1
    write_results(results, output / "results.csv")
    print("\n".join(summary(results)))
    print(f"{output / 'results.csv'} has one line a mutation")
    return 0 if all(each.outcome in GOOD for each in results) else 1


if __name__ == "__main__":
    sys.exit(main())
