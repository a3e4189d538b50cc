"""All mutations of the tree, those that a run tries, and the tests for them."""
from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from zlib import crc32

from c_operators import mutations_of
from mutation import FOLDER, ROOT, SMALL, Change, Mutation, MutationProblem, named
from python_operators import changes_of

GUARDS = ("bound", "condition", "logic", "error", "else")  # of these operators every mutation of the runtime is tried
OTHERS = 1  # in each function, as most tests that run the function notice them
ELSEWHERE = 500  # mutations outside the runtime
RUNTIME, ARITHMETIC = "runtime/", "runtime/arithmetic/"
_IMPORTED = re.compile(r"^\s*(?:from|import) ((?:ossicle|tools)\b[\w.]*)(?: import (.+))?$", re.MULTILINE)
_SLOW = re.compile(r"^pytestmark = .*(?:exhaustive|integration)", re.MULTILINE)
MOST_TESTS = 6  # files that import a module run for it, those that import the fewest others first
_HOST = ["-std=c11", "-D_POSIX_C_SOURCE=200809L"]
_INCLUDED = ("codegen/encoder", "codegen/viewer", "targets", "targets/media", "targets/testing", "targets/gba",
             "targets/stage", "runtime")


def _mutations(root: Path, pattern: str, trees: tuple[str, ...], port: str = "scalar", flags: Sequence[str] = (),
               strict: bool = True) -> list[Mutation]:
    includes = [f"-I{root / folder}" for folder in (*_INCLUDED, f"platforms/{port}", "platforms/vector")]
    return mutations_of(root, sorted(root.glob(pattern)), [*_HOST, *includes, *flags], trees, strict)


def of_runtime(root: Path = ROOT) -> list[Mutation]:
    """Every mutation of runtime/ that an operator finds, as compiled here and as for a small machine."""
    found = _mutations(root, "runtime/*/*.c", (RUNTIME,))
    names, changes = {each.name for each in found}, {(each.file, each.change) for each in found}
    return found + [replace(each, is_small=True)
                    for each in _mutations(root, f"{ARITHMETIC}*.c", (ARITHMETIC,), flags=SMALL)
                    if each.name not in names and (each.file, each.change) not in changes]


def of_python(root: Path, path: Path) -> list[Mutation]:
    """Every mutation of a Python file."""
    source = path.read_bytes()
    return [each for function, changes in changes_of(source).items()
            for each in named(str(path.relative_to(root)), source, function, changes)]


def elsewhere(root: Path = ROOT) -> list[Mutation]:
    """Every mutation outside runtime/ that an operator finds."""
    found = _mutations(root, "codegen/*/**/*.c", ("codegen/",), strict=False)
    found += _mutations(root, "targets/**/*.c", ("targets/",), strict=False)
    found += _mutations(root, "runtime/*/*.c", ("platforms/",), "sse")
    for tree in ("codegen/ossicle", "codegen/demo", "codegen/tools", "targets"):
        for path in sorted((root / tree).rglob("*.py")):
            found += of_python(root, path)
    return found


def handwritten(root: Path = ROOT, path: Path = FOLDER / "handwritten.toml") -> list[Mutation]:
    """The mutations that no operator finds. MutationProblem for one that means nothing or does not apply."""
    found = []
    for name, words in tomllib.loads(path.read_text(encoding="utf-8")).items():
        file, wanted, replacement, *tests = words if len(words) > 3 else ("", "", "", "")
        source = (root / file).read_bytes() if (root / file).is_file() else b""
        if not tests[0] or source.count(wanted.encode()) != 1 or wanted == replacement:
            raise MutationProblem(f"{path.name}: {name} needs a file, a text that is in it once, another, and tests")
        start = source.index(wanted.encode())
        change = Change("handwritten", start, start + len(wanted.encode()), replacement)
        found.append(replace(named(file, source, name, [change])[0], name=name, tests=tuple(tests)))
    return found


def survivors(path: Path = FOLDER / "survivors.toml") -> dict[str, str]:
    """Reasons why no test can notice a mutation, by its name."""
    reasons = tomllib.loads(path.read_text(encoding="utf-8"))
    for reason, names in reasons.items():
        if not isinstance(names, list) or len(reason) < 20 or "\n" in reason:
            raise MutationProblem(f"{path.name}: {reason} needs to be a reason of one line, with a list of names")
    return {name: reason for reason, names in reasons.items() for name in names}


def first(mutations: Iterable[Mutation], count: int, seed: int) -> list[Mutation]:
    """Returns `count` of the mutations in their order; the seed chooses which."""
    mutations = list(mutations)
    mixed = sorted(mutations, key=lambda each: (crc32(f"{seed} {each.name}".encode()), each.name))
    wanted = {each.name for each in mixed[:count]}
    return [each for each in mutations if each.name in wanted]


def tried_of_runtime(mutations: Sequence[Mutation], seed: int) -> list[Mutation]:
    """Returns all mutations of guards, and some others in each function; the seed chooses which."""
    others: dict[str, list[Mutation]] = defaultdict(list)
    for each in mutations:
        if each.change.operator not in GUARDS:
            others[each.name.rsplit(":", 2)[0]].append(each)
    wanted = {each.name for group in others.values() for each in first(group, OTHERS, seed)}
    return [each for each in mutations if each.change.operator in GUARDS or each.name in wanted]


@dataclass(frozen=True)
class TestTable:
    """folders: tests of the code below a folder, or of a file. importers: the test files that import a module."""

    folders: dict[str, list[str]]
    importers: dict[str, list[str]]

    @staticmethod
    def read(root: Path = ROOT, path: Path = FOLDER / "tests.toml") -> TestTable:
        """Reads the table of folders, and the imports of all test files."""
        modules: dict[str, set[str]] = {}
        for test in (root / "tests").rglob("test_*.py"):
            text = test.read_text(encoding="utf-8")
            if not _SLOW.search(text) and test.parent != FOLDER:
                modules[str(test.relative_to(root))] = {
                    name for package, names in _IMPORTED.findall(text)
                    for name in (package, *(f"{package}.{word}" for word in re.findall(r"\w+", names)))}
        importers = defaultdict(list)
        for test in sorted(modules, key=lambda test: (len(modules[test]), test)):
            for module in modules[test]:
                importers[module].append(test)
        return TestTable(tomllib.loads(path.read_text(encoding="utf-8")), importers)

    def tests_of(self, mutation: Mutation) -> list[str]:
        """Returns the tests of a handwritten mutation; otherwise those that import the module and those of its folder.
        MutationProblem if there are none."""
        file = Path(mutation.file)
        module = mutation.file.removeprefix("codegen/").removesuffix(".py").replace("/", ".").removesuffix(".__init__")
        found = self.importers.get(module, [])[:MOST_TESTS] if file.suffix == ".py" else []
        own = next((self.folders[str(place)] for place in (file, *file.parents) if str(place) in self.folders), [])
        tests = list(mutation.tests) or list(dict.fromkeys([*found, *own]))
        if not tests:
            raise MutationProblem(f"tests.toml: no tests for {mutation.file}")
        return tests
