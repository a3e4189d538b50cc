"""BVH: the rows that the encoder library reads have the numbers of Python, and other lines are left to Python."""
from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from ossicle.base.encoder_library import library
from ossicle.importers import bvh_text
from ossicle.importers.bvh_text import Lines, parse_numbers
from ossicle.model.clip import ImportProblem

PLAIN = st.one_of(
    st.integers(-10**12, 10**12).map(str), st.integers(-10**6, 10**6).map(lambda number: f"{number / 1000:.6g}"),
    st.floats(-1e6, 1e6).map(lambda number: f"{number:.6f}"),
    st.builds("{}.5e{}".format, st.integers(-99999, 99999), st.integers(-9, 6)),
    st.sampled_from(["0", "-0", "+0", "-0.0", ".5", "5.", "+.5e1", "1E3", "-7.25e-7", "1e12", "00012.50", "0e9"]))
HARD = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False, width=64).map(repr),
    st.text("+-.0123456789eE", min_size=1, max_size=24),
    st.sampled_from(["9007199254740993", "1e23", "1e-23", "0.1e-22", "1e13", "1e400", "nan", "inf", "1_0", "1,5", "0x1",
                     "1e", "1e+", "1e99999999999", ".", "-", "--1", "1-3", "1.2.3", "0" * 30 + "1", "1\u00a02",
                     "\u0661"]))


@pytest.fixture(scope="module", autouse=True)
def _loaded() -> None:
    """The first call loads the library, which takes longer than an example may."""
    library()


def numbers_of(words: Sequence[str]) -> list[float] | None:
    try:
        return parse_numbers(list(words), 1)
    except ImportProblem:
        return None


def rows_of(text: str, width: int, most: int = 1 << 20) -> list[list[float]]:
    return Lines(text.encode()).rows(width, most).tolist()


def texts(rows: Sequence[Sequence[float]]) -> list[str]:
    """The numbers with all bits: 0.0 equals -0.0."""
    return [repr(list(row)) for row in rows]


@given(st.integers(1, 4).flatmap(lambda width: st.lists(
    st.lists(PLAIN, min_size=width, max_size=width), min_size=1, max_size=6)),
    st.sampled_from(["\n", "\r\n", " \n", "\t\r\n"]), st.sampled_from([" ", "\t", "  ", " \t "]))
def test_plain_rows_are_read_at_once(table: list[list[str]], end: str, between: str) -> None:
    text = "".join(between.join(words) + end for words in table)
    lines = Lines(text.encode())
    assert texts(lines.rows(len(table[0]), 100).tolist()) == texts([[float(word) for word in words] for words in table])
    assert lines.next() == (len(table) + 1, "")


@given(st.lists(st.lists(st.one_of(PLAIN, HARD), min_size=1, max_size=3), min_size=1, max_size=4), st.integers(1, 3))
@example([["1", "2"], ["3"], ["4", "5"]], 2)
def test_rows_have_the_numbers_of_their_words(table: list[list[str]], width: int) -> None:
    text = "".join(" ".join(words) + "\n" for words in table)
    lines = Lines(text.encode())
    rows = lines.rows(width, 100).tolist()
    expected = [numbers_of(words) for words in table[:len(rows)]]
    assert texts(rows) == texts([row for row in expected if row is not None])
    assert all(len(words) == width for words in table[:len(rows)])
    rest = lines.next()
    assert rest is not None and rest[0] == len(rows) + 1
    assert rest[1] == (" ".join(table[len(rows)]) if len(rows) < len(table) else "")


@pytest.mark.parametrize("text", [
    "", "1 2", "1 2\r", "\n", "1\n", "1 2 3\n", "1 2x\n", "1\v2\n", "1 \u00e9\n", "1 2 \r3 4\n"])
def test_other_lines_are_left_to_python(text: str) -> None:
    lines = Lines(text.encode())
    assert len(lines.rows(2, 100)) == 0
    assert lines.next() == Lines(text.encode()).next()


def test_no_more_rows_than_fit() -> None:
    text = "1 2\n" * 5
    assert rows_of(text, 2, 3) == [[1.0, 2.0]] * 3 and rows_of(text, 2, 0) == []


def test_rows_across_parts_of_the_text(monkeypatch: pytest.MonkeyPatch) -> None:
    """The text is read in parts, which end within rows."""
    rng = np.random.default_rng(7)
    table = rng.integers(-99999, 99999, (50, 3)) / 100
    lines = Lines("".join(f"{a} {b} {c}\n" for a, b, c in table).encode())
    monkeypatch.setattr(bvh_text, "_AT_ONCE", 64)
    parts = []
    while len(rows := lines.rows(3, 100)) > 0:
        assert len(rows) < 10
        parts.append(rows)
    assert np.concatenate(parts).tolist() == table.tolist()
