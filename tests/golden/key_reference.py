"""Key formats, from runtime/SPEC.md section 12: headers, keys, unit rotations, and the ratio of 13.3."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from bit_stream import Stream, require
from fixed import ONE, dot, mul, rebuild, root, uwrap, wrap
from transform_reference import nearly_unit

FIXED, RANGED, FLOAT, SMALL_FLOAT, SMALLEST_THREE, HALF_ANGLE, NONE, VARIABLE = range(8)
ROTATION, TRANSLATION, SCALE = range(3)
IDENTITY = [0, 0, 0, ONE]
SMALLEST_EXTENT, SMALLEST_LOW = 1482957, 741456
EXPONENT_MAX, HALF_ANGLE_MAX = 11, 21


@dataclass
class KeyFormat:
    """How a track writes its keys. range: (minimum, extent) a component."""

    kind: int
    coding: int
    four: bool = False
    signed: bool = False
    widths: Sequence[int] = ()
    exponent: int = 0
    range: list[tuple[int, int]] = field(default_factory=list)

    @property
    def components(self) -> int:
        """How many numbers a key has."""
        return 0 if self.coding == NONE else 4 if self.four else 3

    def bits(self) -> int:
        """The length of a key; of a variable one that of its sign."""
        return int(self.signed) + 3 * (self.coding == SMALLEST_THREE) + sum(self.widths)


def _widths(stream: Stream, four: bool) -> list[int]:
    layout = stream.take(2)
    require(layout != 3, "CLIP", "layout of keys")
    widths = ([16, 16, 16], [11, 11, 10])[layout] if layout < 2 else [stream.take(5) + 1] * 3
    return [*widths, widths[2]] if four else widths


def read_format(stream: Stream, kind: int, variable: bool) -> KeyFormat:
    """The key format of a track's header; whether it may be variable. BankError."""
    rotation, coding = kind == ROTATION, stream.take(3)
    require(rotation or coding not in (SMALLEST_THREE, HALF_ANGLE), "CLIP", "coding of a vector")
    require(variable or coding != VARIABLE, "CLIP", "variable keys")
    one = KeyFormat(kind, coding)
    one.four = rotation and coding <= FLOAT and stream.take(1) == 1
    if rotation and not one.four and coding in (FIXED, RANGED, FLOAT, SMALL_FLOAT, HALF_ANGLE, VARIABLE):
        one.signed = stream.take(1) == 1
    if coding in (FIXED, RANGED, HALF_ANGLE):
        one.widths = _widths(stream, one.four)
        require(coding != HALF_ANGLE or max(one.widths) <= HALF_ANGLE_MAX, "CLIP", "half angle")
    elif coding != VARIABLE:
        one.widths = {FLOAT: [32] * one.components, SMALL_FLOAT: [11, 11, 10],
                      SMALLEST_THREE: [15] * 3, NONE: []}[coding]
    if coding == FIXED:
        one.exponent = stream.take(4)
        require(one.exponent <= EXPONENT_MAX, "CLIP", "exponent of keys")
    if coding in (RANGED, VARIABLE):
        one.range = [(wrap(stream.take(32)), stream.take(32)) for _ in range(one.components)]
    return one


def share(part: int, extent: int) -> int:
    """part / 2^32 of an extent, both unsigned."""
    return part * extent >> 32


def _float(code: int) -> int:
    e, m = code >> 23 & 255, (1 << 23) + code % (1 << 23)
    if e < 106:
        value = 0
    elif e < 130:
        value = (m + (1 << (129 - e))) >> (130 - e)
    else:
        value = m << (e - 130) if e <= 137 else 2**31 - 1
    return -value if code >> 31 else value


def _small_float(code: int, width: int) -> int:
    f = width - 4
    m, e = code % (1 << f), code >> f & 7
    value = ((1 << f) + m) << (12 + e - f) if e else m << (13 - f)
    return -value if code >> (width - 1) else value


def _component(one: KeyFormat, stream: Stream, index: int) -> int:
    width = one.widths[index]
    if one.coding == FIXED:
        c, s = stream.take_signed(width), one.exponent + 21 - width
        return wrap(c << s) if s >= 0 else c >> -s
    if one.coding == RANGED:
        low, extent = one.range[index]
        return wrap(low + share(stream.take(width) << (32 - width), extent))
    if one.coding == FLOAT:
        return _float(stream.take(32))
    if one.coding == SMALL_FLOAT:
        return _small_float(stream.take(width), width)
    if one.coding == SMALLEST_THREE:
        return share(stream.take(15) << 17, SMALLEST_EXTENT) - SMALLEST_LOW
    return stream.take_signed(width) << (HALF_ANGLE_MAX - width)


def _of_half_angle(h: Sequence[int]) -> list[int]:
    d = wrap(dot(h, h) + ONE)
    r = wrap((2**32 - 1) // max(uwrap(d) >> 5, 1) << 3)
    finer = mul(r, wrap(2 * ONE - mul(d, r)))
    return [wrap(2 * mul(x, finer)) for x in h]


def rotation_of(values: list[int], dropped: int = 3, negative: bool = False) -> list[int]:
    """A rotation of three components, the fourth of which is not negative, or its negative."""
    q = [*values[:dropped], rebuild(values), *values[dropped:]]
    return [wrap(-x) for x in q] if negative else q


def take_key(stream: Stream, one: KeyFormat) -> list[int]:
    """The row of a key; not of variable ones."""
    if one.coding == NONE:
        return {ROTATION: IDENTITY, TRANSLATION: [0] * 3, SCALE: [ONE] * 3}[one.kind][:]
    negative = one.signed and stream.take(1) == 1
    dropped = stream.take(2) if one.coding == SMALLEST_THREE else 3
    values = [_component(one, stream, index) for index in range(one.components)]
    if one.coding == SMALLEST_THREE:
        negative = stream.take(1) == 1
    if one.coding == HALF_ANGLE:
        values = _of_half_angle(values)
    if one.kind != ROTATION:
        return values
    return unit(values) if one.four else rotation_of(values, dropped, negative)


def unit(q: Sequence[int]) -> list[int]:
    """Any four numbers as a rotation, section 12.1."""
    m = max(map(abs, q))
    if m == 0:
        return IDENTITY[:]
    k = 20 - m.bit_length()
    near = [x << k if k >= 0 else x >> -k for x in q]
    square = sum((x >> 6) ** 2 for x in near)
    r = (2**32 - 1) // root(square >> 2) << 7
    return nearly_unit([mul(x, r) for x in near])


def ratio(b: int, a: int) -> int:
    """b / a in Q20, section 13.3, of unsigned numbers."""
    if b == 0:
        return 0
    if b // 64 >= a:
        return 1 << 26
    k = 32 - b.bit_length()
    t = (b << k) // a
    return wrap(t >> (k - 20) if k >= 20 else t << (20 - k))
