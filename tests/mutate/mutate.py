"""`scons mutate`: makes small changes to the code, one at a time in a copy of the checkout, and expects a test to fail.
README.md says how to read the results."""
from __future__ import annotations

import argparse
import csv
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

import catalogue  # noqa: E402
from mutation import ROOT, Mutation, MutationProblem, changed_lines, part, touched  # noqa: E402
from scratch import BUILT, VARIANTS, BuildProblem, Outcome, Run, copy_of, make_base, program_of  # noqa: E402
from unit_programs import Base, try_in  # noqa: E402

LEAST_S, TIMES_SLOWER = 60.0, 10.0  # than without the mutation: a test that takes longer counts as hanging
KILLED, SURVIVED, EXPLAINED = "killed", "survived", "explained"
EQUIVALENT, UNBUILT, UNTESTED = "equivalent", "does not build", "not tested"
UNEXPLAINED_KILL = "killed, although it has a reason to survive"
GOOD = (KILLED, EXPLAINED, EQUIVALENT, UNBUILT)
_ENCODER = ("runtime/", "platforms/", "codegen/encoder/")  # what `scons encoder` is made of


@dataclass(frozen=True)
class Result:
    """The outcome of a mutation. note: the message of the test, or the reason."""

    mutation: Mutation
    outcome: str
    test: str
    note: str
    seconds: float


@dataclass
class Session:
    """A run over a checkout: as many folders below `output` as workers, each for one mutation at a time."""

    root: Path
    output: Path
    reasons: dict[str, str]
    workers: int = 2
    show: Callable[[str], None] = print

    def __post_init__(self) -> None:
        self.free = [self.output / f"work{number}" for number in range(self.workers)]
        self.executor = ThreadPoolExecutor(self.workers)

    def map(self, function: Callable, entries: Sequence) -> list:
        """Returns the function's results for a free folder and each of the entries."""
        def in_folder(entry: object) -> object:
            folder = self.free.pop()  # one for each thread of the executor
            try:
                return function(folder, entry)
            finally:
                self.free.append(folder)

        return list(self.executor.map(in_folder, entries))

    def judge(self, attempt: Callable[[Path, Mutation], Outcome], mutations: Sequence[Mutation]) -> list[Result]:
        """Tries each mutation, and tells its result from the outcome and the reasons to survive."""
        def result(folder: Path, mutation: Mutation) -> Result:
            begin, reason = time.monotonic(), self.reasons.get(mutation.name)
            try:
                outcome = attempt(folder, mutation)
                if outcome.killed:
                    words = (UNEXPLAINED_KILL if reason else KILLED, *outcome.killed)
                elif outcome.untested:
                    words = (UNTESTED, "", outcome.untested)
                elif outcome.is_equivalent:
                    words = (EQUIVALENT, "", "the same machine code")
                else:
                    words = (EXPLAINED, "", reason) if reason else (SURVIVED, "", mutation.difference(self.root))
            except BuildProblem as problem:
                words = (UNBUILT, "", str(problem))
            each = Result(mutation, *words, time.monotonic() - begin)
            self.show(f"{each.outcome}: {mutation.name} ({each.seconds:.0f} s)"
                      + (f": {each.note}" if each.outcome != KILLED else ""))
            return each

        return self.map(result, mutations)

    def try_runtime(self, mutations: Sequence[Mutation]) -> list[Result]:
        """Tries mutations of the runtime on the C tests and the golden tests; BuildProblem if one fails without."""
        base = Base(self.root, self.output / "base")
        base.prepare(self.executor, self.show)
        return self.judge(partial(try_in, base), mutations)

    def try_elsewhere(self, mutations: Sequence[Mutation],
                      tests_of: Callable[[Mutation], Sequence[str]]) -> list[Result]:
        """Tries mutations of other code in copies of the checkout, on the tests that tests_of names for each.
        BuildProblem if the checkout does not build."""
        tests = sorted({test for mutation in mutations for test in tests_of(mutation)})
        programs = [program_of(test, variant) for test in tests if test.endswith(".c") for variant in VARIANTS]
        base = make_base(self.root, self.output / "base", self.output / "objects", ["host", *programs])

        def unchanged(folder: Path, test: str) -> Run:
            run = copy_of(base, folder).run(test, limit_s=1800.0)
            self.show(f"{test} ({run.seconds:.0f} s)" + (f" fails without a mutation: {run.how}" if run.how else ""))
            return run

        healthy = dict(zip(tests, self.map(unchanged, tests)))
        kills: Counter[tuple[Path, str]] = Counter()

        def attempt(folder: Path, mutation: Mutation) -> Outcome:
            code = Path(mutation.file).parent
            names = sorted(tests_of(mutation), key=lambda test: (-kills[code, test], healthy[test].seconds))
            broken = [f"{test} fails: {healthy[test].how}" for test in names if healthy[test].how is not None]
            if broken or not any(healthy[test].ran for test in names):
                return Outcome(untested=[*broken, "every test of it is skipped here"][0])
            copy = copy_of(base, folder)
            mutation.apply(copy.folder)
            if mutation.file.endswith(BUILT) and not all(test.endswith(".c") for test in names):
                is_encoder = mutation.file.startswith(_ENCODER) and not any("/view/" in test for test in names)
                copy.build(["encoder" if is_encoder else "host"])  # the latter also builds the page
            for test in names:
                run = copy.run(test, max(LEAST_S, TIMES_SLOWER * healthy[test].seconds))
                if run.how is not None:
                    kills[code, test] += 1
                    return Outcome((test, run.how))
            return Outcome()

        return self.judge(attempt, mutations)


