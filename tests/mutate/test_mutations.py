"""Operators find the changes that they are for; a run chooses mutations by name, part, seed and commit, and tells those
that are killed from those that survive, are equivalent or do not build."""
from __future__ import annotations

import csv
import subprocess
from collections import Counter
from pathlib import Path

import catalogue
import mutate
import mutation as mutations
import pytest
from c_operators import mutations_of
from mutation import ROOT, Change, Mutation, MutationProblem
from python_operators import changes_of

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
env = Environment(tools=["gcc", "gnulink"], CCFLAGS=["-Werror", "-Wall"])
for variant in ("plain", "sanitized"):
    env.Program(f"build/tests/{variant}/test_guard",
                [env.Object(f"build/{variant}/test", "tests/runtime/bank/test_guard.c"),
                 env.Object(f"build/{variant}/guard", "runtime/bank/guard.c")])
env.Alias("host", [])
env.Alias("encoder", [])
"""
TEST_PY = """
import sys, pytest
from pathlib import Path
ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))
import guard
def test_it():
    assert guard.held(11) == 9 and (ROOT / "build/pico/installed").exists()
def test_nothing():
    pytest.skip("no reason")
"""
C, H, TEST_C = "runtime/bank/guard.c", "runtime/guard.h", "tests/runtime/bank/test_guard.c"
FILES = {"SConstruct": SCONSTRUCT, H: "int held(int x);\n", "build/pico/installed": "",
         C: '#include "../guard.h"\nint held(int x)\n{\n    if (x > 9)\n        return 9;\n    return x;\n}\n',
         TEST_C: '#include "../../../runtime/guard.h"\nint main(void)\n{\n    return held(11) != 9;\n}\n',
         "guard.py": "def held(x):\n    return 9 if x > 9 else x\n", "tests/test_guard.py": TEST_PY,
         **dict.fromkeys(("platforms/scalar/a.h", "tests/support/c/a.h", "tests/support/drivers/a.h",
                          "tests/stream/a.h", "tests/golden/a.h", "tests/graph/a.h"), "")}


@pytest.fixture(scope="module")
def of_runtime() -> list[Mutation]:
    return catalogue.of_runtime()


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A tree with a guard in C and one in Python, and tests that notice some of their mutations."""
    for name, text in FILES.items():
        (tmp_path / "checkout" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "checkout" / name).write_text(text)
    return tmp_path / "checkout"


def mutations_of_guard(checkout: Path) -> list[Mutation]:
    return mutations_of(checkout, [checkout / C], [], ("runtime/",))


@pytest.mark.parametrize(("body", "wanted"), [
    ("return a < b;", ["bound: <="]), ("return a != b;", ["equal: =="]), ("return a && b;", ["logic: ||"]),
    ("return a * (b);", ["arithmetic: +"]), ("return a << b;", ["shift: >>"]), ("return a & b;", ["bits: |"]),
    ("return a ? b : c;", ["exchange: c : b"]), ("return a + 0x0fu;", ["arithmetic: -", "constant: 0x10u"]),
    ("return !a;", ["sign:"]), ("return two(a, b);", ["exchange: b, a"]), ("return WRONG;", ["error: 0"]),
    ("return a < b ? a : b;", ["exchange: b : a"]),  # the smaller one, whichever it is of two equals
    ("if (a > b) { a = b; }", ["condition: 0 && (a > b)", "statement: (void)0"]), ("fail();", ["statement: (void)0"]),
    ("if (a) fail(); else c = b;", ["condition: 0 && (a)", "statement: (void)0", "else: ;", "statement: (void)0"]),
    ("a += b;", ["statement: (void)0", "arithmetic: -="]), ("int x[4]; (void)x;", []), ("CHECK(a < b);", []),
    ("return TWICE(a + 1);", []), ("return a + EIGHT;", ["arithmetic: -"]), ("return EIGHT < b;", ["bound: <="]),
    ("return two(EIGHT + a, b);", ["exchange: b, EIGHT + a", "arithmetic: -"])])
def test_changes_of_c(tmp_path: Path, body: str, wanted: list[str]) -> None:
    table = ", ".join(map(str, range(100)))  # of which two entries change
    (tmp_path / "a.c").write_text(f"{MACROS}int f(int a, int b, int c)\n{{\n    {body}\n}}\nint t[] = {{{table}}};\n")
    found = mutations_of(tmp_path, [tmp_path / "a.c"], [], ("a.c",))
    named = [each for each in found if each.name.startswith("a.c:f:")]
    assert [f"{each.change.operator}: {each.change.text.strip()}".strip() for each in named] == wanted
    assert len(found) == len(named) + 2


