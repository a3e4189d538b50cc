"""Mutations of C, from the syntax trees of libclang (Debian: python3-clang). Nothing inside the use of a macro changes:
its text is elsewhere, or is an assertion's. Code that the preprocessor leaves out has no tree, and so no mutations."""
from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path
from zlib import crc32

from clang.cindex import Cursor, CursorKind, Diagnostic, Index, TranslationUnit, TypeKind
from mutation import Change, Mutation, named

_FAMILIES = {
    "bound": "< <= <= < > >= >= >", "equal": "== != != ==", "logic": "&& || || &&",
    "arithmetic": "+ - - + * + / * % / += -= -= += *= += /= *=", "bits": "& | | & ^ | &= |= |= &= ^= |=",
    "shift": "<< >> >> << <<= >>= >>= <<="}
REPLACED = {words[i]: (name, words[i + 1]) for name, text in _FAMILIES.items()
            for words in [text.split()] for i in range(0, len(words), 2)}
ENTRIES = 2  # of a constant table that change
COMMUTATIVE = re.compile(r"osc_(add|mul|mul_q\d+|mulhi_u32|(ik_)?product(_q30)?|dot[234]_q\d+)")  # sums and products
_K = CursorKind
_ASSIGNED = (_K.BINARY_OPERATOR, _K.COMPOUND_ASSIGNMENT_OPERATOR, _K.UNARY_OPERATOR)
_Span = tuple[int, int]


def _span(cursor: Cursor) -> _Span:
    return cursor.extent.start.offset, cursor.extent.end.offset


def _plain(cursor: Cursor) -> Cursor:
    """The expression below implicit casts."""
    children = list(cursor.get_children())
    while cursor.kind == _K.UNEXPOSED_EXPR and len(children) == 1 and _span(children[0]) == _span(cursor):
        cursor = children[0]
        children = list(cursor.get_children())
    return cursor


class _Changes:
    """The changes in a function or table of a file. macros: where the file uses macros."""

    def __init__(self, source: bytes, macros: list[_Span]) -> None:
        self.source, self.macros, self.found = source, macros, []
        self.limits: set[_Span] = set()  # comparisons that take the smaller or greater of two values

    def visit(self, cursor: Cursor, parent: Cursor) -> None:
        """Adds the changes of a node and of all below it."""
        children = list(cursor.get_children())
        if self._is_own(_span(cursor)):
            self._change(cursor, children, parent)
        for child in children:
            self.visit(child, cursor)

    def _is_own(self, span: _Span) -> bool:
        """True if this text neither contains part of a use of a macro nor lies in one."""
        start, end = span
        return start < end and all(last <= start or end <= first or (start <= first and last <= end and
                                                                     span != (first, last))
                                   for first, last in self.macros)

    def _text(self, span: _Span) -> str:
        return self.source[slice(*span)].decode()

    def _add(self, operator: str, span: _Span, text: str) -> None:
        self.found.append(Change(operator, *span, text))

    def _change(self, cursor: Cursor, children: list[Cursor], parent: Cursor) -> None:
        span, text = _span(cursor), self._text(_span(cursor))
        match cursor.kind:
            case _K.BINARY_OPERATOR | _K.COMPOUND_ASSIGNMENT_OPERATOR:
                self._operator(span, *children)
            case _K.UNARY_OPERATOR if re.match(r"[!~]|-(?!-)", text):
                self._add("sign", (span[0], span[0] + 1), "")
            case _K.INTEGER_LITERAL if parent.kind != _K.VAR_DECL or parent.type.kind != TypeKind.CONSTANTARRAY:
                if literal := re.fullmatch(r"(0[xX][0-9a-fA-F]+|\d+)([uUlL]*)", text):
                    shown = hex if text.lower().startswith("0x") else str
                    self._add("constant", span, f"{shown(int(literal[1], 0) + 1)}{literal[2]}")
            case _K.CONDITIONAL_OPERATOR:
                self._note_limit(children[0], [self._text(_span(child)) for child in children[1:]])
                self._exchange(*children[1:])
            case _K.CALL_EXPR if not COMMUTATIVE.fullmatch(cursor.spelling):
                arguments = list(cursor.get_arguments())
                types = [each.type.get_canonical().spelling for each in arguments]
                for i in [i for i in range(1, len(types)) if types[i - 1] == types[i]][:1]:
                    self._exchange(arguments[i - 1], arguments[i])
            case _K.RETURN_STMT if children:
                value = _plain(children[0])
                if value.kind == _K.DECL_REF_EXPR and value.referenced.kind == _K.ENUM_CONSTANT_DECL and \
                        value.referenced.enum_value < 0:
                    self._add("error", _span(value), "0")
            case _K.IF_STMT:
                self._if(*children)
                self._statements(children[1:])
            case _K.COMPOUND_STMT:
                self._statements(children)
            case _K.FOR_STMT | _K.WHILE_STMT:
                self._statements(children[-1:])

    def _operator(self, span: _Span, left: Cursor, right: Cursor) -> None:
        place = _span(left)[1], _span(right)[0]
        symbol = self._text(place).strip()
        if symbol in REPLACED and self._is_own(place) and not (span in self.limits and REPLACED[symbol][0] == "bound"):
            operator, replacement = REPLACED[symbol]
            self._add(operator, place, self._text(place).replace(symbol, replacement))

    def _note_limit(self, condition: Cursor, values: list[str]) -> None:
        sides = [self._text(_span(side)) for side in _plain(condition).get_children()]
        if sorted(sides) == sorted(values):
            self.limits.add(_span(condition))

    def _exchange(self, left: Cursor, right: Cursor) -> None:
        spans = _span(left), (_span(left)[1], _span(right)[0]), _span(right)
        first, between, second = map(self._text, spans)
        if first != second and all(map(self._is_own, spans)):
            self._add("exchange", (spans[0][0], spans[2][1]), f"{second}{between}{first}")

    def _if(self, condition: Cursor, then: Cursor, other: Cursor | None = None) -> None:
        start, end = _span(condition)
        self._note_limit(condition, re.sub(r"[\s{};]", "", self._text(_span(then))).split("="))
        if self._is_own((start - 1, end + 1)):
            self._add("condition", (start, end), f"0 && ({self._text((start, end))})")
        if other is not None:
            between = _span(then)[1], _span(other)[0]
            place = between[0] + self._text(between).rfind("else")
            self._add("else", (place, _span(other)[1]), ";" if other.kind != _K.COMPOUND_STMT else "")

    def _statements(self, statements: Iterable[Cursor]) -> None:
        for statement in map(_plain, statements):
            if statement.kind in (*_ASSIGNED, _K.CALL_EXPR) and self._is_own(_span(statement)):
                self._add("statement", _span(statement), "(void)0")


