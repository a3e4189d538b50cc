"""Parses the user's targets for streaming tiers: errors or sizes of the bank without tiers, with the first one, and so
on."""
from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from ...base.format import number
from ...base.problem import SettingProblem
from ...model.lengths import parse_length

MAX_TIERS = number("MAX_TIERS")
WORDS = f"a list of 1 to {MAX_TIERS} lengths, sizes or percentages"
Number = TypeVar("Number", int, float)
_BYTES = {"b": 1, "kb": 1000, "mb": 1_000_000, "gb": 1_000_000_000, "kib": 1 << 10, "mib": 1 << 20,
          "gib": 1 << 30}
_MOST_BYTES = 1 << 40  # more than any bank or medium, and exact in a double
_SIZE = re.compile(r"\s*([0-9]*\.?[0-9]+)\s*([a-zA-Z]+)\s*\Z")
_SHARE = re.compile(r"\s*([0-9]*\.?[0-9]+)\s*%\s*\Z")


@dataclass(frozen=True)
class TierTargets:
    """Targets for the base and each tier except the last, in one of these fields: errors_m: metres, descending; shares:
    fractions of the bank without tiers, ascending; sizes: bytes of the base and the tiers so far, ascending. If all are
    empty, the bank has no tiers, or those of its preset."""

    errors_m: tuple[float, ...] = ()
    shares: tuple[float, ...] = ()
    sizes: tuple[int, ...] = ()

    @property
    def count(self) -> int:
        """The number of tiers."""
        return len(self.errors_m or self.shares or self.sizes)

    def limits(self, bank_bytes: int) -> tuple[int, ...]:
        """Returns the sizes in bytes for a bank of this size without tiers; empty if errors are stated."""
        return self.sizes or tuple(int(share * bank_bytes) for share in self.shares)


def parse_tiers(value: object, what: str) -> TierTargets:
    """Parses a list such as ["8mm", "3mm"], ["30%", "60%"] or ["40kB"]. Raises SettingProblem."""
    if not isinstance(value, list) or not 1 <= len(value) <= MAX_TIERS \
            or not all(isinstance(text, str) for text in value):
        raise SettingProblem(f"{what} = {value!r}: give {WORDS}")
    if all(_SHARE.match(text) for text in value):
        shares = tuple(float(text.strip().rstrip("%")) / 100.0 for text in value)
        if shares[-1] >= 1.0:
            raise SettingProblem(f"{what} {value[-1]!r}: leaves no bytes for the last tier; give less than 100%")
        return TierTargets(shares=_rising(shares, value, what))
    sizes = [size for text in value if (size := bytes_of(text)) is not None]
    if len(sizes) == len(value):
        return TierTargets(sizes=_rising(sizes, value, what))
    if sizes or any(_SHARE.match(text) for text in value):
        raise SettingProblem(f"{what} = {value!r}: give either lengths, or sizes, or percentages")
    errors = tuple(parse_length(text, what, "8mm, or a size such as 40kB, or a percentage such as 30%")
                   for text in value)
    for coarse, fine, text in zip(errors, errors[1:], value[1:]):
        if not coarse > fine:
            raise SettingProblem(f"{what} {text!r}: each tier must be more precise than the previous one; give errors "
                                 "that decrease")
    return TierTargets(errors_m=errors)


def bytes_of(text: str) -> int | None:
    """Parses a size such as 40kB to bytes, at most _MOST_BYTES, or returns None."""
    match = _SIZE.match(text)
    if match is None:
        return None
    factor = _BYTES.get(match.group(2).lower())
    return None if factor is None else int(min(float(match.group(1)) * factor, _MOST_BYTES))


def _rising(numbers: Sequence[Number], texts: Sequence[str], what: str) -> tuple[Number, ...]:
    for i, text in enumerate(texts):
        if not numbers[i] > (numbers[i - 1] if i else 0):
            raise SettingProblem(f"{what} {text!r}: sizes include the base and all previous tiers; give sizes that "
                                 "increase")
    return tuple(numbers)
