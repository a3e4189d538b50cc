"""Checks that every state, transition and trigger of a graph can have an effect. Needs no clips."""
from __future__ import annotations

from collections.abc import Sequence

from ..bank.graph_records import TRIGGER, UNCONDITIONAL, WAITS, Clause
from .contradictions import contradicts
from .cycles import check_cycles
from .resolving import Leaving, Resolved, resolved
from .rules import TABLE, GraphProblem, GraphRules


def check_rules(rules: GraphRules) -> None:
    """Raises GraphProblem for a graph that contradicts itself, or parts of which have no effect."""
    graph = resolved(rules)
    for transition in graph.transitions:
        if all(contradicts(clause, graph.parameters) for clause in transition.clauses):
            raise GraphProblem(f"{_condition_of(transition)}: never holds, because its terms exclude each other; "
                               "correct the condition, or remove the transition")
    _check_hidden(graph)
    reachable = _reachable(graph)
    for number, state in enumerate(graph.states):
        if number not in reachable:
            raise GraphProblem(f"{state.where}: no transition leads to it from {graph.states[graph.first_state].name}, "
                               "the start; add one, or remove the state")
    named = {atom.argument for transition in graph.transitions for clause in transition.clauses for atom in clause
             if atom.operation == WAITS}
    for number, parameter in enumerate(graph.parameters):
        if parameter.kind == TRIGGER and number not in named:
            raise GraphProblem(f"[{TABLE}] parameters.{parameter.name}: no condition names this trigger; add it to the "
                               "condition of a transition, or remove it")
    check_cycles(graph)


def _condition_of(transition: Leaving) -> str:
    text = " or ".join(" and ".join(term.text for term in clause) for clause in transition.rule.clauses)
    return f"{transition.rule.where} when = {text!r}"


def _reachable(graph: Resolved) -> set[int]:
    """Returns the states that are entered from the first one, if each condition may hold."""
    found, more = {graph.first_state}, True
    while more:
        targets = {transition.target for transition in graph.transitions if found.intersection(transition.sources)}
        more = not targets <= found
        found |= targets
    return found


def _check_hidden(graph: Resolved) -> None:
    """Raises GraphProblem for a transition that is never taken, because an earlier one always is."""
    for number, transition in enumerate(graph.transitions):
        hiding = [[earlier for earlier in graph.transitions[:number] if state in earlier.sources
                   and _holds_whenever(earlier.clauses, transition.clauses)] for state in transition.sources]
        if all(hiding):
            first = hiding[0][0]
            same = "has no condition" if not first.rule.clauses else "holds whenever this one does"
            raise GraphProblem(f"{transition.rule.where}: is never taken, because {first.rule.where}, which stands "
                               f"before it and leaves {graph.states[transition.sources[0]].name}, {same}; move it up, "
                               "or remove it")


def _holds_whenever(condition: Sequence[Clause], other: Sequence[Clause]) -> bool:
    """Returns whether a condition has no atoms, or fewer in a clause than each clause of the other."""
    return condition == UNCONDITIONAL or all(any(set(clause) <= set(wide) for clause in condition) for wide in other)
