"""Clips for the tests of the benches."""
from __future__ import annotations

from pathlib import Path

from running import write_bvh

FRAMES = 40


def write_clip(shared: Path, name: str, speed: float) -> None:
    """Adds a clip of FRAMES frames to the corpus bandai in a folder like ../shared."""
    folder = shared / "corpus/bandai"
    folder.mkdir(parents=True, exist_ok=True)
    write_bvh(folder / f"{name}.bvh", frames=FRAMES, speed=speed)
