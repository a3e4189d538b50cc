"""Mutations of Python, from its own syntax trees."""
from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import accumulate

from mutation import Change

_FAMILIES = {
    "bound": "<,<=,<=,<,>,>=,>=,>", "equal": "==,!=,!=,==,in,not in,not in,in,is,is not,is not,is",
    "logic": "and,or,or,and", "arithmetic": "+,-,-,+,*,+,/,*,//,*,%,//", "shift": "<<,>>,>>,<<",
    "bits": "&,|,|,&,^,|"}
_REPLACED = {words[i]: (name, words[i + 1]) for name, text in _FAMILIES.items()
             for words in [text.split(",")] for i in range(0, len(words), 2)}
_Function = ast.FunctionDef | ast.AsyncFunctionDef


def _functions(tree: ast.AST, prefix: str = "") -> Iterator[tuple[str, _Function]]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, _Function):
            yield prefix + node.name, node
        elif isinstance(node, ast.ClassDef):
            yield from _functions(node, f"{prefix}{node.name}.")


class _Changes:
    """The changes in one function. Annotations and assertions stay."""

    def __init__(self, source: bytes) -> None:
        self.source, self.found = source, []
        self.lines = [0, *accumulate(map(len, source.splitlines(keepends=True)))]

    def _span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        return (self.lines[node.lineno - 1] + node.col_offset, self.lines[node.end_lineno - 1] + node.end_col_offset)

    def _text(self, node: ast.expr | ast.stmt) -> str:
        start, end = self._span(node)
        return self.source[start:end].decode()

    def _add(self, operator: str, start: int, end: int, text: str) -> None:
        self.found.append(Change(operator, start, end, text))

    def _operator(self, left: ast.expr, right: ast.expr) -> None:
        start, end = self._span(left)[1], self._span(right)[0]
        place = re.fullmatch(r"([\s)]*)(.*?)([\s(]*)", self.source[start:end].decode())
        if place and place[2] in _REPLACED:
            operator, replacement = _REPLACED[place[2]]
            self._add(operator, start + len(place[1]), end - len(place[3]), replacement)

    def _exchange(self, left: ast.expr, right: ast.expr) -> None:
        (start, middle), (following, end) = self._span(left), self._span(right)
        if self._text(left) != self._text(right) and b"(" not in self.source[middle:following]:
            between = self.source[middle:following].decode()
            self._add("exchange", start, end, f"{self._text(right)}{between}{self._text(left)}")

    def visit(self, node: ast.AST) -> None:
        """Adds the changes of a node and of all below it."""
        if isinstance(node, ast.Assert | ast.JoinedStr):  # before Python 3.12 the parts of the latter have no places
            return
        self._change(node)
        for name, value in ast.iter_fields(node):
            if name not in ("annotation", "returns", "type_comment", "decorator_list"):
                for child in value if isinstance(value, list) else [value]:
                    if isinstance(child, ast.AST) and not isinstance(node, ast.Raise):
                        self.visit(child)

    def _change(self, node: ast.AST) -> None:
        match node:
            case ast.Compare():
                for left, right in zip([node.left, *node.comparators], node.comparators):
                    self._operator(left, right)
            case ast.BinOp() if not _is_text(node.left):
                self._operator(node.left, node.right)
            case ast.BoolOp():
                for left, right in zip(node.values, node.values[1:]):
                    self._operator(left, right)
            case ast.UnaryOp():
                start, _ = self._span(node)
                self._add("sign", start, start + len(re.match(r"not\s+|[-~+]", self._text(node))[0]), "")
            case ast.Constant(value=bool()):
                self._add("constant", *self._span(node), str(not node.value))
            case ast.Constant(value=int()) if self._text(node).isdigit():
                self._add("constant", *self._span(node), str(node.value + 1))
            case ast.Call(args=[first, second, *_]) if not any(isinstance(each, ast.Starred) for each in node.args):
                self._exchange(first, second)
            case ast.If() | ast.IfExp():
                self._add("condition", *self._span(node.test), f"False and ({self._text(node.test)})")
                if isinstance(node, ast.If) and node.orelse and not isinstance(node.orelse[0], ast.If):
                    self._add("else", self._span(node.orelse[0])[0], self._span(node.orelse[-1])[1], "pass")
            case ast.Expr(value=ast.Call()) | ast.AugAssign():
                self._add("statement", *self._span(node), "pass")
            case ast.Raise():
                self._add("error", *self._span(node), "pass")


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or isinstance(node, ast.Constant) and isinstance(node.value, str)


def changes_of(source: bytes) -> dict[str, list[Change]]:
    """Returns the changes in each function of a module by its name, as Class.method."""
    found: dict[str, list[Change]] = defaultdict(list)
    for name, function in _functions(ast.parse(source)):
        visitor = _Changes(source)
        visitor.visit(function)
        found[name] += visitor.found
    return found
