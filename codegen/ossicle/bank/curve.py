"""Parses the track headers of a curve clip, a bit stream (osc_curve_valid in osc_curve.c)."""
from __future__ import annotations

from collections.abc import Sequence

from ..base.format import number
from .words import BankProblem, BitReader, Track

COUNT_BITS = number("TRACK_COUNT_BITS")
GAP_RICE = number("TRACK_GAP_RICE")
SHIFT_MASK = number("CURVE_SHIFT_MAX")
SHIFT_FIRST = number("CURVE_SHIFT_FIRST")
DENSE, CUBIC, HERMITE = (number(f"CURVE_{name}") for name in ("DENSE", "CUBIC", "HERMITE"))
ABSENT = number("CURVE_ABSENT")  # coarsening of a component that is always zero
PACKING_FOUR = number("CURVE_FOUR")
PACKING_VECTOR = number("CURVE_VECTOR")
PACKING_USUAL = number("CURVE_PACKING_USUAL")
PACKING_RICE, WIDTH_RICE = number("CURVE_PACKING_RICE"), number("CURVE_WIDTH_RICE")
RICE_ZERO = number("RICE_ZERO")

CLIP_WORDS = 1
DENSE_WORDS = number("CURVE_DENSE_WORDS")
POINT_WORDS = 3
DENSE_RICE = 1
SPARSE_WORDS = number("CURVE_SPARSE_WORDS")
COMPONENT_WORDS = 7


def parse_curve(stream: Sequence[int], header_bits: int, subtracks: int, rotations: int
                ) -> tuple[tuple[Track, ...], int]:
    """Returns the tracks in sub-track order and the words of state that they need. Raises BankProblem. stream: the
    words of a clip, headers first."""
    if header_bits == 0:
        return (), 0
    bits = BitReader(stream)
    tracks: list[Track] = []
    subtrack, shift, state_words = 0, SHIFT_FIRST, CLIP_WORDS
    for _ in range(bits.take(COUNT_BITS)):
        subtrack += bits.take_rice_unsigned(GAP_RICE)
        if subtrack >= subtracks:
            raise BankProblem(f"has an invalid track for sub-track {subtrack} of {subtracks}")
        packing, shift, track_words = _take_header(bits, subtrack < rotations, shift)
        tracks.append(Track(subtrack, packing))
        state_words += track_words
        subtrack += 1
    if bits.position > header_bits:
        raise BankProblem(f"has {header_bits} bits of track headers, but they end at {bits.position}")
    return tuple(tracks), state_words


def _take_header(bits: BitReader, rotation: bool, shift: int) -> tuple[int, int, int]:
    """Reads a track header. Returns its packing, shift and words of state. shift: that of the previous track."""
    basis = -bits.take_unary(3) - (not rotation) & 3  # dense, Hermite, cubic, linear; of vectors dense is the last
    shift = shift + bits.take_rice(0) & SHIFT_MASK
    packing = PACKING_VECTOR
    if rotation:
        packing = _take_packing(bits)
        bits.take(2)  # width of plain keys
    else:
        bits.take_rice_unsigned(WIDTH_RICE)
    bits.take(1)  # prediction
    if basis != DENSE:
        bits.take_unary(3)  # Rice parameter of gaps
    if basis == CUBIC:
        bits.take(1)  # jumps
    if basis == HERMITE:
        bits.take_unary(2)  # unit of tangents
    components = 4 if packing == PACKING_FOUR else 3
    for component in range(components):
        coarsening = bits.take_unary(3) if component < 3 else 0
        if coarsening == ABSENT:
            continue
        if basis == DENSE:
            bits.take_rice_unsigned(DENSE_RICE)
            bits.take(2 if packing == PACKING_FOUR else 4)  # predictor, in quarters of the step
            continue
        rice = bits.take(4)  # of keys, and then that of tangents if there are any
        if basis == HERMITE and rice != RICE_ZERO and bits.take(1):
            bits.take(rice.bit_length())
    if basis == DENSE:
        return packing, shift, DENSE_WORDS + POINT_WORDS * components
    return packing, shift, SPARSE_WORDS + COMPONENT_WORDS * components


def _take_packing(bits: BitReader) -> int:
    packing = (bits.take_rice_unsigned(PACKING_RICE) ^ PACKING_USUAL) & 15
    if packing > PACKING_FOUR:
        raise BankProblem(f"has a track with packing {packing} of {PACKING_FOUR}")
    return packing
