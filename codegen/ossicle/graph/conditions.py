"""Parses conditions of transitions, such as "jump and (grounded or speed >= 0.2)", to clauses of terms: an or of
ands."""
from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from ..bank.graph.records import MOST_ATOMS, MOST_CLAUSES
from ..base.problem import SettingProblem, nearest

VALUE, FINISHED, AFTER, AT, INSIDE, IN = "value", "finished", "after", "at", "inside", "in"
_BEFORE = "before"
CALLS = (AFTER, _BEFORE, AT, INSIDE, IN)
WORDS = ("not", "and", "or", FINISHED, *CALLS)  # which no parameter can have as its name
_SAMPLE = "\"fire and (ready or heat < 0.5)\""
_MOST_PRODUCTS = 256  # clauses, before those that never hold are left out
_MOST_DEPTH = 50  # of brackets
_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_TOKEN = re.compile(r"\s*(?:(?P<name>[^\W\d]\w*)|(?P<value>" + _NUMBER + r"\w*|\"[^\"]*\"|'[^']*')"
                    r"|(?P<compares>[<>=!]=|[<>])|(?P<bracket>[()]))")
_ARGUMENT = re.compile(r"\s*\(\s*(?:(\"[^\"]*\"|'[^']*'|[^()\"'\s]+(?:\s+[^()\"'\s]+)*)\s*)?\)")
# Operators of other languages, and those that they stand for.
_FOREIGN = {"&&": "and", "&": "and", "||": "or", "|": "or", "!": "not", "=": "==", "=>": ">=", "=<": "<=", "<>": "!="}
_FOREIGN_TOKEN = re.compile(r"\s*(&&?|\|\|?|!(?!=)|=[<>]?(?!=)|<>)")
# Comparisons as one that is as strict, and whether it is the opposite.
_AS = {"<": (">=", True), "<=": (">", True), "!=": ("==", True)}
_OPPOSITES = {">=": "<", ">": "<=", "==": "!="}


@dataclass(frozen=True)
class Term:
    """A part of a condition that is true or false. what: VALUE, FINISHED, AFTER, AT, INSIDE or IN; name: the
    parameter, the event, or the state or group; comparison: ">=", ">", "==", or empty for a parameter alone; value:
    what it is compared with, or the time of AFTER; opposite: whether it must be false."""

    what: str
    name: str = ""
    comparison: str = ""
    value: str = ""
    opposite: bool = False

    @property
    def text(self) -> str:
        """The term as users write it."""
        if self.what == AFTER:
            return f"{_BEFORE if self.opposite else AFTER}({self.value})"
        if self.comparison:
            comparison = _OPPOSITES[self.comparison] if self.opposite else self.comparison
            return f"{self.name} {comparison} {self.value}"
        plain = self.name if self.what == VALUE else f"{self.what}({self.name})" if self.name else self.what
        return f"not {plain}" if self.opposite else plain


Terms = tuple[Term, ...]  # of a clause: it holds if each of them does


@dataclass(frozen=True)
class _Many:
    """Parts of which all have to hold, or one. opposite: the opposite of that."""

    all: bool
    parts: tuple[_Node, ...]
    opposite: bool = False


_Node = Term | _Many


