"""Parses the references of additive clips."""
from __future__ import annotations

import re
from dataclasses import dataclass

from ...base.problem import SettingProblem

BIND, NONE = "bind", "none"
WORDS = f'a clip such as "Idle", "Idle@12" or "Idle@0.4s", "{BIND}", or "{NONE}"'
_PLACE = re.compile(r"(.*)@\s*(?:([0-9]+)|([0-9]*\.?[0-9]+)\s*s)\s*\Z", re.DOTALL)


@dataclass(frozen=True)
class AdditiveRule:
    """The reference of an additive clip. clip: a name, or None for the bind pose; frame, seconds: the position in
    it."""

    clip: str | None
    frame: int = 0
    seconds: float | None = None

    @property
    def text(self) -> str:
        """The value in a configuration file."""
        if self.clip is None:
            return BIND
        return f"{self.clip}@{self.frame}" if self.seconds is None else f"{self.clip}@{self.seconds:g}s"


def parse_additive(value: object, what: str) -> AdditiveRule | None:
    """Parses a text such as "Idle@12"; None for none. Raises SettingProblem."""
    if not isinstance(value, str) or not value:
        raise SettingProblem(f"{what} = {value!r}: give {WORDS}")
    if value == NONE:
        return None
    if value == BIND:
        return AdditiveRule(None)
    match = _PLACE.match(value)
    if match is None:
        return AdditiveRule(value)
    name, frame, seconds = match.groups()
    if not name:
        raise SettingProblem(f"{what} = {value!r}: names no clip; give {WORDS}")
    return AdditiveRule(name, int(frame)) if frame else AdditiveRule(name, seconds=float(seconds))
