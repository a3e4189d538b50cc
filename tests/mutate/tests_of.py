"""Which tests run for a mutation outside the runtime."""
from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from mutation import FOLDER, ROOT, Mutation, MutationProblem

_IMPORTED = re.compile(r"^\s*(?:from (ossicle[\w.]*) import (.+)|import (ossicle[\w.]+))", re.MULTILINE)
_SLOW = re.compile(r"^pytestmark = .*(?:exhaustive|integration)", re.MULTILINE)
MOST_TESTS = 6  # files that import a module run for it, those that import the fewest others first


@dataclass(frozen=True)
class Table:
    """folders: tests of the code below a folder, or of a file. importers: the test files that import a module."""

    folders: dict[str, tuple[str, ...]]
    importers: dict[str, list[str]]

    @staticmethod
    def read(root: Path = ROOT, path: Path = FOLDER / "tests.toml") -> Table:
        """Reads the table of folders, and the imports of all test files."""
        folders = {name: tuple(tests) for name, tests in tomllib.loads(path.read_text(encoding="utf-8")).items()}
        modules: dict[str, set[str]] = {}
        for test in sorted((root / "tests").rglob("test_*.py")):
            text = test.read_text(encoding="utf-8")
            if not _SLOW.search(text) and not test.is_relative_to(root / "tests/mutate"):
                modules[str(test.relative_to(root))] = {
                    name for package, names, module in _IMPORTED.findall(text)
                    for name in ([module] if module else [package, *(f"{package}.{word}"
                                                                     for word in re.findall(r"\w+", names))])}
        importers = defaultdict(list)
        for test in sorted(modules, key=lambda test: (len(modules[test]), test)):
            for module in modules[test]:
                importers[module].append(test)
        return Table(folders, importers)

    def tests_of(self, mutation: Mutation) -> tuple[str, ...]:
        """Returns the tests of a handwritten mutation; otherwise those that import the module, then those of its folder.

        MutationProblem if there are none."""
        if mutation.tests:
            return mutation.tests
        module = mutation.file.removeprefix("codegen/").removesuffix(".py").replace("/", ".").removesuffix(".__init__")
        found = self.importers.get(module, [])[:MOST_TESTS] if mutation.file.endswith(".py") else []
        places = [str(place) for place in (Path(mutation.file), *Path(mutation.file).parents) if str(place) in self.folders]
        tests = tuple(dict.fromkeys([*found, *(self.folders[places[0]] if places else ())]))
        if not tests:
            raise MutationProblem(f"tests.toml: no tests for {mutation.file}")
        return tests