def choose(options: argparse.Namespace, root: Path = ROOT) -> list[Mutation]:
    """Returns the mutations that these options name; MutationProblem if there are none."""
    found = [catalogue.of_runtime(root), [], catalogue.handwritten(root)]
    if not options.only.startswith(catalogue.RUNTIME):
        found[1] = catalogue.elsewhere(root)
    if options.since:
        lines = changed_lines(root, options.since)
        found = [touched(each, lines) for each in found]
    elif ":" not in options.only:
        found[0] = catalogue.tried_of_runtime(found[0], options.seed)
    text = options.only.removeprefix("-")
    runtime, other, own = ([each for each in mutations if (text in each.name + each.file) == (text == options.only)]
                           for mutations in found)
    chosen = [*runtime, *catalogue.first(other, catalogue.ELSEWHERE, options.seed), *own]
    if not chosen:
        raise MutationProblem(f"no mutation fits MUTATE_ONLY={options.only} SINCE={options.since}")
    return part(chosen, options.part)


def write_results(results: Sequence[Result], path: Path) -> None:
    """Writes one line a mutation."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["mutation", "outcome", "test", "note", "change", "seconds"])
        writer.writerows([each.mutation.name, each.outcome, each.test, each.note, each.mutation.difference(ROOT),
                          f"{each.seconds:.1f}"] for each in results)


def summary(results: Sequence[Result]) -> list[str]:
    """A table by folder, then the outcomes that have to be looked at."""
    counts = Counter((folder, each.outcome) for each in results
                     for folder in (str(Path(each.mutation.file).parent), "~ all"))  # the latter comes last
    columns = (KILLED, EQUIVALENT, UNBUILT, EXPLAINED, SURVIVED)
    return [f"{'folder':32} {' '.join(f'{name:>14}' for name in columns)}",
            *(f"{folder:32} {' '.join(f'{counts[folder, name]:14}' for name in columns)}"
              for folder in sorted({folder for folder, _ in counts})),
            *(f"{each.outcome}: {each.mutation.name}: {each.note}" for each in results if each.outcome not in GOOD)]


def read_options(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The options of a command line; None stands for that of this process."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, default=ROOT / "build/mutate", help="folder for copies and results.csv")
    parser.add_argument("--only", default="", help="text in name or file, or after a - not there")
    parser.add_argument("--part", default="", metavar="SEED/COUNT", help="one mutation of COUNT")
    parser.add_argument("--since", default="", metavar="COMMIT", help="mutations of what has changed since then")
    parser.add_argument("--seed", type=int, default=0, help="chooses those that are tried of many")
    parser.add_argument("--workers", type=int, default=2, help="mutations at a time")
    parser.add_argument("--list", action="store_true", help="print the mutations and how many there are")
    parser.add_argument("--report", action="store_true", help="succeed with survivors that have no reason")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    """Returns 0 if every mutation was killed, is equivalent or survived for its reason, unless --report is given."""
    options = read_options(arguments)
    output, show = options.output.resolve(), partial(print, flush=True)
    try:
        mutations, reasons = choose(options), catalogue.survivors()
        runtime = [each for each in mutations if each.file.startswith(catalogue.RUNTIME)]
        other = [each for each in mutations if each not in runtime]
        if options.list:
            print(*(f"{each.name}: {each.difference(ROOT)}" for each in mutations),
                  f"{len(runtime)} mutations of runtime/, {len(other)} others", sep="\n")
            return 0
        results = []
        if runtime:
            results += Session(ROOT, output / "runtime", reasons, options.workers, show).try_runtime(runtime)
        if other:
            results += Session(ROOT, output, reasons, options.workers, show).try_elsewhere(
                other, catalogue.TestTable.read().tests_of)
    except (MutationProblem, BuildProblem) as problem:
        print(f"mutate: {problem}", file=sys.stderr)
        return 1
    write_results(results, output / "results.csv")
    print(*summary(results), f"{output / 'results.csv'} has one line a mutation", sep="\n")
    return 0 if all(each.outcome in GOOD or options.report and each.outcome == SURVIVED for each in results) else 1


if __name__ == "__main__":
    sys.exit(main())
