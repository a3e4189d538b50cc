"""The track headers of a plain clip: a word for each (osc_plain_valid)."""
from __future__ import annotations

from collections.abc import Sequence

from .words import BankProblem, Track


def parse_plain(stream: Sequence[int], header_bits: int, subtracks: int, rotation_subtracks: int
                ) -> tuple[tuple[Track, ...], int]:
    """The tracks by subtrack and the words of state that they need: none. BankProblem."""
    if header_bits % 32:
        raise BankProblem(f"has {header_bits} bits of track headers, which are no whole words")
    found = list(stream[:header_bits // 32])
    if found != sorted(set(found)) or found and found[-1] >= subtracks:
        raise BankProblem(f"has tracks {found} of {subtracks}, out of range or out of order")
    return tuple(Track(subtrack, 0) for subtrack in found), 0
