"""Describes conditions of a compiled graph as users write them."""
from __future__ import annotations

from collections.abc import Sequence

from .records import AFTER, ALWAYS, AT, AT_LEAST, EQUALS, FINISHED, IN, OF_EVENTS, ONE_Q16, Atom, Clause, Graph

_MOST_DIGITS = 5  # decimals of a number, enough for each multiple of 1/65536 to have its own


def condition_text(clauses: Sequence[Clause], graph: Graph, events: Sequence[str]) -> str:
    """Returns the text of a condition, without brackets because `and` binds more closely; empty if it always holds.
    events: their names."""
    return " or ".join(" and ".join(_atom_text(atom, graph, events) for atom in clause) for clause in clauses)


def q16_text(number: int) -> str:
    """Returns the shortest decimal number that a graph rounds to this one."""
    value = number / ONE_Q16
    digits = next((digits for digits in range(_MOST_DIGITS) if round(round(value, digits) * ONE_Q16) == number),
                  _MOST_DIGITS)
    return f"{value:.{digits}f}"


def seconds_text(microseconds: int) -> str:
    """Returns a time in seconds, exactly."""
    return f"{microseconds / 1e6:.6f}".rstrip("0").rstrip(".")


def _atom_text(atom: Atom, graph: Graph, events: Sequence[str]) -> str:
    if atom.operation == ALWAYS:
        return ""
    if atom.operation == AFTER:
        return f"{'before' if atom.opposite else 'after'}({seconds_text(atom.number)}s)"
    if atom.operation == AT_LEAST:
        return f"{graph.parameters[atom.argument].name} {_limit_text(atom)}"
    if atom.operation == EQUALS:
        parameter = graph.parameters[atom.argument]
        return f"{parameter.name} {'!=' if atom.opposite else '=='} {parameter.values[atom.number]}"
    if atom.operation == FINISHED:
        text = "finished"
    elif atom.operation == IN:
        text = f"in({_states_text(atom.argument & 0xFF, atom.argument >> 8, graph)})"
    elif atom.operation in OF_EVENTS:
        text = f"{'at' if atom.operation == AT else 'inside'}({events[atom.argument]})"
    else:
        text = graph.parameters[atom.argument].name
    return f"not {text}" if atom.opposite else text


def _states_text(first: int, count: int, graph: Graph) -> str:
    """Returns the name of a state or group."""
    if count == 1:
        return graph.states[first].name
    return next((group.name for group in graph.groups if (group.first, group.count) == (first, count)),
                f"{graph.states[first].name} to {graph.states[first + count - 1].name}")


def _limit_text(atom: Atom) -> str:
    """Returns the comparison of a number. `> 3` is stored as at least the number after 3."""
    least, below = q16_text(atom.number), q16_text(atom.number - 1)
    if len(below) < len(least):
        return f"{'<=' if atom.opposite else '>'} {below}"
    return f"{'<' if atom.opposite else '>='} {least}"
