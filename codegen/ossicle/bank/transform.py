"""Parses the track headers of a transform clip (osc_transform_valid in runtime/codecs/osc_transform.c)."""
from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from ..base.format import number
from .words import BankProblem, BitReader, Track, near_number

COUNT_BITS = number("TRACK_COUNT_BITS")
CLIP_BITS = 8  # reserved; width of segment sizes
RESERVED_MASK = 7
GAP_BITS = 12
PACKING_FOUR = number("TRANSFORM_FOUR")
PACKING_VECTOR = number("TRANSFORM_VECTOR")

CLIP_WORDS = number("TRANSFORM_STATE_WORDS")
TRACK_WORDS = 1
COMPONENT_WORDS = number("TRANSFORM_COMPONENT_WORDS")

TRANSPOSED_LANES = 4
TRANSPOSED_GROUP_WORDS = 137

# Widths of the numbers that are coded relative to those of the previous track, and their initial values.
WIDTH_BITS, END_GRID_BITS, STEP_BITS, RICE_BITS = 5, 3, 6, 4
MOST_BITS, MODE_BITS = 3, 2
FIRST = {"width": number("TRANSFORM_FIRST_WIDTH"), "end_grid": number("TRANSFORM_FIRST_GRID"),
         "step": number("TRANSFORM_FIRST_STEP"), "end_k": number("TRANSFORM_FIRST_K"),
         "k": number("TRANSFORM_FIRST_K")}


def parse_transform(stream: Sequence[int], header_bits: int, subtracks: int, rotations: int
                    ) -> tuple[tuple[Track, ...], int]:
    """Returns the tracks in sub-track order and the words of state that they need. Raises BankProblem. stream: the
    words of a clip, headers first."""
    if header_bits == 0:
        return (), CLIP_WORDS
    bits = BitReader(stream)
    count = bits.take(COUNT_BITS)
    reserved = bits.take(CLIP_BITS) & RESERVED_MASK
    if reserved:
        raise BankProblem(f"has unknown flags {reserved:#x} in its track headers")
    near = dict(FIRST)
    tracks: list[Track] = []
    subtrack, state_words = 0, CLIP_WORDS
    for _ in range(count):
        subtrack += bits.take_near(0, GAP_BITS)
        if subtrack >= subtracks:
            raise BankProblem(f"has an invalid track for sub-track {subtrack} of {subtracks}")
        rotation = subtrack < rotations
        packing = bits.take(4) if rotation else PACKING_VECTOR
        if packing > PACKING_FOUR and rotation:
            raise BankProblem(f"has packing {packing} for sub-track {subtrack}, a rotation")
        state_words += TRACK_WORDS + _take_components(bits, 4 if packing == PACKING_FOUR else 3, near)
        tracks.append(Track(subtrack, packing))
        subtrack += 1
    if bits.position > header_bits:
        raise BankProblem(f"has {header_bits} bits of track headers, but they end at {bits.position}")
    return tuple(tracks), state_words


def transposed_words(tracks: Sequence[Track]) -> int:
    """Returns the maximum of words that vector units need to transpose a segment (platforms/vector/osc_vector_rows.h),
    which groups up to four neighbouring tracks of a kind. Clips with direct tracks may need more; they are then played
    without transposing."""
    groups = 0
    for _, run in groupby(tracks, key=lambda track: max(track.packing, PACKING_FOUR - 1)):
        groups += -(-len(list(run)) // TRANSPOSED_LANES)
    return TRANSPOSED_GROUP_WORDS * (groups + 1) + 1 if groups else 0


def _take_components(bits: BitReader, count: int, near: dict[str, int]) -> int:
    """Returns the words of state of a track's components. near: the previous value of each number, which is updated."""
    near["width"] = bits.take_near(near["width"], WIDTH_BITS)
    near["end_grid"] = bits.take_near(near["end_grid"], END_GRID_BITS)
    words = 0
    step, end_k, k = near["step"], near["end_k"], near["k"]
    for _ in range(count):
        word = bits.peek()  # a component takes at most 25 of these bits
        step, taken = near_number(word, step, STEP_BITS)
        end_k, more = near_number(word >> taken, end_k, RICE_BITS)
        taken += more + MOST_BITS
        most = word >> taken - MOST_BITS & (1 << MOST_BITS) - 1
        if most:
            k, more = near_number(word >> taken, k, RICE_BITS)
            taken += more + MODE_BITS
        bits.position += taken
        words += COMPONENT_WORDS + most
    near.update(step=step, end_k=end_k, k=k)
    return words
