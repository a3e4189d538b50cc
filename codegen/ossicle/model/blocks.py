"""Divides the frames of a clip, so that work on a long one takes no more memory than work on a short one."""
from __future__ import annotations

from collections.abc import Iterator

MOST_TRANSFORMS = 1 << 16  # in a block: 5 MB of float64


def blocks(frames: int, joints: int) -> Iterator[slice]:
    """Yields the slices, in order, of frames with at most MOST_TRANSFORMS transforms, but at least one frame."""
    size = max(MOST_TRANSFORMS // max(joints, 1), 1)
    for start in range(0, frames, size):
        yield slice(start, min(start + size, frames))
