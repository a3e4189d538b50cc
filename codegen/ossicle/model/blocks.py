"""Divides the frames of a clip into blocks, so that long clips need no more working memory than short ones."""
from __future__ import annotations

from collections.abc import Iterator

MOST_TRANSFORMS = 1 << 16  # in a block: 5 MB of float64


def blocks(frames: int, joints: int) -> Iterator[slice]:
    """Yields slices of frames, in order, with at most MOST_TRANSFORMS transforms but at least one frame."""
    size = max(MOST_TRANSFORMS // max(joints, 1), 1)
    for start in range(0, frames, size):
        yield slice(start, min(start + size, frames))
