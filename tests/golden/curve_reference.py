"""The curve codec, from runtime/SPEC.md section 9: a whole block at a time, keys and tangents of all
sections first, frames from them afterwards."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from bit_stream import Stream, require
from fixed import rebuild, turned, uwrap, wrap

DENSE, HERMITE, CUBIC, LINEAR = range(4)
FOUR = 12  # a packing beside 0..11, which drop a component; VECTOR drops none either
VECTOR = 13
ABSENT, ZERO = 3, 15


@dataclass
class Component:
    """A coded component: coarsening, Rice parameters of its residuals and of its tangents; in dense tracks
    its predictor and the quarters of its step."""

    coarsening: int
    rice: int
    tangent_rice: int
    predictor: int = 0
    quarters: int = 0


@dataclass
class Section:
    """From a key to the next: frames, steps of both keys, tangents (Hermite only)."""

    frame: int
    gap: int
    jump: bool
    keys: tuple[list[int], list[int]]
    tangents: tuple[list[int], list[int]] = ((), ())


@dataclass
class Track:
    """A track's header, and the position reached in its block."""

    subtrack: int
    basis: int
    shift: int
    packing: int
    mode: int
    width: int
    gap_rice: int
    jumps: bool
    unit: int
    components: list[Component]
    first: list[int] = field(default_factory=list)
    last: list[int] | None = None  # the next restart point's key
    sections: list[Section] = field(default_factory=list)
    tangent: list[int] = field(default_factory=list)  # Hermite: of the first key
    dense: list[list[int]] = field(default_factory=list)  # rows of a dense track


def _read_header(stream: Stream, subtrack: int, before: int, subtracks: int, rotations: int) -> Track:
    subtrack += stream.take_rice_unsigned(0)
    require(subtrack < subtracks, "CLIP", "subtrack")
    basis = stream.take_unary(3)
    if subtrack >= rotations:
        basis = (basis + 1) % 4
    shift = (before + stream.take_rice(0)) % 16
    if subtrack < rotations:
        packing = stream.take_rice_unsigned(1) % 16 ^ 3
        require(packing <= FOUR, "CLIP", "packing")
        width = 22 - shift - stream.take(2)
    else:
        packing = VECTOR
        width = (15 - stream.take_rice_unsigned(2)) % 32 + 1
    mode = stream.take(1)
    gap_rice = 3 - stream.take_unary(3) if basis != DENSE else 0
    jumps = basis == CUBIC and stream.take(1) == 1
    unit = stream.take_unary(2) if basis == HERMITE else 0
    components = []
    for index in range(4 if packing == FOUR else 3):
        component = Component(stream.take_unary(3) if index < 3 else 0, ZERO, ZERO)
        components.append(component)
        if component.coarsening == ABSENT:
            continue
        component.rice = stream.take_rice_unsigned(1) % 16 if basis == DENSE else stream.take(4)
        if basis == HERMITE and component.rice != ZERO and stream.take(1):
            component.tangent_rice = stream.take(component.rice.bit_length())
        if basis == DENSE:
            component.predictor = stream.take(2)
            component.quarters = 0 if packing == FOUR else stream.take(2)
    return Track(subtrack, basis, shift, packing, mode, width, gap_rice, jumps, unit, components)


def _read_headers(clip) -> list[Track]:
    subtracks, rotations = len(clip.decoder.subtracks), clip.decoder.rotation_subtracks
    stream = Stream(clip.stream, 0)
    tracks: list[Track] = []
    subtrack, shift = 0, 8
    for _ in range(stream.take(12)):
        track = _read_header(stream, subtrack, shift, subtracks, rotations)
        tracks.append(track)
        subtrack, shift = track.subtrack + 1, track.shift
    require(stream.position <= clip.header_bits, "CLIP", "headers beyond their end")
    return tracks


def _log2(n: int) -> int:
    return n.bit_length() - 1


def _reciprocal(n: int) -> int:
    return ((1 << (16 + _log2(n))) + n) // (2 * n)


def _mulq(a: int, b: int) -> int:
    return wrap(wrap((a >> 16) * b) + (uwrap((a % 65536) * b) >> 16))


def _slope(distance: int, gap: int) -> int:
    return _mulq(wrap(distance << 11), _reciprocal(gap)) >> _log2(gap)


def _parabola(s: int, m: int, t: int, n: int) -> int:
    return wrap(s + _mulq(wrap((t - s) << 1), (m * _reciprocal(m + n)) >> _log2(m + n)))


def _ahead(value: int, tangent: int, gap: int) -> int:
    return wrap(value + (wrap(wrap(tangent * gap) + 512) >> 10))


