"""Reads vector files, without the code that writes them, and turns those of IN_HEADER into a header for tests in C:

    python vector_files.py sample_banks.h
"""
from __future__ import annotations

import struct
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from fixed import fnv1a, uwrap

FOLDER = Path(__file__).resolve().parent
IN_HEADER = ("walk", "scale", "turn", "sparse", "dense", "versions", "curve", "transform", "velocity")
_BEGIN = """/* Sample banks with the hashes of what the reference makes of them, by vector_files.py. */
#ifndef SAMPLE_BANKS_H
#define SAMPLE_BANKS_H

#include <stdint.h>

/* The pose hash runs over rotations, translations and scales, each array whole. */
typedef struct sample_query {
    uint32_t clip;
    int32_t mode, position_q11;
    uint32_t pose_hash, model_hash;
} sample_query;
"""


@dataclass
class Vectors:
    """The content of a file. poses, models: of each query"""

    about: str = ""
    words: list[int] = field(default_factory=list)
    queries: list[tuple[int, int, int]] = field(default_factory=list)
    poses: list[list[int]] = field(default_factory=list)
    models: list[list[int]] = field(default_factory=list)

    @property
    def bank(self) -> bytes:
        return struct.pack(f"<{len(self.words)}I", *self.words)


def read_vectors(path: Path) -> Vectors:
    """Reads a file. Poses and models are signed words."""
    vectors = Vectors()
    words = vectors.words
    for line in path.read_text().splitlines():
        kind, *fields = line.split()
        if kind == "#":
            vectors.about = " ".join(fields)
        elif kind == "query":
            vectors.queries.append((int(fields[0]), int(fields[1]), int(fields[2])))
        elif kind in ("pose", "model"):
            words = []
            (vectors.poses if kind == "pose" else vectors.models).append(words)
        elif kind != "bank":
            words += [int(text, 16) for text in [kind, *fields]]
    for block in vectors.poses + vectors.models:
        block[:] = struct.unpack(f"<{len(block)}i", struct.pack(f"<{len(block)}I", *block))
    return vectors


def _hash(words: Sequence[int]) -> str:
    return f"0x{fnv1a(map(uwrap, words)):08x}u"


def write_header(path: Path, folder: Path = FOLDER) -> None:
    """Writes the header from the vector files in a folder."""
    lines = [_BEGIN]
    for name in IN_HEADER:
        vectors = read_vectors(folder / f"{name}.vectors")
        lines += [f"/* {vectors.about} */", f"static const uint32_t sample_{name}[{len(vectors.words)}] = {{",
                  ", ".join(f"0x{word:08x}u" for word in vectors.words), "};",
                  f"static const sample_query sample_{name}_queries[{len(vectors.queries)}] = {{"]
        lines += [f"    {{{clip}, {mode}, {position}, {_hash(pose)}, {_hash(model)}}},"
                  for (clip, mode, position), pose, model in zip(
                      vectors.queries, vectors.poses, vectors.models, strict=True)]
        lines.append("};\n")
    path.write_text("\n".join([*lines, "#endif\n"]))


if __name__ == "__main__":
    write_header(Path(sys.argv[1]))
