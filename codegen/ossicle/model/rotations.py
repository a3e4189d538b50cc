"""Quaternions x y z w as float64 arrays [..., 4]; every function broadcasts."""
from __future__ import annotations

import numpy as np

from ..base.arrays import Array
from ..base.portable_math import arc_tangent, cross, dot, length, sine_cosine

# Below this tangent of half the angle, the weights of slerp equal those of lerp in double precision.
_LERP_TANGENT = 5e-9


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


def from_matrix(m: Array) -> Array:
    """Returns the unit quaternion of a rotation matrix [3, 3]; its largest component is positive."""
    # Four times the squares of x y z w; starting with the largest avoids division by a small root.
    squares = np.array(
        [
            1.0 + m[0, 0] - m[1, 1] - m[2, 2],
            1.0 - m[0, 0] + m[1, 1] - m[2, 2],
            1.0 - m[0, 0] - m[1, 1] + m[2, 2],
            1.0 + m[0, 0] + m[1, 1] + m[2, 2],
        ]
    )
    xy, xz, yz = m[0, 1] + m[1, 0], m[0, 2] + m[2, 0], m[1, 2] + m[2, 1]
    wx, wy, wz = m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1]
    rows = np.array(
        [
            [squares[0], xy, xz, wx],
            [xy, squares[1], yz, wy],
            [xz, yz, squares[2], wz],
            [wx, wy, wz, squares[3]],
        ]
    )
    return normalise(rows[int(np.argmax(squares))])
