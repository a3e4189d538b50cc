"""Conditions of a compiled graph as text: what users wrote, or an equal condition."""
from __future__ import annotations

import pytest
from ossicle.bank.graph.records import (
    CHOICE, FLAG, FOREVER, IN, NUMBER, ONE_Q16, TRIGGER, UNCONDITIONAL, Atom, Clause, Graph, Group, Machine, Parameter,
    State)
from ossicle.bank.graph.text import condition_text, q16_text
from ossicle.graph.conditions import parse_condition
from ossicle.graph.resolving import resolved
from ossicle.graph.rules import GraphRules, StateRule, TransitionRule

PARAMETERS = (Parameter("jump", TRIGGER, 0, 150_000, 0), Parameter("speed", NUMBER, -ONE_Q16, 6 * ONE_Q16, 0),
              Parameter("grounded", FLAG, 0, 1, 1), Parameter("stance", CHOICE, 0, 1, 0, values=("relaxed", "armed")))


STATES = tuple(State(name, 0, FOREVER, ONE_Q16) for name in ("a", "b", "c.d", "c.e", "top.x"))
GRAPH = Graph(PARAMETERS, (Machine("", 0, 4, 0), Machine("top", 4, 1, 4)), STATES, groups=(Group("c", 2, 2),))


def clauses_of(when: str) -> tuple[tuple[Clause, ...], tuple[str, ...]]:
    """The compiled clauses of a condition, and the events that it names."""
    states = tuple(StateRule(name, "Idle", None, 1.0, name) for name in "ab")
    rule = TransitionRule(("a",), "b", parse_condition(when, "when"), True, None, None, 0, "transition")
    graph = resolved(GraphRules("a", parameters=PARAMETERS, states=states, transitions=(rule,)))
    return graph.transitions[0].clauses, graph.events


@pytest.mark.parametrize("when", [
    "jump", "jump and grounded", "not grounded or finished", "not finished", "stance == armed", "stance != relaxed",
    "speed >= 0.2", "speed < 0.2", "speed > 3", "speed <= 3", "speed >= -0.33333", "speed > 0.1", "after(1.2s)",
    "before(0.4s) and jump or at(left_foot)", "inside(combo) or not inside(combo) and jump", "after(0.000001s)"])
def test_a_condition_reads_as_it_was_written(when: str) -> None:
    clauses, events = clauses_of(when)
    assert condition_text(clauses, GRAPH, events) == when


def test_brackets_are_resolved() -> None:
    clauses, events = clauses_of("jump and (grounded or speed > 3)")
    text = condition_text(clauses, GRAPH, events)
    assert text == "jump and grounded or jump and speed > 3" and clauses_of(text) == (clauses, events)


def test_states_of_other_machines_have_their_names() -> None:
    for first, count, opposite, text in ((0, 1, False, "in(a)"), (2, 2, True, "not in(c)"), (3, 1, False, "in(c.e)"),
                                         (1, 3, False, "in(b to c.e)")):
        assert condition_text(((Atom(IN, opposite, first | count << 8),),), GRAPH, ()) == text


def test_what_always_holds_has_no_text() -> None:
    assert condition_text(UNCONDITIONAL, GRAPH, ()) == ""


def test_each_number_has_a_text_of_its_own() -> None:
    numbers = [*range(-200, 200), *(sign * number for number in range(0, 1 << 31, 999_983) for sign in (-1, 1)),
               -1 << 31, (1 << 31) - 1]
    for number in numbers:
        assert round(float(q16_text(number)) * ONE_Q16) == number
    assert [q16_text(round(value * ONE_Q16)) for value in (0, 1, -1, 0.2, 4.5, 0.05, 1 / 3)] == [
        "0", "1", "-1", "0.2", "4.5", "0.05", "0.33333"]