@pytest.mark.parametrize(("body", "wanted"), [
    ("return a < b", ["bound: <="]), ("return a not in b", ["equal: in"]), ("return a and (b)", ["logic: or"]),
    ("return a - b", ["arithmetic: +"]), ("return a % b", ["arithmetic: //"]), ("return 'a' % b", []),
    ("return 3", ["constant: 4"]), ("return not a", ["sign:"]), ("return two(a, b)", ["exchange: b, a"]),
    ("raise ValueError(a, 1)", ["error: pass"]), ("two(a)", ["statement: pass"]), ("assert a < b", []),
    ("x: list[3] = a", []), ("'''text'''", []), ("return a + 1 + 2", ["arithmetic: -", "constant: 2", "arithmetic: -",
                                                                      "constant: 3"]),
    ("if a:\n        b()\n    else:\n        c()", ["condition: False and (a)", "statement: pass", "else: pass",
                                                    "statement: pass"])])
def test_changes_of_python(body: str, wanted: list[str]) -> None:
    source = f"class C:\n  def f(a, b, c):\n    {body}\n".encode()
    named = mutations.named("f.py", source, "C.f", changes_of(source).get("C.f", []))
    assert [f"{each.change.operator}: {each.change.text}".strip() for each in named] == wanted
    for i, each in enumerate(named):
        ordinal = sum(before.change.operator == each.change.operator for before in named[:i + 1])
        assert each.name == f"f.py:C.f:{each.change.operator}:{ordinal}"
        compile(source[:each.change.start] + each.change.text.encode() + source[each.change.end:], each.name, "exec")


def test_the_runtime_has_enough(of_runtime: list[Mutation]) -> None:
    chosen = [catalogue.tried_of_runtime(of_runtime, seed) for seed in (0, 0, 1)]
    assert chosen[0] == chosen[1] != chosen[2] and len({each.name for each in of_runtime}) == len(of_runtime)
    assert all(len(each) >= LEAST_OF_RUNTIME for each in chosen)
    assert {str(path.relative_to(ROOT)) for path in ROOT.glob("runtime/*/*.c")} <= {each.file for each in chosen[0]}


def test_lists_name_existing_targets(of_runtime: list[Mutation]) -> None:
    handwritten, table = catalogue.handwritten(), catalogue.TestTable.read()
    known = {each.name for each in [*of_runtime, *handwritten]}
    for name in catalogue.survivors().keys() - known:
        file = ROOT / name.partition(":")[0]
        assert file.suffix != ".py" or name in {each.name for each in catalogue.of_python(ROOT, file)}, name
        assert file.is_file() and not name.startswith("runtime/"), name
    lists = [*(each.tests for each in handwritten), *table.folders.values()]
    for test in [test for tests in lists for test in tests]:
        file, _, function = test.partition("[")[0].partition("::")
        assert (ROOT / file).exists() and (not function or f"def {function}(" in (ROOT / file).read_text()), test
    patterns = ("codegen/ossicle/**/*.py", "codegen/encoder/*/**/*.c", "targets/**/*.c")
    for path in [path for pattern in patterns for path in ROOT.glob(pattern)]:
        assert table.tests_of(Mutation("", str(path.relative_to(ROOT)), Change("", 0, 1, ""), range(1))), path
    assert all((ROOT / folder).exists() for folder in table.folders)


def test_seeds_and_parts_choose() -> None:
    change = Change("bound", 0, 1, "")
    found = [Mutation(f"f.py:f:bound:{i}", "f.py", change, range(1)) for i in range(2 * ELSEWHERE)]
    samples = [catalogue.first(found, catalogue.ELSEWHERE, seed) for seed in (0, 0, 1)]
    assert samples[0] == samples[1] != samples[2] and len(samples[2]) == ELSEWHERE
    parts = [mutations.part(found, f"{seed}/9") for seed in range(9)]
    assert Counter(each.name for part in parts for each in part) == Counter(each.name for each in found)
    for wanted in ("7", "9/1000000"):
        with pytest.raises(MutationProblem, match="part "):
            mutations.part(found[:3], wanted)


def test_since_a_commit(checkout: Path) -> None:
    user = ["-c", "user.name=a", "-c", "user.email=a@b.c"]
    for words in (["init", "-q"], ["add", "."], [*user, "commit", "-qm", "all"]):
        subprocess.run(["git", "-C", str(checkout), *words], check=True)
    for text, functions in (("", set()), ("int f(int a)\n{\n    return a + 1;\n}\n", {"f"})):
        (checkout / C).write_text(FILES[C] + text)
        changed = mutations.touched(mutations_of_guard(checkout), mutations.changed_lines(checkout, "HEAD"))
        assert {each.name.split(":")[1] for each in changed} == functions
    with pytest.raises(MutationProblem, match="SINCE=nothing"):
        mutations.changed_lines(checkout, "nothing")


