"""Conditions as clauses: they hold when the text does, and whatever a text contains, problems are SettingProblem."""
from __future__ import annotations

from itertools import product
from random import Random

import pytest
from mentions import mentions
from ossicle.base.problem import SettingProblem
from ossicle.graph.conditions import AFTER, AT, FINISHED, INSIDE, VALUE, Term, parse_condition

NAMES = "abcd"


def random_text(random: Random, depth: int) -> str:
    """A condition that Python evaluates in the same way."""
    if depth == 0 or random.random() < 0.3:
        return random.choice(NAMES)
    parts = [random_text(random, depth - 1) for _ in range(random.randint(2, 3))]
    text = f"({random.choice((' and ', ' or ')).join(parts)})"
    return f"not {text}" if random.random() < 0.3 else text


@pytest.mark.parametrize("seed", range(60))
def test_clauses_hold_when_the_text_does(seed: int) -> None:
    text = random_text(Random(seed), 3)
    table = [(values, eval(text, dict(zip(NAMES, values)))) for values in product((False, True), repeat=len(NAMES))]
    try:
        clauses = parse_condition(text, "when")
    except SettingProblem as problem:
        assert mentions(problem, 8) or mentions(problem, "never") and not any(holds for _, holds in table)
        return
    for values, holds in table:
        known = dict(zip(NAMES, values))
        assert holds == any(all(known[term.name] != term.opposite for term in clause) for clause in clauses), text


@pytest.mark.parametrize(("text", "clauses"), [
    ("finished", [[Term(FINISHED)]]),
    ("not not a", [[Term(VALUE, "a")]]),
    ("a and b or c", [[Term(VALUE, "a"), Term(VALUE, "b")], [Term(VALUE, "c")]]),
    ("a or a and b", [[Term(VALUE, "a")]]),
    ("a and b or a", [[Term(VALUE, "a"), Term(VALUE, "b")], [Term(VALUE, "a")]]),  # the first may take a trigger
    ("a and not a or b", [[Term(VALUE, "b")]]),
    ("x<=-1.5", [[Term(VALUE, "x", ">", "-1.5", True)]]),
    ("not x < 2", [[Term(VALUE, "x", ">=", "2")]]),
    ("x > .5e1", [[Term(VALUE, "x", ">", ".5e1")]]),
    ("s != 'very armed'", [[Term(VALUE, "s", "==", "very armed", True)]]),
    ("before( 0.4s )", [[Term(AFTER, value="0.4s", opposite=True)]]),
    ("at(left foot) and not inside(\"x(y)\")", [[Term(AT, "left foot"), Term(INSIDE, "x(y)", opposite=True)]]),
])
def test_terms(text: str, clauses: list[list[Term]]) -> None:
    assert [list(clause) for clause in parse_condition(text, "when")] == clauses


def test_terms_are_shown_as_they_are_written() -> None:
    text = "a and not b and x >= 2 and x < 3 and x > 1 and x <= 4 and s == one and s != two"
    assert " and ".join(term.text for term in parse_condition(text, "when")[0]) == text
    text = "finished and not finished_once and after(1s) and before(2s) and at(m) and not inside(n)"
    assert " and ".join(term.text for term in parse_condition(text, "when")[0]) == text


@pytest.mark.parametrize("seed", range(40))
def test_any_text_is_read_or_refused(seed: int) -> None:
    random = Random(seed)
    words = ["a", "not", "and", "or", "(", ")", ">=", "<", "=", "1.5", "at", "(b)", "finished", "after", "'", "\"", "é",
             "&&", "\n", "x(", "in", "0x", "==", " ", "before(1s)", ""]
    for _ in range(200):
        text = random.choice(("", " ")).join(random.choice(words) for _ in range(random.randrange(12)))
        try:
            assert parse_condition(text, "when")
        except SettingProblem as problem:
            assert str(problem).startswith("when")
