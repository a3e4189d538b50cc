"""Parses the joints of clips that touch the ground from a configuration file."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...base.patterns import from_general_to_specific
from ...base.problem import SettingProblem
from ...model.events import name_problem

WORDS = 'joints such as ["left_foot", "right_foot"], a table such as { left_foot = "step_left" }, true or false'


@dataclass(frozen=True)
class ContactRule:
    """Joints whose contacts are events. event: the name of the event, or None to derive it from the joint."""

    pattern: str
    event: str | None = None


def parse_contacts(value: Any, what: str) -> bool | tuple[ContactRule, ...]:
    """Parses the value of the key. True means the feet, which are found by name. Raises SettingProblem."""
    if isinstance(value, bool):
        return value
    if isinstance(value, str):
        value = [value]
    if isinstance(value, list):
        value = dict.fromkeys(_text(pattern, what) for pattern in value)
    if not isinstance(value, dict):
        raise SettingProblem(f"{what} = {value!r}: give {WORDS}")
    for pattern, event in value.items():
        if not pattern:
            raise SettingProblem(f"{what}: an empty pattern matches nothing; give {WORDS}")
        if event is not None and (problem := name_problem(_text(event, f"{what} {pattern!r}"))):
            raise SettingProblem(f"{what} {pattern!r} = {event!r}: {problem}; choose another")
    return tuple(ContactRule(pattern, event) for pattern, event in from_general_to_specific(value))


def _text(value: Any, what: str) -> str:
    if not isinstance(value, str):
        raise SettingProblem(f"{what}: {value!r} is not a text; give {WORDS}")
    return value
