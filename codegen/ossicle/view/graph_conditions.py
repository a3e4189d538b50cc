"""Formats the conditions of a compiled graph as users write them."""
from __future__ import annotations

from collections.abc import Sequence

from ..bank.graph_records import (AFTER, ALWAYS, AT, AT_LEAST, EQUALS, FINISHED, INSIDE, IS_SET, ONE_Q16, WAITS, Atom,
                                  Clause, Parameter)

_DIGITS = 4  # of numbers, which are rounded to 1/65536


def condition_text(clauses: Sequence[Clause], parameters: Sequence[Parameter], events: Sequence[str]) -> str:
    """Returns the text of a condition, without brackets because `and` binds more closely; empty if it always holds."""
    return " or ".join(" and ".join(_atom_text(atom, parameters, events) for atom in clause) for clause in clauses)


def _atom_text(atom: Atom, parameters: Sequence[Parameter], events: Sequence[str]) -> str:
    text = {
        ALWAYS: lambda: "",
        WAITS: lambda: parameters[atom.argument].name,
        IS_SET: lambda: parameters[atom.argument].name,
        AT_LEAST: lambda: f"{parameters[atom.argument].name} {'<' if atom.opposite else '>='} {_number(atom.number)}",
        EQUALS: lambda: f"{parameters[atom.argument].name} {'!=' if atom.opposite else '=='} "
                        f"{parameters[atom.argument].values[atom.number]}",
        FINISHED: lambda: "finished",
        AFTER: lambda: f"{'before' if atom.opposite else 'after'}({atom.number / 1e6:g}s)",
        AT: lambda: f"at({events[atom.argument]})",
        INSIDE: lambda: f"inside({events[atom.argument]})",
    }[atom.operation]()
    return f"not {text}" if atom.opposite and atom.operation in (IS_SET, FINISHED, INSIDE) else text


def _number(value_q16: int) -> str:
    return f"{round(value_q16 / ONE_Q16, _DIGITS):g}"
