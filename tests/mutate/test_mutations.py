"""Operators find the changes that they are for; a run chooses mutations by name, part, seed and commit, and tells those
that are killed from those that survive, are equivalent or do not build."""
from __future__ import annotations

import csv
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import catalogue
import mutate
import mutation as mutations
import pytest
from c_operators import mutations_of
from mutation import ROOT, Change, Mutation, MutationProblem
from python_operators import changes_of
from tests_of import Table

LEAST_OF_RUNTIME, ELSEWHERE = 2000, 500
MACROS = """
enum { WRONG = -1 };
#define CHECK(x) do { if (!(x)) fail(); } while (0)
#define TWICE(x) (2 * (x))
#define EIGHT 8
void fail(void);
int two(int a, int b);
"""
SCONSTRUCT = """
import os
SConsignFile(os.path.abspath("build/.sconsign"))
env = Environment(tools=["gcc", "gnulink"], CCFLAGS=["-Werror", "-Wall"], CPPPATH=["#"])
for variant in ("plain", "sanitized"):
    env.Program(f"build/tests/{variant}/test_guard",
                [env.Object(f"build/{variant}/test", "tests/test_guard.c"),
                 env.Object(f"build/{variant}/guard", "guard.c")])
env.Alias("host", [])
env.Alias("encoder", [])
"""
GUARD_H = "int held(int x);\n"
GUARD = '#include "guard.h"\nint held(int x)\n{\n    return x > 9 ? 9 : x;\n}\n'
TEST_GUARD = '#include "guard.h"\nint main(void)\n{\n    return held(11) != 9;\n}\n'
TEST_PY = """
from pathlib import Path
TEXT = (Path(__file__).parents[1] / "guard.py").read_text()
def test_it():
    names = {}
    exec(TEXT, names)
    assert names["held"](11) == 9
def test_installed():
    assert (Path(__file__).parents[1] / "build/pico/installed").exists()
    test_it()
def test_nothing():
    import pytest
    pytest.skip("no reason")
"""


def quiet(_: object) -> None:
    pass


