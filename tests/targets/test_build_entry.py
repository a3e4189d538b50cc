"""SConstruct: help, misspelt names, nothing beside the sources, and goals that fail when they
should. All but the first tests run in a copy of the checkout with other C tests in it."""
from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from mentions import mentions

ROOT = Path(__file__).resolve().parents[2]
COPIED = ["SConstruct", "runtime", "platforms", "targets", "codegen", "tests/SConscript", "tests/support/part.py"]
MARKED_TEST = """
import pytest
@pytest.mark.exhaustive
def test_at_length():
    {}
"""
PASSING_TEST = """
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>
static void test(void **state)
{
    (void)state;
    assert_int_equal(BODY, 1);
}
int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
"""
SHIFT_TOO_FAR = "(1 << atoi(\"32\")) != 12345"  # undefined, yet true on every machine


def scons(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["scons", "-Q", "-C", str(folder), *arguments], check=False, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    folder = tmp_path / "checkout"
    for name in COPIED:
        source, copy = ROOT / name, folder / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, copy, ignore=shutil.ignore_patterns("__pycache__", "*.glb"))
        else:
            shutil.copy(source, copy)
    for target in set(folder.glob("targets/*/target.toml")) - {folder / "targets/host/target.toml"}:
        target.unlink()  # the object proof of one target is enough here
    for source in {*folder.glob("runtime/*/*.c"), *folder.glob("codegen/encoder/*/**/*.c")} - {
            folder / "runtime/arithmetic/osc_root.c"}:
        source.unlink()  # and so is one file
    return folder


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def test_help_lists_goals_and_variables() -> None:
    output = scons(ROOT, "-h").stdout
    for word in ("scons test", "scons fuzz", "scons roots", "scons demo", "FUZZ_SECONDS",
                 "TOLERANCE", "FILE", "PYTHON"):
        assert word in output


@pytest.mark.parametrize(("argument", "message"), [
    ("FUZ_SECONDS=3", "FUZ_SECONDS FUZZ_SECONDS"),
    ("tests", "tests test"),
    ("FUZZ_SECONDS=soon", "FUZZ_SECONDS=soon 1"),
    ("FILE=no.glb", "FILE=no.glb"),
    ("CC=no-such-compiler", "no-such-compiler"),
])
def test_wrong_arguments(argument: str, message: str) -> None:
    result = scons(ROOT, "-n", argument)
    assert result.returncode == 2 and mentions(result.stdout, message)


@pytest.mark.exhaustive
def test_roots_fail_when_a_program_or_a_marked_test_fails(checkout: Path) -> None:
    program, marked = checkout / "tests/exhaustive/every.c", checkout / "tests/test_long.py"
    write(program, "int main(void) { return 0; }\n")
    write(marked, MARKED_TEST.format("pass"))
    before = {path for path in checkout.rglob("*") if path.is_file()}
    assert scons(checkout, "roots").returncode == 0
    after = {path for path in checkout.rglob("*") if path.is_file()} - before
    assert after and all(path.is_relative_to(checkout / "build") for path in after)
    write(marked, MARKED_TEST.format("assert False"))
    result = scons(checkout, "roots")
    assert result.returncode == 2 and "test_at_length" in result.stdout
    write(marked, MARKED_TEST.format("pass"))
    write(program, "int main(void) { return 1; }\n")
    result = scons(checkout, "roots")
    assert result.returncode == 2 and "every" in result.stdout


def test_fuzz_fails_when_a_bank_crashes_it(checkout: Path) -> None:
    write(checkout / "tests/fuzz/make_corpus.py",
          "import pathlib, sys\npathlib.Path(sys.argv[1], 'seed').write_bytes(b'boom')\n")
    write(checkout / "tests/fuzz/fuzz_bad.c", "#include <stddef.h>\n#include <stdint.h>\n"
          "int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);\n"
          "int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)\n"
          "{\n    return bytes[count] == 7;\n}\n")
    result = scons(checkout, "fuzz", "FUZZ_SECONDS=1")
    assert result.returncode == 2 and "heap-buffer-overflow" in result.stdout


@pytest.mark.exhaustive
def test_unit_tests_fail_plain_and_sanitized(checkout: Path) -> None:
    write(checkout / "tests/runtime/bank/test_good.c", PASSING_TEST.replace("BODY", "1"))
    write(checkout / "tests/support/c/part.c", "#include <stdio.h>\nvoid part(void);\n"
          'void part(void) { printf("the real part\\n"); }\n')
    write(checkout / "tests/runtime/bank/test_mock.c", "#include <stdio.h>\nvoid part(void);\nvoid __wrap_part(void);\n"
          'void __wrap_part(void) { printf("mocked by a wrapper\\n"); }\n'
          "int main(void) { part(); return 0; }\n")
    write(checkout / "tests/runtime/bank/test_wrong.c", PASSING_TEST.replace("BODY", "2"))
    write(checkout / "tests/runtime/bank/test_undefined.c", PASSING_TEST.replace("BODY", SHIFT_TOO_FAR))
    write(checkout / "tests/fuzz/fuzz_importers.py", "")
    result = scons(checkout, "-k", "test")
    assert result.returncode == 2
    failed = {line.split("]")[0].rpartition("/")[2] for line in result.stdout.splitlines()
              if line.startswith("scons: *** [build/steps/")}
    assert failed == {"plain-test_wrong", "sanitized-test_wrong", "sanitized-test_undefined"}
    assert "[  PASSED  ] 1 test(s)." in result.stdout
    assert "shift exponent 32 is too large" in result.stdout
    assert "mocked by a wrapper" in result.stdout
    assert "-m pytest" not in result.stdout, "pytest waits for the C tests"
