"""The shell error, measured in double precision from local transforms.

Written from its definition, without looking at the encoder's: three points on the axes of every
joint, at the shell distance in model space at the bind pose, moved by its model transform, at every
frame and midpoint.
"""
from __future__ import annotations

import numpy as np

BREAK_CHORD2 = 0.75  # squared distance of neighbouring quaternions from which a pair holds
HIDDEN = 5e-4  # a scale in the bind pose that is smaller hides a joint
BREAK_TRAVEL = 0.98  # metres, or units of scale, of one component


def local_matrices(local: np.ndarray) -> np.ndarray:
    """Matrices [N, J, 3, 4] of local transforms [N, J, 10], rotations of any length."""
    x, y, z, w = np.moveaxis(local[..., :4] / np.linalg.norm(local[..., :4], axis=-1)[..., None], -1, 0)
    rows = [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
            2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
            2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]
    linear = np.stack(rows, -1).reshape(*x.shape, 3, 3) * local[..., None, 7:10]
    return np.concatenate([linear, local[..., 4:7, None]], -1)


def compose(above: np.ndarray, local: np.ndarray) -> np.ndarray:
    """Matrices [N, 3, 4] of what is `local` to `above`."""
    inner = above[..., :3] @ local
    inner[..., 3] += above[..., 3]
    return inner


def model_matrices(parents: np.ndarray, local: np.ndarray) -> np.ndarray:
    """Model transforms [N, J, 3, 4] of local ones [N, J, 10], rotations of any length."""
    model = local_matrices(local)
    for joint, parent in enumerate(parents):
        if parent >= 0:
            model[:, joint] = compose(model[:, parent], model[:, joint])
    return model


def find_breaks(frames: np.ndarray, steps: np.ndarray) -> np.ndarray:
    """The breaks of tracks, bool [F, J, 3]: those stated, and those at which a track moves too far."""
    breaks = steps.astype(bool).copy()
    left, right = frames[:-1], frames[1:]
    alike = np.abs(np.sum(left[..., :4] * right[..., :4], -1))
    breaks[1:, :, 0] |= 2.0 - 2.0 * alike >= BREAK_CHORD2
    travel = np.abs(right - left)
    breaks[1:, :, 1] |= travel[..., 4:7].max(-1, initial=0) >= BREAK_TRAVEL
    breaks[1:, :, 2] |= travel[..., 7:10].max(-1, initial=0) >= BREAK_TRAVEL
    return breaks


def with_midpoints(frames: np.ndarray, breaks: np.ndarray) -> np.ndarray:
    """[2F-1, J, 10]: the frames, and between them the shortest-path normalised mean, or the left
    value where the track breaks at the next frame."""
    left, right = frames[:-1], frames[1:].copy()
    right[..., :4] *= np.where(np.sum(left[..., :4] * right[..., :4], -1) < 0, -1.0, 1.0)[..., None]
    middle = (left + right) / 2
    middle[..., :4] /= np.linalg.norm(middle[..., :4], axis=-1)[..., None]
    for kind, part in enumerate((slice(0, 4), slice(4, 7), slice(7, 10))):
        held = breaks[1:, :, kind]
        middle[..., part] = np.where(held[..., None], left[..., part], middle[..., part])
    out = np.empty((2 * len(frames) - 1, *frames.shape[1:]))
    out[::2], out[1::2] = frames, middle
    return out


def bind_matrices(parents: np.ndarray, bind: np.ndarray) -> np.ndarray:
    """Model transforms [J, 3, 4] of a bind pose [J, 10] in which hidden joints are shown."""
    shown = bind.copy()
    shown[:, 7:10][np.abs(bind[:, 7:10]) < HIDDEN] = 1.0
    return model_matrices(parents, shown[None])[0]


def axis_lengths(parents: np.ndarray, bind: np.ndarray | None) -> np.ndarray:
    """The lengths of the axes of joints in model space at the bind pose: [J, 3]."""
    if bind is None:
        return np.ones((len(parents), 3))
    return np.linalg.norm(bind_matrices(parents, bind)[..., :3], axis=1)


def shell_errors(parents: np.ndarray, reference: np.ndarray, played: np.ndarray,
                 shell_m: float = 0.03, bind: np.ndarray | None = None) -> np.ndarray:
    """The error in metres of every sample and joint: [N, J]."""
    return distances(model_matrices(parents, reference), model_matrices(parents, played),
                     shell_m / axis_lengths(parents, bind)[:, None])


def distances(wanted: np.ndarray, model: np.ndarray, shell_m: float | np.ndarray) -> np.ndarray:
    """The distance of the farthest shell point of each matrix. shell_m: in the joints' own spaces."""
    difference = wanted - model
    points = shell_m * difference[..., :3] + difference[..., 3:]
    return np.linalg.norm(points, axis=-2).max(-1)


def chain_errors(parents: np.ndarray, reference: np.ndarray, played: np.ndarray,
                 shell_m: float = 0.03, bind: np.ndarray | None = None) -> np.ndarray:
    """The largest error in metres of every joint when a chain begins at each joint and all above
    it is as in the reference: [start, J]; 0 for joints that are not on the chain."""
    wanted, local = model_matrices(parents, reference), local_matrices(played)
    errors = np.zeros((len(parents), len(parents)))
    along = shell_m / axis_lengths(parents, bind)
    for start in range(len(parents)):
        model: dict[int, np.ndarray] = {}
        for joint in range(start, len(parents)):
            parent = int(parents[joint])
            if joint == start and parent < 0:
                model[joint] = local[:, joint]
            elif joint == start or parent in model:
                above = wanted[:, parent] if joint == start else model[parent]
                model[joint] = compose(above, local[:, joint])
            else:
                continue
            errors[start, joint] = distances(wanted[:, joint], model[joint], along[joint]).max()
    return errors