@pytest.fixture(scope="module")
def of_runtime() -> list[Mutation]:
    return catalogue.of_runtime()


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A tree with a guard in C and one in Python, and tests that see some of their mutations."""
    root = tmp_path / "checkout"
    for name, text in (("SConstruct", SCONSTRUCT), ("guard.c", GUARD), ("guard.h", GUARD_H),
                       ("guard.py", "def held(x):\n    return 9 if x > 9 else x\n"), ("build/pico/installed", ""),
                       ("tests/test_guard.c", TEST_GUARD), ("tests/test_guard.py", TEST_PY)):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


def changes_in_c(folder: Path, text: str) -> list[str]:
    """Each mutation of a C file as `operator: the changed text`."""
    (folder / "a.c").write_text(text)
    return [f"{each.change.operator}: {each.change.text.strip()}".strip() for each in
            mutations_of(folder, [folder / "a.c"], [], ("a.c",))]


@pytest.mark.parametrize(("body", "wanted"), [
    ("return a < b;", ["bound: <="]), ("return a >= b;", ["bound: >"]), ("return a != b;", ["equal: =="]),
    ("return a && b;", ["logic: ||"]), ("return a * (b);", ["arithmetic: +"]), ("return a << b;", ["shift: >>"]),
    ("return a & b;", ["bits: |"]), ("return a ? b : c;", ["exchange: c : b"]), ("return a + 0x0fu;", ["arithmetic: -", "constant: 0x10u"]),
    ("return !a;", ["sign:"]), ("return two(a, b);", ["exchange: b, a"]), ("return WRONG;", ["error: 0"]),
    ("fail();", ["statement: (void)0"]), ("a += b;", ["statement: (void)0", "arithmetic: -="]),
    ("if (a) fail(); else c = b;", ["condition: 0 && (a)", "statement: (void)0", "else: ;", "statement: (void)0"]),
    ("int x[4]; (void)x;", []), ("CHECK(a < b);", []), ("return TWICE(a + 1);", []),
    ("return a + EIGHT;", ["arithmetic: -"]), ("return EIGHT < b;", ["bound: <="]),
])
def test_changes_of_c(tmp_path: Path, body: str, wanted: list[str]) -> None:
    assert changes_in_c(tmp_path, f"{MACROS}int f(int a, int b, int c)\n{{\n    {body}\n}}\n") == wanted


def test_only_some_entries_of_a_table_change(tmp_path: Path) -> None:
    entries = ", ".join(map(str, range(100)))
    assert len(changes_in_c(tmp_path, f"static const int table[100] = {{{entries}}};\n")) == 2


@pytest.mark.parametrize(("body", "wanted"), [
    ("return a < b", ["bound: <="]), ("return a not in b", ["equal: in"]), ("return a and (b)", ["logic: or"]),
    ("return a - b", ["arithmetic: +"]), ("return a % b", ["arithmetic: //"]), ("return 'a' % b", []),
    ("return 3", ["constant: 4"]), ("return not a", ["sign:"]), ("return two(a, b)", ["exchange: b, a"]),
    ("raise ValueError(a)", ["error: pass"]), ("two(a)", ["statement: pass"]), ("assert a < b", []),
    ("x: list[3] = a", []), ("'''text'''", []),
    ("if a:\n        b()\n    else:\n        c()", ["condition: False and (a)", "statement: pass", "else: pass", "statement: pass"]),
])
def test_changes_of_python(body: str, wanted: list[str]) -> None:
    [changes] = changes_of(f"def f(a, b, c):\n    {body}\n".encode()).values()
    named = mutations.named("f.py", b"", "f", changes)
    assert [f"{each.change.operator}: {each.change.text}".strip() for each in named] == wanted


def test_changed_python_is_python() -> None:
    for path in sorted((ROOT / "codegen/ossicle/base").glob("*.py")):
        source = path.read_bytes()
        for each in catalogue.of_python(ROOT, path):
            text = source[:each.change.start] + each.change.text.encode() + source[each.change.end:]
            compile(text, each.name, "exec")


def test_names_have_no_line_numbers() -> None:
    source = b"def f(a):\n    return a + 1 + 2\nclass C:\n    def g(self):\n        return 1\n"
    found = {function: [each.name for each in mutations.named("f.py", source, function, changes)]
             for function, changes in changes_of(source).items()}
    assert found == {"f": ["f.py:f:arithmetic:1", "f.py:f:constant:1", "f.py:f:arithmetic:2", "f.py:f:constant:2"],
                     "C.g": ["f.py:C.g:constant:1"]}


def test_the_runtime_has_enough(of_runtime: list[Mutation]) -> None:
    chosen = [catalogue.tried_of_runtime(of_runtime, seed) for seed in (0, 0, 1)]
    assert chosen[0] == chosen[1] != chosen[2] and len({each.name for each in of_runtime}) == len(of_runtime)
    assert all(len(each) >= LEAST_OF_RUNTIME for each in chosen)
    for path in ROOT.glob("runtime/*/*.c"):
        assert any(each.file == str(path.relative_to(ROOT)) for each in chosen[0]), path


def test_survivors_are_mutations(of_runtime: list[Mutation]) -> None:
    known = {each.name for each in of_runtime} | {each.name for each in catalogue.handwritten()}
    for name in catalogue.survivors().keys() - known:
        file = ROOT / name.partition(":")[0]
        assert file.is_file(), name
        assert file.suffix != ".py" or name in {each.name for each in catalogue.of_python(ROOT, file)}, name


def test_handwritten_mutations_apply_and_have_tests() -> None:
    for each in catalogue.handwritten():
        for test in each.tests:
            file, _, function = test.partition("[")[0].partition("::")
            assert (ROOT / file).is_file() and f"def {function}(" * bool(function) in (ROOT / file).read_text(), each.name


def test_every_folder_with_code_has_tests() -> None:
    table = Table.read()
    for tests in table.folders.values():
        for test in tests:
            assert (ROOT / test).exists(), test
    for path in [*ROOT.glob("codegen/ossicle/**/*.py"), *ROOT.glob("codegen/encoder/*/**/*.c"), *ROOT.glob("targets/**/*.c")]:
        assert table.tests_of(Mutation("", str(path.relative_to(ROOT)), Change("", 0, 1, ""), 1, 1)), path
    assert set(table.folders) == {name for name in table.folders if (ROOT / name).exists()}


def test_elsewhere_a_sample_is_chosen_by_a_seed() -> None:
    found = [Mutation(f"f.py:f:bound:{i}", "f.py", Change("bound", i, i + 1, ""), i, i) for i in range(2 * ELSEWHERE)]
    samples = [catalogue.first(found, catalogue.ELSEWHERE, seed) for seed in (0, 0, 1)]
    assert samples[0] == samples[1] != samples[2] and len(samples[2]) == ELSEWHERE
    parts = [mutations.part(found, f"{seed}/9") for seed in range(9)]
    assert Counter(each.name for part in parts for each in part) == Counter(each.name for each in found)


@pytest.mark.parametrize("wanted", ["7", "1/1000"])
def test_a_part_without_mutations_is_an_error(wanted: str) -> None:
    with pytest.raises(MutationProblem, match="part "):
        mutations.part([Mutation("a", "a.c", Change("bound", 0, 1, ""), 1, 1)], wanted)


def test_since_a_commit(checkout: Path) -> None:
    def git(*words: str) -> None:
        subprocess.run(["git", "-C", str(checkout), "-c", "user.name=a", "-c", "user.email=a@b.c", *words], check=True,
                       stdout=subprocess.DEVNULL)

    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "all")
    (checkout / "guard.c").write_text(GUARD.replace("? 9", "? 8") + "int f(int a)\n{\n    return a + 1;\n}\n")
    found = mutations_of(checkout, [checkout / "guard.c"], [], ("guard",))
    changed = mutations.touched(found, mutations.changed_lines(checkout, "HEAD"))
    assert {each.name.split(":")[1] for each in changed} == {"held", "f"} and len(changed) == len(found)
    git("commit", "-qam", "more")
    assert mutations.touched(found, mutations.changed_lines(checkout, "HEAD")) == []
    with pytest.raises(MutationProblem, match="SINCE=nothing"):
        mutations.changed_lines(checkout, "nothing")


@pytest.mark.parametrize(("table", "reason"), [
    ('file = "guard.c"\nfind = "x > 7"\nreplace = "x"\ntests = ["t"]', "0 times"),
    ('file = "guard.c"\nfind = "9"\nreplace = "8"\ntests = ["t"]', "2 times"),
    ('file = "none.c"\nfind = "9"\nreplace = "8"\ntests = ["t"]', "0 times"),
    ('file = "guard.c"\nfind = "x > 9"\nreplace = "x > 9"\ntests = ["t"]', "nothing changes"),
    ('file = "guard.c"\nfind = "x > 9"\nreplace = "x"\ntests = []', "needs the keys"),
    ('file = "guard.c"\nfind = "x > 9"\nreplace = "x"', "needs the keys")])
def test_handwritten_mutations_that_mean_nothing(checkout: Path, table: str, reason: str) -> None:
    (checkout / "list.toml").write_text(f"[a]\n{table}\n")
    with pytest.raises(MutationProblem, match=reason):
        catalogue.handwritten(checkout, checkout / "list.toml")


def test_a_survivor_needs_a_reason(tmp_path: Path) -> None:
    (tmp_path / "list.toml").write_text('"a.c:f:bound:1" = "no"\n')
    with pytest.raises(MutationProblem, match="a.c:f:bound:1"):
        catalogue.survivors(tmp_path / "list.toml")


@pytest.fixture
def write(checkout: Path) -> Iterator[Callable[..., Mutation]]:
    """Returns a mutation that replaces a text of a file."""
    def made(name: str, find: str, replace: str, file: str = "guard.c", test: str = "tests/test_guard.c") -> Mutation:
        source = (checkout / file).read_bytes()
        start = source.index(find.encode())
        [each] = mutations.named(file, source, name, [Change("bound", start, start + len(find), replace)])
        return Mutation(name, file, each.change, each.first_line, each.last_line, (test,))

    yield made
    assert (checkout / "guard.c").read_text() == GUARD


@pytest.mark.exhaustive
def test_outcomes_in_copies_of_the_checkout(checkout: Path, write: Callable[..., Mutation],
                                            monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mutate, "LEAST_SECONDS", 5.0)
    monkeypatch.setattr(mutate, "ROOT", checkout)
    python = {"file": "guard.py", "test": "tests/test_guard.py"}
    tried = [
        write("bound", "x > 9", "x > 99"), write("same", "x > 9", "x >= 9"), write("explained", "x > 9", "x >= 9"),
        write("excused", "x > 9", "x > 99"), write("syntax", "return x > 9", "return y > 9"),
        write("python", "x > 9", "x > 99", **python | {"test": "tests/test_guard.py::test_installed"}),
        write("python survivor", "x > 9", "x >= 9", **python | {"test": "tests/test_guard.py::test_it"}),
        write("skipped", "x > 9", "x > 99", **python | {"test": "tests/test_guard.py::test_nothing"}),
        write("endless", "return x > 9", "while (x > 9)\n        x += 0 * x;\n    return x > 9")]
    reasons = dict.fromkeys(("explained", "excused"), "9 is 9 on either path")
    results = mutate.try_elsewhere(checkout, tried, lambda each: each.tests, reasons, checkout.parent / "out", 2, quiet, quiet)
    assert {each.mutation.name: each.outcome for each in results} == {
        "bound": mutate.KILLED, "same": mutate.SURVIVED, "explained": mutate.EXPLAINED,
        "excused": mutate.UNEXPLAINED_KILL, "syntax": mutate.UNBUILT, "python": mutate.KILLED,
        "python survivor": mutate.SURVIVED, "skipped": mutate.UNTESTED, "endless": mutate.KILLED}
    (checkout / "tests/test_guard.c").write_text(TEST_GUARD.replace("!= 9", "== 9"))
    results = mutate.try_elsewhere(checkout, tried[:1], lambda each: each.tests, {}, checkout.parent / "out", 2, quiet, quiet)
    assert [each.outcome for each in results] == [mutate.UNTESTED]
    (checkout / "guard.h").write_text("no C\n")
    with pytest.raises(mutate.BuildProblem, match="error"):
        mutate.try_elsewhere(checkout, tried[:1], lambda each: each.tests, {}, checkout.parent / "out", 2, quiet, quiet)


def test_outcomes_of_the_runtime(tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                 capsys: pytest.CaptureFixture[str]) -> None:
    for name, text in (("runtime/bank/guard.c", GUARD.replace("guard.h", "../guard.h")), ("runtime/guard.h", GUARD_H),
                       ("tests/runtime/test_guard.c", TEST_GUARD), ("platforms/scalar/a.h", ""),
                       ("tests/support/a.h", ""), ("tests/stream/a.h", "")):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    found = [each for each in mutations_of(tmp_path, [tmp_path / "runtime/bank/guard.c"], [], ("runtime/",))]
    for module in (mutate, catalogue):
        monkeypatch.setattr(module, "ROOT", tmp_path)
    monkeypatch.setattr(mutate, "choose", lambda options: found)
    reasons = {"runtime/bank/guard.c:held:constant:1": "the test passes no ten"}
    monkeypatch.setattr(catalogue, "survivors", lambda: reasons)
    output = tmp_path / "out"
    assert mutate.main(["--output", str(output)]) == 0
    with (output / "results.csv").open(newline="") as file:
        rows = {row["mutation"].partition("held:")[2]: row["outcome"] for row in csv.DictReader(file)}
    assert rows == {"bound:1": mutate.EQUIVALENT, "constant:1": mutate.EXPLAINED, "constant:2": mutate.KILLED,
                    "exchange:1": mutate.KILLED}
    assert mutate.main(["--output", str(output), "--list"]) == 0
    assert "4 mutations of runtime/, 0 others" in capsys.readouterr().out
    for name in ("constant:1", "constant:2"):
        reasons.clear() if name == "constant:1" else reasons.update({f"runtime/bank/guard.c:held:{name}": "wrong"})
        monkeypatch.setattr(mutate, "choose", lambda options: [each for each in found if each.name.endswith(name)])
        assert mutate.main(["--output", str(output)]) == 1


@pytest.mark.parametrize(("only", "part"), [("", ""), ("runtime/", "7/20")])
def test_the_goal_passes_its_variables_on(only: str, part: str) -> None:
    command = ["scons", "-Q", "-n", "mutate", "TEST_WORKERS=3", f"MUTATE_ONLY={only}", f"PART={part}", "SEED=5",
               "SINCE=main", "MUTATE_LIST=1"]
    output = subprocess.run(command, cwd=ROOT, check=True, text=True, stdout=subprocess.PIPE).stdout
    [line] = [line for line in output.splitlines() if "mutate.py" in line]
    options = mutate.read_options(line.partition("mutate.py ")[2].split())
    assert (options.only, options.part, options.workers, options.output) == (only, part, 3, Path("build/mutate"))
    assert (options.seed, options.since, options.list) == (5, "main", True)
