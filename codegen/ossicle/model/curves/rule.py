"""The tolerances of curves."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...base.patterns import matches

DEFAULT_TOLERANCE = 1.0 / 256.0
LARGEST = 2047.0  # the limit of Q20, as for tracks


@dataclass(frozen=True)
class CurveRule:
    """A tolerance for the curves whose name matches a shell pattern, or None to leave them out."""

    pattern: str
    tolerance: float | None


def tolerance_of(name: str, rules: Sequence[CurveRule]) -> float | None:
    """Returns the tolerance of a curve by the last matching rule, or None to leave it out."""
    tolerance: float | None = DEFAULT_TOLERANCE
    for rule in rules:
        if matches(rule.pattern, name):
            tolerance = rule.tolerance
    return tolerance


def is_ruled(name: str, rules: Sequence[CurveRule]) -> bool:
    """Returns whether a rule matches the curve."""
    return any(matches(rule.pattern, name) for rule in rules)
