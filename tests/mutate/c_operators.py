"""Mutations of C, from the syntax trees of libclang (Debian: python3-clang).

Nothing inside the use of a macro changes: its text is elsewhere, or is an assertion's. Code that the preprocessor
leaves out on this computer has no tree, and so no mutations.
"""
from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path
from zlib import crc32

from clang.cindex import Cursor, CursorKind, Diagnostic, Index, TranslationUnit, TypeKind
from mutation import Change, Mutation, named

_FAMILIES = {
    "bound": "< <= <= < > >= >= >", "equal": "== != != ==", "logic": "&& || || &&", "bits": "& | | & ^ | &= |= |= &= ^= |=",
    "arithmetic": "+ - - + * + / * % / += -= -= += *= += /= *=", "shift": "<< >> >> << <<= >>= >>= <<=",
}
REPLACED = {words[i]: (name, words[i + 1]) for name, text in _FAMILIES.items()
            for words in [text.split()] for i in range(0, len(words), 2)}
ENTRIES = 2  # of a constant table that change
_K = CursorKind
_OPERATORS = (_K.BINARY_OPERATOR, _K.COMPOUND_ASSIGNMENT_OPERATOR)
_LOOPS = (_K.FOR_STMT, _K.WHILE_STMT)
_LITERAL = re.compile(r"(0[xX][0-9a-fA-F]+|\d+)([uUlL]*)")


class _File:
    """The text of a file and the macros that it uses."""

    def __init__(self, path: Path) -> None:
        self.bytes, self.macros = path.read_bytes(), []

    def text(self, start: int, end: int) -> str:
        return self.bytes[start:end].decode()

    def is_own(self, start: int, end: int) -> bool:
        """Whether this text lies in no use of a macro, and has no part of one."""
        return start < end and all(last <= start or end <= first or (start <= first and last <= end and
                                                                     (start, end) != (first, last))
                                   for first, last in self.macros)


def _span(cursor: Cursor) -> tuple[int, int]:
    return cursor.extent.start.offset, cursor.extent.end.offset


def _plain(cursor: Cursor) -> Cursor:
    """The expression below implicit casts."""
    children = list(cursor.get_children())
    while cursor.kind == _K.UNEXPOSED_EXPR and len(children) == 1 and _span(children[0]) == _span(cursor):
        cursor = children[0]
        children = list(cursor.get_children())
    return cursor