class _Parser:
    """Reads a condition from left to right, without going back. what: the key, for messages."""

    def __init__(self, text: str, what: str) -> None:
        self._text, self._what, self._at, self._depth = text, f"{what} = {text!r}", 0, 0

    def problem(self, text: str) -> SettingProblem:
        return SettingProblem(f"{self._what}: {text}")

    def _check_operator(self) -> None:
        """Raises SettingProblem if an operator of another language follows."""
        if token := _FOREIGN_TOKEN.match(self._text, self._at):
            raise self.problem(f"unknown operator {token[1]!r}; write {_FOREIGN[token[1]]} instead")

    def condition(self) -> _Node:
        node = self._alternatives()
        self._check_operator()
        if rest := self._text[self._at:].strip():
            raise self.problem(f"{rest!r} is left over; join parts with `and` or `or`, as in {_SAMPLE}")
        return node

    def _peek(self) -> re.Match[str] | None:
        return _TOKEN.match(self._text, self._at)

    def _takes(self, word: str) -> bool:
        token = self._peek()
        if token is None or token[0].strip() != word:
            return False
        self._at = token.end()
        return True

    def _alternatives(self) -> _Node:
        parts = [self._together()]
        while self._takes("or"):
            parts.append(self._together())
        return _Many(False, tuple(parts)) if parts[1:] else parts[0]

    def _together(self) -> _Node:
        parts = [self._single()]
        while self._takes("and"):
            parts.append(self._single())
        return _Many(True, tuple(parts)) if parts[1:] else parts[0]

    def _single(self) -> _Node:
        opposite = False
        while self._takes("not"):
            opposite = not opposite
        node = self._brackets() if self._takes("(") else self._term()
        return replace(node, opposite=node.opposite != opposite)

    def _brackets(self) -> _Node:
        self._depth += 1
        if self._depth > _MOST_DEPTH:
            raise self.problem("has too many brackets in each other; remove some")
        node = self._alternatives()
        self._depth -= 1
        self._check_operator()
        if not self._takes(")"):
            raise self.problem("a bracket is not closed; add )")
        return node

    def _term(self) -> Term:
        self._check_operator()
        token = self._peek()
        name = token["name"] if token else None
        if token is None or name is None or name in ("and", "or"):
            rest = self._text[self._at:].strip()
            raise self.problem((f"expects a parameter before {rest!r}" if rest else "ends too early")
                               + f"; write a condition such as {_SAMPLE}")
        self._at = token.end()
        if name == FINISHED:
            return Term(FINISHED)
        argument = _ARGUMENT.match(self._text, self._at)
        if name in CALLS or argument:
            return self._call(name, argument)
        self._check_operator()
        comparison = self._peek()
        if comparison is None or not comparison["compares"]:
            return Term(VALUE, name)
        self._at = comparison.end()
        value = self._peek()
        if value is None or not (value["name"] or value["value"]):
            raise self.problem(f"{name} {comparison['compares']} is compared with nothing; add a value")
        self._at = value.end()
        plain, opposite = _AS.get(comparison["compares"], (comparison["compares"], False))
        return Term(VALUE, name, plain, _unquoted(value[0].strip()), opposite)

    def _call(self, name: str, argument: re.Match[str] | None) -> Term:
        if name not in CALLS:
            raise self.problem(f"unknown condition {name!r}{nearest(name, CALLS)}")
        if argument is None or not argument[1]:
            sample = "0.4s" if name in (AFTER, _BEFORE) else "leap" if name == IN else "combo"
            raise self.problem(f"{name} needs an argument in brackets, such as {name}({sample})")
        self._at = argument.end()
        if name in (AFTER, _BEFORE):
            return Term(AFTER, value=_unquoted(argument[1]), opposite=name == _BEFORE)
        return Term(name, _unquoted(argument[1]))


def _unquoted(text: str) -> str:
    return text[1:-1] if text[0] in "\"'" else text


def parse_condition(text: str, what: str) -> tuple[Terms, ...]:
    """Parses a condition. Clauses that name a term and its opposite, or that hold only together with an earlier one,
    are left out. what: the key, for messages. Raises SettingProblem."""
    parser = _Parser(text, what)
    clauses: list[Terms] = []
    for clause in _clauses(parser.condition(), False, parser):
        terms = dict.fromkeys(clause)
        if any(replace(term, opposite=not term.opposite) in terms for term in terms):
            continue
        if not any(set(earlier) <= set(terms) for earlier in clauses):
            clauses.append(tuple(terms))
    if not clauses:
        raise parser.problem("never holds, because it names a term and its opposite; remove one of them")
    if len(clauses) > MOST_CLAUSES or max(map(len, clauses)) > MOST_ATOMS:
        raise _too_long(parser)
    return tuple(clauses)


def _too_long(parser: _Parser) -> SettingProblem:
    return parser.problem(f"is too long: as alternatives of terms that hold together, a condition has at most "
                          f"{MOST_CLAUSES} alternatives of {MOST_ATOMS} terms; divide it into several transitions")


def _clauses(node: _Node, opposite: bool, parser: _Parser) -> list[Terms]:
    """Returns the clauses of a node, or of its opposite. Raises SettingProblem if there are too many."""
    opposite = opposite != node.opposite
    if isinstance(node, Term):
        return [(replace(node, opposite=opposite),)]
    parts = (_clauses(part, opposite, parser) for part in node.parts)
    clauses = list(_products(parts)) if node.all != opposite else [clause for part in parts for clause in part]
    if len(clauses) > _MOST_PRODUCTS:
        raise _too_long(parser)
    return clauses


def _products(parts: Iterable[list[Terms]]) -> Iterator[Terms]:
    """Yields each choice of one clause of each part, joined; no more than are needed to refuse them."""
    joined: list[Terms] = [()]
    for part in parts:
        joined = [before + clause for before in joined[:_MOST_PRODUCTS + 1] for clause in part]
    yield from joined
