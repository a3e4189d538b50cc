"""The list of mutations applies to the files as they are and covers every folder with code; and what tries
it tells those that are killed from those that survive, do not apply or do not build."""
from __future__ import annotations

import csv
import subprocess
from collections import Counter
from pathlib import Path

import mutate
import mutations
import pytest
from mutations import ROOT, Mutation, MutationProblem, chosen, read_mutations

LEAST_MUTATIONS = 100
# Suffixes of code, and what is in a file that does something.
CODE = {".c": "(", ".h": "static inline", ".def": "(", ".py": "def ", ".j2": "{{", ".js": "function",
        ".cmake": "function(", ".mk": "define "}
# Trees with code that mutations are for; tests are what they are for.
TREES = ("runtime", "platforms", "codegen", "targets")

SCONSTRUCT = """
import os
SConsignFile(os.path.abspath("build/.sconsign"))
env = Environment(tools=["gcc", "gnulink"], CCFLAGS=["-Werror", "-Wall"], CPPPATH=["#"])
for variant in ("plain", "sanitized"):
    env.Program(f"build/tests/{variant}/test_guard",
                [env.Object(f"build/{variant}/test", "tests/test_guard.c"),
                 env.Object(f"build/{variant}/guard", "guard.c")])
env.Alias("host", [])
"""
GUARD = "#include \"guard.h\"\nint held(int x)\n{\n    return x > 9 ? 9 : x;\n}\n"
TEST_GUARD = "#include \"guard.h\"\nint main(void)\n{\n    return held(11) != 9;\n}\n"
TEST_PY = """
from pathlib import Path
TEXT = (Path(__file__).parents[1] / "guard.py").read_text()
def test_it():
    names = {}
    exec(TEXT, names)
    assert names["held"](11) == 9
def test_nothing():
    import pytest
    pytest.skip("no reason")
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A tree with a guard in C and one in Python, and tests that see some of their mutations."""
    root = tmp_path / "checkout"
    (root / "tests").mkdir(parents=True)
    for name, text in (("SConstruct", SCONSTRUCT), ("guard.c", GUARD), ("guard.h", "int held(int x);\n"),
                       ("guard.py", "def held(x):\n    return 9 if x > 9 else x\n"),
                       ("tests/test_guard.c", TEST_GUARD), ("tests/test_guard.py", TEST_PY)):
        (root / name).write_text(text)
    return root


def mutation(name: str, find: str, replace: str, *, file: str = "guard.c", test: str = "tests/test_guard.c",
             survives: str | None = None) -> Mutation:
    return Mutation(name, file, find, replace, (test,), survives)


def tried(checkout: Path, *made: Mutation) -> dict[str, mutate.Result]:
    results = mutate.try_mutations(checkout, made, checkout.parent / "out", 2, lambda line: None)
    return {result.mutation.name: result for result in results}


def test_every_mutation_applies_once() -> None:
    for one in read_mutations():
        one.check(ROOT)


def test_every_folder_with_code_has_mutations() -> None:
    made = read_mutations()
    assert len(made) >= LEAST_MUTATIONS
    folders = {path.parent for tree in TREES for path in (ROOT / tree).rglob("*")
               if path.suffix in CODE and CODE[path.suffix] in path.read_text(encoding="utf-8")}
    folders.discard(ROOT / "runtime/port")  # declarations: the definitions lie elsewhere
    assert folders and folders == {(ROOT / one.file).parent for one in made}


def test_reasons_are_one_line() -> None:
    for one in read_mutations():
        assert one.survives is None or (len(one.survives) > 20 and "\n" not in one.survives), one.name


