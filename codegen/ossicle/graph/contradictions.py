"""Finds conditions that no values of the parameters fulfil."""
from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..bank.graph.records import AFTER, AT_LEAST, EQUALS, Atom, Parameter


def contradicts(atoms: Iterable[Atom], parameters: Sequence[Parameter]) -> bool:
    """Returns whether the atoms of a clause cannot all hold. Finds an atom with its opposite, and limits of numbers,
    choices and times that exclude each other; other contradictions are not found."""
    clause = set(atoms)
    if any(Atom(atom.operation, not atom.opposite, atom.argument, atom.number) in clause for atom in clause):
        return True
    for atom in clause:
        of_same = [other for other in clause if (other.operation, other.argument) == (atom.operation, atom.argument)]
        if atom.operation in (AT_LEAST, AFTER) and not atom.opposite and \
                any(other.opposite and other.number <= atom.number for other in of_same):
            return True
        if atom.operation == EQUALS and _no_choice(of_same, len(parameters[atom.argument].values)):
            return True
    return False


def _no_choice(atoms: Sequence[Atom], values: int) -> bool:
    return not any(all((value == atom.number) != atom.opposite for atom in atoms) for value in range(values))
