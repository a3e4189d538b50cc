"""Quaternions (x, y, z, w, as in glTF) and vector helpers for the rig.

All arrays are float64. Transcendental functions come only from `math`, because NumPy selects its vector sines by
processor, and the file must be equal on every machine.
"""
from __future__ import annotations

import math

import numpy as np

X_AXIS = np.array([1.0, 0.0, 0.0])
Y_AXIS = np.array([0.0, 1.0, 0.0])
Z_AXIS = np.array([0.0, 0.0, 1.0])
IDENTITY = np.array([0.0, 0.0, 0.0, 1.0])


def unit(v: np.ndarray) -> np.ndarray:
    """Returns `v` (any length) scaled to norm 1. Raises ValueError for a zero vector."""
    norm = math.sqrt(float(np.sum(v * v)))
    if norm == 0.0:
        raise ValueError("cannot normalise a zero vector")
    return v / norm


def mul(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Returns the Hamilton product a*b: rotate by `b` first, then by `a`."""
    ax, ay, az, aw = a
    bx, by, bz, bw = b
    return np.array([
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    ])


def product(*factors: np.ndarray) -> np.ndarray:
    """Returns the product of several quaternions, leftmost applied last."""
    result = factors[0]
    for factor in factors[1:]:
        result = mul(result, factor)
    return result


def conj(q: np.ndarray) -> np.ndarray:
    """Returns the inverse of a unit quaternion."""
    return np.array([-q[0], -q[1], -q[2], q[3]])


def rotate(q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Returns the vector `v` (3) rotated by the unit quaternion `q`."""
    t = 2.0 * np.cross(q[:3], v)
    return v + q[3] * t + np.cross(q[:3], t)


def about(axis: np.ndarray, degrees: float) -> np.ndarray:
    """Returns the rotation by `degrees` about the unit `axis`. The angle is not wrapped: 720 is not 360."""
    half = math.radians(degrees) / 2.0
    return np.append(axis * math.sin(half), math.cos(half))


def euler(pitch: float, yaw: float, roll: float) -> np.ndarray:
    """Returns yaw about Y after pitch about X after roll about Z, in degrees. The figure faces +Z:
    pitch > 0 leans forward, yaw > 0 turns to its left, roll > 0 leans to its right."""
    return product(about(Y_AXIS, yaw), about(X_AXIS, pitch), about(Z_AXIS, roll))


def between(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Returns the smallest rotation that takes the unit vector `a` to `b` (not opposite to `a`)."""
    return unit(np.append(np.cross(a, b), 1.0 + float(np.dot(a, b))))


def from_frame(x: np.ndarray, y: np.ndarray, z: np.ndarray) -> np.ndarray:
    """Returns the rotation whose matrix has the orthonormal columns x, y, z."""
    trace = x[0] + y[1] + z[2]
    if trace > 0.0:
        q = np.array([y[2] - z[1], z[0] - x[2], x[1] - y[0], 1.0 + trace])
    elif x[0] >= y[1] and x[0] >= z[2]:
        q = np.array([1.0 + x[0] - y[1] - z[2], y[0] + x[1], z[0] + x[2], y[2] - z[1]])
    elif y[1] >= z[2]:
        q = np.array([y[0] + x[1], 1.0 - x[0] + y[1] - z[2], z[1] + y[2], z[0] - x[2]])
    else:
        q = np.array([z[0] + x[2], z[1] + y[2], 1.0 - x[0] - y[1] + z[2], x[1] - y[0]])
    return unit(q)


def matrix(q: np.ndarray) -> np.ndarray:
    """Returns the 3x3 rotation matrix of the unit quaternion `q`; its columns are the rotated axes."""
    return np.stack([rotate(q, X_AXIS), rotate(q, Y_AXIS), rotate(q, Z_AXIS)], axis=1)


def nlerp(a: np.ndarray, b: np.ndarray, u: float) -> np.ndarray:
    """Returns the normalised linear blend from `a` (u = 0) to `b` (u = 1) along the shorter arc."""
    return unit(a * (1.0 - u) + (b if float(np.dot(a, b)) >= 0.0 else -b) * u)


def slerp(a: np.ndarray, b: np.ndarray, u: float) -> np.ndarray:
    """Returns the spherical interpolation along the shorter arc, as glTF LINEAR defines it."""
    cosine = float(np.dot(a, b))
    if cosine < 0.0:
        b, cosine = -b, -cosine
    if cosine > 0.999999:
        return nlerp(a, b, u)
    angle = math.acos(cosine)
    return (a * math.sin((1.0 - u) * angle) + b * math.sin(u * angle)) / math.sin(angle)
