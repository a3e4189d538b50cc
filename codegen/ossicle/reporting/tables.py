"""Tables: plain text in pipes and files, drawn by rich on terminals."""
from __future__ import annotations

import sys
from collections.abc import Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, Protocol
from unicodedata import combining, east_asian_width

from ..base import signals

if TYPE_CHECKING:  # slow to import, and only terminals need it
    from rich.console import RenderableType

FOLDED = "folded"  # the side of columns of prose, which terminals fold


class Table:
    """A table of text. columns: (heading, "left", "right" or FOLDED) for each; title: a line above it, or empty."""

    def __init__(self, columns: Sequence[tuple[str, str]], title: str = "") -> None:
        self.columns, self.title = list(columns), title
        self.rows: list[tuple[str, ...]] = []

    def add_row(self, *cells: str) -> None:
        """Adds a row; cells that are missing at its end are empty."""
        self.rows.append(cells)

    def titled(self, title: str) -> Table:
        """Returns the same table with a title."""
        table = Table(self.columns, title)
        table.rows = self.rows
        return table

    def __str__(self) -> str:
        """Returns lines that are as long as their content."""
        rows = [tuple(heading for heading, _ in self.columns), *self.rows]
        columns = [[cell for cell in column] for column in zip_longest(*rows, fillvalue="")]
        padded = [_padded(column, side) for column, (_, side) in zip(columns, self.columns, strict=True)]
        lines = ["  ".join(cells).rstrip() for cells in zip(*padded)]
        return "\n".join([self.title, *lines] if self.title else lines)

    def __rich__(self) -> RenderableType:
        from rich.console import Group  # imported here: see above
        from rich.table import Table as RichTable
        from rich.text import Text
        drawn = RichTable(box=None, pad_edge=False)
        for heading, side in self.columns:
            drawn.add_column(heading, justify="right" if side == "right" else "left", no_wrap=side != FOLDED)
        for row in self.rows:
            drawn.add_row(*row)
        # a separate title, because rich would fold its own to the width of the table
        return Group(Text(self.title, style="bold"), drawn) if self.title else drawn


def _padded(column: Sequence[str], side: str) -> list[str]:
    widths = [_width(cell) for cell in column]
    widest = max(widths)
    return [" " * (widest - width) + cell if side == "right" else cell + " " * (widest - width)
            for cell, width in zip(column, widths)]


def _width(cell: str) -> int:
    """Returns the cells of a terminal that a text takes."""
    if cell.isascii():
        return len(cell)
    return sum(0 if combining(c) else 2 if east_asian_width(c) in "WF" else 1 for c in cell)


class Screen(Protocol):
    """Prints tables and lines."""

    def print(self, *parts: object) -> None:
        """Prints a part, by default an empty line."""


class _Pipe:
    """Prints whole lines, never folded or truncated."""

    def print(self, *parts: object) -> None:
        print(*parts)


def console() -> Screen:
    """Returns the screen of this process: a terminal, on which names are not interpreted as markup, or a pipe."""
    if not sys.stdout.isatty():
        return _Pipe()
    with signals.deferred():  # code of other packages may print or swallow an exception
        from rich.console import Console
    return Console(highlight=False, markup=False, emoji=False)
