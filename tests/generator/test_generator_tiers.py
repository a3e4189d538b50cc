"""The Python reader of banks on streaming tiers: what it says of them, and the defects that it names."""
from __future__ import annotations

import struct

import pytest
from bank_builder import seal
from dense_sample import dense_sample

from ossicle.encode import native
from ossicle.bank.file import BankProblem, describe, parse_bank

BANK = dense_sample().bank
WORDS = list(struct.unpack(f"<{len(BANK) // 4}I", BANK))
TABLE, TIER_1, TIER_2 = (5 + 3 * index for index in (4, 5, 6))  # entries of the section table
RECORDS = WORDS[TABLE + 1]
UNKNOWN = int.from_bytes(b"XTRA", "little")


def changed(*changes: tuple[int, int]) -> bytes:
    words = list(WORDS)
    for at, value in changes:
        words[at] = value
    return seal(words)


def test_tiers_are_shown_whether_they_are_there_or_not() -> None:
    sizes = [WORDS[TIER_1 + 2], WORDS[TIER_2 + 2]]
    for hidden in (set(), {0}, {1}, {0, 1}):
        bank = parse_bank(changed(*(((TIER_1, TIER_2)[i], UNKNOWN) for i in hidden)))
        assert [(tier.words, tier.there) for tier in bank.tiers] == [
            (size, i not in hidden) for i, size in enumerate(sizes)]
        assert describe(bank)["tiers"] == [
            {"bytes": 4 * size, "in_bank": i not in hidden} for i, size in enumerate(sizes)]


def test_the_state_of_every_clip_is_that_of_the_runtime() -> None:
    bank = parse_bank(BANK)
    assert max(clip.state_words for clip in bank.clips) == bank.state_words
    assert native.check_bank(native.bank_words(BANK)) == (native.OK, bank.player_words)


@pytest.mark.parametrize(("change", "message"), [
    ((TABLE, UNKNOWN), "has a section TIE1, of which TIER says nothing"),
    ((TABLE + 2, 2), "has a section TIE2, of which TIER says nothing"),
    ((TABLE + 2, 3), "the section TIER has 3 words"),
    ((RECORDS, WORDS[RECORDS] + 1), "TIER gives TIE1 .* words, which it does not have"),
    ((TIER_2, int.from_bytes(b"TIE1", "little")), "TIE1 stands twice"),
])
def test_tiers_that_do_not_fit_are_refused_as_by_the_runtime(change: tuple[int, int],
                                                             message: str) -> None:
    data = changed(change)
    with pytest.raises(BankProblem, match=f"{message}.*; encode the bank again"):
        parse_bank(data)
    assert native.check_bank(native.bank_words(data))[0] != native.OK
