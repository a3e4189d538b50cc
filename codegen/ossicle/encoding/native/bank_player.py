"""Plays banks with the runtime."""
from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...base.arrays import Array
from ...base.encoder_library import NativeProblem, choices, declarations, library
from .arrays import OK, pointer

BIT_PARTS = choices("BITS_")[:-1]  # the purposes of a track's bits
_COUNTS_AT_ONCE = 1 << 22


def decode_clip(words: Array, index: int, joint_count: int, midpoints: bool) -> Array:
    """Returns the local transforms of a clip as the runtime plays it: float32 [F or 2F-1, J,
    10]."""
    data, null = pointer("uint32_t", words), declarations().NULL
    count = library().enc_bank_decode(data, len(words), index, midpoints, null)
    if count < 0:
        raise NativeProblem(f"the runtime refuses the bank (error {count})")
    out = np.zeros((count, joint_count, 10), np.float32)
    library().enc_bank_decode(data, len(words), index, midpoints, pointer("float", out))
    return out


def pose_hash(words: Array) -> int:
    """Returns the hash of all poses of a bank as the runtime plays it: all clips, at every frame and midpoint."""
    value = declarations().new("uint32_t *")
    status = library().enc_bank_hash(pointer("uint32_t", words), len(words), value)
    if status < 0:
        raise NativeProblem(f"the runtime refuses the bank (error {status})")
    return value[0]


def check_bank(words: Array) -> tuple[int, int]:
    """Returns the result of osc_bank_open (0 or OSC_ERROR_*), and the words of memory that a player needs."""
    player_words = declarations().new("uint32_t *")
    status = library().enc_bank_check(pointer("uint32_t", words), len(words), player_words)
    return status, player_words[0]


def track_bits(words: Array, clips: int, subtracks: int, claimed: Array) -> Iterator[Array]:
    """Yields for each clip of a bank the bits of its sub-tracks: uint32 [sub-track, part], parts as in
    BIT_PARTS. clips, subtracks: their numbers in the bank. claimed: uint32, as long as words, zeros;
    receives a bit for each bit of the bank, set where it is counted in the clips so far."""
    at_once = max(_COUNTS_AT_ONCE // (len(BIT_PARTS) * max(subtracks, 1)), 1)
    for first in range(0, clips, at_once):
        counts = np.zeros((min(at_once, clips - first), subtracks, len(BIT_PARTS)), np.uint32)
        status = library().enc_bank_bits(pointer("uint32_t", words), len(words), first, len(counts),
                                         pointer("uint32_t", claimed), pointer("uint32_t", counts))
        if status != OK:
            raise NativeProblem(f"the runtime refuses the bank (error {status})")
        yield from counts
