"""The list of mutations, which lies in the .toml files of this folder: a table each, see README.md."""
from __future__ import annotations

import sys
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
ROOT = FOLDER.parents[1]
sys.path.insert(0, str(ROOT / "tests/support"))

from part import part_of  # noqa: E402

_NEEDED = {"file": str, "find": str, "replace": str, "tests": list}
_OPTIONAL = {"survives": str}


class MutationProblem(Exception):
    """A mutation that cannot be tried; str() is one line that names it."""


@dataclass(frozen=True)
class Mutation:
    """A change of one place and the tests that should see it, all paths from the root on.

    tests: C programs of tests/, or pytest files, functions or single cases (FILE.py::test_name[case]).
    survives: why no test can see the change; None where one has to.
    """

    name: str
    file: str
    find: str
    replace: str
    tests: tuple[str, ...]
    survives: str | None = None

    def changed(self, text: str) -> str:
        """The file's text with the change; MutationProblem where `find` is not there exactly once."""
        count = text.count(self.find)
        if count != 1:
            raise MutationProblem(f"{self.name}: {self.file}: {self.find!r} is there {count} times, "
                                  "not once")
        if self.find == self.replace:
            raise MutationProblem(f"{self.name}: {self.file}: nothing changes")
        return text.replace(self.find, self.replace)

    def apply(self, root: Path) -> None:
        """Changes the file below root; MutationProblem where that is not possible."""
        path = root / self.file
        if not path.is_file():
            raise MutationProblem(f"{self.name}: there is no file {self.file}")
        text = self.changed(path.read_text(encoding="utf-8"))
        if path.suffix == ".py":
            try:
                compile(text, self.file, "exec")
            except SyntaxError as error:
                raise MutationProblem(f"{self.name}: the changed text is not Python: {error}") from error
        path.unlink()  # another copy may have the same file
        path.write_text(text, encoding="utf-8")

    def check(self, root: Path) -> None:
        """MutationProblem where the change does not apply below root, or a test is missing."""
        path = root / self.file
        if not path.is_file():
            raise MutationProblem(f"{self.name}: there is no file {self.file}")
        self.changed(path.read_text(encoding="utf-8"))
        for test in self.tests:
            file, _, function = test.partition("[")[0].partition("::")
            source = root / file
            if not source.is_file() or (function and f"def {function}(" not in source.read_text()):
                raise MutationProblem(f"{self.name}: there is no test {test}")


def read_mutations(folder: Path = FOLDER) -> list[Mutation]:
    """All mutations of the folder's files, in order. MutationProblem for a key or value that has no
    meaning and for a name that comes twice."""
    found: dict[str, Mutation] = {}
    for path in sorted(folder.glob("*.toml")):
        try:
            tables = tomllib.loads(path.read_text(encoding="utf-8"))
        except tomllib.TOMLDecodeError as error:
            raise MutationProblem(f"{path.name}: {error}") from error
        for name, table in tables.items():
            if name in found:
                raise MutationProblem(f"{path.name}: {name} comes twice")
            found[name] = _mutation(path.name, name, table)
    return list(found.values())


def _mutation(place: str, name: str, table: object) -> Mutation:
    known = _NEEDED | _OPTIONAL
    keys = set(table) if isinstance(table, dict) else set()
    if not set(_NEEDED) <= keys <= set(known):
        raise MutationProblem(f"{place}: {name} needs the keys {', '.join(_NEEDED)} and may have "
                              f"{', '.join(_OPTIONAL)}; it has {', '.join(sorted(keys)) or 'none'}")
    for key, value in table.items():
        if not isinstance(value, known[key]) or (value in ("", []) and key != "replace"):
            raise MutationProblem(f"{place}: {name}: {key} is {value!r}")
    return Mutation(name, table["file"], table["find"], table["replace"], tuple(table["tests"]),
                    table.get("survives"))


def chosen(mutations: Sequence[Mutation], pattern: str, part: str = "") -> list[Mutation]:
    """Those with the pattern in their name or file, of which a part SEED/COUNT may be taken (see part_of);
    MutationProblem if there are none."""
    found = {each.name: each for each in mutations if pattern in each.name or pattern in each.file}
    if not found:
        raise MutationProblem(f"no mutation has {pattern!r} in its name or file")
    try:
        names = part_of(found, part)
    except ValueError as problem:
        raise MutationProblem(str(problem)) from problem
    if not names:
        raise MutationProblem(f"part {part} of {len(found)} mutations is empty")
    return [found[name] for name in names]