def test_tests_find_what_bootstrap_installed(checkout: Path) -> None:
    (checkout / "build/pico").mkdir(parents=True)
    (checkout / "build/pico/installed").write_text("")
    (checkout / "tests/test_guard.py").write_text(TEST_PY + """
def test_installed():
    assert (Path(__file__).parents[1] / "build/pico/installed").exists()
    test_it()
""")
    results = tried(checkout, mutation("python", "x > 9", "x > 99", file="guard.py",
                                       test="tests/test_guard.py::test_installed"))
    assert results["python"].outcome == mutate.KILLED


@pytest.mark.exhaustive
def test_the_killed_are_told_from_the_survivors(checkout: Path,
                                                monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mutate, "LEAST_SECONDS", 5.0)
    results = tried(
        checkout,
        mutation("bound", "x > 9", "x > 99"),
        mutation("same", "x > 9", "x >= 9"),
        mutation("explained", "x > 9", "x >= 9", survives="9 is 9 either way, so that nobody can tell"),
        mutation("excused", "x > 9", "x > 99", survives="a reason that is wrong, as the test shows"),
        mutation("gone", "x > 7", "x > 8"),
        mutation("twice", "9", "8"),
        mutation("syntax", "return x > 9", "return y > 9"),
        mutation("python", "x > 9", "x > 99", file="guard.py", test="tests/test_guard.py"),
        mutation("python survivor", "x > 9", "x >= 9", file="guard.py", test="tests/test_guard.py::test_it"),
        mutation("no python", "if x", "if if x", file="guard.py", test="tests/test_guard.py"),
        mutation("skipped", "x > 9", "x > 99", file="guard.py", test="tests/test_guard.py::test_nothing"),
        mutation("endless", "return x > 9", "while (x > 9)\n        x += 0 * x;\n    return x > 9"),
    )
    assert {name: result.outcome for name, result in results.items()} == {
        "bound": mutate.KILLED, "same": mutate.SURVIVED, "explained": mutate.EXPLAINED,
        "excused": mutate.UNEXPLAINED_KILL, "gone": mutate.STALE, "twice": mutate.STALE,
        "syntax": mutate.UNBUILT, "python": mutate.KILLED, "python survivor": mutate.SURVIVED,
        "no python": mutate.STALE, "skipped": mutate.UNTESTED, "endless": mutate.KILLED}
    assert "0 times" in results["gone"].note and "2 times" in results["twice"].note
    assert "took over" in results["endless"].note
    assert (checkout / "guard.c").read_text() == GUARD


def test_a_test_that_fails_by_itself_kills_nothing(checkout: Path) -> None:
    (checkout / "tests/test_guard.c").write_text(TEST_GUARD.replace("!= 9", "== 9"))
    results = tried(checkout, mutation("bound", "x > 9", "x > 99"))
    assert results["bound"].outcome == mutate.UNTESTED


def test_a_checkout_that_does_not_build_is_an_error(checkout: Path) -> None:
    (checkout / "guard.c").write_text("no C\n")
    with pytest.raises(mutate.BuildProblem, match="error"):
        tried(checkout, mutation("bound", "x > 9", "x > 99"))


@pytest.mark.exhaustive
@pytest.mark.parametrize("replace, survives, status", [
    ("x > 99", None, 0), ("x >= 9", None, 1), ("x >= 9", "9 is 9 either way", 0),
    ("x > 99", "a reason that is wrong", 1)])
def test_the_exit_status_and_the_table(checkout: Path, monkeypatch: pytest.MonkeyPatch,
                                       capsys: pytest.CaptureFixture[str], replace: str,
                                       survives: str | None, status: int) -> None:
    one = mutation("bound", "x > 9", replace, survives=survives)
    monkeypatch.setattr(mutate, "read_mutations", lambda: [one])
    monkeypatch.setattr(mutate, "ROOT", checkout)
    output = checkout.parent / "out"
    assert mutate.main(["--output", str(output), "--only", "bou"]) == status
    with (output / "results.csv").open(newline="") as file:
        [row] = csv.DictReader(file)
    assert row["mutation"] == "bound" and row["file"] == "guard.c"
    assert (row["outcome"] in mutate.GOOD) == (status == 0)
    assert row["outcome"] in capsys.readouterr().out


