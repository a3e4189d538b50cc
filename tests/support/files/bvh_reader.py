"""A reader of BVH to judge with, on rotation matrices: shares no code with the project's."""
from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

AXES = {"X": 0, "Y": 1, "Z": 2}


@dataclass
class BvhJoint:
    name: str
    parent: int
    offset: np.ndarray
    channels: list[str] = field(default_factory=list)


@dataclass
class Bvh:
    """joints: parents first. values [F, channels]."""

    joints: list[BvhJoint]
    rate: float
    values: np.ndarray

    def model_matrices(self, metres: float) -> np.ndarray:
        """[F, J, 4, 4] for column vectors, in model space."""
        models = self.local_matrices(metres)
        for j, joint in enumerate(self.joints):
            if joint.parent >= 0:
                models[:, j] = models[:, joint.parent] @ models[:, j]
        return models

    def local_matrices(self, metres: float) -> np.ndarray:
        """[F, J, 4, 4] for column vectors, lengths times `metres`."""
        frames = len(self.values)
        found = np.tile(np.eye(4), (frames, len(self.joints), 1, 1))
        columns = iter(self.values.T)
        for j, joint in enumerate(self.joints):
            position = np.repeat(joint.offset[None], frames, 0)
            if any(channel.endswith("position") for channel in joint.channels):
                position[:] = 0.0
            for channel, column in zip(joint.channels, columns):
                axis = AXES[channel[0]]
                if channel.endswith("position"):
                    position[:, axis] = column
                else:
                    found[:, j, :3, :3] = found[:, j, :3, :3] @ turns(axis, np.radians(column))
            found[:, j, :3, 3] = position * metres
        return found


def turns(axis: int, angles: np.ndarray) -> np.ndarray:
    """Rotation matrices [F, 3, 3] about a coordinate axis."""
    found = np.tile(np.eye(3), (len(angles), 1, 1))
    b, c = (axis + 1) % 3, (axis + 2) % 3
    found[:, b, b] = found[:, c, c] = np.cos(angles)
    found[:, c, b], found[:, b, c] = np.sin(angles), -np.sin(angles)
    return found


def read(path: Path) -> Bvh:
    header, _, motion = path.read_text(encoding="utf-8-sig").partition("MOTION")
    joints: list[BvhJoint] = []
    blocks: list[int | None] = []  # the joint of each open block, None for an End Site
    opening: int | None = None
    for line in header.splitlines():
        words = line.split()
        match words[0] if words else "":
            case "ROOT" | "JOINT":
                joints.append(BvhJoint(" ".join(words[1:]), blocks[-1] if blocks else -1, np.zeros(3)))
                opening = len(joints) - 1
            case "End":
                opening = None
            case "{":
                blocks.append(opening)
            case "}":
                blocks.pop()
            case "OFFSET" if blocks[-1] is not None:
                joints[blocks[-1]].offset = np.array(words[1:4], float)
            case "CHANNELS":
                joints[blocks[-1]].channels = words[2:]
    _, frame_time, *rows = [line.split() for line in motion.splitlines() if line.strip()]
    return Bvh(joints, 1.0 / float(frame_time[2]), np.array(rows, float))