def _slopes(section: Section) -> list[int]:
    return [_slope(wrap(right - left), section.gap) for left, right in zip(*section.keys, strict=True)]


class _Block:
    """One block: reads the bits of all its tracks, then gives rows."""

    def __init__(self, clip, tracks: Sequence[Track], index: int) -> None:
        self.clip, self.tracks = clip, tracks
        self.start = index << clip.restart_log2
        following = index + 1 < len(clip.restarts)
        self.end = (index + 1) << clip.restart_log2 if following else clip.row_count - 1
        self.frames = range(self.start, self.end if following else self.end + 1)
        stream = Stream(clip.stream, clip.restarts[index])
        base_row = clip.decoder.base_row if len(clip.restarts) == 1 and not clip.additive else None
        for track in tracks:
            track.first = self._plain_key(stream, track) if base_row is None else self._first_key(
                stream, track, clip.decoder.base_numbers(track.subtrack))
            track.sections, track.last, track.dense = [], None, []
        if following:
            self._read_last_keys(clip.restarts[index + 1])
        self._read(stream)

    def _plain_key(self, stream: Stream, track: Track) -> list[int]:
        return [0 if component.coarsening == ABSENT else
                _in_steps(track, stream.take_signed(max(track.width - component.coarsening, 1)), component.coarsening)
                for component in track.components]

    def _first_key(self, stream: Stream, track: Track, numbers: Sequence[int]) -> list[int]:
        key = []
        for component, number in zip(track.components, _base_components(numbers, track.packing)):
            grain = component.coarsening
            if grain == ABSENT:
                key.append(0)
                continue
            step = ((4 + component.quarters) << (track.shift + grain)) >> 2
            s = _log2(step)
            guess = wrap(wrap(number * _reciprocal(4 * step >> s)) + (1 << (s + 8))) >> (s + 9)
            rice = _first_rice(track)
            residual = 0 if rice is None else stream.take_rice(min(max(rice - grain, 0), 14))
            key.append(_in_steps(track, wrap(guess + residual), grain))
        return key

    def _read_last_keys(self, position: int) -> None:
        stream = Stream(self.clip.stream, position)
        for track in self.tracks:
            track.last = self._plain_key(stream, track)

    def _read(self, stream: Stream) -> None:
        starts = {track.subtrack: self.start for track in self.tracks}
        dense = {track.subtrack: _Dense(track) for track in self.tracks if track.basis == DENSE}
        for frame in self.frames:
            for track in self.tracks:
                if track.basis == DENSE:
                    track.dense.append(dense[track.subtrack].row(stream, frame > self.start))
                    continue
                if track.basis == HERMITE and frame == self.start:
                    track.tangent = self._tangents(stream, track)
                if starts[track.subtrack] == frame < self.end:
                    starts[track.subtrack] = self._pull(stream, track, frame)

    def _pull(self, stream: Stream, track: Track, frame: int) -> int:
        """Reads what the section beginning at `frame` pulls; the frame where the next begins."""
        if track.basis == CUBIC:
            return self._pull_cubic(stream, track, frame)
        gap, jump = self._gap(stream, track, frame)
        before = track.sections[-1] if track.sections else None
        key = before.keys[1] if before else track.first
        guess = key
        tangents: tuple[list[int], list[int]] = ((), ())
        if track.basis == HERMITE:
            left = before.tangents[1] if before else track.tangent
            right = self._tangents(stream, track)
            tangents = left, right
            if track.mode:
                guess = [_ahead(k, wrap(l + r) >> 1, gap) for k, l, r in zip(key, left, right, strict=True)]
        elif track.mode and before:
            guess = [_ahead(k, s, gap) for k, s in zip(key, _slopes(before), strict=True)]
        end = frame + gap
        right_key = self._key(stream, track, end, guess)
        track.sections.append(Section(frame, gap, jump, (key, right_key), tangents))
        return end

    def _pull_cubic(self, stream: Stream, track: Track, frame: int) -> int:
        if not track.sections:
            gap, jump = self._gap(stream, track, frame)
            key = self._key(stream, track, frame + gap, track.first)
            track.sections.append(Section(frame, gap, jump, (track.first, key)))
        section = track.sections[-1]
        end = section.frame + section.gap
        if end < self.end:
            gap, jump = self._gap(stream, track, end)
            guess = section.keys[1]
            if track.mode and not section.jump and not jump:
                guess = [_ahead(k, s, gap) for k, s in zip(guess, _slopes(section), strict=True)]
            key = self._key(stream, track, end + gap, guess)
            track.sections.append(Section(end, gap, jump, (section.keys[1], key)))
        return end

    def _gap(self, stream: Stream, track: Track, frame: int) -> tuple[int, bool]:
        code = stream.take_rice_unsigned(track.gap_rice)
        jump = track.jumps and code == 0
        if track.jumps and not jump:
            code -= 1
        return (1 if jump else min(code + 1, 64, self.end - frame)), jump

    def _key(self, stream: Stream, track: Track, frame: int, guess: Sequence[int]) -> list[int]:
        if frame == self.end and track.last is not None:
            return track.last
        return [_predicted(stream, value, component.coarsening, component.rice)
                for value, component in zip(guess, track.components, strict=True)]

    def _tangents(self, stream: Stream, track: Track) -> list[int]:
        return [0 if component.tangent_rice == ZERO else wrap(
            stream.take_rice(component.tangent_rice) << (10 - track.unit + component.coarsening))
            for component in track.components]

    def row(self, frame: int) -> dict[int, list[int]]:
        """The values of all tracks at a frame of the block."""
        return {track.subtrack: track.dense[frame - self.start] if track.basis == DENSE
                else _finish(track, self._values(track, frame)) for track in self.tracks}

    def _values(self, track: Track, frame: int) -> list[int]:
        if frame == self.clip.row_count - 1:
            keys = track.sections[-1].keys[1] if track.sections else track.first
            return [wrap(key << track.shift) for key in keys]
        at = next(i for i, s in enumerate(track.sections) if s.frame <= frame < s.frame + s.gap)
        return _section_values(track, at, frame)


