"""The integers of runtime/SPEC.md: wrapping, the Q20 products, the rebuilt component, CRC and hash."""
from __future__ import annotations

import math
import zlib
from collections.abc import Iterable, Sequence

MASK = 0xFFFFFFFF
ONE = 1 << 20


def uwrap(x: int) -> int:
    """x modulo 2^32 as an unsigned number."""
    return x & MASK


def wrap(x: int) -> int:
    """x modulo 2^32 as a signed number."""
    return ((x + (1 << 31)) & MASK) - (1 << 31)


def mul(a: int, b: int) -> int:
    """Q20 product, rounded half up, wrapped."""
    return wrap((a * b + (1 << 19)) >> 20)


def dot(a: Sequence[int], b: Sequence[int]) -> int:
    """Q20 product sum, rounded once, wrapped."""
    return wrap((sum(x * y for x, y in zip(a, b, strict=True)) + (1 << 19)) >> 20)


def root(n: int) -> int:
    """round(sqrt(n * 2^12)) for 0 <= n <= 2^28."""
    return (math.isqrt(n << 14) + 1) >> 1


def rebuild(kept: Sequence[int]) -> int:
    """The dropped component, not negative, from the other three in Q20."""
    high = sum((x >> 10) ** 2 for x in kept)
    mixed = wrap(sum((x >> 10) * (x % 1024) for x in kept))
    low = sum((x % 1024) ** 2 for x in kept)
    n = uwrap((1 << 28) - high * 256 - (wrap(mixed + ((low + 2048) >> 11)) >> 1))
    return root(0 if n > 1 << 28 else n)


def lerp(left: int, right: int, a: int) -> int:
    """One component between two rows at a/2048 of the frame."""
    step = wrap(wrap(right - left) * a)
    return wrap(left + (wrap(step + 1024) >> 11))


def renormaliser(left: Sequence[int], right: Sequence[int], a: int) -> int:
    """m of SPEC.md section 5, Q18, of a pair of quaternions."""
    chord = uwrap(sum((wrap(other - first) >> 5) ** 2 for first, other in zip(left, right, strict=True))) >> 10
    sag = (a * (2048 - a)) >> 8
    e = uwrap(chord * sag + 8192) >> 14
    f = (e + 16) >> 5
    f2 = uwrap(f * f + 16384) >> 15
    f3 = uwrap(f2 * f + 16384) >> 15
    return uwrap(((e + 4) >> 3) + 3 * f2 + (uwrap(5 * f3) >> 1))


def facing(left: Sequence[int], right: Sequence[int]) -> list[int]:
    """The left quaternion or its negative, in the hemisphere of the right one."""
    same = sum((first >> 17) * (other >> 17) for first, other in zip(left, right, strict=True)) >= 0
    return list(left) if same else [wrap(-word) for word in left]


def blend_rotation(left: Sequence[int], right: Sequence[int], a: int) -> list[int]:
    """A rotation between two rows: four words, Q20."""
    m = renormaliser(left, right, a)
    mixed = [lerp(first, other, a) for first, other in zip(left, right, strict=True)]
    return [wrap(x + (wrap(wrap((x >> 5) * m) + 4096) >> 13)) for x in mixed]


def local_matrix(q: Sequence[int], t: Sequence[int], k: Sequence[int] | None) -> list[int]:
    """T * R * S, 12 words by rows; k is None where the bank has no scale."""
    x, y, z, w = q
    x2, y2, z2 = wrap(2 * x), wrap(2 * y), wrap(2 * z)
    xx, yy, zz = mul(x, x2), mul(y, y2), mul(z, z2)
    xy, xz, yz = mul(x, y2), mul(x, z2), mul(y, z2)
    wx, wy, wz = mul(w, x2), mul(w, y2), mul(w, z2)
    rows = [
        [ONE - (yy + zz), xy - wz, xz + wy],
        [xy + wz, ONE - (xx + zz), yz - wx],
        [xz - wy, yz + wx, ONE - (xx + yy)],
    ]
    rows = [[wrap(element) for element in row] for row in rows]
    if k is not None:
        rows = [[mul(element, factor) for element, factor in zip(row, k, strict=True)] for row in rows]
    return [word for row, move in zip(rows, t, strict=True) for word in (*row, move)]


def matrix_multiply(parent: Sequence[int], local: Sequence[int]) -> list[int]:
    """parent * local, each 12 words by rows."""
    out = []
    for row in (0, 4, 8):
        for column in range(4):
            value = dot(parent[row:row + 3], local[column::4])
            out.append(wrap(value + parent[row + 3]) if column == 3 else value)
    return out


