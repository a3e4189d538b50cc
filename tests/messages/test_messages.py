"""messages.txt is current, and no test quotes a message: its sentences may change."""
from __future__ import annotations

import ast
from collections.abc import Iterator

from message_list import LIST, ROOT, listing, template, words_of

TESTS = ROOT / "tests"
QUOTED = 3  # words in a row
OWN = ("exact", "prove", "readme", "steps")  # check what goals print, and pages


def runs_of(text: str) -> Iterator[tuple[str, ...]]:
    for words in words_of(text):
        yield from zip(*(words[first:] for first in range(QUOTED)))


def children(node: ast.AST) -> Iterator[ast.AST]:
    """Texts that a test compares: no docstrings, names of cases, reasons or messages of assertions."""
    match node:
        case ast.Assert():
            yield node.test
        case ast.Dict():
            yield from node.values
        case ast.Expr(ast.Constant()) | ast.keyword("ids" | "reason"):
            pass
        case _:
            yield from ast.iter_child_nodes(node)


def strings_of(tree: ast.Module) -> Iterator[tuple[int, str]]:
    pending: list[ast.AST] = [tree]
    while pending:
        node = pending.pop()
        if isinstance(text := template(node), str):
            yield node.lineno, text
        else:
            pending += children(node)


def quotations(source: str, runs: set[tuple[str, ...]]) -> list[str]:
    return [f"line {line}: {text}" for line, text in strings_of(ast.parse(source)) if runs & set(runs_of(text))]


def test_the_list_is_current() -> None:
    assert LIST.read_text(encoding="utf-8") == listing(), "run tests/messages/message_list.py"


def test_no_test_quotes_a_message() -> None:
    runs = {run for line in LIST.read_text(encoding="utf-8").splitlines() if line[0] == " " for run in runs_of(line)}
    tests = [path for path in sorted(TESTS.rglob("test_*.py")) if path.relative_to(TESTS).parts[0] not in OWN]
    found = {str(path.relative_to(ROOT)): quotations(path.read_text(encoding="utf-8"), runs) for path in tests}
    assert {path: quoted for path, quoted in found.items() if quoted} == {}


def test_quotations_are_found() -> None:
    runs = set(runs_of("{pot}: tea is too hot ({degrees}); let it cool"))
    for quoting in ("assert 'pot: tea is too hot' in line", "with raises(match=f'{pot}.*let it cool'): pass"):
        assert len(quotations(quoting, runs)) == 1
    for fact in ("assert mentions(line, 'pot 90')", "CASES = {'tea is too hot': 'pot'}", "assert x, 'tea is too hot'"):
        assert quotations(fact, runs) == []
