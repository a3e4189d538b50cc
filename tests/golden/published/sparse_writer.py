"""Writes clips of the sparse codec (runtime/published/SPEC.md section 13) from rows: nothing is searched for, tests
say at which frames each track has keys."""
from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass

from bank_writer import BitWriter, Clip
from fixed import ONE
from published.key_writer import put_format, put_key
from published.keys_reference import Format
from published.sparse_reference import EVERY, HERMITE, UNIFORM
from published.sparse_reference import Track as Header


@dataclass
class SparseTrack:
    """A subtrack's format, its rows by frame, and where it has keys beside those at the ends of blocks.
    jumps: keys of a Hermite track that its curve does not come to; it goes on as it was until then."""

    subtrack: int
    form: Format
    rows: list[list[int]]
    basis: int = EVERY
    frames: Sequence[int] = ()
    tag_bits: int = 0
    jumps: Sequence[int] = ()


@dataclass
class SparseClip:
    """The parts of a clip."""

    clip: Clip
    tracks: list[SparseTrack]
    time_bits: int = 16

    def state_words(self) -> int:
        """Words that a player keeps beside the rows."""
        return 1 + sum(Header(t.subtrack, t.basis, t.tag_bits, t.form).state_words() for t in self.tracks)


def _put_floats(bits: BitWriter, numbers: Sequence[float]) -> None:
    for number in numbers:
        bits.put(struct.unpack("<I", struct.pack("<f", number / ONE))[0], 32)


def _put_section(bits: BitWriter, track: SparseTrack, left: int, right: int) -> None:
    """The tangents as the rows beside the section's ends say, and its end."""
    rows, frames = track.rows, right - left
    last = right - 1 if right in track.jumps and frames > 1 else right
    slope_left = [(b - a) * frames for a, b in zip(rows[left], rows[left + 1], strict=True)]
    slope_right = [(b - a) * frames for a, b in zip(rows[last - 1], rows[last], strict=True)]
    end = [x + (right - last) * s / frames for x, s in zip(rows[last], slope_right, strict=True)]
    for numbers in (slope_left, slope_right, end):
        _put_floats(bits, numbers)


def _put_timed(bits: BitWriter, sparse: SparseClip, track: SparseTrack, keys: Sequence[int]) -> None:
    """The key at keys[0], with the section up to keys[1] where there is one."""
    bits.put(keys[0], sparse.time_bits)
    if track.tag_bits:
        bits.put((1 << track.tag_bits) - 1, track.tag_bits)
    if track.basis != HERMITE:
        put_key(bits, track.form, track.rows[keys[0]])
        return
    _put_floats(bits, track.rows[keys[0]])
    if len(keys) > 1:
        _put_section(bits, track, keys[0], keys[1])


def _put_block(bits: BitWriter, sparse: SparseClip, first: int, end: int, last: bool) -> None:
    keys = {t.subtrack: sorted({first, end} | {f for f in t.frames if first < f < end}) for t in sparse.tracks}
    seen = {t.subtrack: 0 for t in sparse.tracks}
    for frame in range(first, end + 1 if last else end):
        for track in sparse.tracks:
            own, count = keys[track.subtrack], 0
            if track.basis == EVERY:
                put_key(bits, track.form, track.rows[frame])
            elif frame == first:
                count = 3 if UNIFORM <= track.basis < HERMITE else 2
            elif frame in own:
                count = 1
            for i in range(seen[track.subtrack], min(seen[track.subtrack] + count, len(own))):
                _put_timed(bits, sparse, track, own[i:i + 2])
                seen[track.subtrack] = i + 1


def fill_sparse(sparse: SparseClip) -> Clip:
    """Writes the stream of the clip."""
    bits, clip, following = BitWriter(), sparse.clip, 0
    bits.put(len(sparse.tracks), 12)
    bits.put(sparse.time_bits - 1, 5)
    for track in sparse.tracks:
        bits.put_rice_unsigned(track.subtrack - following, 0)
        bits.put(track.basis, 3)
        if track.basis != EVERY:
            bits.put(track.tag_bits, 8)
        put_format(bits, track.form)
        following = track.subtrack + 1
    clip.codec, clip.header_bits = 5, bits.length
    bits.put_rice_unsigned(0, 3)  # constants
    size = 1 << clip.restart_log2
    for first in range(0, clip.row_count, size):
        if first:
            clip.restarts.append(bits.length)
        last = first + size >= clip.row_count
        _put_block(bits, sparse, first, clip.row_count - 1 if last else first + size, last)
    clip.stream = bits.words()
    return clip
