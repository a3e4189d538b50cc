"""The banks that lie in curve.vectors, transform.vectors and velocity.vectors: made by the encoder once (see
make_codec_banks.py), kept as words."""
from __future__ import annotations

import struct
from pathlib import Path

from sample_banks import Sample

FROZEN = ("curve", "transform", "velocity")
FOLDER = Path(__file__).resolve().parent


def frozen_sample(name: str) -> Sample:
    """The bank and the queries of a vector file; its results are ignored."""
    lines = (FOLDER / f"{name}.vectors").read_text().splitlines()
    end = next(i for i, line in enumerate(lines) if line.startswith("query"))
    words = [int(word, 16) for line in lines[2:end] for word in line.split()]
    queries = [line.split()[1:] for line in lines if line.startswith("query")]
    return Sample(name, lines[0].removeprefix("# "), struct.pack(f"<{len(words)}I", *words),
                  [(int(clip), int(mode), int(position)) for clip, mode, position in queries])


def frozen_samples() -> list[Sample]:
    """All of them."""
    return [frozen_sample(name) for name in FROZEN]
