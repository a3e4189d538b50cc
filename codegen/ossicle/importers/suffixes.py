"""The suffixes of source files, in lower case."""
from __future__ import annotations

from collections.abc import Sequence

BINARY_GLTF = (".glb", ".vrm", ".vrma")  # models and animations of VRM are binary glTF
GLTF_SUFFIXES = (".glb", ".gltf", ".vrm", ".vrma")
CONVERTED = (".fbx", ".dae")  # to glTF, by the library Assimp
MESH_SUFFIXES = (*GLTF_SUFFIXES, *CONVERTED)
SUFFIXES = (*MESH_SUFFIXES, ".bvh")


def listed(suffixes: Sequence[str], last: str = "or") -> str:
    """Joins suffixes for a sentence: `.a, .b or .c`."""
    return f"{', '.join(suffixes[:-1])} {last} {suffixes[-1]}"
