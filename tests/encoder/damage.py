"""Finished banks that open, but play other poses than were encoded."""
from __future__ import annotations

import zlib
from collections.abc import Iterator

import numpy as np
from ossicle.bank.file import Bank, parse_bank

MOVED_Q20 = 1 << 18  # a quarter of a metre
_CRC_WORD, _CLIP_WORDS, _RATE_WORDS = 3, 3, 2
_PICK = 0x9E3779B1  # takes a sequence of bits that are far apart


def mended(words: np.ndarray) -> bytes:
    """The bank of these words with the CRC that fits them."""
    rest = np.delete(words, _CRC_WORD).astype("<u4").tobytes()
    words = words.copy()
    words[_CRC_WORD] = zlib.crc32(rest)
    return words.astype("<u4").tobytes()


def _offset_of(bank: Bank, tag: str) -> int:
    return next(section.offset for section in bank.sections if section.tag == tag)


def damaged_banks(data: bytes, clip: int) -> Iterator[bytes]:
    """First the bank with joints moved in the bind pose, which only default tracks show, then with single bits changed
    in the data of the clip, all with a CRC that fits. Not all of them open, nor do all of them play anything else."""
    bank, words = parse_bank(data), np.frombuffer(data, "<u4")
    joints = len(bank.joints)
    bind = _offset_of(bank, "SKEL") + 2 + (joints + 1) // 2
    for joint in range(joints):
        changed = words.copy()
        changed[bind + joint * (10 if bank.has_scale else 7) + 4] += MOVED_Q20
        yield mended(changed)
    directory = _offset_of(bank, "CLIP")
    place = directory + 1 + _RATE_WORDS * int(words[directory]) + _CLIP_WORDS * clip + 2
    begin = _offset_of(bank, "DATA") + (int(words[place]) & 0x3FFFFFF)
    bits = 8 * bank.clips[clip].size_bytes
    for pick in range(bits):
        bit = pick * _PICK % bits
        changed = words.copy()
        changed[begin + bit // 32] ^= np.uint32(1 << bit % 32)
        yield mended(changed)
