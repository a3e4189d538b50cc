"""A mutation: one small change of one file, and the choice of mutations to try."""
from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
ROOT = FOLDER.parents[1]
sys.path.insert(0, str(ROOT / "tests/support"))

from part import part_of  # noqa: E402

SMALL = ["-ffreestanding", "-DOSC_COUNTS_BITS=0"]  # as for a Cortex-M0, which has no long products and counts no zeros


class MutationProblem(Exception):
    """A list or choice of mutations that makes no sense; str() is one line that names it."""


@dataclass(frozen=True)
class Change:
    """A change that an operator finds: source[start:end] becomes text. Offsets count bytes."""

    operator: str
    start: int
    end: int
    text: str


@dataclass(frozen=True)
class Mutation:
    """A change with a name: FILE:FUNCTION:OPERATOR:ORDINAL, or one of its own if it is handwritten.

    lines: that change, counted from 1. tests: of a handwritten mutation. is_small: in code that only SMALL compiles."""

    name: str
    file: str
    change: Change
    lines: range
    tests: tuple[str, ...] = ()
    is_small: bool = False

    def apply(self, root: Path) -> None:
        """Changes the file below root."""
        path = root / self.file
        source = path.read_bytes()
        path.unlink()  # another copy may have the same file
        path.write_bytes(source[:self.change.start] + self.change.text.encode() + source[self.change.end:])

    def difference(self, root: Path) -> str:
        """Returns the change as a person reads it."""
        source = (root / self.file).read_bytes()
        before = source[self.change.start:self.change.end].decode()
        return " ".join(f"{self.file}:{self.lines[0]}: {before} -> {self.change.text}".split())


def named(file: str, source: bytes, function: str, changes: Iterable[Change]) -> list[Mutation]:
    """Returns the mutations of a function, numbered for each operator in the order of the source."""
    ordinals: Counter[str] = Counter()
    found = []
    for change in sorted(set(changes), key=lambda change: (change.start, change.end, change.operator, change.text)):
        ordinals[change.operator] += 1
        lines = range(source.count(b"\n", 0, change.start) + 1, source.count(b"\n", 0, change.end) + 2)
        found.append(Mutation(f"{file}:{function}:{change.operator}:{ordinals[change.operator]}", file, change, lines))
    return found


def changed_lines(root: Path, since: str) -> dict[str, set[int]]:
    """Returns the numbers of the lines that have changed since a commit, by file."""
    answer = subprocess.run(["git", "-C", str(root), "diff", "--unified=0", "--no-color", "--no-ext-diff", since, "--"],
                            check=False, text=True, errors="replace", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if answer.returncode != 0:
        raise MutationProblem(f"SINCE={since}: {answer.stderr.strip().splitlines()[0]}")
    found: dict[str, set[int]] = {}
    for line in answer.stdout.splitlines():
        if line.startswith("+++ "):
            lines = found.setdefault(line[6:], set())
        elif hunk := re.match(r"@@ -\S+ \+(\d+)(?:,(\d+))? @@", line):
            lines.update(range(int(hunk[1]), int(hunk[1]) + max(int(hunk[2] or 1), 1)))
    return found


def touched(mutations: Iterable[Mutation], lines: dict[str, set[int]]) -> list[Mutation]:
    """Returns the mutations of these lines."""
    return [each for each in mutations if lines.get(each.file, set()).intersection(each.lines)]


def part(mutations: Sequence[Mutation], wanted: str) -> list[Mutation]:
    """Returns the part SEED/COUNT of the mutations (see part_of), or all; MutationProblem if it is empty."""
    found = {each.name: each for each in mutations}
    try:
        names = part_of(found, wanted)
    except ValueError as problem:
        raise MutationProblem(str(problem)) from problem
    if not names:
        raise MutationProblem(f"part {wanted} of {len(found)} mutations is empty")
    return [found[name] for name in names]
