"""Versions in tiers that are damaged, though the bank's CRC is right: Python refuses what the runtime refuses,
so that no such bank is embedded."""
from __future__ import annotations

import random
import struct
import zlib

import pytest
from tiered_bank import tiered

from ossicle.bank.file import Bank, BankProblem, parse_bank
from ossicle.bank.tiers import TIERS
from ossicle.base.format import number
from ossicle.encoding import native
from mentions import mentions

BANK = tiered(2)
PARSED = parse_bank(BANK)


def sealed(words: list[int]) -> bytes:
    head, rest = struct.pack("<3I", *words[:3]), struct.pack(f"<{len(words) - 4}I", *words[4:])
    return head + struct.pack("<I", zlib.crc32(rest, zlib.crc32(head))) + rest


def starts(bank: Bank) -> list[int]:
    """The first word of each version, which is its shape."""
    sections = {section.tag: section.offset for section in bank.sections}
    return [sections[TIERS[version.tier - 1]] + version.chunk.offset for version in bank.versions]


def agree(data: bytes) -> bool:
    """True if both accept a bank; AssertionError if only one does, except for damaged constants, which the
    runtime leaves out while it plays."""
    runtime = native.check_bank(native.bank_words(data))[0] == native.OK
    try:
        parse_bank(data)
        accepted = True
    except BankProblem as problem:
        accepted = runtime and mentions(str(problem), "constant")
    assert accepted == runtime
    return accepted


def test_all_versions_are_seen() -> None:
    assert len(PARSED.versions) == sum(len(tier.chunks) for tier in PARSED.tiers) == 11
    assert {version.chunk.codec for version in PARSED.versions} == {"delta", "curve", "transform"}
    assert all(version.content.tracks for version in PARSED.versions)


@pytest.mark.parametrize("at", starts(PARSED))
@pytest.mark.parametrize("word", [0, 1, 2, 3])
def test_every_bit_of_the_headers(at: int, word: int) -> None:
    verdicts = []
    for bit in range(32):
        words = list(PARSED.words)
        words[at + word] ^= 1 << bit
        verdicts.append(agree(sealed(words)))
    assert word > 1 or not all(verdicts)


def test_random_words() -> None:
    rng = random.Random(1)
    verdicts = set()
    sections = [section for section in PARSED.sections if section.tag in TIERS]
    for _ in range(1500):
        words, section = list(PARSED.words), rng.choice(sections)
        for _ in range(rng.choice((1, 1, 4))):
            words[section.offset + rng.randrange(section.words)] = rng.choice(
                (rng.getrandbits(32), rng.getrandbits(8), 0xffffffff, 0))
        verdicts.add(agree(sealed(words)))
    assert verdicts == {True, False}


@pytest.mark.parametrize("change", [-1, 1 << number("CLIP_CODEC_SHIFT"), number("CLIP_LOOP")])
def test_messages_name_tier_and_clip(change: int) -> None:
    words = list(PARSED.words)
    words[starts(PARSED)[0]] = words[starts(PARSED)[0]] + change & 0xffffffff
    with pytest.raises(BankProblem) as caught:
        parse_bank(sealed(words), "hero.ossb")
    assert mentions(caught.value, "hero.ossb TIE1 0 CLIP_A0262210")