@pytest.mark.parametrize(("only", "part"), [("", ""), ("runtime/", "7/20")])
def test_the_goal_passes_its_variables_on(only: str, part: str) -> None:
    command = ["scons", "-Q", "-n", "mutate", "TEST_WORKERS=3", f"MUTATE_ONLY={only}", f"PART={part}"]
    said = subprocess.run(command, cwd=ROOT, check=True, text=True, stdout=subprocess.PIPE).stdout
    [line] = [line for line in said.splitlines() if "mutate.py" in line]
    options = mutate.read_options(line.partition("mutate.py ")[2].split())
    assert (options.only, options.part, options.workers, options.output) == (only, part, 3, Path("build/mutate"))


def test_parts_have_every_mutation_once() -> None:
    made = read_mutations()
    parts = [chosen(made, "runtime/", f"{seed}/9") for seed in range(9)]
    assert Counter(one for part in parts for one in part) == Counter(chosen(made, "runtime/"))


@pytest.mark.parametrize("part", ["7", "1/1000"])
def test_a_part_without_mutations_is_an_error(part: str) -> None:
    with pytest.raises(MutationProblem, match="part "):
        chosen([mutation("bound", "x > 9", "x > 99")], "", part)


def test_a_pattern_that_matches_nothing_is_an_error(capsys: pytest.CaptureFixture[str],
                                                    tmp_path: Path) -> None:
    assert mutate.main(["--output", str(tmp_path), "--only", "no such mutation"]) == 1
    assert "no mutation has 'no such mutation'" in capsys.readouterr().err
    assert Counter(one.file.split("/")[0] for one in chosen(read_mutations(), "runtime/"))["runtime"] > 50


@pytest.mark.parametrize("text, said", [
    ('[a]\nfile = "x"\nfind = "y"\nreplace = "z"\n', "a needs the keys"),
    ('[a]\nfile = "x"\nfind = "y"\nreplace = "z"\ntests = ["t"]\nreason = "r"\n', "a needs the keys"),
    ('[a]\nfile = "x"\nfind = ""\nreplace = "z"\ntests = ["t"]\n', "a: find is ''"),
    ('[a]\nfile = "x"\nfind = "y"\nreplace = "z"\ntests = []\n', "a: tests is []"),
    ("a = 1\n", "a needs the keys"), ("[a\n", "one.toml: "),
])
def test_entries_that_mean_nothing(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "one.toml").write_text(text)
    with pytest.raises(MutationProblem, match=said.replace("[", r"\[").replace("]", r"\]")):
        mutations.read_mutations(tmp_path)


def test_a_name_comes_once(tmp_path: Path) -> None:
    entry = '[a]\nfile = "x"\nfind = "y"\nreplace = "z"\ntests = ["t"]\n'
    for name in ("one", "two"):
        (tmp_path / f"{name}.toml").write_text(entry)
    with pytest.raises(MutationProblem, match="two.toml: a comes twice"):
        mutations.read_mutations(tmp_path)


@pytest.mark.parametrize("changes, said", [
    ({"find": "x > 1"}, "0 times"), ({"file": "none.c"}, "no file none.c"),
    ({"tests": ("tests/none.py",)}, "no test"), ({"tests": ("tests/test_guard.py::test_none",)}, "no test"),
    ({"replace": "x > 9"}, "nothing changes")])
def test_entries_that_do_not_apply(checkout: Path, changes: dict, said: str) -> None:
    fields = {"name": "a", "file": "guard.c", "find": "x > 9", "replace": "x > 8",
              "tests": ("tests/test_guard.py::test_it[case]",)}
    Mutation(**fields).check(checkout)
    with pytest.raises(MutationProblem, match=said):
        Mutation(**(fields | changes)).check(checkout)
