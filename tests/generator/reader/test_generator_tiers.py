"""The Python reader of banks reads streaming tiers, and names their defects."""
from __future__ import annotations

import struct

import pytest
from bank_builder import seal
from published.dense_sample import dense_sample

from ossicle.encoding import native
from ossicle.bank.file import BankProblem, describe, parse_bank
from mentions import mentioning

BANK = dense_sample().bank
WORDS = list(struct.unpack(f"<{len(BANK) // 4}I", BANK))
TABLE, TIER_1, TIER_2 = (5 + 3 * index for index in (4, 5, 6))  # entries of the section table
RECORDS = WORDS[TABLE + 1]
UNKNOWN = int.from_bytes(b"XTRA", "little")


ERRORS_MM = 1e3 / 64, 1e3 / 256
RECORD_WORDS, CHUNK_WORDS = 3, 3
FAR, NEAR = 5, 6  # clips with keys in tiers


def keys_of(tier: int) -> list[tuple[int, int]]:
    """The clips of which a tier has keys, and their words: read without the package."""
    chunks = RECORDS + 2 + 2 * RECORD_WORDS
    first, end, size = ((0, WORDS[RECORDS + 3], WORDS[RECORDS + 2]),
                        (WORDS[RECORDS + 3], WORDS[RECORDS + 6], WORDS[RECORDS + 5]))[tier]
    entries = [WORDS[chunks + CHUNK_WORDS * i:chunks + CHUNK_WORDS * i + 2] for i in range(first, end)]
    ends = [offset for _, offset in entries[1:]] + [size]
    return [(key >> 16, end - offset) for (key, offset), end in zip(entries, ends, strict=True)]


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
        assert describe(bank)["base_error_mm"] == pytest.approx(3 * 1e3 / 64)
        assert describe(bank)["tiers"] == [
            {"bytes": 4 * size, "in_bank": i not in hidden, "error_mm": pytest.approx(ERRORS_MM[i], abs=1e-6),
             "chunks": [{"clip": bank.clips[clip].name, "block": 0, "codec": None, "bytes": 4 * words}
                        for clip, words in keys_of(i)]}
            for i, size in enumerate(sizes)]


def test_clips_have_keys_in_the_tiers_that_were_written() -> None:
    assert [[clip for clip, _ in keys_of(tier)] for tier in range(2)] == [[FAR, NEAR], [FAR]]


def test_the_state_of_every_clip_is_that_of_the_runtime() -> None:
    bank = parse_bank(BANK)
    assert max(clip.state_words for clip in bank.clips) == bank.state_words
    assert native.check_bank(native.bank_words(BANK)) == (native.OK, bank.player_words)


@pytest.mark.parametrize(("change", "message"), [
    ((TABLE, UNKNOWN), "TIE1"),
    ((TABLE + 2, 1), "1 0 4"),
    ((TABLE + 2, 2), "2 1 4"),
    ((TABLE + 2, 8), "8 3"),
    ((RECORDS, 5 | 31 << 8), "5 1 4"),
    ((RECORDS + 2, WORDS[RECORDS + 2] + 1), "TIE1"),
    ((TIER_2, int.from_bytes(b"TIE1", "little")), "TIE1"),
])
def test_tiers_that_do_not_fit_are_refused_as_by_the_runtime(change: tuple[int, int], message: str) -> None:
    data = changed(change)
    with pytest.raises(BankProblem, match=mentioning(message)):
        parse_bank(data)
    assert native.check_bank(native.bank_words(data))[0] != native.OK
