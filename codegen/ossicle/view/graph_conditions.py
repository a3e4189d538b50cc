"""Formats the conditions of a compiled graph as users write them."""
from __future__ import annotations

from collections.abc import Sequence

from ..bank.graph_records import (AFTER, ALWAYS, AT, AT_LEAST, EQUALS, FINISHED, IN, OF_EVENTS, ONE_Q16, Atom, Clause,
                                  Graph)

_DIGITS = 4  # of numbers, which are rounded to 1/65536


def condition_text(clauses: Sequence[Clause], graph: Graph, events: Sequence[str]) -> str:
    """Returns the text of a condition, without brackets because `and` binds more closely; empty if it always holds."""
    return " or ".join(" and ".join(_atom_text(atom, graph, events) for atom in clause) for clause in clauses)


def _atom_text(atom: Atom, graph: Graph, events: Sequence[str]) -> str:
    if atom.operation == ALWAYS:
        return ""
    if atom.operation == FINISHED:
        text = "finished"
    elif atom.operation == AFTER:
        return f"{'before' if atom.opposite else 'after'}({atom.number / 1e6:g}s)"
    elif atom.operation == IN:
        text = f"in({_states_text(atom.argument & 0xFF, atom.argument >> 8, graph)})"
    elif atom.operation in OF_EVENTS:
        text = f"{'at' if atom.operation == AT else 'inside'}({events[atom.argument]})"
    else:
        parameter = graph.parameters[atom.argument]
        if atom.operation == AT_LEAST:
            return f"{parameter.name} {'<' if atom.opposite else '>='} {round(atom.number / ONE_Q16, _DIGITS):g}"
        if atom.operation == EQUALS:
            return f"{parameter.name} {'!=' if atom.opposite else '=='} {parameter.values[atom.number]}"
        text = parameter.name
    return f"not {text}" if atom.opposite else text


def _states_text(first: int, count: int, graph: Graph) -> str:
    """Returns the name of a state or group."""
    if count == 1:
        return graph.states[first].name
    return next((group.name for group in graph.groups if (group.first, group.count) == (first, count)), "?")