def q12_of_q20(x: int) -> int:
    """A Q20 number with 12 bits of fraction, rounded half up."""
    return (x + 128) >> 8


def half_up(x: int, bits: int) -> int:
    """x / 2^bits rounded half up, the sum wrapped."""
    return wrap(x + (1 << bits - 1)) >> bits


def dot_q14(row: Sequence[int], column: Sequence[int]) -> int:
    """A product sum of small matrices: wrapped, then rounded half up."""
    return (wrap(sum(p * q for p, q in zip(row, column, strict=True))) + (1 << 13)) >> 14


def local_matrix_q14(q: Sequence[int], t: Sequence[int], k: Sequence[int] | None, bits: int) -> list[int]:
    """T * R * S as a small matrix, 12 words by rows."""
    x, y, z, w = (half_up(c, 5) for c in q)
    xx, yy, zz, xy, xz, yz = (wrap(p) for p in (x * x, y * y, z * z, x * y, x * z, y * z))
    wx, wy, wz = (wrap(p) for p in (w * x, w * y, w * z))
    rows = [
        [(1 << 14) - half_up(yy + zz, 15), half_up(xy - wz, 15), half_up(xz + wy, 15)],
        [half_up(xy + wz, 15), (1 << 14) - half_up(xx + zz, 15), half_up(yz - wx, 15)],
        [half_up(xz - wy, 15), half_up(yz + wx, 15), (1 << 14) - half_up(xx + yy, 15)],
    ]
    if k is not None:
        factors = [half_up(factor, 8) for factor in k]
        rows = [[half_up(element * factor, 12) for element, factor in zip(row, factors, strict=True)] for row in rows]
    return [word for row, move in zip(rows, t, strict=True) for word in (*row, half_up(move, 20 - bits))]


def matrix_multiply_q14(parent: Sequence[int], local: Sequence[int]) -> list[int]:
    """parent * local, small matrices of 12 words by rows."""
    out = []
    for row in (0, 4, 8):
        for column in range(4):
            value = dot_q14(parent[row:row + 3], local[column::4])
            out.append(wrap(value + parent[row + 3]) if column == 3 else value)
    return out


def skin_matrix_q14(model: Sequence[int], inverse_bind: Sequence[int], bits: int) -> list[int]:
    """model * inverse bind matrix (Q20): nine turns modulo 2^16, then the translation."""
    small = [half_up(word, 20 - bits if i % 4 == 3 else 6) for i, word in enumerate(inverse_bind)]
    product = matrix_multiply_q14(model, small)
    turns = [(product[i] + 0x8000) % 0x10000 - 0x8000 for i in range(12) if i % 4 != 3]
    return turns + product[3::4]


def crc32(words: Iterable[int]) -> int:
    """CRC-32 of words as little-endian bytes."""
    return zlib.crc32(b"".join(word.to_bytes(4, "little") for word in words))


def fnv1a(values: Iterable[int]) -> int:
    """FNV-1a over bytes (names) or unsigned words (pose hash)."""
    state = 2166136261
    for value in values:
        state = uwrap((state ^ value) * 16777619)
    return state


def turned(q: Sequence[int], group: int) -> list[int]:
    """A rotation times (1 + i + j + k) / 2 (group 1) or its conjugate (2) from the left."""
    x, y, z, w = q
    if group == 0:
        return [x, y, z, w]
    if group == 1:
        sums = (x - y + z + w, x + y - z + w, y + z - x + w, w - x - y - z)
    else:
        sums = (x + y - z - w, y + z - x - w, z + x - y - w, x + y + z + w)
    return [wrap(total + 1) >> 1 for total in sums]


def near_unit(q: Sequence[int]) -> list[int]:
    """Packing four of section 10.4."""
    high = uwrap(sum((x >> 10) ** 2 for x in q))
    mixed = wrap(sum((x >> 10) * (x % 1024) + ((x % 1024) ** 2 >> 11) for x in q))
    e = wrap((1 << 22) - high * 4 - (mixed >> 7))
    f = wrap(e + 64) >> 7
    f2 = wrap(f * f + 16384) >> 15
    f3 = wrap(f2 * f + 16384) >> 15
    m = wrap((wrap(e + 4) >> 3) + 12 * f2 + 10 * f3)
    return [wrap(x + (wrap((x >> 6) * m + 8192) >> 14)) for x in q]


def ratio(b: int, a: int) -> int:
    """b / a in Q20."""
    if b == 0:
        return 0
    if b // 64 >= a:
        return 1 << 26
    k, j = 32 - b.bit_length(), max(a.bit_length() - 16, 0)
    quotient = (b << k) // (a >> j)
    return quotient >> (k + j - 20) if k + j >= 20 else quotient << (20 - k - j)
