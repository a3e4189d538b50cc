"""The machine of a graph without layers."""
from __future__ import annotations

from ossicle.bank.graph.records import Machine


def base(count: int, start: int = 0) -> tuple[Machine, ...]:
    """Returns the machines of a graph whose base has this number of states."""
    return (Machine("", 0, count, start),)
