"""The C tests of the runtime with one file of it changed: compiles what the change reaches, links the programs that
run the changed lines, and runs them until one fails. The compiler starts in a copy of the folders that the programs are
made of, so that objects of equal code are equal bytes."""
from __future__ import annotations

import filecmp
import gzip
import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import threading
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from pathlib import Path

from mutation import FOLDER, SMALL, Mutation
from scratch import BuildProblem, Outcome, Run, finish

FOLDERS = ("runtime", "platforms/scalar", "tests/support/c", "tests/support/drivers", "tests/runtime", "tests/stream",
           "tests/golden", "tests/graph")
INCLUDES = ["-Iruntime", "-Iplatforms/scalar", "-Itests/support/c"]
DRIVER, GRAPH_DRIVER = "tests/support/drivers/pose_driver.c", "tests/graph/graph_driver.c"
SANITIZE = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
COMPILERS = {  # as tests/SConscript has them, without warnings: a mutation may leave a variable unused
    "plain": ["gcc", "-std=c11", "-w", "-O2"],
    "small": ["gcc", "-std=c11", "-w", "-O2", *SMALL],
    "sanitized": ["clang", "-std=c11", "-w", "-g1", "-O1", "-DOSC_DEBUG=1", *SANITIZE],
    "counted": ["gcc", "-std=c11", "-w", "-O1", "--coverage"]}
# The tests that a driver answers, the quickest first; test_codecs_encoded encodes for longer than all others take.
ANSWERED = {DRIVER: ["tests/golden/test_vectors.py", "tests/golden", "--ignore=tests/golden/test_codecs_encoded.py"],
            GRAPH_DRIVER: ["tests/graph"]}
# Runs a driver for a test, and keeps the test's name, the banks, the requests and the answers.
RECORDER = """#!/bin/sh
session=$(mktemp -d "{sessions}/XXXXXX"); [ $# = 0 ] || cp "$@" "$session"
echo "${{PYTEST_CURRENT_TEST% (*}}" > "$session/test"
tee "$session/requests" | "{program}" "$@" | tee "$session/answers"
"""
# Writes the tests whose answers differ.
REPLAY = """for session in "$1"/*; do
    cd "$session"
    "$0" $(find . -name "*.ossb" | sort -V) < requests > "$2" || { cat test; exit 1; }
    cmp -s "$2" answers || cat test
done > "$3"; [ ! -s "$3" ]"""
LINK_S = 0.1  # to link a program
SANITIZED = 10  # programs that run with sanitizers, the quickest of those that run the changed lines
# A test hangs that takes longer than this, and that many times longer than plain without a mutation.
LEAST_S = {"plain": 1.0, "small": 2.0, "sanitized": 20.0, "answered": 40.0}
TIMES_SLOWER = {"plain": 3.0, "small": 6.0, "sanitized": 25.0, "answered": 3.0}


def make_folder(root: Path, folder: Path, copy: Callable) -> None:
    """Writes a new copy of the folders. copy: of a file, such as os.link."""
    shutil.rmtree(folder, ignore_errors=True)
    for name in FOLDERS:
        shutil.copytree(root / name, folder / name, copy_function=copy, ignore=shutil.ignore_patterns("__pycache__"))


