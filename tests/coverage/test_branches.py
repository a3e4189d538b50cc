"""`scons coverage` summarises gcovr's records, and fails for gaps that are not listed."""
from __future__ import annotations

from pathlib import Path

import pytest
from branches import Gap, combine, find_gaps, judge, read_list, totals

TEXTS = {"runtime/a.c": ["int f(int x)", "{", "    if (x)", "        return 1;", "    if (x)", "}"]}
LISTED = {"file": "a.c", "line": "if (x)", "missing": 1, "reason": "x is never zero"}
GAP = Gap("a.c", 3, "if (x)", 1)


def record(*lines: tuple[int, int, list[int]], called: int = 1) -> dict[str, dict]:
    """A build in which runtime/a.c has these lines: number, count, counts of the branches."""
    return {"runtime/a.c": {
        "file": "runtime/a.c",
        "lines": [{"line_number": number, "count": count, "gcovr/noncode": False,
                   "branches": [{"count": branch} for branch in counts]}
                  for number, count, counts in lines],
        "functions": [{"name": "f", "lineno": 1, "execution_count": called}]}}


def test_a_branch_counts_where_one_build_reaches_it() -> None:
    combined = combine([record((3, 5, [5, 0]), (4, 0, [])), record((3, 5, [1, 4]), (4, 4, []))])
    assert find_gaps(combined, TEXTS) == []
    assert totals(combined) == {"a.c": [2, 2, 2, 2]}


def test_builds_do_not_make_up_for_each_other() -> None:
    combined = combine([record((3, 5, [5, 0])), record((3, 5, [0, 4])), record((3, 5, []))])
    assert find_gaps(combined, TEXTS) == [GAP]
    assert totals(combined) == {"a.c": [1, 1, 2, 1]}


def test_a_build_with_fewer_branches_hides_none() -> None:
    assert find_gaps(combine([record((3, 9, [5, 0, 4, 0])), record((3, 9, [5, 4]))]), TEXTS) == [
        Gap("a.c", 3, "if (x)", 2)]


def test_a_function_without_calls_is_a_gap() -> None:
    assert find_gaps(combine([record((3, 0, []), called=0)]), TEXTS) == [Gap("a.c", 1, "int f(int x)", 1)]


@pytest.mark.parametrize(("gaps", "listed", "problems"), [
    ([GAP], [LISTED], []),
    ([], [], []),
    ([GAP], [], ["not reached, and not listed: a.c:3: if (x) (1)"]),
    ([], [LISTED], ["a.c: the listed line is reached: if (x)"]),
    ([GAP, Gap("a.c", 5, "if (x)", 1)], [LISTED],
     ["a.c: 2 branches are not reached, the list says 1: if (x)"]),
    ([], [LISTED | {"line": "if (y)"}], ["a.c: the listed line is gone: if (y)"]),
    ([GAP], [LISTED | {"file": "b.c"}],
     ["b.c: the listed line is gone: if (x)", "not reached, and not listed: a.c:3: if (x) (1)"]),
])
def test_the_list_names_unreached_branches(gaps: list[Gap], listed: list[dict], problems: list[str]) -> None:
    assert judge(gaps, listed, TEXTS) == problems


def test_the_list_names_lines_of_the_runtime() -> None:
    folder = Path(__file__).resolve().parents[2] / "runtime"
    for entry in read_list(Path(__file__).with_name("unreached.toml")):
        text = (folder / entry["file"]).read_text(encoding="utf-8").splitlines()
        assert entry["line"] in {line.strip() for line in text}
        assert entry["missing"] > 0


def test_an_entry_needs_a_reason(tmp_path: Path) -> None:
    path = tmp_path / "list.toml"
    path.write_text('[[gap]]\nfile = "a.c"\nline = "if (x)"\nmissing = 1\n', encoding="utf-8")
    with pytest.raises(KeyError, match="reason are needed"):
        read_list(path)
