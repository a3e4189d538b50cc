"""The sparse codec, from runtime/published/SPEC.md section 13: all keys of a block, and then its rows."""
from __future__ import annotations

from dataclasses import dataclass, field

from bit_stream import Stream, require
from fixed import mul, ratio, root, wrap
from published.keys_reference import (FLOAT, ROTATION, VARIABLE, Format, float_value, kind_of, read_format, read_key,
                                      unit)

EVERY, STEP, LINEAR, UNIFORM, TIMED, CHORDAL, CENTRIPETAL, HERMITE = range(8)
KEPT = {STEP: 1, LINEAR: 2}  # components that a player keeps, of all others with keys of their own 4


@dataclass
class Key:
    """A key at a frame; of Hermite also the section behind it."""

    frame: int
    row: list[int]
    section: tuple[list[int], list[int], list[int]] | None = None


@dataclass
class Track:
    """A track's header, and the keys of its block as far as they were read."""

    subtrack: int
    basis: int
    tag_bits: int
    format: Format
    keys: list[Key] = field(default_factory=list)

    @property
    def count(self) -> int:
        """The number of components in a row."""
        return 4 if self.format.kind == ROTATION else 3

    def state_words(self) -> int:
        """Words that a player keeps."""
        return 3 if self.basis == EVERY else 7 + self.count * KEPT.get(self.basis, 4)


def length(basis: int, a: Key, b: Key) -> int:
    """The number of frames from a key to another."""
    if basis in (UNIFORM, TIMED):
        return 1 if basis == UNIFORM else b.frame - a.frame
    steps = [wrap(y - x) for x, y in zip(a.row, b.row, strict=True)]
    size = max(map(abs, steps))
    shift = max(size.bit_length() - 1 - 13, 0)
    chord = 1 << 29
    if shift <= 9:
        chord = max(root(sum((step >> shift) ** 2 for step in steps) >> 2) << shift, 1)
    return chord if basis == CHORDAL else max(root(chord >> 1), 1)


def _tangent(basis: int, a: Key, b: Key, c: Key) -> list[int]:
    """The slope of a parabola through three keys at the second one."""
    def between(x: Key, y: Key) -> int:
        return length(basis, *((x, y) if x.frame < y.frame else (y, x)))
    behind, ahead = between(a, b), between(b, c)
    return [wrap(mul(wrap(q - p), ratio(ahead, behind)) - mul(wrap(r - p), ratio(ahead, behind + ahead))
                 + (r - q)) for p, q, r in zip(a.row, b.row, c.row, strict=True)]


def _cubic(p: int, q: int, left: int, right: int, u: int) -> int:
    step = q - p
    inner = mul(wrap(left + right - 2 * step), u) + 3 * step - 2 * left - right
    return wrap(p + mul(wrap(mul(wrap(inner), u) + left), u))


def row_at(track: Track, frame: int) -> list[int]:
    """The row of a frame of the block."""
    i = max(i for i, key in enumerate(track.keys) if key.frame <= frame)
    p, basis = track.keys[i], track.basis
    rotation = track.format.kind == ROTATION
    if frame == p.frame or basis in (EVERY, STEP):
        return unit(p.row) if basis == HERMITE and rotation else p.row
    q = track.keys[i + 1]
    u = ratio(frame - p.frame, q.frame - p.frame)
    chord = [wrap(y - x) for x, y in zip(p.row, q.row, strict=True)]
    if basis == LINEAR:
        row = [wrap(x + mul(e, u)) for x, e in zip(p.row, chord, strict=True)]
        return unit(row) if rotation else row
    if basis == HERMITE:
        left, right, end = p.section
    else:
        left, right, end = chord, chord, q.row
        if i > 0:
            left = _tangent(basis, track.keys[i - 1], p, q)
        if i + 2 < len(track.keys):
            right = [wrap(-x) for x in _tangent(basis, track.keys[i + 2], q, p)]
    row = [_cubic(*each, u) for each in zip(p.row, end, left, right, strict=True)]
    return unit(row) if rotation else row


class SparseTracks:
    """The animated tracks of a clip: checked when made, decoded by block. `clip` says what is common
    to all codecs (see reference.ClipReader)."""

    def __init__(self, clip) -> None:
        self.clip = clip
        self.tracks: list[Track] = []
        if clip.header_bits:
            self._read_headers()
            needed = 1 + sum(track.state_words() for track in self.tracks)
            require(needed <= clip.decoder.state_words, "CLIP", "state words")

    def _read_headers(self) -> None:
        decoder, stream, subtrack = self.clip.decoder, Stream(self.clip.stream, 0), 0
        count = stream.take(12)
        self.time_bits = stream.take(5) + 1
        for _ in range(count):
            subtrack += stream.take_rice_unsigned(0)
            require(subtrack < len(decoder.subtracks), "CLIP", "subtrack")
            basis = stream.take(3)
            tag_bits = 0 if basis == EVERY else stream.take(8)
            form = read_format(stream, kind_of(decoder, subtrack))
            require(form.coding != VARIABLE, "CLIP", "variable keys")
            require(basis != HERMITE or (form.coding == FLOAT and form.four == (form.kind == ROTATION)),
                    "CLIP", "coding of Hermite keys")
            self.tracks.append(Track(subtrack, basis, tag_bits, form))
            subtrack += 1
        require(stream.position <= self.clip.header_bits, "CLIP", "headers beyond their end")

    def _read_key(self, stream: Stream, track: Track, start: int, end: int) -> None:
        """Reads the next timed key, if there is one."""
        before = track.keys[-1].frame if track.keys else None
        if before == end:
            return
        frame = stream.take(self.time_bits)
        frame = start if before is None else min(max(frame, before + 1), end)
        stream.position += track.tag_bits
        if track.basis != HERMITE:
            track.keys.append(Key(frame, read_key(stream, track.format)))
            return
        parts = [[float_value(stream.take(32)) for _ in range(track.count)] for _ in range(1 if frame == end else 4)]
        track.keys.append(Key(frame, parts[0], tuple(parts[1:]) or None))

    def rows(self, frame: int) -> dict[int, dict[int, list[int]]]:
        """The values of all animated subtracks at the frames of the block that `frame` is in."""
        block, last = frame >> self.clip.restart_log2, self.clip.row_count - 1
        start, following = block << self.clip.restart_log2, (block + 1) << self.clip.restart_log2
        end = min(following, last)
        stream = Stream(self.clip.stream, self.clip.restarts[block])
        frames = range(start, end + 1 if following > last else end)
        for track in self.tracks:
            track.keys = []
        for f in frames:
            for track in self.tracks:
                self._read_frame(stream, track, f, start, end)
        return {f: {track.subtrack: list(row_at(track, f)) for track in self.tracks} for f in frames}

    def _read_frame(self, stream: Stream, track: Track, f: int, start: int, end: int) -> None:
        if track.basis == EVERY:
            track.keys.append(Key(f, read_key(stream, track.format)))
        elif f == start:
            for _ in range(3 if UNIFORM <= track.basis <= CENTRIPETAL else 2):
                self._read_key(stream, track, start, end)
        elif any(key.frame == f for key in track.keys):
            self._read_key(stream, track, start, end)