def _contents(folder: Path) -> str:
    """A checksum of all sources and of this file."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    named = [f"{path.relative_to(folder)}\0".encode() + path.read_bytes() for path in files]
    return hashlib.sha256(b"".join([Path(__file__).read_bytes(), *named])).hexdigest()


@dataclass
class Base:
    """Programs without a mutation. Objects are compiled when they are needed first, and kept in `folder`."""

    root: Path
    folder: Path
    kills: Counter[tuple[str, str]] = field(default_factory=Counter)  # by changed file and program
    locks: dict[Path, threading.Lock] = field(default_factory=lambda: defaultdict(threading.Lock))

    def _found(self, *patterns: str) -> list[str]:
        return [str(path.relative_to(self.root)) for pattern in patterns for path in sorted(self.root.glob(pattern))]

    def prepare(self, executor: Executor, show: Callable[[str], None]) -> None:
        """Compiles and runs everything once, unless that happened to the same sources. BuildProblem if a test fails."""
        self.sources = self._found("runtime/*/*.c", "tests/support/c/*.c")  # which each program may be linked with
        self.programs = self._found("tests/runtime/*/test_*.c", "tests/stream/test_*.c", *ANSWERED)  # with main()
        new, stamp, measured = self.folder / "new", self.folder / "contents", self.folder / "measured.json"
        make_folder(self.root, new, shutil.copy2)
        contents = _contents(new)
        if not stamp.exists() or stamp.read_text() != contents:
            for old in self.folder.iterdir():
                if old != new:
                    shutil.rmtree(old) if old.is_dir() else old.unlink()
            new.rename(self.folder / "copy")
            show(f"compiling and running {len(self.programs)} programs without a mutation")
            list(executor.map(lambda source: [self.object_of(variant, source) for variant in ("plain", "counted")],
                              [*self.sources, *self.programs]))
            measured.write_text(json.dumps(dict(zip(self.programs, executor.map(self._measure, self.programs)))))
            stamp.write_text(contents)
        self.measured = json.loads(measured.read_text())

    def object_of(self, variant: str, source: str) -> Path:
        """Returns the object of a source, compiled if it is not there."""
        path = self.folder / variant / f"{source.replace('/', '-')[:-2]}.o"
        with self.locks[path]:
            if not path.exists():
                compile_in(self.folder / "copy", variant, source, path)
        return path

    def reached(self, source: str) -> set[str]:
        """The files that a source includes, and itself."""
        text = self.object_of("plain", source).with_suffix(".d").read_text().replace("\\\n", " ")
        return {os.path.normpath(name) for name in text.partition(":")[2].split()}

    def _measure(self, program: str) -> dict:
        """The objects a program is linked with, its time, and the lines that it runs."""
        stem, needed = Path(program).stem, None
        for variant in ("counted", "plain"):
            path = self.folder / "programs" / f"{variant}-{stem}"
            needed = link(self, variant, program, {}, path, needed)
            run = self.run(program, path, 600.0, GCOV_PREFIX=str(self.folder / "counters" / stem))
            if run.how is not None:
                raise BuildProblem(f"{program} fails without a mutation: {run.how}")
        lines = _lines_run(self.folder / "counters" / stem, "runtime/graph/" if program == GRAPH_DRIVER else "runtime/")
        return {"needed": needed, "seconds": run.seconds, "lines": lines}

    def run(self, program: str, path: Path, limit_s: float, **environment: str) -> Run:
        """Runs a program, or the tests that it answers."""
        def limited(*command: object) -> Run:
            return finish(["prlimit", f"--cpu={int(limit_s) + 1}", "--core=0", *map(str, command)], self.root,
                          os.environ | environment, 10 * limit_s)

        if program not in ANSWERED:
            return limited(path)
        sessions, driver, tests = self.folder / "sessions" / Path(program).stem, path, ANSWERED[program]
        if sessions.exists():  # the tests pass if the answers are those that they had before
            differing = path.with_suffix(".tests")
            run = limited("sh", "-c", REPLAY, path, sessions, path.with_suffix(".answers"), differing)
            if run.how is None:
                return run
            if program == GRAPH_DRIVER:  # all tests share a pose driver
                tests = list(dict.fromkeys(differing.read_text().splitlines()))
        else:
            sessions.mkdir(parents=True)
            driver = path.with_suffix(".recorder")
            driver.write_text(RECORDER.format(sessions=sessions, program=path))
            driver.chmod(0o755)
        environment |= {"OSSICLE_POSE_DRIVER": shlex.quote(str(driver)), "OSSICLE_GRAPH_DRIVER": str(driver),
                        "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": f"{self.root / 'codegen'}:{FOLDER}",
                        "HYPOTHESIS_STORAGE_DIRECTORY": str(self.folder / "hypothesis")}
        return limited(sys.executable, "-m", "pytest", "-q", "-x", "--tb=line", "-p", "no:cacheprovider",
                       "-p", "driver_tests", "--hypothesis-seed=0", "-m", "not exhaustive", *tests)


def _checked(command: Sequence[str], folder: Path) -> list[str]:
    """Runs a compiler or linker and returns the lines of its output; BuildProblem with the first error."""
    answer = subprocess.run(command, cwd=folder, check=False, text=True, errors="replace", stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    lines = answer.stdout.splitlines()
    if answer.returncode != 0:
        raise BuildProblem(next((line for line in lines if "error" in line), "does not build"))
    return lines


def compile_in(folder: Path, variant: str, source: str, target: Path) -> None:
    """Compiles a source of a copy."""
    target.parent.mkdir(parents=True, exist_ok=True)
    new = target.with_suffix(".new.o") if variant != "counted" else target  # gcc names counters after the object
    _checked([*COMPILERS[variant], *INCLUDES, "-MMD", "-MF", str(target.with_suffix(".d")), "-c", source,
              "-o", str(new)], folder)
    new.replace(target)


def link(base: Base, variant: str, program: str, changed: dict[str, Path], target: Path,
         needed: list[str] | None) -> list[str]:
    """Links a program, with changed objects in the place of those of the base. Returns the sources that it needs;
    needed: they, if they are known."""
    target.parent.mkdir(parents=True, exist_ok=True)
    wraps = set(re.findall(r"\b__wrap_(\w+)\(", (base.folder / "copy" / program).read_text(encoding="utf-8")))
    main, *others = [str(changed.get(source) or base.object_of(variant, source))
                     for source in [program, *(base.sources if needed is None else needed)]]
    group = ["-Wl,--start-lib", *others, "-Wl,--end-lib", "-Wl,--trace"] if needed is None else others
    flags = [flag for flag in COMPILERS[variant] if flag.startswith(("-fsan", "--cov"))]
    lines = _checked([COMPILERS[variant][0], "-fuse-ld=lld", *flags, *(f"-Wl,--wrap={name}" for name in sorted(wraps)),
                      main, *group, "-lcmocka", "-lm", "-o", str(target)], base.folder)
    return [source for source, path in zip(base.sources, others) if path in lines] if needed is None else needed


def _lines_run(counters: Path, tree: str) -> dict[str, list[int]]:
    """The lines of a tree that a program with counters has run, by file."""
    for data in [*counters.rglob("*.gcda")]:
        os.link("/" / data.relative_to(counters).with_suffix(".gcno"), data.with_suffix(".gcno"))
    subprocess.run(["gcov", "--json-format", *map(str, counters.rglob("*.gcda"))], cwd=counters, check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    lines = defaultdict(set)
    for report in counters.glob("*.json.gz"):
        for file in json.loads(gzip.decompress(report.read_bytes()))["files"]:
            run = {line["line_number"] for line in file["lines"] if line["count"] > 0}
            lines[os.path.normpath(file["file"])] |= run
    shutil.rmtree(counters)
    return {file: sorted(numbers) for file, numbers in lines.items() if file.startswith(tree)}


@dataclass
class Trial:
    """One mutation in a copy of the folders. compiled: objects by variant and source; None if as in the base."""

    base: Base
    mutation: Mutation
    folder: Path
    compiled: dict[tuple[str, str], Path | None] = field(default_factory=dict)

    def _compiled(self, variant: str, source: str) -> Path | None:
        if self.mutation.file not in self.base.reached(source):
            return None
        target = self.folder / "objects" / variant / f"{source.replace('/', '-')[:-2]}.o"
        compile_in(self.folder, variant, source, target)
        return None if filecmp.cmp(target, self.base.object_of(variant, source), shallow=False) else target

    def changed(self, variant: str, sources: Iterable[str]) -> dict[str, Path]:
        """Returns the objects of these sources that differ from those of the base."""
        for key in ((variant, source) for source in sources):
            if key not in self.compiled:
                self.compiled[key] = self._compiled(*key)
        return {source: path for (of, source), path in self.compiled.items() if path and of == variant}

    def run(self, variant: str, program: str) -> Run | None:
        """Builds and runs a program; None if it is the same as without the mutation."""
        measured = self.base.measured[program]
        needed = measured["needed"] if variant != "small" else None
        used = {*(needed or self.base.sources), program}
        changed = {source: path for source, path in self.changed(variant, used).items() if source in used}
        if not changed:
            return None
        path = self.folder / "program"
        link(self.base, variant, program, changed, path, needed)
        kind = "answered" if program in ANSWERED else variant
        return self.base.run(program, path, LEAST_S[kind] + TIMES_SLOWER[kind] * measured["seconds"])

    def outcome(self) -> Outcome:
        """Runs plain programs, the quickest first, then some with sanitizers, until one fails. BuildProblem if the
        mutation does not compile."""
        base, mutation = self.base, self.mutation
        programs = sorted(base.programs, key=lambda name: base.measured[name]["seconds"])
        reached = [name for name in programs
                   if set(mutation.lines).intersection(base.measured[name]["lines"].get(mutation.file, ()))]
        programs = reached or programs  # of a constant or a table no line counts
        own = [program for program in programs if program not in ANSWERED]
        likely = sorted(programs, key=lambda name: (LINK_S + base.measured[name]["seconds"])
                        / (1 + base.kills[mutation.file, name]))
        last = [*own[:SANITIZED], *(name for name in programs if name == DRIVER)]
        for variant, names in [("small", own)] if mutation.is_small else [("plain", likely), ("sanitized", last)]:
            for name in names:
                run = self.run(variant, name)
                if run is not None and run.how is not None:
                    base.kills[mutation.file, name] += 1
                    return Outcome((name, run.how if variant == "plain" else f"{variant}: {run.how}"))
            if variant != "sanitized" and not self.changed(variant, [*base.sources, *base.programs]):
                return Outcome(is_equivalent=True)
        return Outcome()


def try_in(base: Base, folder: Path, mutation: Mutation) -> Outcome:
    """Tries a mutation in the copy at `folder`, which is as before afterwards."""
    if not folder.exists():
        make_folder(base.folder / "copy", folder, os.link)
    mutation.apply(folder)
    try:
        return Trial(base, mutation, folder).outcome()
    finally:
        (folder / mutation.file).unlink()
        os.link(base.folder / "copy" / mutation.file, folder / mutation.file)
