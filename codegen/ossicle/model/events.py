"""Events of clips: names at times, which the runtime reports to the game."""
from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from ..base.names import naming_problem

LEAST_VALUE, MOST_VALUE = -2**31, 2**31 - 1
MAX_NAME_BYTES = 63


@dataclass(frozen=True)
class Event:
    """An event, or a span if it has a duration. seconds: from the clip's beginning; length_s: the duration of a span,
    or None; where: its location in the source, for messages."""

    name: str
    seconds: float
    value: int = 0
    length_s: float | None = None
    where: str = ""


def name_problem(name: str) -> str | None:
    """Returns the reason why an event cannot have this name, or None."""
    return naming_problem(name, MAX_NAME_BYTES)


def retimed_events(events: Iterable[Event], start: float, end: float, speed: float, reverse: bool) -> tuple[Event, ...]:
    """Returns the events of the part of a clip from start to end, in seconds, at a speed. Cuts spans at both ends."""
    result = []
    for event in events:
        first, last = event.seconds, event.seconds + (event.length_s or 0.0)
        if event.length_s is not None:
            first, last = max(first, start), min(last, end)
        inside = start <= first <= last <= end and (event.length_s is None or first < last)
        if inside:
            length = None if event.length_s is None else (last - first) / speed
            seconds = ((end - last) if reverse else (first - start)) / speed
            result.append(replace(event, seconds=seconds, length_s=length))
    return tuple(result)