@pytest.mark.parametrize("words", [["guard.py", "x > 7", "x", "t"], ["guard.py", "9", "8", "t"], ["no", "9", "8", "t"],
                                   ["guard.py", "x > 9", "x > 9", "t"], ["guard.py", "x > 9", "x"]])
def test_lists_that_mean_nothing(checkout: Path, words: list[str]) -> None:
    (checkout / "list.toml").write_text(f"a = {words}\n")
    for read in (lambda path: catalogue.handwritten(checkout, path), catalogue.survivors):
        with pytest.raises(MutationProblem, match="list.toml: a "):
            read(checkout / "list.toml")


@pytest.mark.exhaustive
def test_outcomes_in_copies_of_the_checkout(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mutate, "LEAST_S", 5.0)

    def written(name: str, find: str, text: str, file: str = C, test: str = TEST_C) -> Mutation:
        start = FILES[file].index(find)
        return Mutation(name, file, Change("bound", start, start + len(find), text), range(1), (test,))

    tried = {
        written("bound", "x > 9", "x > 99"): mutate.KILLED, written("same", "x > 9", "x >= 9"): mutate.SURVIVED,
        written("explained", "x > 9", "x >= 9"): mutate.EXPLAINED,
        written("excused", "x > 9", "x > 99"): mutate.UNEXPLAINED_KILL,
        written("syntax", "if (x", "if (y"): mutate.UNBUILT,
        written("python", "x > 9", "x > 99", "guard.py", "tests/test_guard.py::test_it"): mutate.KILLED,
        written("python survivor", "x > 9", "x >= 9", "guard.py", "tests/test_guard.py"): mutate.SURVIVED,
        written("skipped", "x > 9", "x > 99", "guard.py", "tests/test_guard.py::test_nothing"): mutate.UNTESTED,
        written("endless", "if (x > 9)", "while (x > 9)\n        x += 0 * x;\n    if (x)"): mutate.KILLED}
    reasons = dict.fromkeys(("explained", "excused"), "9 is 9 on either path")
    session = mutate.Session(checkout, checkout.parent / "out", reasons, 2, lambda line: None)
    results = session.try_elsewhere([*tried], lambda each: each.tests)
    assert {each.mutation: each.outcome for each in results} == tried
    assert (checkout / C).read_text() == FILES[C]
    (checkout / "tests/test_guard.py").write_text("def test_it():\n    assert False\n")
    results = session.try_elsewhere([each for each in tried if each.name == "python survivor"], lambda each: each.tests)
    assert [each.outcome for each in results] == [mutate.UNTESTED]


def test_outcomes_of_the_runtime(checkout: Path, monkeypatch: pytest.MonkeyPatch,
                                 capsys: pytest.CaptureFixture[str]) -> None:
    found, output = mutations_of_guard(checkout), checkout.parent / "out"
    reasons = {f"{C}:held:constant:1": "ten is no input"}
    monkeypatch.setattr(mutate, "ROOT", checkout)
    monkeypatch.setattr(mutate, "choose", lambda options: [each for each in found if each.name.endswith(options.only)])
    monkeypatch.setattr(catalogue, "survivors", lambda: reasons)
    assert mutate.main(["--output", str(output)]) == 0
    with (output / "results.csv").open(newline="") as file:
        assert {row["mutation"].removeprefix(f"{C}:held:"): row["outcome"] for row in csv.DictReader(file)} == {
            "bound:1": mutate.EQUIVALENT, "constant:1": mutate.EXPLAINED, "constant:2": mutate.KILLED,
            "condition:1": mutate.KILLED}
    assert mutate.main(["--output", str(output), "--list"]) == 0
    assert "4 mutations of runtime/, 0 others" in capsys.readouterr().out
    reasons.clear()
    report = ["--output", str(output), "--only", "constant:1"]
    assert mutate.main(report) == 1 and mutate.main([*report, "--report"]) == 0
    reasons[f"{C}:held:constant:2"] = "a reason that is wrong"
    assert mutate.main(["--output", str(output), "--only", "constant:2"]) == 1


def test_the_goal_passes_its_variables_on() -> None:
    variables = ["TEST_WORKERS=3", "MUTATE_ONLY=runtime/", "PART=7/20", "SEED=5", "SINCE=main", "MUTATE_LIST=1",
                 "MUTATE_SURVIVORS=report"]
    output = subprocess.run(["scons", "-Q", "-n", "mutate", *variables], cwd=ROOT, check=True, text=True,
                            stdout=subprocess.PIPE).stdout
    [line] = [line for line in output.splitlines() if "mutate.py" in line]
    options = vars(mutate.read_options(line.partition("mutate.py ")[2].split()))
    assert options == {"only": "runtime/", "part": "7/20", "workers": 3, "output": Path("build/mutate"), "seed": 5,
                       "since": "main", "list": True, "report": True}
