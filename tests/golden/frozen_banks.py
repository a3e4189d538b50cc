"""The banks that lie in curve.vectors, transform.vectors and velocity.vectors: made by the encoder once (see
make_codec_banks.py), kept as words."""
from __future__ import annotations

from sample_banks import Sample
from vector_files import FOLDER, read_vectors

FROZEN = ("curve", "transform", "velocity")


def frozen_sample(name: str) -> Sample:
    """The bank and the queries of a vector file; its results are ignored."""
    vectors = read_vectors(FOLDER / f"{name}.vectors")
    return Sample(name, vectors.about, vectors.bank, vectors.queries)


def frozen_samples() -> list[Sample]:
    """All of them."""
    return [frozen_sample(name) for name in FROZEN]
