"""Quaternions x y z w as float64 arrays [..., 4]; every function broadcasts."""
from __future__ import annotations

import numpy as np

from ..base.arrays import Array
from ..base.portable_math import arc_tangent, cross, dot, length, sine_cosine, total

# Below this tangent of half the angle, the weights of slerp equal those of lerp in double precision.
_LERP_TANGENT = 5e-9
_BACK = np.array([-1.0, -1.0, -1.0, 1.0])
_OPPOSITE = 1e-9  # a smaller sine, or sum of unit vectors, has no direction
_STEEP = 0.9  # components of unit vectors: one axis, at most, has a larger one
_TINY = 1e-300

IDENTITY = np.array([0.0, 0.0, 0.0, 1.0])


def multiply(a: Array, b: Array) -> Array:
    """Returns the Hamilton product: rotation b, followed by rotation a."""
    ax, ay, az, aw = (a[..., i] for i in range(4))
    bx, by, bz, bw = (b[..., i] for i in range(4))
    return np.stack(
        [
            aw * bx + ax * bw + ay * bz - az * by,
            aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw,
            aw * bw - ax * bx - ay * by - az * bz,
        ],
        axis=-1,
    )


def rotate(q: Array, v: Array) -> Array:
    """Rotates vectors [..., 3] by unit quaternions."""
    axis, w = q[..., :3], q[..., 3:]
    return v + 2.0 * cross(axis, cross(axis, v) + w * v)


def normalise(q: Array) -> Array:
    """Normalises quaternions other than zero."""
    return q / length(q)[..., None]


def slerp(a: Array, b: Array, u: Array) -> Array:
    """Interpolates from a (u = 0) to b (u = 1) along the shorter arc at constant speed; a and b are
    unit quaternions, u is [...]. The results are unit quaternions."""
    b = np.where((dot(a, b) < 0.0)[..., None], -b, b)
    # Half the chord over half the sum is exact at small angles; the arc cosine of the dot product is not.
    tangent = length(a - b) / length(a + b)
    near = tangent < _LERP_TANGENT
    tangent = np.where(near, 1.0, tangent)
    half, per_sine = arc_tangent(tangent), (1.0 + tangent * tangent) / tangent
    from_a = np.where(near, 1.0 - u, _half_sine_of_twice((1.0 - u) * half) * per_sine)
    from_b = np.where(near, u, _half_sine_of_twice(u * half) * per_sine)
    return normalise(from_a[..., None] * a + from_b[..., None] * b)


def _half_sine_of_twice(angle: Array) -> Array:
    """Returns sin(2 angle) / 2 for angles up to pi/4, the range of the series."""
    sine, cosine = sine_cosine(angle)
    return sine * cosine


def inverse(q: Array) -> Array:
    """Returns the inverses of unit quaternions."""
    return q * _BACK


def between(a: Array, b: Array) -> Array:
    """Returns the least rotations that turn unit vectors a to unit vectors b."""
    middle = a + b
    opposite = length(middle) < _OPPOSITE
    if opposite.any():
        middle = np.where(opposite[..., None], _across(a), middle)
    middle = middle / length(middle)[..., None]
    return np.concatenate([cross(a, middle), dot(a, middle)[..., None]], axis=-1)


def _across(v: Array) -> Array:
    """Returns vectors across unit vectors."""
    axes = np.where(np.abs(v[..., :1]) < _STEEP, np.eye(3)[0], np.eye(3)[1])
    return cross(v, axes)


def frame(x: Array, y: Array) -> Array:
    """Returns the rotations whose first axis points along x and whose second axis lies in the plane of x and y. Vectors
    have any length; if they are parallel, the second axis is any across the first."""
    x = x / np.maximum(length(x), _TINY)[..., None]
    z = cross(x, y)
    size = length(z)
    flat = size <= _OPPOSITE * length(y)
    z = np.where(flat[..., None], _across(x), z)
    z = z / np.maximum(length(z), _TINY)[..., None]
    return from_matrix(np.stack([x, cross(z, x), z], axis=-1))


def quarter_turns() -> Array:
    """Returns the 24 rotations [24, 4] that turn axes to axes; the identity is the first."""
    axes = [sign * np.eye(3)[axis] for axis in range(3) for sign in (1.0, -1.0)]
    return np.array([frame(x, y) for x in axes for y in axes if dot(x, y) == 0.0])


def mean(q: Array) -> Array:
    """Returns the mean [..., 4] of similar rotations [F, ..., 4]."""
    q = np.where((dot(q, q[:1]) < 0.0)[..., None], -q, q)
    rough = total(q)
    return normalise(total(np.where((dot(q, rough) < 0.0)[..., None], -q, q)))


def from_matrix(m: Array) -> Array:
    """Returns the unit quaternions of rotation matrices [..., 3, 3]; their largest components are positive."""
    # Four times the squares of x y z w; starting with the largest avoids division by a small root.
    squares = np.stack(
        [
            1.0 + m[..., 0, 0] - m[..., 1, 1] - m[..., 2, 2],
            1.0 - m[..., 0, 0] + m[..., 1, 1] - m[..., 2, 2],
            1.0 - m[..., 0, 0] - m[..., 1, 1] + m[..., 2, 2],
            1.0 + m[..., 0, 0] + m[..., 1, 1] + m[..., 2, 2],
        ],
        axis=-1,
    )
    xy, xz, yz = (m[..., i, j] + m[..., j, i] for i, j in ((0, 1), (0, 2), (1, 2)))
    wx, wy, wz = (m[..., i, j] - m[..., j, i] for i, j in ((2, 1), (0, 2), (1, 0)))
    rows = np.stack([squares[..., 0], xy, xz, wx, xy, squares[..., 1], yz, wy,
                     xz, yz, squares[..., 2], wz, wx, wy, wz, squares[..., 3]], axis=-1)
    largest = np.argmax(squares, axis=-1).reshape(-1)
    chosen = rows.reshape(-1, 4, 4)[np.arange(len(largest)), largest]
    return normalise(chosen.reshape(squares.shape))
