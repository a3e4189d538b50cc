"""Parses the track headers of sparse and dense clips, bit streams (osc_sparse_valid and osc_dense_valid in
runtime/published, SPEC.md there, sections 12, 13.1 and 14.1)."""
from __future__ import annotations

from collections.abc import Callable, Sequence

from ...base.format import number
from ..delta import PACKING_VECTOR
from ..words import BankProblem, BitReader, Track

COUNT_BITS = number("TRACK_COUNT_BITS")
GAP_RICE = number("TRACK_GAP_RICE")
PACKING_WHOLE = 4  # a rotation; its keys may leave out different components
TIME_BITS, TAG_BITS = number("SPARSE_TIME_BITS"), number("SPARSE_TAG_BITS")
TIER_BITS, CLASS_BITS = number("DENSE_TIER_BITS"), number("DENSE_CLASS_BITS")
FIXED, RANGED, FLOAT, SMALLEST_THREE, HALF_ANGLE, NONE, VARIABLE = (
    number(f"KEY_{coding}") for coding in ("FIXED", "RANGED", "FLOAT", "SMALLEST_THREE", "HALF_ANGLE",
                                           "NONE", "VARIABLE"))
SAME_WIDTH = number("KEY_WIDTHS_SAME")
LAYOUTS = SAME_WIDTH + 1
EXPONENT_MAX = number("KEY_EXPONENT_MAX")
HALF_ANGLE_WIDTH_MAX = 21
EVERY, HERMITE = number("SPARSE_EVERY"), number("SPARSE_HERMITE")  # bases
KEPT = (0, 1, 2, 4, 4, 4, 4, 4)  # by basis: the number of keys that a player stores
SPARSE_CLIP_WORDS, DENSE_CLIP_WORDS = number("SPARSE_STATE_WORDS"), number("DENSE_STATE_WORDS")
DENSE_CLASS_WORDS = number("DENSE_CLASS_WORDS")
SPARSE_EVERY_WORDS = number("SPARSE_EVERY_WORDS")
SPARSE_TRACK_WORDS, DENSE_TRACK_WORDS = number("SPARSE_TRACK_WORDS"), number("DENSE_TRACK_WORDS")
MOST_TIERS, BLOCK_LOG2_MAX = number("MAX_TIERS"), number("DENSE_BLOCK_LOG2_MAX")

Parsed = tuple[tuple[Track, ...], int]


def parse_sparse(stream: Sequence[int], header_bits: int, subtracks: int, rotations: int) -> Parsed:
    """Returns the tracks in sub-track order and the words of state that they need. Raises
    BankProblem. stream: the words of a clip, headers first."""
    if header_bits == 0:
        return (), 0
    bits = BitReader(stream)
    count, _ = bits.take(COUNT_BITS), bits.take(TIME_BITS)
    state_words = SPARSE_CLIP_WORDS

    def take_header(rotation: bool) -> None:
        nonlocal state_words
        basis = bits.take(3)
        if basis != EVERY:
            bits.take(TAG_BITS)
        coding, four = _take_format(bits, rotation)
        if coding == VARIABLE or basis == HERMITE and (coding, four) != (FLOAT, rotation):
            raise BankProblem(f"has keys of coding {coding} with basis {basis}")
        state_words += (SPARSE_EVERY_WORDS if basis == EVERY
                        else SPARSE_TRACK_WORDS + KEPT[basis] * (4 if rotation else 3))

    tracks = _tracks(bits, count, header_bits, subtracks, rotations, take_header)
    return tracks, state_words


def parse_dense(stream: Sequence[int], header_bits: int, subtracks: int, rotations: int,
                restart_log2: int) -> Parsed:
    """Does for a dense clip what parse_sparse does. restart_log2: log2 of the frames in a block."""
    if header_bits == 0:
        return (), 0
    bits = BitReader(stream)
    count, _ = bits.take(COUNT_BITS), bits.take(TIME_BITS)
    tiers = bits.take(TIER_BITS)
    if tiers > MOST_TIERS:
        raise BankProblem(f"has {tiers} tiers, but at most {MOST_TIERS} are possible")
    if tiers and restart_log2 > BLOCK_LOG2_MAX:
        raise BankProblem(f"has keys in tiers and blocks of {1 << restart_log2} frames, but at most "
                          f"{1 << BLOCK_LOG2_MAX} are possible")
    classes = bits.take(CLASS_BITS) + 1 if tiers else 0

    def take_header(rotation: bool) -> None:
        _take_format(bits, rotation)

    tracks = _tracks(bits, count, header_bits, subtracks, rotations, take_header)
    return tracks, DENSE_CLIP_WORDS + DENSE_CLASS_WORDS * classes + DENSE_TRACK_WORDS * len(tracks)


def _tracks(bits: BitReader, count: int, header_bits: int, subtracks: int, rotations: int,
            take_header: Callable[[bool], None]) -> tuple[Track, ...]:
    tracks: list[Track] = []
    subtrack = 0
    for _ in range(count):
        subtrack += bits.take_rice_unsigned(GAP_RICE)
        if subtrack >= subtracks:
            raise BankProblem(f"has an invalid track for sub-track {subtrack} of {subtracks}")
        rotation = subtrack < rotations
        take_header(rotation)
        tracks.append(Track(subtrack, PACKING_WHOLE if rotation else PACKING_VECTOR))
        subtrack += 1
    if bits.position > header_bits:
        raise BankProblem(f"has {header_bits} bits of track headers, but they end at {bits.position}")
    return tuple(tracks)


def _take_format(bits: BitReader, rotation: bool) -> tuple[int, bool]:
    """Returns the coding of a key format, and whether its keys have all four components. Raises BankProblem."""
    coding, four = bits.take(3), False
    if coding in (SMALLEST_THREE, HALF_ANGLE) and not rotation:
        raise BankProblem(f"has keys of coding {coding}, which is only for rotations, in a track of another kind")
    if rotation and coding <= FLOAT:
        four = bool(bits.take(1))
    if rotation and coding not in (SMALLEST_THREE, NONE) and not four:
        bits.take(1)  # whether keys are signed
    if coding in (FIXED, RANGED, HALF_ANGLE):
        _take_layout(bits, coding)
    if coding == FIXED and (exponent := bits.take(4)) > EXPONENT_MAX:
        raise BankProblem(f"has keys with the exponent {exponent}, but at most {EXPONENT_MAX} is possible")
    if coding in (RANGED, VARIABLE):
        bits.position += 64 * (4 if four else 3)
    return coding, four


def _take_layout(bits: BitReader, coding: int) -> None:
    layout = bits.take(2)
    if layout >= LAYOUTS:
        raise BankProblem(f"has keys of the unknown layout {layout}")
    width = bits.take(5) + 1 if layout == SAME_WIDTH else 1
    if coding == HALF_ANGLE and width > HALF_ANGLE_WIDTH_MAX:
        raise BankProblem(f"has half angles of {width} bits, but at most {HALF_ANGLE_WIDTH_MAX} are possible")
