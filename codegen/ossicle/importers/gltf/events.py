"""Reads events in the extras of a glTF animation: extras.events is a list of objects with `time` (seconds), `name` and,
optionally, `value` (a whole number) and `length` (seconds)."""
from __future__ import annotations

from typing import Any

from ...model.clip import ImportProblem
from ...model.events import LEAST_VALUE, MOST_VALUE, Event, name_problem
from . import json_values as gltf_json

_KEYS = ("time", "name", "value", "length")


def events_of(animation: dict[str, Any]) -> tuple[Event, ...]:
    """Returns the events of an animation. Ignores extras of other forms, which belong to other programs. Raises
    ImportProblem."""
    extras = animation.get("extras")
    listed = extras.get("events") if isinstance(extras, dict) else None
    if not isinstance(listed, list) or not all(isinstance(item, dict) for item in listed):
        return ()
    return tuple(_event(item, f"extras.events[{number}]") for number, item in enumerate(listed))


def _event(item: dict[str, Any], where: str) -> Event:
    name = gltf_json.text(item, "name", where)
    if problem := name_problem(name):
        raise ImportProblem(f"{where}: the name {name!r} {problem}; rename the event")
    value = gltf_json.integer(item, "value", where, MOST_VALUE + 1, LEAST_VALUE, 0)
    length = _seconds(item, "length", where) if "length" in item else None
    if length == 0.0:
        raise ImportProblem(f"{where}: the event {name!r} has the length 0; leave out the length, or make it larger")
    return Event(name, _seconds(item, "time", where), value, length, where)


def _seconds(item: dict[str, Any], key: str, where: str) -> float:
    value = item.get(key)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0.0 <= value <= gltf_json.MAX_MAGNITUDE:
        raise ImportProblem(f"{where}: {key} is {value!r}; give seconds from the animation's beginning, 0 or more")
    return float(value)
