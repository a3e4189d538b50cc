"""Mixing by the integers of SPEC.md 16: steps, unit rotations, layers."""
from __future__ import annotations

from collections.abc import Sequence

from fixed import ONE, mul, uwrap, wrap

LEAST, END, UNIT, BAND = 1 << 30, (1 << 31) + (1 << 25), 1 << 31, 1 << 17
NEAR = 1 << 17


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
    return [wrap(x + (wrap((wrap(y - x) >> 5) * w) >> 10)) for x, y in zip(a, other, strict=True)]


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
        q = [2 * x for x in q]
    if squared_length(q) < LEAST:
        q = [(x * 91) >> 6 for x in q]
    return q, squared_length(q)


def stretch(u: int) -> int:
    """1 / sqrt(1 - u) - 1, Q16."""
    y = wrap((wrap(52877 * u) >> 15) - 64498)
    for constant in (47040, 15730, 24884, 32764):
        y = wrap((wrap(y * u) >> 16) + constant)
    return half(wrap(y * u), 16)


def sag(w: int) -> int:
    """2 w (1 - w), Q15."""
    return half(wrap(w * wrap((1 << 15) - w)), 14)


def blend(a: Sequence[int], b: Sequence[int], w: int) -> list[int]:
    """The unit mix of two unit rotations."""
    dot = wrap(sum((x >> 5) * half(y, 5) for x, y in zip(a, b, strict=True)))
    other = [wrap(-y) for y in b] if dot < 0 else b
    apart = wrap((1 << 30) - (wrap(-dot) if dot < 0 else dot))
    g = 0 if apart < NEAR else stretch(half(wrap((apart >> 14) * sag(w)), 15))
    mixed = [wrap(x + (wrap(half(wrap(y - x), 5) * w) >> 10)) for x, y in zip(a, other, strict=True)]
    return [wrap(x + (wrap((x >> 4) * g) >> 12)) for x in mixed]


def unit(q: Sequence[int]) -> list[int]:
    """A rotation, made unit."""
    n = squared_length(q)
    if UNIT - BAND <= n < UNIT + BAND:
        return list(q)
    if not LEAST <= n < END:
        q, n = nearer(q)
    g = stretch(wrap(UNIT + (1 << 14) - n) >> 15)
    return [wrap(x + ((x * g) >> 16)) for x in q]


def add(a: Sequence[int], d: Sequence[int], w: int) -> list[int]:
    """A unit rotation with the difference `d` on its right."""
    size = wrap(-d[3]) if d[3] < 0 else d[3]
    g = stretch(half(wrap((wrap(ONE - size) >> 4) * sag(w)), 15))
    part = wrap(w + half(wrap(w * g), 16))
    less = wrap(half(g, 1) - part)
    part = wrap(-part) if d[3] < 0 else part
    ex, ey, ez, ew = (half(wrap(half(x, 5) * part), 15) for x in d)
    ew = wrap(ew + less)
    x, y, z, r = (half(c, 5) for c in a)
    sums = (r * ex + x * ew + y * ez - z * ey, r * ey + y * ew + z * ex - x * ez,
            r * ez + z * ew + x * ey - y * ex, r * ew - x * ex - y * ey - z * ez)
    return [wrap(c + (wrap(s) >> 10)) for c, s in zip(a, sums, strict=True)]


def add_scale(a: int, k: int, w: int) -> int:
    """A component of a scale times a part of the factor."""
    return wrap(a + mul(a, weighted(wrap(k - ONE), w)))
