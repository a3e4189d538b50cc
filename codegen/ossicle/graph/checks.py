"""Checks that every state, transition and trigger of a graph can have an effect. Needs no clips."""
from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..bank.graph.records import TRIGGER, UNCONDITIONAL, WAITS, Clause
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
    for machine in graph.machines:
        for state in (graph.states[number] for number in machine.states if number not in reachable):
            raise GraphProblem(f"{state.where}: no transition leads to it from {graph.states[machine.start].name}, the "
                               "start; add one, or remove the state")
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
    """Returns the states that are entered from the first ones, if each condition may hold."""
    found, more = {state for machine in graph.machines for state in graph.together(machine.start)}, True
    while more:
        targets = {state for transition in graph.transitions if found.intersection(transition.sources)
                   for state in graph.together(transition.target)}
        more = not targets <= found
        found |= targets
    return found


def _check_hidden(graph: Resolved) -> None:
    """Raises GraphProblem for a transition that is never taken, because an earlier one always is."""
    leaving: dict[int, list[Leaving]] = {}
    for transition in graph.transitions:
        first = _hiding(transition, leaving.get(transition.sources[0], ()))
        if first is not None and all(_hiding(transition, leaving.get(state, ())) for state in transition.sources[1:]):
            same = "has no condition" if not first.rule.clauses else "holds whenever this one does"
            raise GraphProblem(f"{transition.rule.where}: is never taken, because {first.rule.where}, which stands "
                               f"before it and leaves {graph.states[transition.sources[0]].name}, {same}; move it up, "
                               "or remove it")
        for state in transition.sources:
            leaving.setdefault(state, []).append(transition)


def _hiding(transition: Leaving, earlier: Iterable[Leaving]) -> Leaving | None:
    """Returns the first of the earlier transitions that holds whenever this one does, or None."""
    return next((other for other in earlier if _holds_whenever(other.clauses, transition.clauses)), None)


def _holds_whenever(condition: Sequence[Clause], other: Sequence[Clause]) -> bool:
    """Returns whether a condition has no atoms, or fewer in a clause than each clause of the other."""
    return condition == UNCONDITIONAL or all(any(set(clause) <= set(wide) for clause in condition) for wide in other)