def _in_steps(track: Track, key: int, coarsening: int) -> int:
    """A key of a sparse track, whose components share a step; of a dense one, each has a step of its own."""
    return key if track.basis == DENSE else wrap(key << coarsening)


def _first_rice(track: Track) -> int | None:
    """The parameter of the first key's residuals without coarsening; None if they take no bits."""
    if track.packing == VECTOR:
        return None if track.width > 15 else track.width - 1
    spared = 22 - track.shift - track.width
    return None if spared == 3 else 17 - 3 * spared - track.shift


def _base_components(numbers: Sequence[int], packing: int) -> Sequence[int]:
    if packing in (FOUR, VECTOR):
        return numbers
    row = turned(numbers, -(packing // 4) % 3)
    if row[packing % 4] < 0:
        row = [-number for number in row]
    return [row[(packing + 1 + c) % 4] for c in range(3)]


def _predicted(stream: Stream, guess: int, coarsening: int, rice: int) -> int:
    value = wrap(guess + ((1 << coarsening) >> 1)) >> coarsening
    if rice != ZERO:
        value = wrap(value + stream.take_rice(rice))
    return wrap(value << coarsening)


def _largest(q: Sequence[int]) -> int:
    return max(range(4), key=lambda i: (abs(q[i]), -i))


def _with_dropped(kept: Sequence[int], dropped: int, negative: bool) -> list[int]:
    rebuilt = -rebuild(kept) if negative else rebuild(kept)
    return [*kept[:dropped], rebuilt, *kept[dropped:]]


_PREDICTORS = [(0, 0), (5, 3), (7, 4), (8, 6)]  # eighths of the last step, and of its change


class _Dense:
    """A dense track in its block: the values of all frames so far, frame by frame."""

    def __init__(self, track: Track) -> None:
        self.track = track
        self.steps = [(4 + component.quarters << track.shift + component.coarsening) >> 2
                      for component in track.components]
        self.values = [[key] for key in track.first]
        self.parameters = [4 * component.rice for component in track.components]

    def _scaled(self, at: int) -> list[int]:
        return [wrap(v[at] * step) for v, step in zip(self.values, self.steps, strict=True)]

    def _next(self, stream: Stream, index: int) -> int:
        component, v = self.track.components[index], self.values[index]
        s = wrap(v[-1] - v[-2]) if len(v) > 1 else 0
        r = wrap(s - wrap(v[-2] - v[-3])) if len(v) > 2 else 0
        a, b = _PREDICTORS[component.predictor]
        residual = 0
        if component.rice != ZERO:
            k = self.parameters[index] >> 2
            u = stream.take_rice_unsigned(k)
            residual = -(u + 1) // 2 if u % 2 else u // 2
            if self.track.mode:
                p = self.parameters[index] + (-1, 0, 1, 3)[min(u >> k, 3)]
                self.parameters[index] = min(max(p, 0), 59)
        return wrap(v[-1] + (wrap(a * s + b * r + 8 * residual + 4) >> 3))

    def row(self, stream: Stream, residuals: bool) -> list[int]:
        """The row of the next frame; the first has no residuals."""
        if not residuals:
            return _finish(self.track, self._scaled(-1))
        dropped = None
        if self.track.packing == FOUR:
            before = self._scaled(-1)
            dropped = _largest(before)
        for index, values in enumerate(self.values):
            if index != dropped:
                values.append(self._next(stream, index))
        if dropped is None:
            return _finish(self.track, self._scaled(-1))
        kept = [wrap(v[-1] * step) for i, (v, step) in
                enumerate(zip(self.values, self.steps, strict=True)) if i != dropped]
        row = _with_dropped(kept, dropped, before[dropped] < 0)
        shift = self.track.shift + self.track.components[dropped].coarsening
        self.values[dropped].append(wrap(row[dropped] + ((1 << shift) >> 1)) >> shift)
        return row


def _end_tangents(track: Track, at: int) -> list[int] | None:
    """Cubic: the value at the end of this section, from the following one."""
    if at + 1 >= len(track.sections) or track.sections[at + 1].jump:
        return None
    section, behind = track.sections[at], track.sections[at + 1]
    return [_parabola(s, section.gap, t, behind.gap) for s, t in zip(_slopes(section), _slopes(behind), strict=True)]


def _cubic_tangents(track: Track, at: int) -> tuple[list[int], list[int]]:
    slopes, right = _slopes(track.sections[at]), _end_tangents(track, at)
    left = None
    if at > 0 and not track.sections[at - 1].jump:
        left = _end_tangents(track, at - 1)  # None only before a jump, which has no frame inside
    if left is None:
        left = slopes if right is None else [wrap(2 * s - r) for s, r in zip(slopes, right, strict=True)]
    if right is None:
        right = [wrap(2 * s - l) for s, l in zip(slopes, left, strict=True)]
    return left, right


def _coefficients(track: Track, at: int) -> list[tuple[int, int, int]]:
    """(c, b, a) of every component."""
    section = track.sections[at]
    steps = [wrap(wrap(right - left) << 10) for left, right in zip(*section.keys, strict=True)]
    if track.basis == LINEAR:
        return [(0, 0, e) for e in steps]
    tangents = section.tangents if track.basis == HERMITE else _cubic_tangents(track, at)
    result = []
    for e, left, right in zip(steps, *tangents, strict=True):
        l, r = wrap(left * section.gap), wrap(right * section.gap)
        c = wrap(l + r - 2 * e)
        result.append((c, wrap(e - l - c), l))
    return result


def _section_values(track: Track, at: int, frame: int) -> list[int]:
    section, cubes = track.sections[at], _coefficients(track, at)
    size = 0
    for cube in cubes:
        size |= uwrap(sum(x if x >= 0 else -x - 1 for x in cube))
    down = _log2(size) - 15 if size >= 1 << 16 else 0
    scale = max(25 - track.shift - down, 0)
    half = (1 << scale) >> 1
    high = _log2(section.gap)
    u = ((frame - section.frame) * _reciprocal(section.gap) + ((1 << high) >> 1)) >> high
    values = []
    for key, (c, b, a) in zip(section.keys[0], cubes, strict=True):
        inner = wrap((wrap((c >> down) * u) >> 15) + (b >> down))
        inner = wrap((wrap(inner * u) >> 15) + (a >> down))
        values.append(wrap(wrap(key << track.shift) + (wrap(wrap(inner * u) + half) >> scale)))
    return values


def _finish(track: Track, values: list[int]) -> list[int]:
    """The row of coded values."""
    if track.packing == VECTOR:
        return values
    if track.packing == FOUR:
        dropped = _largest(values)
        kept = [value for i, value in enumerate(values) if i != dropped]
        return _with_dropped(kept, dropped, values[dropped] < 0)
    q = [0] * 4
    for i, value in enumerate(values):
        q[(track.packing + 1 + i) % 4] = value
    q[track.packing % 4] = rebuild(values)
    return turned(q, track.packing // 4)


class CurveTracks:
    """The animated tracks of a clip: checked when made, decoded by block. `clip` says what is common
    to all codecs (see reference.ClipReader)."""

    def __init__(self, clip) -> None:
        self.clip, self.tracks = clip, []
        if clip.header_bits:
            self.tracks = _read_headers(clip)
            state = 1 + sum((5 + 3 * len(t.components)) if t.basis == DENSE else 8 + 7 * len(t.components)
                            for t in self.tracks)
            require(state <= clip.decoder.state_words, "CLIP", "state words")

    def rows(self, frame: int) -> dict[int, dict[int, list[int]]]:
        """The values of all animated subtracks at the frames of the block that `frame` is in."""
        block = _Block(self.clip, self.tracks, frame >> self.clip.restart_log2)
        return {f: block.row(f) for f in block.frames}
