"""Arithmetic that gives the same bits on every machine.

NumPy and the C library select implementations of sines, arc tangents, sums and matrix products by processor and
version, whose results differ in the last bit. All code that affects a bank or generated C uses this module
instead: it consists of + - * / and square roots, which IEEE 754 rounds exactly, in a fixed order, and of rounding
to integers.

Truncating the Taylor series costs less than 2^-56 of their value, so that only rounding errors remain.
"""
from __future__ import annotations

from math import factorial

import numpy as np

from .arrays import Array

_RADIANS_PER_DEGREE = 0.017453292519943295
_SINE_TERMS = [(-1) ** n / factorial(2 * n + 1) for n in range(9)]
_COSINE_TERMS = [(-1) ** n / factorial(2 * n) for n in range(10)]
_ARC_TERMS = [(-1) ** n / (2 * n + 1) for n in range(8)]
_ARC_PARTS = 8
_ROOT_STEPS = 64  # far from the root, a step reduces the value by at most 1/degree of it
# The arc tangents of 0, 1/8, ... 1.
_ARCS = np.array([
    0.0, 0.12435499454676144, 0.24497866312686414, 0.35877067027057225, 0.4636476090008061,
    0.5585993153435624, 0.6435011087932844, 0.7188299996216245, 0.7853981633974483])
DEGREES_PER_RADIAN = 57.29577951308232


def dot(a: Array, b: Array) -> Array:
    """Returns scalar products over the last axis, summed from the first component to the last."""
    total = a[..., 0] * b[..., 0]
    for i in range(1, a.shape[-1]):
        total = total + a[..., i] * b[..., i]
    return total


def length(v: Array) -> Array:
    """Returns Euclidean lengths over the last axis."""
    return np.sqrt(dot(v, v))


def total(rows: Array) -> Array:
    """Returns sums over the first axis, which is not empty: the second half is added to the first until one is left."""
    while len(rows) > 1:
        half = (len(rows) + 1) // 2
        rows = np.concatenate([rows[:len(rows) - half] + rows[half:], rows[len(rows) - half:half]])
    return rows[0]


def product(a: Array, b: Array) -> Array:
    """Returns matrix products [..., n, k] by [..., k, m]."""
    total = a[..., :, 0, None] * b[..., None, 0, :]
    for k in range(1, a.shape[-1]):
        total = total + a[..., :, k, None] * b[..., None, k, :]
    return total


def cross(a: Array, b: Array) -> Array:
    """Returns vector products over the last axis, which has three components."""
    ax, ay, az = (a[..., i] for i in range(3))
    bx, by, bz = (b[..., i] for i in range(3))
    return np.stack([ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx], axis=-1)


def determinant(m: Array) -> float:
    """Returns the determinant of one matrix [3, 3]."""
    return float(dot(m[0], cross(m[1], m[2])))


def solution(m: Array, right: Array) -> Array | None:
    """Solves m x = right for a matrix [3, 3] by Cramer's rule. Returns None if m is singular."""
    volume = determinant(m.T)
    if volume == 0.0:
        return None
    a, b, c = m.T
    return np.array([determinant(np.array(columns)) / volume
                     for columns in ((right, b, c), (a, right, c), (a, b, right))])


def inverse(m: Array) -> Array | None:
    """Returns the inverse of one matrix [3, 3]; None if it is singular."""
    columns = [column for unit in np.eye(3) if (column := solution(m, unit)) is not None]
    return np.stack(columns, axis=1) if len(columns) == 3 else None


def sums_at(indices: Array, rows: Array, count: int) -> Array:
    """Returns the sums [count, C] of the rows [N, C] that have the same index, added in order."""
    sums = np.zeros((count, rows.shape[1]))
    for index, row in zip(indices.tolist(), rows):
        sums[index] = sums[index] + row
    return sums


def root(x: Array, degree: int) -> Array:
    """Returns the roots of this degree of numbers from 2^-42 to 1, by Newton's method; error: a few 1e-16."""
    y = np.ones_like(x)
    for _ in range(_ROOT_STEPS):
        power = np.ones_like(x)
        for _ in range(degree - 1):
            power = power * y
        y = y - (y - x / power) / degree
    return y


def power(base: Array, exponents: int | Array) -> Array:
    """Returns base raised to integers of at least 0, by squaring."""
    left = np.broadcast_to(np.asarray(exponents), base.shape).copy()
    result = np.ones(base.shape)
    while left.any():
        result = np.where(left % 2 == 1, result * base, result)
        base, left = base * base, left // 2
    return result


def sine_cosine(angle: Array) -> tuple[Array, Array]:
    """Returns sines and cosines of angles between -pi/4 and pi/4, in radians; error: at most 2e-16."""
    square = angle * angle
    return angle * _series(_SINE_TERMS, square), _series(_COSINE_TERMS, square)


def sine_cosine_of_degrees(angle: Array | float) -> tuple[Array, Array]:
    """Returns sines and cosines of any angles in degrees; error: at most 2e-16."""
    quarters = np.rint(angle / 90.0)
    sine, cosine = sine_cosine((angle - 90.0 * quarters) * _RADIANS_PER_DEGREE)
    odd = quarters - 2.0 * np.floor(quarters / 2.0) == 1.0
    half = quarters - 4.0 * np.floor(quarters / 4.0) >= 2.0
    sine, cosine = np.where(odd, cosine, sine), np.where(odd, -sine, cosine)
    return np.where(half, -sine, sine), np.where(half, -cosine, cosine)


def arc_tangent(ratio: Array) -> Array:
    """Returns arc tangents, in radians, of ratios from 0 to 1; error: at most 2e-16."""
    part = np.rint(ratio * _ARC_PARTS)
    near = part / _ARC_PARTS
    rest = (ratio - near) / (1.0 + ratio * near)
    return _ARCS[part.astype(int)] + rest * _series(_ARC_TERMS, rest * rest)


def angle_of(y: Array, x: Array) -> Array:
    """Returns the angles of points (x, y) in radians from -pi to pi; error: at most 1e-15; 0 for the origin."""
    across, along = np.abs(y), np.abs(x)
    larger = np.maximum(across, along)
    angle = arc_tangent(np.minimum(across, along) / np.where(larger > 0.0, larger, 1.0))
    angle = np.where(across > along, 2.0 * _ARCS[-1] - angle, angle)
    angle = np.where(x < 0.0, 4.0 * _ARCS[-1] - angle, angle)
    return np.where(y < 0.0, -angle, angle)


def _series(terms: list[float], x: Array) -> Array:
    """Evaluates the polynomial with these coefficients, the constant first."""
    total = terms[-1] * x + terms[-2]
    for term in terms[-3::-1]:
        total = total * x + term
    return total
