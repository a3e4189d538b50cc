"""Writes clips of the dense codec (runtime/published/SPEC.md section 14) from rows: nothing is searched for, tests
say how each track is written."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from bank_writer import BitWriter, Clip
from published.key_writer import put_format, put_key, put_sign, share_code
from published.keys_reference import VARIABLE, Format

STATE_WORDS, CLASS_WORDS, TRACK_WORDS = 5, 2, 2


@dataclass
class DenseTrack:
    """A subtrack's format, its rows by frame, and for a variable one its rates by block."""

    subtrack: int
    form: Format
    rows: list[list[int]]
    rates: list[int] = field(default_factory=list)


@dataclass
class DenseClip:
    """The parts of a clip. place_of: the place of a key among those of its block, by its frame; the first
    key's is 0, the last one's 1. class_of: the class of a track by its subtrack; kept: by class, how many
    keys of a block are in the clip and the first 0, 1, .. tiers."""

    clip: Clip
    tracks: list[DenseTrack]
    period: int = 1
    tiers: int = 0
    place_of: Sequence[int] = ()
    class_of: dict[int, int] = field(default_factory=dict)
    kept: Sequence[Sequence[int]] = ()

    def state_words(self) -> int:
        """Words that a player keeps beside the rows."""
        return STATE_WORDS + CLASS_WORDS * len(self.kept) + TRACK_WORDS * len(self.tracks)


def places(count: int, block: int, period: int = 1) -> list[int]:
    """The places of keys in every block: both ends, then every third one, then the others."""
    places = [0] * count
    for first in range(0, count, block):
        last = min(first + block, count) - 1
        inner = [*range(first + period, last, period)]
        for place, frame in enumerate([first, *[last][:last - first], *inner[1::3], *inner[::3], *inner[2::3]]):
            places[frame] = place
    return places


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


def _put_part(bits: BitWriter, track: DenseTrack, part: _Part, number: int, row: Sequence[int]) -> None:
    bits.put(part.rate, 5)
    bits.put(number, 3)
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


def _put_key(bits: BitWriter, dense: DenseClip, parts: dict[int, _Part], frame: int, number: int) -> None:
    for track in dense.tracks:
        if dense.class_of.get(track.subtrack, 0) != number:
            continue
        if track.form.coding == VARIABLE:
            _put_variable(bits, track, parts[track.subtrack], track.rows[frame])
        else:
            put_key(bits, track.form, track.rows[frame])


def _put_map(bits: BitWriter, tiers: Sequence[BitWriter], dense: DenseClip, frames: Sequence[int]) -> None:
    width = max(dense.clip.restart_log2, 1)
    for frame in frames:
        bits.put(dense.place_of[frame], width)
    for counts in dense.kept:
        for count in counts:
            bits.put(count - 2, width)
    for tier in tiers[:dense.tiers]:
        bits.put(tier.length, 32)


def _put_block(bits: BitWriter, tiers: Sequence[BitWriter], dense: DenseClip, first: int, last: int) -> None:
    frames, parts = [*range(first, last, dense.period), last], {}
    for track in dense.tracks:
        if track.form.coding == VARIABLE:
            part = _part_of(track, first >> dense.clip.restart_log2, frames)
            parts[track.subtrack] = part
            _put_part(bits, track, part, dense.class_of.get(track.subtrack, 0), track.rows[first])
    if dense.tiers == 0:
        for frame in frames:
            _put_key(bits, dense, parts, frame, 0)
        return
    _put_map(bits, tiers, dense, frames)
    for number, counts in enumerate(dense.kept):
        for place, frame in enumerate(sorted(frames, key=lambda frame: dense.place_of[frame])):
            tier = sum(place >= count for count in counts)
            _put_key(tiers[tier - 1] if tier else bits, dense, parts, frame, number)


def fill_dense(dense: DenseClip, tiers: Sequence[BitWriter] = ()) -> Clip:
    """Writes the stream of the clip, and the keys of each tier."""
    bits, clip, following = BitWriter(), dense.clip, 0
    bits.put(len(dense.tracks), 12)
    bits.put(dense.period - 1, 5)
    bits.put(dense.tiers, 3)
    if dense.tiers:
        bits.put(len(dense.kept) - 1, 3)
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
