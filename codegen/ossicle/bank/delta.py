"""Parses the track records of a delta clip, one word per track (osc_delta_valid, SPEC.md section 3.2)."""
from __future__ import annotations

from collections.abc import Sequence

from ..base.format import field, number
from .words import BankProblem, Track

PACKING_MOVING = number("PACKING_MOVING")
PACKING_VECTOR = number("PACKING_VECTOR")
PACKING_SKIP = number("PACKING_SKIP")
ROTATION_SHIFT_MAX = number("ROTATION_SHIFT_MAX")


def parse_delta(stream: Sequence[int], header_bits: int, subtracks: int, rotations: int
                ) -> tuple[tuple[Track, ...], int]:
    """Returns the tracks in sub-track order and the words of state that they need, 0. Raises BankProblem. stream: the
    words of a clip, records first."""
    if header_bits % 32:
        raise BankProblem(f"has {header_bits} bits of track records, which is not a whole number of words")
    tracks = []
    subtrack = 0
    for record in stream[:header_bits // 32]:
        shift, packing = field("TRACK_SHIFT", record), field("TRACK_PACKING", record)
        subtrack += field("TRACK_GAP", record)
        if packing == PACKING_SKIP:
            continue
        if subtrack >= subtracks or packing > PACKING_VECTOR:
            raise BankProblem(f"has a track for sub-track {subtrack} of {subtracks} "
                              f"with packing {packing}")
        rotation = subtrack < rotations
        if rotation != (packing <= PACKING_MOVING) or rotation and shift > ROTATION_SHIFT_MAX:
            raise BankProblem(f"has packing {packing} and shift {shift} for sub-track {subtrack}, "
                              f"a {'rotation' if rotation else 'vector'}")
        tracks.append(Track(subtrack, packing))
        subtrack += 1
    return tuple(tracks), 0
