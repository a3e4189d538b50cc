"""The dense codec, from runtime/published/SPEC.md section 14: any frame on its own, from the keys that are there."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from bit_stream import Stream, require
from fixed import mul, ratio, uwrap, wrap
from published.keys_reference import (NONE, ROTATION, SMALLEST, VARIABLE, Format, finish, kind_of, ranged_value,
                                      read_format, read_key, share, unit)

RATE_MAX = 24
MOST_TIERS = 4
MOST_BLOCK_LOG2 = 6  # with tiers
STATE_WORDS, CLASS_WORDS, TRACK_WORDS = 5, 2, 2


@dataclass
class Track:
    """A track: its header."""

    subtrack: int
    form: Format


@dataclass
class Rate:
    """A variable track in a block: bits of a component, the class of its keys, and the part
    of its range; with 0 bits the row."""

    bits: int
    number: int
    lows: list[int] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    row: list[int] = field(default_factory=list)


@dataclass
class Block:
    """A block: its rates by subtrack, and for each class where the keys are that are there: (words, bit
    offset) by frame."""

    rates: dict[int, Rate]
    keys: list[dict[int, tuple[Sequence[int], int]]]


def _read_rate(stream: Stream, form: Format) -> Rate:
    rate = Rate(min(stream.peek() % 32, RATE_MAX), stream.peek() >> 5 & 7)
    if rate.bits:
        low, size = stream.take(32), stream.take(24)
        rate.lows, rate.sizes = list(low.to_bytes(4, "little")[1:]), list(size.to_bytes(3, "little"))
        return rate
    stream.take(8)
    negative = form.signed and stream.take(1) == 1
    rate.row = finish(form, [ranged_value(stream.take(16), 16, limits) for limits in form.ranges], 3, negative)
    return rate


def _variable_key(stream: Stream, form: Format, rate: Rate) -> list[int]:
    if not rate.bits:
        return list(rate.row)
    negative = form.signed and stream.take(1) == 1
    values = []
    for (low, extent), part, size in zip(form.ranges, rate.lows, rate.sizes, strict=True):
        c = uwrap(stream.take(rate.bits) << (32 - rate.bits))
        x = uwrap((part << 24) + share(c, (size << 24) + (1 << 24) - 1))
        values.append(wrap(low + share(x, extent)))
    return finish(form, values, 3, negative)


def _fixed_bits(form: Format) -> int:
    """The length of a key that is not variable."""
    if form.coding == NONE:
        return 0
    return int(form.signed) + 3 * (form.coding == SMALLEST) + sum(form.widths[:form.count])


class DenseTracks:
    """The animated tracks of a clip: checked when made, decoded by frame. `clip` says what is common
    to all codecs (see reference.ClipReader)."""

    def __init__(self, clip) -> None:
        self.clip = clip
        self.tracks: list[Track] = []
        self.period, self.tiers, self.classes = 1, 0, 1
        if clip.header_bits:
            self._read_headers()
            state = STATE_WORDS + TRACK_WORDS * len(self.tracks) + bool(self.tiers) * CLASS_WORDS * self.classes
            require(state <= clip.decoder.state_words, "CLIP", "state words")

    def _read_headers(self) -> None:
        stream, subtrack = Stream(self.clip.stream, 0), 0
        count = stream.take(12)
        self.period, self.tiers = stream.take(5) + 1, stream.take(3)
        require(self.tiers <= MOST_TIERS, "CLIP", "tiers")
        if self.tiers:
            self.classes = stream.take(3) + 1
            require(self.clip.restart_log2 <= MOST_BLOCK_LOG2, "CLIP", "long blocks with tiers")
        for _ in range(count):
            subtrack += stream.take_rice_unsigned(0)
            require(subtrack < len(self.clip.decoder.subtracks), "CLIP", "subtrack")
            self.tracks.append(Track(subtrack, read_format(stream, kind_of(self.clip.decoder, subtrack))))
            subtrack += 1
        require(stream.position <= self.clip.header_bits, "CLIP", "headers beyond their end")

    def _read_block(self, first: int, last: int) -> Block:
        """The block of the frames first .. last."""
        clip = self.clip
        stream = Stream(clip.stream, clip.restarts[first >> clip.restart_log2])
        rates = {track.subtrack: _read_rate(stream, track.form) for track in self.tracks
                 if track.form.coding == VARIABLE}
        frames = [*range(first, last, self.period), last]
        if not self.tiers:
            size = sum(self._key_bits(track, rates) for track in self.tracks)
            return Block(rates, [{frame: (clip.stream, stream.position + size * number)
                                  for number, frame in enumerate(frames)}])
        return Block(rates, self._read_map(stream, rates, frames))

    def _read_map(self, stream: Stream, rates: dict[int, Rate], frames: list[int]) \
            -> list[dict[int, tuple[Sequence[int], int]]]:
        """The keys that are there, by class and frame."""
        clip, width, keys = self.clip, max(self.clip.restart_log2, 1), len(frames)
        places = [stream.take(width) for _ in frames]
        places[-1], places[0] = 1, 0
        sums = [[*(min(stream.take(width) + 2, keys) for _ in range(self.tiers)), keys] for _ in range(self.classes)]
        at = [0, *(stream.take(32) for _ in range(self.tiers))]
        at[0] = stream.position
        words = [clip.stream]
        while len(words) <= self.tiers and clip.keys.get(len(words)) is not None:
            words.append(clip.keys[len(words)])
        found = []
        for number, upto in enumerate(sums):
            size = sum(self._key_bits(track, rates) for track in self.tracks if self._class_of(track, rates) == number)
            there = {}
            for frame, place in zip(frames, places, strict=True):
                if place < upto[len(words) - 1]:
                    tier = next(t for t in range(len(words)) if place < upto[t])
                    before = upto[tier - 1] if tier else 0
                    there[frame] = words[tier], uwrap(at[tier] + size * (place - before))
            found.append(there)
            for tier in range(self.tiers + 1):
                at[tier] = uwrap(at[tier] + size * (upto[tier] - (upto[tier - 1] if tier else 0)))
        return found

    def _class_of(self, track: Track, rates: dict[int, Rate]) -> int:
        rate = rates.get(track.subtrack)
        return min(rate.number, self.classes - 1) if rate else 0

    def _key_bits(self, track: Track, rates: dict[int, Rate]) -> int:
        rate = rates.get(track.subtrack)
        if rate is None:
            return _fixed_bits(track.form)
        return int(track.form.signed) + 3 * rate.bits if rate.bits else 0

    def _key(self, block: Block, number: int, frame: int) -> dict[int, list[int]]:
        """The values of a class's tracks at one of its keys."""
        stream = Stream(*block.keys[number][frame])
        return {track.subtrack: _variable_key(stream, track.form, block.rates[track.subtrack])
                if track.subtrack in block.rates else read_key(stream, track.form)
                for track in self.tracks if self._class_of(track, block.rates) == number}

    def rows(self, frame: int) -> dict[int, dict[int, list[int]]]:
        """The values of all animated subtracks at the frames of the block that `frame` is in."""
        first = frame >> self.clip.restart_log2 << self.clip.restart_log2
        last = min(first + (1 << self.clip.restart_log2), self.clip.row_count) - 1
        block = self._read_block(first, last)
        rows: dict[int, dict[int, list[int]]] = {at: {} for at in range(first, last + 1)}
        for number, places in enumerate(block.keys):
            keys = {at: self._key(block, number, at) for at in places}
            for at, row in rows.items():
                left = max(key for key in keys if key <= at)
                right = min(key for key in keys if key >= at)
                u = ratio(at - left, right - left) if left < right else 0
                row |= {track.subtrack: self._between(track, block, keys[left][track.subtrack],
                                                      keys[right][track.subtrack], u)
                        for track in self.tracks if track.subtrack in keys[left]}
        return rows

    def _between(self, track: Track, block: Block, left: list[int], right: list[int], u: int) -> list[int]:
        """u: 0 at a key."""
        still = track.subtrack in block.rates and block.rates[track.subtrack].bits == 0
        if u == 0 or still:
            return left
        mixed = [wrap(a + mul(wrap(c - a), u)) for a, c in zip(left, right, strict=True)]
        return unit(mixed) if track.form.kind == ROTATION else mixed
