"""Plain 4x4 matrices (column vectors), to check folded transforms by another road."""
from __future__ import annotations

import numpy as np


def from_transform(transform: np.ndarray) -> np.ndarray:
    """T R S of ten numbers."""
    x, y, z, w = transform[:4]
    rotation = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )
    matrix = np.eye(4)
    matrix[:3, :3] = rotation * transform[7:10]
    matrix[:3, 3] = transform[4:7]
    return matrix


def of(rotation=(0, 0, 0, 1), translation=(0, 0, 0), scale=(1, 1, 1)) -> np.ndarray:
    return from_transform(np.array([*rotation, *translation, *scale], float))


def model_pose(parents: np.ndarray, locals_: np.ndarray) -> np.ndarray:
    """Model matrices [J, 4, 4] of local transforms [J, 10]."""
    result: list[np.ndarray] = []
    for parent, transform in zip(parents, locals_):
        local = from_transform(transform)
        result.append(local if parent < 0 else result[parent] @ local)
    return np.array(result)
