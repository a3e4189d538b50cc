"""Parses the track headers of a transform clip (osc_transform_valid in runtime/codecs/osc_transform.c)."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
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

DIRECT_STEP = number("TRANSFORM_DIRECT")  # a track is direct if its first component has at least this step

TRANSPOSED_LANES = 4
TRANSPOSED_HEAD_WORDS = 5  # before the components of a group
TRANSPOSED_COMPONENT_WORDS = 3  # for each lane, in addition to the coefficients
TRANSPOSED_OTHER_WORDS = 2  # for a track that is not transposed
TRANSPOSED_KEPT_WORDS = 2  # of a component, in the state
TRANSPOSED_END_WORDS = 1
TRANSPOSED_ROOM_WORDS = 125  # of a group with all coefficients

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
        most, direct = _take_components(bits, 4 if packing == PACKING_FOUR else 3, near)
        state_words += TRACK_WORDS + COMPONENT_WORDS * len(most) + sum(most)
        tracks.append(Track(subtrack, packing, () if direct else most))
        subtrack += 1
    if bits.position > header_bits:
        raise BankProblem(f"has {header_bits} bits of track headers, but they end at {bits.position}")
    return tuple(tracks), state_words


def transposed_words(state_words: int, tracks: Sequence[Track]) -> int:
    """Returns the words of state with which vector units transpose a clip with these tracks
    (platforms/vector/osc_vector_rows.h): up to four neighbours of a kind form a group; direct tracks and those in
    packing four are not transposed. 0 for a clip without other tracks, and for clips of other codecs. state_words: of
    the clip if it is not transposed."""
    words, transposes = state_words + TRANSPOSED_END_WORDS, False
    for kind, run in groupby(tracks, key=_transposed_kind):
        group = list(run)
        for first in range(0, len(group), TRANSPOSED_LANES if kind else 1):
            words += _group_words(group[first:first + TRANSPOSED_LANES]) if kind else TRANSPOSED_OTHER_WORDS
        if kind:
            words -= sum(COMPONENT_WORDS - TRANSPOSED_KEPT_WORDS + most for track in group for most in track.most)
            transposes = True
    return words if transposes else 0


def most_transposed_words(kinds: Iterable[str]) -> int:
    """Returns the words in addition to those of the state with which vector units transpose clips that neither have
    direct tracks nor packing four, with any coefficients. kinds: of all sub-tracks."""
    groups = sum(-(-count // TRANSPOSED_LANES) for count in Counter(kinds).values())
    return TRANSPOSED_ROOM_WORDS * groups


def _transposed_kind(track: Track) -> int:
    """Returns 1 for a rotation that is transposed, 2 for a vector, 0 for another track."""
    if not track.most or track.packing == PACKING_FOUR:
        return 0
    return 2 if track.packing == PACKING_VECTOR else 1


def _group_words(group: Sequence[Track]) -> int:
    """Returns the most words of a group of tracks in three components."""
    return TRANSPOSED_HEAD_WORDS + TRANSPOSED_LANES * sum(
        TRANSPOSED_COMPONENT_WORDS + max(most) for most in zip(*(track.most for track in group)))


def _take_components(bits: BitReader, count: int, near: dict[str, int]) -> tuple[tuple[int, ...], bool]:
    """Returns the most coefficients of each component of a track, and whether it is direct. near: the previous value of
    each number, which is updated."""
    near["width"] = bits.take_near(near["width"], WIDTH_BITS)
    near["end_grid"] = bits.take_near(near["end_grid"], END_GRID_BITS)
    counts: list[int] = []
    direct = False
    step, end_k, k = near["step"], near["end_k"], near["k"]
    for _ in range(count):
        word = bits.peek()  # a component takes at most 25 of these bits
        step, taken = near_number(word, step, STEP_BITS)
        direct = step >= DIRECT_STEP if not counts else direct
        end_k, more = near_number(word >> taken, end_k, RICE_BITS)
        taken += more + MOST_BITS
        most = word >> taken - MOST_BITS & (1 << MOST_BITS) - 1
        if most:
            k, more = near_number(word >> taken, k, RICE_BITS)
            taken += more + MODE_BITS
        bits.position += taken
        counts.append(most)
    near.update(step=step, end_k=end_k, k=k)
    return tuple(counts), direct
