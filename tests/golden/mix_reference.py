"""Mixing by the integers of SPEC.md 16: steps, unit rotations, layers."""
from __future__ import annotations

from collections.abc import Sequence

from fixed import ONE, mul, uwrap, wrap

LEAST, END, UNIT, BAND = 0x3A000000, (1 << 31) + (1 << 26), 1 << 31, 1 << 17


def half(x: int, bits: int) -> int:
    """x rounded half up."""
    return wrap(x + (1 << (bits - 1))) >> bits


def weighted(x: int, w: int) -> int:
    """A part of a number, rounded once."""
    return wrap((x * w + (1 << 14)) >> 15)


def toward(a: Sequence[int], b: Sequence[int], w: int) -> list[int]:
    """A rotation's step towards another."""
    dot = wrap(sum(x * (y >> 10) for x, y in zip(a, b, strict=True)))
    other = [wrap(-y) for y in b] if dot < 0 else b
    return [wrap(x + (wrap(((y >> 5) - (x >> 5)) * w) >> 10)) for x, y in zip(a, other, strict=True)]


def squared_length(q: Sequence[int]) -> int:
    """n of a rotation, Q31."""
    return uwrap(sum((x >> 8) * wrap(x - ((x >> 8) << 7)) for x in q))


def nearer(q: Sequence[int]) -> tuple[list[int], int]:
    """A rotation that stretch can take, and its squared length."""
    sizes = 0
    for x in q:
        sizes |= abs(x)
    if sizes == 0:
        return [0, 0, 0, ONE], UNIT
    s = sizes.bit_length() - 1
    q = [x >> (s - 18) if s > 18 else wrap(x << (18 - s)) for x in q]
    if squared_length(q) < 1 << 29:
        q = [wrap(x + x) for x in q]
    if squared_length(q) < LEAST:
        q = [wrap(x + (x >> 1)) for x in q]
    return q, squared_length(q)


def stretch(n: int) -> int:
    """1 / sqrt(n) - 1, Q16."""
    k = n >> 16
    y = uwrap(26193 - (uwrap(8492 * k) >> 15))
    y = uwrap(31227 - (uwrap(y * k) >> 15))
    y = uwrap(21726 - (uwrap(y * k) >> 15)) >> 4
    e = wrap(y * y * (n >> 12)) >> 16
    return ((y - 512) << 7) - ((y * e + 12288) >> 15)


def unit(q: Sequence[int]) -> list[int]:
    """A rotation, made unit."""
    n = squared_length(q)
    if UNIT - BAND <= n < UNIT + BAND:
        return list(q)
    if not LEAST <= n < END:
        q, n = nearer(q)
    g = stretch(n)
    return [wrap(x + ((x * g) >> 16)) for x in q]


def add(a: Sequence[int], d: Sequence[int], w: int) -> list[int]:
    """A rotation with the difference `d` on its right."""
    e = [half(x, 5) for x in d]
    if e[3] < 0:
        e = [wrap(-x) for x in e]
    e[3] = wrap(e[3] - (1 << 15))
    ex, ey, ez, ew = (half(wrap(x * w), 15) for x in e)
    x, y, z, r = (half(c, 5) for c in a)
    sums = (r * ex + x * ew + y * ez - z * ey, r * ey + y * ew + z * ex - x * ez,
            r * ez + z * ew + x * ey - y * ex, r * ew - x * ex - y * ey - z * ez)
    return unit([wrap(c + half(wrap(s), 10)) for c, s in zip(a, sums, strict=True)])


def add_scale(a: int, k: int, w: int) -> int:
    """A component of a scale times a part of the factor."""
    return wrap(a + mul(a, weighted(wrap(k - ONE), w)))