class _Changes:
    """The changes in one function or table."""

    def __init__(self, file: _File) -> None:
        self.file, self.found, self.limits = file, [], set()

    def add(self, operator: str, start: int, end: int, text: str) -> None:
        self.found.append(Change(operator, start, end, text))

    def visit(self, cursor: Cursor, parent: Cursor | None = None) -> None:
        children = list(cursor.get_children())
        if self.file.is_own(*_span(cursor)):
            self._change(cursor, children, parent)
        for child in children:
            self.visit(child, cursor)

    def _change(self, cursor: Cursor, children: list[Cursor], parent: Cursor | None) -> None:
        kind = cursor.kind
        if kind in _OPERATORS and len(children) == 2:
            self._operator(*children)
        elif kind == _K.UNARY_OPERATOR and re.match(r"[!~]|-(?!-)", self._text(cursor)):
            start, _ = _span(cursor)
            self.add("sign", start, start + 1, "")
        elif kind == _K.INTEGER_LITERAL:
            self._literal(cursor, parent)
        elif kind == _K.CONDITIONAL_OPERATOR:
            self._note_limit(children[0], [self._text(child) for child in children[1:]])
            self._exchange(*children[1:])
        elif kind == _K.CALL_EXPR:
            self._arguments(list(cursor.get_arguments()))
        elif kind == _K.RETURN_STMT and children:
            self._error(children[0])
        elif kind == _K.IF_STMT:
            self._note_limit(children[0], re.sub(r"[\s{};]", "", self._text(children[1])).split("="))
            self._if(children)
            self._statements(children[1:])
        elif kind in _LOOPS or kind == _K.COMPOUND_STMT:
            self._statements(children if kind == _K.COMPOUND_STMT else children[-1:])

    def _text(self, cursor: Cursor) -> str:
        return self.file.text(*_span(cursor))

    def _note_limit(self, condition: Cursor, values: list[str]) -> None:
        """Notes a comparison of two values of which the smaller or greater is taken: they may be equal in either branch."""
        sides = [self._text(side) for side in _plain(condition).get_children()]
        if sorted(sides) == sorted(values):
            self.limits.add(_span(condition))

    def _operator(self, left: Cursor, right: Cursor) -> None:
        start, end = left.extent.end.offset, right.extent.start.offset
        between = self.file.text(start, end)
        if between.strip() in REPLACED and self.file.is_own(start, end):
            operator, replacement = REPLACED[between.strip()]
            if operator != "bound" or (left.extent.start.offset, right.extent.end.offset) not in self.limits:
                self.add(operator, start, end, between.replace(between.strip(), replacement))

    def _literal(self, cursor: Cursor, parent: Cursor | None) -> None:
        is_dimension = parent is not None and parent.kind in (_K.VAR_DECL, _K.FIELD_DECL) and \
            parent.type.kind == TypeKind.CONSTANTARRAY
        start, end = _span(cursor)
        literal = _LITERAL.fullmatch(self._text(cursor))
        if literal and not is_dimension:
            value = int(literal[1], 0) + 1
            shown = hex(value) if literal[1].lower().startswith("0x") else str(value)
            self.add("constant", start, end, f"{shown}{literal[2]}")

    def _exchange(self, left: Cursor, right: Cursor) -> None:
        spans = _span(left), (_span(left)[1], _span(right)[0]), _span(right)
        if self._text(left) != self._text(right) and all(self.file.is_own(*span) for span in spans):
            self.add("exchange", spans[0][0], spans[2][1], "".join(self.file.text(*span) for span in reversed(spans)))

    def _arguments(self, arguments: list[Cursor]) -> None:
        for left, right in zip(arguments, arguments[1:]):
            if left.type.get_canonical().spelling == right.type.get_canonical().spelling:
                self._exchange(left, right)
                return

    def _if(self, children: list[Cursor]) -> None:
        start, end = _span(children[0])
        if self.file.is_own(start - 1, end + 1):
            self.add("condition", start, end, f"0 && ({self.file.text(start, end)})")
        if len(children) == 3:
            then_end, (other, other_end) = children[1].extent.end.offset, _span(children[2])
            place = then_end + self.file.text(then_end, other).rfind("else")
            self.add("else", place, other_end, ";" if children[2].kind != _K.COMPOUND_STMT else "")

    def _error(self, value: Cursor) -> None:
        plain = _plain(value)
        if plain.kind == _K.DECL_REF_EXPR and plain.referenced.kind == _K.ENUM_CONSTANT_DECL and \
                plain.referenced.enum_value < 0:
            self.add("error", *_span(plain), "0")

    def _statements(self, statements: Iterable[Cursor]) -> None:
        for statement in map(_plain, statements):
            span = _span(statement)
            if statement.kind in (*_OPERATORS, _K.UNARY_OPERATOR, _K.CALL_EXPR) and self.file.is_own(*span):
                self.add("statement", *span, "(void)0")


def _changes_in(file: _File, cursor: Cursor) -> list[Change]:
    """The changes in a function, or in a few entries of a constant table."""
    changes = _Changes(file)
    for child in cursor.get_children():
        if child.kind in (_K.COMPOUND_STMT, _K.INIT_LIST_EXPR):
            changes.visit(child)
    if cursor.kind == _K.VAR_DECL:
        entries = [each for each in changes.found if each.operator == "constant"]
        return sorted(entries, key=lambda each: crc32(f"{cursor.spelling}{each.start}".encode()))[:ENTRIES]
    return changes.found


def mutations_of(root: Path, units: Iterable[Path], flags: Iterable[str], trees: tuple[str, ...],
                 strict: bool = True) -> list[Mutation]:
    """Returns the mutations of C sources and of the headers that they include, in order of file and place.

    units: sources, of which a header's mutations come once. trees: folders in which files change. strict: sources that
    this computer cannot compile raise RuntimeError; otherwise they have no mutations.
    """
    index, found, done = Index.create(), [], set()
    for path in units:
        unit = index.parse(str(path), args=list(flags), options=TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD)
        wrong = [str(each) for each in unit.diagnostics if each.severity >= Diagnostic.Error]
        if wrong and strict:
            raise RuntimeError(f"{path}: {wrong[0]}")
        files: dict[str, _File] = {}
        macros, parts = [], []
        for cursor in unit.cursor.get_children() if not wrong else ():
            if cursor.kind == _K.MACRO_INSTANTIATION and cursor.location.file:
                macros.append(cursor)
            elif cursor.kind in (_K.FUNCTION_DECL, _K.VAR_DECL) and cursor.is_definition():
                name = os.path.realpath(cursor.location.file.name)
                shown = os.path.relpath(name, root)
                if shown.startswith(trees) and (shown, cursor.spelling) not in done:
                    done.add((shown, cursor.spelling))
                    files.setdefault(name, _File(Path(name)))
                    parts.append((files[name], shown, cursor))
        for cursor in macros if parts else ():
            name = os.path.realpath(cursor.location.file.name)
            if name in files:
                files[name].macros.append(_span(cursor))
        for file, shown, cursor in parts:
            found += named(shown, file.bytes, cursor.spelling, _changes_in(file, cursor))
    return sorted(found, key=lambda each: (each.file, each.change.start, each.change.end, each.name))
