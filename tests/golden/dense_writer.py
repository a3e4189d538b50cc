"""Writes clips of the dense codec (runtime/SPEC.md section 14) from rows: nothing is searched for, tests
say how each track is written."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from bank_writer import BitWriter, Clip
from key_writer import VARIABLE, put_format, put_key, put_sign, share_code
from keys_reference import Format

STATE_WORDS, TRACK_WORDS = 5, 2


@dataclass
class DenseTrack:
    """A subtrack's format, its rows by frame, and for a variable one its rates by block."""

    subtrack: int
    form: Format
    rows: list[list[int]]
    rates: list[int] = field(default_factory=list)


@dataclass
class DenseClip:
    """What a clip is made of. tier_of: the tier of a key by its frame."""

    clip: Clip
    tracks: list[DenseTrack]
    period: int = 1
    tiers: int = 0
    tier_of: Sequence[int] = ()

    def state_words(self) -> int:
        """What a player keeps beside the rows."""
        return STATE_WORDS + TRACK_WORDS * len(self.tracks)


@dataclass
class _Part:
    """A variable track in a block: its rate, and of each component the lowest 256th and how many more
    of its range it needs."""

    rate: int
    lows: list[int]
    sizes: list[int]


def _part_of(track: DenseTrack, block: int, frames: Sequence[int]) -> _Part:
    lows, sizes = [], []
    for i, (low, extent) in enumerate(track.form.ranges):
        values = [_bare(track.form, track.rows[frame])[i] for frame in frames]
        least, most = ((v - low) * 256 // max(extent, 1) for v in (min(values), max(values)))
        lows.append(max(0, min(255, least)))
        sizes.append(max(0, min(255, most) - lows[-1]))
    return _Part(track.rates[block], lows, sizes)


def _bare(form: Format, row: Sequence[int]) -> Sequence[int]:
    return put_sign(BitWriter(), form, row)


def _put_part(bits: BitWriter, track: DenseTrack, part: _Part, row: Sequence[int]) -> None:
    bits.put(part.rate, 8)
    if part.rate:
        for byte in (*part.lows, *part.sizes):
            bits.put(byte, 8)
        return
    row = put_sign(bits, track.form, row)
    for i, limits in enumerate(track.form.ranges):
        bits.put(share_code(row[i], *limits, 16), 16)


def _put_variable(bits: BitWriter, track: DenseTrack, part: _Part, row: Sequence[int]) -> None:
    width = min(part.rate, 24)
    if width == 0:
        return
    row = put_sign(bits, track.form, row)
    for i, (low, extent) in enumerate(track.form.ranges):
        begin, size = (extent * number / 256 for number in (part.lows[i], part.sizes[i] + 1))
        bits.put(share_code(row[i], low + begin, size, width), width)


def _put_key(bits: BitWriter, dense: DenseClip, parts: dict[int, _Part], frame: int) -> None:
    for track in dense.tracks:
        if track.form.coding == VARIABLE:
            _put_variable(bits, track, parts[track.subtrack], track.rows[frame])
        else:
            put_key(bits, track.form, track.rows[frame])


def _put_block(bits: BitWriter, tiers: Sequence[BitWriter], dense: DenseClip, first: int,
               last: int) -> None:
    frames, parts = [*range(first, last, dense.period), last], {}
    for track in dense.tracks:
        if track.form.coding == VARIABLE:
            part = _part_of(track, first >> dense.clip.restart_log2, frames)
            parts[track.subtrack] = part
            _put_part(bits, track, part, track.rows[first])
    where = [0] * len(frames)
    if dense.tiers:
        where[1:-1] = [dense.tier_of[frame] for frame in frames[1:-1]]
        for tier in where:
            bits.put(tier, 3)
        for tier in tiers[:dense.tiers]:
            bits.put(tier.length, 32)
    for frame, tier in zip(frames, where, strict=True):
        _put_key(tiers[tier - 1] if tier else bits, dense, parts, frame)


def fill_dense(dense: DenseClip, tiers: Sequence[BitWriter] = ()) -> Clip:
    """Writes the stream of the clip, and the keys of each tier."""
    bits, clip, following = BitWriter(), dense.clip, 0
    bits.put(len(dense.tracks), 12)
    bits.put(dense.period - 1, 5)
    bits.put(dense.tiers, 3)
    for track in dense.tracks:
        bits.put_rice_unsigned(track.subtrack - following, 0)
        put_format(bits, track.form)
        following = track.subtrack + 1
    clip.codec, clip.header_bits = 6, bits.length
    bits.put_rice_unsigned(0, 3)  # constants
    for first in range(0, clip.row_count, 1 << clip.restart_log2):
        if first:
            clip.restarts.append(bits.length)
        last = min(first + (1 << clip.restart_log2), clip.row_count) - 1
        _put_block(bits, tiers, dense, first, last)
    clip.stream = bits.words()
    return clip
