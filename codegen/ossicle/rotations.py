"""Quaternions x y z w as float64 arrays [..., 4]; every function broadcasts."""
from __future__ import annotations

import numpy as np

# Below this sine of the angle the weights of slerp equal those of lerp to double precision.
_LERP_SINE = 1e-8


def multiply(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Hamilton product: the rotation b followed by the rotation a."""
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


def rotate(q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Vectors [..., 3] rotated by unit quaternions."""
    axis, w = q[..., :3], q[..., 3:]
    return v + 2.0 * np.cross(axis, np.cross(axis, v) + w * v)


def normalise(q: np.ndarray) -> np.ndarray:
    """Unit quaternions of q, none of which may be zero."""
    return q / np.linalg.norm(q, axis=-1, keepdims=True)


def slerp(a: np.ndarray, b: np.ndarray, u: np.ndarray) -> np.ndarray:
    """Shorter way from a (u = 0) to b (u = 1) at constant speed; a, b unit, u [...]; unit."""
    u = u[..., None]
    b = np.where(np.sum(a * b, axis=-1, keepdims=True) < 0.0, -b, b)
    # Half the chord over half the sum stays exact where the arc cosine of the dot product does not.
    angle = 2.0 * np.arctan2(
        np.linalg.norm(a - b, axis=-1, keepdims=True), np.linalg.norm(a + b, axis=-1, keepdims=True)
    )
    sine = np.sin(angle)
    near = sine < _LERP_SINE
    sine = np.where(near, 1.0, sine)
    from_a = np.where(near, 1.0 - u, np.sin((1.0 - u) * angle) / sine)
    from_b = np.where(near, u, np.sin(u * angle) / sine)
    return normalise(from_a * a + from_b * b)


def from_matrix(m: np.ndarray) -> np.ndarray:
    """Unit quaternion of one rotation matrix [3, 3], positive in its largest component."""
    # Four times the square of x y z w; starting from the largest avoids dividing by a small root.
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
