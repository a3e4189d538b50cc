"""Mutations of Python, from its own syntax trees."""
from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator

from mutation import Change

_COMPARED = {ast.Lt: ("bound", "<", "<="), ast.LtE: ("bound", "<=", "<"), ast.Gt: ("bound", ">", ">="),
             ast.GtE: ("bound", ">=", ">"), ast.Eq: ("equal", "==", "!="), ast.NotEq: ("equal", "!=", "=="),
             ast.In: ("equal", "in", "not in"), ast.NotIn: ("equal", "not in", "in"),
             ast.Is: ("equal", "is", "is not"), ast.IsNot: ("equal", "is not", "is")}
_BINARY = {ast.Add: ("arithmetic", "+", "-"), ast.Sub: ("arithmetic", "-", "+"), ast.Mult: ("arithmetic", "*", "+"),
           ast.Div: ("arithmetic", "/", "*"), ast.FloorDiv: ("arithmetic", "//", "*"),
           ast.Mod: ("arithmetic", "%", "//"), ast.LShift: ("shift", "<<", ">>"), ast.RShift: ("shift", ">>", "<<"),
           ast.BitAnd: ("bits", "&", "|"), ast.BitOr: ("bits", "|", "&"), ast.BitXor: ("bits", "^", "|")}
_LOGIC = {ast.And: ("logic", "and", "or"), ast.Or: ("logic", "or", "and")}
_Function = ast.FunctionDef | ast.AsyncFunctionDef


def _functions(tree: ast.AST, prefix: str = "") -> Iterator[tuple[str, _Function]]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, _Function):
            yield prefix + node.name, node
        elif isinstance(node, ast.ClassDef):
            yield from _functions(node, f"{prefix}{node.name}.")


class _Changes(ast.NodeVisitor):
    """The changes in one function. Annotations and assertions stay."""

    def __init__(self, source: bytes) -> None:
        self.source, self.found = source, []
        self.lines = [0]
        for line in source.splitlines(keepends=True):
            self.lines.append(self.lines[-1] + len(line))

    def _span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        return (self.lines[node.lineno - 1] + node.col_offset, self.lines[node.end_lineno - 1] + node.end_col_offset)

    def _text(self, node: ast.expr | ast.stmt) -> str:
        start, end = self._span(node)
        return self.source[start:end].decode()

    def _add(self, operator: str, start: int, end: int, text: str) -> None:
        self.found.append(Change(operator, start, end, text))

    def _operator(self, left: ast.expr, right: ast.expr, known: tuple[str, str, str] | None) -> None:
        if known is None:
            return
        operator, symbol, replacement = known
        start, end = self._span(left)[1], self._span(right)[0]
        place = re.fullmatch(rf"([\s)]*){re.escape(symbol)}([\s(]*)", self.source[start:end].decode())
        if place:
            self._add(operator, start + len(place[1]), end - len(place[2]), replacement)

    def _exchange(self, left: ast.expr, right: ast.expr) -> None:
        (start, middle), (following, end) = self._span(left), self._span(right)
        if self._text(left) != self._text(right) and b"(" not in self.source[middle:following]:
            between = self.source[middle:following].decode()
            self._add("exchange", start, end, f"{self._text(right)}{between}{self._text(left)}")

    def visit_Compare(self, node: ast.Compare) -> None:
        for left, operator, right in zip([node.left, *node.comparators], node.ops, node.comparators):
            self._operator(left, right, _COMPARED[type(operator)])
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        is_text = any(isinstance(side, ast.Constant | ast.JoinedStr) and not isinstance(getattr(side, "value", ""), int | float)
                      for side in (node.left, node.right))
        self._operator(node.left, node.right, None if is_text else _BINARY.get(type(node.op)))
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        for left, right in zip(node.values, node.values[1:]):
            self._operator(left, right, _LOGIC[type(node.op)])
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        start, end = self._span(node)
        if not (isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant) and node.operand.value == 1):
            symbol = re.match(r"not\s+|[-~+]", self._text(node))
            self._add("sign", start, start + len(symbol[0]), "")
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if type(node.value) is bool:
            self._add("constant", *self._span(node), str(not node.value))
        elif type(node.value) is int and self._text(node).isdigit():
            self._add("constant", *self._span(node), str(node.value + 1))

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self._condition(node.test)
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        if len(node.args) > 1 and not any(isinstance(each, ast.Starred) for each in node.args):
            self._exchange(*node.args[:2])
        self.generic_visit(node)

    def _condition(self, test: ast.expr) -> None:
        self._add("condition", *self._span(test), f"False and ({self._text(test)})")

    def visit_If(self, node: ast.If) -> None:
        self._condition(node.test)
        if node.orelse and not (len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If)):
            self._add("else", self._span(node.orelse[0])[0], self._span(node.orelse[-1])[1], "pass")
        self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Call):
            self._add("statement", *self._span(node), "pass")
        if not isinstance(node.value, ast.Constant):
            self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self._add("statement", *self._span(node), "pass")
        self.generic_visit(node)

    def visit_Raise(self, node: ast.Raise) -> None:
        self._add("error", *self._span(node), "pass")

    def visit_Assert(self, node: ast.Assert) -> None:
        pass

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        pass  # before Python 3.12 its parts have no places

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)

    def visit_FunctionDef(self, node: _Function) -> None:
        for each in [*node.args.defaults, *filter(None, node.args.kw_defaults), *node.body]:
            self.visit(each)

    visit_AsyncFunctionDef = visit_FunctionDef


def changes_of(source: bytes) -> dict[str, list[Change]]:
    """Returns the changes in each function of a module by its name, as Class.method."""
    found: dict[str, list[Change]] = defaultdict(list)
    for name, function in _functions(ast.parse(source)):
        visitor = _Changes(source)
        visitor.visit(function)
        found[name] += visitor.found
    return found
