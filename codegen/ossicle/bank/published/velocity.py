"""Parses the track headers of a velocity clip, a bit stream (osc_velocity_valid in
runtime/published/osc_velocity.c, SPEC.md there, section 11.1)."""
from __future__ import annotations

from collections.abc import Sequence

from ...base.format import number
from ..delta import PACKING_VECTOR
from ..words import BankProblem, BitReader, Track

COUNT_BITS = number("TRACK_COUNT_BITS")
GAP_RICE = number("TRACK_GAP_RICE")
PACKING_WHOLE = 4  # a rotation; only its seeds leave out a component
SPEED, FULL = number("VELOCITY_SPEED"), number("VELOCITY_FULL")  # kinds of keys
CLIP_WORDS, TRACK_WORDS = 1, 7


def parse_velocity(stream: Sequence[int], header_bits: int, subtracks: int, rotations: int
                   ) -> tuple[tuple[Track, ...], int]:
    """Returns the tracks in sub-track order and the words of state that they need. Raises
    BankProblem. stream: the words of a clip, headers first."""
    if header_bits == 0:
        return (), 0
    bits = BitReader(stream)
    tracks: list[Track] = []
    subtrack = 0
    for _ in range(bits.take(COUNT_BITS)):
        subtrack += bits.take_rice_unsigned(GAP_RICE)
        if subtrack >= subtracks:
            raise BankProblem(f"has an invalid track for sub-track {subtrack} of {subtracks}")
        rotation = subtrack < rotations
        _skip_header(bits, rotation)
        tracks.append(Track(subtrack, PACKING_WHOLE if rotation else PACKING_VECTOR))
        subtrack += 1
    if bits.position > header_bits:
        raise BankProblem(f"has {header_bits} bits of track headers, but they end at {bits.position}")
    return tuple(tracks), CLIP_WORDS + TRACK_WORDS * len(tracks)


def _skip_header(bits: BitReader, rotation: bool) -> None:
    """Skips a header, all values of which are valid."""
    bits.take_rice(0)  # shift
    bits.take(4 if rotation else 9)  # shift and width of seeds
    bits.take(3)  # Rice parameter of gaps
    most_kind = bits.take(2)
    ranged = bits.take(1)
    bits.take(5 if ranged else 12)  # the width of differences, or one Rice parameter for each
    if most_kind >= SPEED:
        bits.take(2)  # precision of speed changes
    if most_kind >= FULL:
        bits.take(5)  # width
