"""Key formats and unit rotations, from runtime/published/SPEC.md section 12."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import floor

from bit_stream import Stream, require
from fixed import ONE, dot, mul, near_unit, rebuild, root, uwrap, wrap

FIXED, RANGED, FLOAT, SMALL_FLOAT, SMALLEST, HALF_ANGLE, NONE, VARIABLE = range(8)
ROTATION, TRANSLATION, SCALE = range(3)


def kind_of(decoder, subtrack: int) -> int:
    """The kind of a subtrack."""
    if subtrack < decoder.rotation_subtracks:
        return ROTATION
    return TRANSLATION if subtrack < decoder.rotation_subtracks + sum(decoder.has_subtrack[1]) else SCALE


@dataclass
class Format:
    """A track's key format. ranges: minimum and extent of each component."""

    kind: int
    coding: int
    four: bool = False
    signed: bool = False
    widths: tuple[int, ...] = ()
    exponent: int = 0
    ranges: list[tuple[int, int]] = field(default_factory=list)

    @property
    def count(self) -> int:
        """The number of coded components."""
        return 4 if self.four else 3


def read_format(stream: Stream, kind: int) -> Format:
    """A key format of a header."""
    form = Format(kind, stream.take(3))
    coding, rotation = form.coding, kind == ROTATION
    require(rotation or coding not in (SMALLEST, HALF_ANGLE), "CLIP", "coding of a vector")
    if rotation and coding <= FLOAT:
        form.four = stream.take(1) == 1
    if rotation and coding not in (SMALLEST, NONE) and not form.four:
        form.signed = stream.take(1) == 1
    if coding in (FIXED, RANGED, HALF_ANGLE):
        layout = stream.take(2)
        require(layout < 3, "CLIP", "layout")
        form.widths = ((16,) * 3, (11, 11, 10), ())[layout] or (stream.take(5) + 1,) * 3
        require(coding != HALF_ANGLE or form.widths[0] <= 21, "CLIP", "width of half angles")
    elif coding != VARIABLE:
        form.widths = {FLOAT: (32,) * 3, SMALL_FLOAT: (11, 11, 10), SMALLEST: (15,) * 3, NONE: ()}[coding]
    form.widths += form.widths[-1:]
    if coding == FIXED:
        form.exponent = stream.take(4)
        require(form.exponent <= 11, "CLIP", "exponent")
    if coding in (RANGED, VARIABLE):
        form.ranges = [(wrap(stream.take(32)), stream.take(32)) for _ in range(form.count)]
    return form


def share(u: int, y: int) -> int:
    """The part of y that u / 2^32 is."""
    return u * y >> 32


def _signed(code: int, width: int) -> int:
    return code - (1 << width) if code >> (width - 1) else code


def float_value(code: int) -> int:
    """An IEEE 754 single in Q20."""
    exponent, mantissa = code >> 23 & 255, (code & 0x7FFFFF) + (1 << 23)
    if exponent < 106:
        size = 0
    elif exponent > 137:
        size = 2**31 - 1
    else:
        size = floor(Fraction(mantissa) * Fraction(2) ** (exponent - 130) + Fraction(1, 2))
    return -size if code >> 31 else size


def small_float_value(code: int, width: int) -> int:
    """A small float in Q20."""
    bits = width - 4
    mantissa, exponent = code % (1 << bits), code >> bits & 7
    size = Fraction(mantissa + (1 << bits if exponent else 0), 1 << bits) * 2 ** (12 + max(exponent, 1))
    return -int(size) if code >> (width - 1) else int(size)


def ranged_value(code: int, width: int, limits: tuple[int, int]) -> int:
    """A part of a range in Q20."""
    return wrap(limits[0] + share(uwrap(code << (32 - width)), limits[1]))


def component(form: Format, index: int, code: int) -> int:
    """Any component but a variable one or one of a half angle, in Q20."""
    width = form.widths[index]
    if form.coding == FIXED:
        shift = form.exponent + 21 - width
        value = _signed(code, width)
        return wrap(value << shift) if shift >= 0 else value >> -shift
    if form.coding == RANGED:
        return ranged_value(code, width, form.ranges[index])
    if form.coding == FLOAT:
        return float_value(code)
    if form.coding == SMALL_FLOAT:
        return small_float_value(code, width)
    return share(code << 17, 1482957) - 741456


def half_angle(h: Sequence[int]) -> list[int]:
    """The rotation of v / (1 + w)."""
    length = wrap(dot(h, h) + ONE)
    first = wrap((2**32 - 1) // max(uwrap(length) >> 5, 1) << 3)
    inverse = mul(first, wrap(2 * ONE - mul(length, first)))
    return near_unit([*(wrap(2 * mul(x, inverse)) for x in h), wrap(2 * inverse - ONE)])


def unit(q: Sequence[int]) -> list[int]:
    """A rotation of any four numbers."""
    largest = max(map(abs, q))
    if largest == 0:
        return [0, 0, 0, ONE]
    k = 20 - largest.bit_length()
    q = [x << k if k >= 0 else x >> -k for x in q]
    squares = sum((x >> 6) ** 2 for x in q)
    assert 1 << 26 <= squares <= 1 << 30
    inverse = (2**32 - 1) // root(squares >> 2) << 7
    return near_unit([mul(x, inverse) for x in q])


def finish(form: Format, values: Sequence[int], dropped: int, negative: bool) -> list[int]:
    """The row of a key's components."""
    if form.kind != ROTATION:
        return list(values)
    if form.four:
        return unit(values)
    if form.coding == HALF_ANGLE:
        q = half_angle(values)
    else:
        q = [*values[:dropped], rebuild(values), *values[dropped:]]
        q = near_unit(q) if q[dropped] == 0 else q
    return [wrap(-x) for x in q] if negative else q


def read_key(stream: Stream, form: Format) -> list[int]:
    """A key of any coding but variable."""
    if form.coding == NONE:
        return [[0, 0, 0, ONE], [0] * 3, [ONE] * 3][form.kind]
    negative = form.signed and stream.take(1) == 1
    dropped = stream.take(2) if form.coding == SMALLEST else 3
    codes = [stream.take(width) for width in form.widths[:form.count]]
    if form.coding == SMALLEST:
        negative = stream.take(1) == 1
    if form.coding == HALF_ANGLE:
        values = [_signed(code, form.widths[i]) << (21 - form.widths[i]) for i, code in enumerate(codes)]
    else:
        values = [component(form, i, code) for i, code in enumerate(codes)]
    return finish(form, values, dropped, negative)
