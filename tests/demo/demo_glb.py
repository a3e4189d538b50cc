"""The demo character as the tests ask for it: by the names of joints and clips, at single times."""
from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from gltf_reader import Gltf


class Glb(Gltf):
    """The .glb of a character with one skin."""

    def __init__(self, path: Path) -> None:
        """AssertionError if the container violates the format."""
        super().__init__(path)
        data = path.read_bytes()
        assert struct.unpack_from("<4sII", data) == (b"glTF", 2, len(data))
        assert [kind for kind, _ in self.chunks] == [b"JSON", b"BIN\0"]
        assert all(len(content) % 4 == 0 for _, content in self.chunks)
        assert self.document["buffers"] == [{"byteLength": len(self.chunks[1][1])}]

    @property
    def joints(self) -> list[int]:
        return self.document["skins"][0]["joints"]

    @property
    def names(self) -> list[str]:
        return [self.nodes[n]["name"] for n in self.joints]

    def clip(self, name: str) -> dict:
        """The animation of that name."""
        return next(a for a in self.animations if a["name"] == name)

    def channels(self, clip: dict) -> Iterator[tuple[str, str, str, np.ndarray, np.ndarray]]:
        """Joint name, path, interpolation, times and rows of each channel of a clip."""
        for node, *rest in self.samplers(clip):
            yield self.nodes[node]["name"], *rest

    def pose(self, clip: dict, time: float) -> dict[str, tuple[np.ndarray, np.ndarray]]:
        """{joint: (rotation, translation)}, local, at a time in seconds."""
        found = self.locals(clip, np.array([time]))
        return {self.nodes[n]["name"]: (found[n]["rotation"][0], found[n]["translation"][0]) for n in self.joints}

    def model(self, clip: dict | None, time: float = 0.0) -> dict[str, np.ndarray]:
        """{joint: 4x4 model matrix} at a time, or of the bind pose when clip is None."""
        found = self.models(clip, np.array([time]))
        return {self.nodes[n]["name"]: found[n][0] for n in self.joints}
