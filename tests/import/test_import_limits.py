"""Files that are far larger than they look, or claim to be: the importers refuse them in one line, in little memory."""
from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from ossicle.base.files.reading import read_file
from ossicle.importers.gltf.accessors import Accessors
from ossicle.importers.gltf.file import GltfFile
from ossicle.model.clip import ImportProblem
from test_import_corruption import BVH, rich
from mentions import mentioning

MEMORY_BYTES = 3 << 29  # 1.5 GB of address space, with the libraries
SPARSE_BYTES = 2 << 30
READ_VALUES = 1 << 27  # of all accessors of a file, 1 GB
READ = """
import resource, sys
from pathlib import Path
from ossicle.importers.importer import read_clips
from ossicle.model.clip import ImportProblem
resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv[2]), int(sys.argv[2])))
try:
    read_clips([Path(sys.argv[1])])
except ImportProblem as problem:
    print(problem)
"""
HEAD, MOTION = BVH.split(b"MOTION\n")


def sparse(path: Path, head: bytes, size: int = SPARSE_BYTES) -> Path:
    """A file of this size, which has nothing on the disk behind its head."""
    path.write_bytes(head)
    with path.open("r+b") as file:
        file.truncate(size)
    return path


def written(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


def with_many_zeros(folder: Path) -> Path:
    """Hundreds of channels whose accessors have no bytes in the file, and sixteen million values each."""
    builder = rich()
    for number in range(200):
        times = builder.raw_accessor(componentType=5126, type="SCALAR", count=1 << 24)
        values = builder.raw_accessor(componentType=5126, type="VEC3", count=(1 << 24) // 3)
        builder.document["animations"][0]["samplers"].append({"input": times, "output": values})
        builder.document["animations"][0]["channels"].append(
            {"sampler": len(builder.document["animations"][0]["samplers"]) - 1,
             "target": {"node": 0, "path": "translation"}})
    return builder.write_glb(folder)


def with_large_buffer(folder: Path) -> Path:
    """A buffer of a terabyte beside the file."""
    sparse(folder / "large.bin", b"", 1 << 40)
    document = {"asset": {"version": "2.0"}, "buffers": [{"uri": "large.bin", "byteLength": 1 << 40}],
                "bufferViews": [{"buffer": 0, "byteLength": 8}],
                "accessors": [{"bufferView": 0, "componentType": 5126, "type": "SCALAR", "count": 2},
                              {"componentType": 5126, "type": "VEC3", "count": 2}],
                "nodes": [{"name": "a"}], "skins": [{"joints": [0]}], "scenes": [{"nodes": [0]}],
                "animations": [{"samplers": [{"input": 0, "output": 1}],
                                "channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}]}]}
    return written(folder / "hero.gltf", json.dumps(document).encode())


FILES: dict[str, Callable[[Path], Path]] = {
    "sparse bvh": lambda folder: sparse(folder / "walk.bvh", b""),
    "sparse bvh with a head": lambda folder: sparse(folder / "walk.bvh", BVH),
    "sparse bvh of a size that may be": lambda folder: sparse(folder / "walk.bvh", BVH, 100 << 20),
    "sparse gltf": lambda folder: sparse(folder / "hero.gltf", b"{"),
    "sparse gltf of a size that may be": lambda folder: sparse(folder / "hero.gltf", b"{", 100 << 20),
    "sparse glb": lambda folder: sparse(folder / "hero.glb", rich().glb_bytes()[:8], 6 << 30),
    "lines": lambda folder: written(folder / "walk.bvh", b"\n" * (32 << 20)),
    "lines before MOTION": lambda folder: written(folder / "walk.bvh", b"\n" * (16 << 20) + BVH),
    "joints": lambda folder: written(folder / "walk.bvh", HEAD + b"JOINT a {\n" * (1 << 20) + b"MOTION\n" + MOTION),
    "a line": lambda folder: written(folder / "walk.bvh", BVH + b"0 " * (8 << 20)),
    "a long number": lambda folder: written(folder / "walk.bvh", BVH.replace(b"90", b"9" * (16 << 20))),
    "frames that are not there": lambda folder: written(folder / "walk.bvh",
                                                        BVH.replace(b"Frames: 2", b"Frames: 99999999")),
    "deep JSON": lambda folder: written(folder / "hero.gltf", b"[" * (8 << 20)),
    "deep objects": lambda folder: written(folder / "hero.gltf", b'{"a":' * (1 << 20)),
    "many zeros": with_many_zeros,
    "large buffer": with_large_buffer,
}


@pytest.mark.parametrize("name", FILES)
def test_refused_in_one_line(tmp_path: Path, name: str) -> None:
    path = FILES[name](tmp_path)
    command = [sys.executable, "-c", READ, str(path), str(MEMORY_BYTES)]
    root = str(Path(__file__).resolve().parents[2] / "codegen")
    ended = subprocess.run(command, capture_output=True, text=True, check=False,
                           env=os.environ | {"PYTHONPATH": root, "OPENBLAS_NUM_THREADS": "1"})
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.startswith(str(path)) and ended.stdout.count("\n") == 1 and len(ended.stdout) < 1000


def test_deep_hierarchies_are_no_recursion(tmp_path: Path) -> None:
    """A chain of as many joints as a bank can hold, and more."""
    depth = 5000
    chain = b"".join(b"JOINT j%d {\nOFFSET 0 1 0\nCHANNELS 1 Xrotation\n" % i for i in range(depth))
    text = b"HIERARCHY\nROOT r\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n" + chain + b"}\n" * (depth + 1)
    row = b"0 " * (depth + 1)
    from ossicle.importers.importer import read_clips
    imported = read_clips([written(tmp_path / "deep.bvh",
                                   text + b"MOTION\nFrames: 2\nFrame Time: 0.1\n" + row + b"\n" + row)])
    assert len(imported.skeleton.names) == depth + 1


@pytest.mark.parametrize("log2_values", [16, 20])
def test_values_are_bounded_in_all(tmp_path: Path, log2_values: int) -> None:
    """Any number of channels may use the same accessor, and an accessor of zeros takes no bytes."""
    builder = rich()
    zeros = builder.raw_accessor(componentType=5126, type="SCALAR", count=1 << log2_values)
    path = builder.write_glb(tmp_path)
    accessors = Accessors(GltfFile(path, read_file(path)))
    for _ in range(READ_VALUES >> log2_values):
        accessors.values(zeros, "SCALAR")
    with pytest.raises(ImportProblem, match=mentioning(f"{zeros} {READ_VALUES:,}")):
        accessors.values(zeros, "SCALAR")