def _changes_in(source: bytes, macros: list[_Span], cursor: Cursor) -> list[Change]:
    """The changes in a function, or in a few entries of a constant table."""
    changes = _Changes(source, macros)
    for child in cursor.get_children():
        if child.kind in (_K.COMPOUND_STMT, _K.INIT_LIST_EXPR):
            changes.visit(child, cursor)
    if cursor.kind == _K.VAR_DECL:
        entries = [each for each in changes.found if each.operator == "constant"]
        return sorted(entries, key=lambda each: crc32(f"{cursor.spelling}{each.start}".encode()))[:ENTRIES]
    return changes.found


def mutations_of(root: Path, units: Iterable[Path], flags: Iterable[str], trees: tuple[str, ...],
                 strict: bool = True) -> list[Mutation]:
    """Returns the mutations of C sources and of the headers that they include, in order of file and place.

    units: sources, of which a header's mutations come once. trees: folders in which files change. strict: sources that
    this computer cannot compile raise RuntimeError; otherwise they have no mutations."""
    index, found, done = Index.create(), [], set()
    for path in units:
        unit = index.parse(str(path), args=list(flags), options=TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD)
        wrong = [str(each) for each in unit.diagnostics if each.severity >= Diagnostic.Error]
        if wrong and strict:
            raise RuntimeError(f"{path}: {wrong[0]}")
        uses, parts = [], []
        for cursor in unit.cursor.get_children() if not wrong else ():
            if cursor.kind == _K.MACRO_INSTANTIATION and cursor.location.file:
                uses.append(cursor)
            elif cursor.kind in (_K.FUNCTION_DECL, _K.VAR_DECL) and cursor.is_definition():
                file = os.path.relpath(os.path.realpath(cursor.location.file.name), root)
                if file.startswith(trees) and (file, cursor.spelling) not in done:
                    done.add((file, cursor.spelling))
                    parts.append((file, cursor))
        macros: dict[str, list[_Span]] = {cursor.location.file.name: [] for _, cursor in parts}
        for use in uses:
            if use.location.file.name in macros:
                macros[use.location.file.name].append(_span(use))
        for file, cursor in parts:
            text = (root / file).read_bytes()
            found += named(file, text, cursor.spelling, _changes_in(text, macros[cursor.location.file.name], cursor))
    return sorted(found, key=lambda each: (each.file, each.change.start, each.change.end, each.name))
