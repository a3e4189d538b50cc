"""Finds transitions that would be taken in circles for ever: for some values of the parameters, without a trigger and
without time between them."""
from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import product
from math import prod

from ..bank.graph.records import (AFTER, ALWAYS, AT_LEAST, CHOICE, EQUALS, FLAG, IS_SET, NUMBER, WAITS, Atom, Clause,
                                  Parameter)
from .parameters import ONE_Q16
from .resolving import Resolved
from .rules import GraphProblem

_BY_VALUES = (ALWAYS, IS_SET, AT_LEAST, EQUALS)  # atoms that depend only on parameters
_MOST_VALUES = 1024  # combinations that are tried; graphs with more are not searched
_Values = dict[int, int]
_Leaving = Mapping[int, Sequence[int]]


def check_cycles(graph: Resolved) -> None:
    """Raises GraphProblem for transitions that follow each other in circles. Every state can be reached. Only circles
    are found whose states are all left at their entry by values of parameters. Marks, spans, ends of clips and `after`
    may end a circle; `before` cannot, because it holds at every entry."""
    circling = _circling(graph)
    states = {state for number in circling for state in graph.transitions[number].sources}
    leaving = {state: [number for number, transition in enumerate(graph.transitions) if state in transition.sources]
               for state in states}
    for values in _combinations(graph, states):
        for first in circling:
            if circle := _circle(graph, leaving, first, values):
                raise GraphProblem(_message(graph, circle, values))


def _circling(graph: Resolved) -> list[int]:
    """Returns the transitions that could be part of a circle: those that may hold at the entry of a state, without
    those from states that no other of them enters, and to states that no other of them leaves."""
    kept = [number for number, transition in enumerate(graph.transitions)
            if any(all(_may_hold(atom) for atom in clause) for clause in transition.clauses)]
    while True:
        entered = {graph.transitions[number].target for number in kept}
        left = {state for number in kept for state in graph.transitions[number].sources}
        inner = [number for number in kept if graph.transitions[number].target in left
                 and entered.intersection(graph.transitions[number].sources)]
        if inner == kept:
            return kept
        kept = inner


def _may_hold(atom: Atom) -> bool:
    """Returns whether values of the parameters alone can let an atom hold at the entry of a state."""
    return atom.operation in _BY_VALUES or atom.operation == AFTER and atom.opposite


def _combinations(graph: Resolved, states: Collection[int]) -> Iterator[_Values]:
    """Yields values of the parameters that matter in these states: all that the conditions distinguish."""
    atoms = {atom for transition in graph.transitions if set(transition.sources).intersection(states)
             for clause in transition.clauses for atom in clause if atom.operation in _BY_VALUES}
    choices = {number: _distinguished(parameter, [atom.number for atom in atoms if atom.argument == number])
               for number, parameter in enumerate(graph.parameters)
               if any(atom.argument == number and atom.operation != ALWAYS for atom in atoms)}
    if prod(map(len, choices.values())) <= _MOST_VALUES:
        for values in product(*choices.values()):
            yield dict(zip(choices, values))


def _distinguished(parameter: Parameter, limits: Sequence[int]) -> list[int]:
    """Returns a value of each kind that conditions with these limits distinguish."""
    if parameter.kind == NUMBER:
        return sorted({parameter.least, *limits})
    return list(range(parameter.most + 1))


def _circle(graph: Resolved, leaving: _Leaving, first: int, values: _Values) -> list[int]:
    """Returns the transitions of a circle that begins with the entry by one of them; empty if there is none. leaving:
    the transitions that leave each state of circles."""
    taken: list[int] = []
    following: int | None = first
    while following is not None:
        if following in taken:
            return taken[taken.index(following):]
        taken.append(following)
        following = _next(graph, leaving, following, values)
    return []


def _next(graph: Resolved, leaving: _Leaving, taken: int, values: _Values) -> int | None:
    """Returns the transition that leaves the target of another at once, or None if that depends on more than
    values."""
    target, hold_us = graph.transitions[taken].target, graph.transitions[taken].rule.hold_us
    for number in leaving.get(target, ()):
        if hold_us and number >= taken:
            break
        holds = [_holds(clause, values) for clause in graph.transitions[number].clauses]
        if True in holds:
            return number
        if None in holds:
            return None
    return None


def _holds(clause: Clause, values: _Values) -> bool | None:
    """Returns whether a clause holds at the entry of a state without triggers; None if that is not known."""
    parts = [_holds_atom(atom, values) for atom in clause]
    return False if False in parts else None if None in parts else True


def _holds_atom(atom: Atom, values: _Values) -> bool | None:
    if atom.operation == WAITS:
        return False
    if atom.operation == AFTER:
        return atom.opposite  # no time has passed
    if atom.operation not in _BY_VALUES:
        return None
    if atom.operation == ALWAYS:
        return True
    value = values[atom.argument]
    holds = {IS_SET: value > 0, EQUALS: value == atom.number, AT_LEAST: value >= atom.number}[atom.operation]
    return holds != atom.opposite


def _message(graph: Resolved, circle: Sequence[int], values: _Values) -> str:
    transitions = [graph.transitions[number] for number in circle]
    names = [graph.states[transition.target].name for transition in transitions]
    named = [atom.argument for transition in transitions for clause in transition.clauses for atom in clause
             if atom.operation in _BY_VALUES and atom.operation != ALWAYS]
    when = ", ".join(_value_text(graph.parameters[number], values[number]) for number in dict.fromkeys(named))
    others = " and ".join(transition.rule.where for transition in transitions[1:])
    return (f"{transitions[0].rule.where}: leads in a circle, {' to '.join([names[-1], *names])}"
            + (f", with {others}" if others else "") + (f" when {when}" if when else "")
            + "; change a condition so that they do not hold at the same time, or name a trigger")


def _value_text(parameter: Parameter, value: int) -> str:
    if parameter.kind == FLAG:
        return f"{'' if value else 'not '}{parameter.name}"
    if parameter.kind == CHOICE:
        return f"{parameter.name} is {parameter.values[value]}"
    return f"{parameter.name} is {value / ONE_Q16:g}"
