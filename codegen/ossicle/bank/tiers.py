"""The streaming tiers of a bank, with which clips of the codec dense play more precisely (SPEC.md
section 14.4)."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..base.format import number
from .words import BankProblem, Section

TABLE = "TIER"
TIERS = ("TIE1", "TIE2")  # first and second tier
TAGS = (TABLE, *TIERS)
RECORD_WORDS = number("TIER_WORDS")
LEAST_WORDS = 2  # readers load pairs of words


@dataclass(frozen=True)
class Tier:
    """A tier that belongs to a bank. there: whether the bank also contains it."""

    words: int
    crc: int
    there: bool


def parse_tiers(by_tag: Mapping[str, Section], words: tuple[int, ...]) -> tuple[Tier, ...]:
    """Returns the tiers of a bank, the first one first. Raises BankProblem."""
    table = by_tag[TABLE].cut(words) if TABLE in by_tag else ()
    count, rest = divmod(len(table), RECORD_WORDS)
    if rest or count > len(TIERS):
        raise BankProblem(f"the section {TABLE} has {len(table)} words, {RECORD_WORDS} a tier and at "
                          f"most {RECORD_WORDS * len(TIERS)} are possible; encode the bank again")
    tiers: list[Tier] = []
    for tag, size, crc in zip(TIERS, table[::RECORD_WORDS], table[1::RECORD_WORDS]):
        if size < LEAST_WORDS or tag in by_tag and by_tag[tag].words != size:
            raise BankProblem(f"the section {TABLE} gives {tag} {size} words, which it does not have; "
                              "encode the bank again")
        tiers.append(Tier(size, crc, tag in by_tag))
    for tag in TIERS[count:]:
        if tag in by_tag:
            raise BankProblem(f"has a section {tag}, of which {TABLE} says nothing; encode the bank "
                              "again")
    return tuple(tiers)
