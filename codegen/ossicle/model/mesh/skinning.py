"""The inverse bind matrices of a bank, in Q20."""
from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...base.arrays import Array
from ...base.format import number
from ...base.portable_math import product
from ..bind_size import length_remedy
from ..clip import ROTATION, SCALE, TRANSLATION, ImportProblem, Skeleton

ONE_Q20 = number("ONE_Q20")
LARGEST = 2047.0  # the limit of Q20, as for tracks
_AFFINE = 1e-4  # the largest deviation of the last row of a matrix from 0 0 0 1


def inverse_bind_q20(skeleton: Skeleton) -> Array:
    """Returns int32 [J, 12]: each joint's inverse bind matrix, row-major 3x4, Q20.

    They are those of the source's skin or, without a skin, the inverses of the bind pose in model space. Raises
    ImportProblem (joint, value, remedy) for a matrix that does not exist or exceeds Q20.
    """
    matrices = skeleton.inverse_bind
    if matrices is None:
        matrices = undo_bind(skeleton)
    for name, matrix in zip(skeleton.names, matrices):
        if not np.allclose(matrix[3], (0.0, 0.0, 0.0, 1.0), atol=_AFFINE):
            raise ImportProblem(f"joint {name}: the last row of its inverse bind matrix is "
                                f"{_listed(matrix[3])}, not 0 0 0 1; export the skin again")
        largest = float(np.abs(matrix[:3]).max())
        if not largest <= LARGEST:
            raise ImportProblem(f"joint {name}: its inverse bind matrix holds {largest:g}, beyond "
                                f"{LARGEST:g}; "
                                + length_remedy(skeleton, "correct its position and scale in the bind pose"))
    return np.rint(np.asarray(matrices)[:, :3] * ONE_Q20).astype(np.int32).reshape(-1, 12)


def _listed(row: Array) -> str:
    return " ".join(f"{value:g}" for value in row)


def skinning_of(skeleton: Skeleton) -> Array:
    """Returns float64 [J, 4, 4]: the inverse bind matrices of the source's skin or, without a skin, those of the bind
    pose, with the scale 1 for joints that a scale of 0 hides."""
    if skeleton.inverse_bind is not None:
        return skeleton.inverse_bind
    bind = skeleton.bind.copy()
    bind[:, SCALE] = np.where(bind[:, SCALE] == 0.0, 1.0, bind[:, SCALE])
    return undo_bind(replace(skeleton, bind=bind))


def undo_bind(skeleton: Skeleton) -> Array:
    """Returns float64 [J, 4, 4]: the inverses of the bind pose's model matrices."""
    inverses: list[Array] = []
    for name, parent, bind in zip(skeleton.names, skeleton.parents, skeleton.bind):
        if not np.all(bind[SCALE]):
            raise ImportProblem(f"joint {name}: its bind pose has a scale of 0, which cannot be "
                                "undone; give it a small one, or encode without skin matrices")
        inverse = np.eye(4)
        inverse[:3, :3] = rotation_rows(bind[ROTATION]).T / bind[SCALE][:, None]
        inverse[:3, 3] = -product(inverse[:3, :3], bind[TRANSLATION][:, None])[:, 0]
        inverses.append(inverse if parent < 0 else product(inverse, inverses[parent]))
    return np.array(inverses)


def rotation_rows(q: Array) -> Array:
    """Returns the 3x3 rotation matrix of a unit quaternion x y z w."""
    x, y, z, w = q
    return np.array([
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
        [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
        [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)]])
