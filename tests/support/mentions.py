"""Checks the facts of messages: files, clips, joints, values and options. Their sentences may change."""
from __future__ import annotations

import re
from collections.abc import Sequence

_NUMBER_AND_UNIT = re.compile(r"([-+]*\d[\d.,]*(?:e[-+]?\d+)?)([A-Za-z%]+)")


def mentioning(facts: object) -> str:
    """Returns a regular expression, for pytest.raises, of messages that mention all facts, which blanks separate.

    `3 Walk 0.5mm --fps` also finds `0.5 mm`; but `30` and `3.5` have no 3, `Walking` no Walk, `--fps-max` no --fps."""
    return "(?s)^" + "".join(f"(?=.*{_whole(fact)})" for fact in str(facts).split())


def _whole(fact: str) -> str:
    measured = _NUMBER_AND_UNIT.fullmatch(fact)
    text = " ?".join(map(re.escape, measured.groups())) if measured else re.escape(fact)
    return rf"(?<!\w)(?<!\d[.,]){text}(?!\w|[.,]\d{'|-' if fact.startswith('--') else ''})"


def mentions(message: object, facts: object) -> bool:
    """True if a message, or one of a list of lines, mentions all facts."""
    lines = message if isinstance(message, list) else [message]
    return any(re.search(mentioning(facts), str(line)) for line in lines)


def numbers(message: object, unit: str = "") -> list[float]:
    """Returns the numbers that a message mentions, or those with a unit, in their order."""
    return [float(number.replace(",", "")) for number in re.findall(
        r"(?<![\w.])(\d(?:[\d,]*\d)?(?:\.\d+)?(?:e[-+]?\d+)?)(?![\d.])" + (rf" ?{unit}\b" if unit else ""),
        str(message))]


def mention_each(messages: Sequence[object], facts: Sequence[object]) -> bool:
    """True if there are as many messages as facts, and each mentions its own."""
    return len(messages) == len(facts) and all(map(mentions, messages, facts))
