"""Plans the description of a bank's tiers in the generated header."""
from __future__ import annotations

from dataclasses import dataclass

from ...bank.file import Bank
from ...bank.tiers import Tier, error_text


@dataclass(frozen=True)
class TierPlan:
    """The tiers of a bank. count: without the base; chunks: of all tiers; largest_bytes: the size of the largest chunk;
    errors: bounds of the clips' errors, a line for the base and for each tier."""

    count: int
    chunks: int
    largest_bytes: int
    errors: tuple[str, ...]


def plan_tiers(bank: Bank) -> TierPlan | None:
    """Returns the description, or None for a bank without tiers."""
    if not bank.tiers:
        return None
    chunks = [chunk for tier in bank.tiers for chunk in tier.chunks]
    errors = [f"{error_text(bank.tier_set.base_error_mm)} mm without tiers"]
    errors += [f"{error_text(tier.error_mm)} mm with {_up_to(number)}: {_size(tier)}"
               for number, tier in enumerate(bank.tiers, 1)]
    return TierPlan(len(bank.tiers), len(chunks), max((4 * chunk.words for chunk in chunks), default=0),
                    tuple(errors))


def _up_to(number: int) -> str:
    return "tier 1" if number == 1 else f"tiers 1 to {number}"


def _size(tier: Tier) -> str:
    """Describes the size of a tier."""
    count = len(tier.chunks)
    return f"{4 * tier.words} bytes more, in {count} chunk{'' if count == 1 else 's'}"
