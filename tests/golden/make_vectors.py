"""Writes the committed golden vectors (*.vectors beside this file).

A vector file is text: `#` comments; `bank` and then its words; per query `query CLIP MODE POSITION`,
then `pose` and `model` with their words, all eight hexadecimal digits. The words come from the
reference, never from the runtime. Run it again only when the format changes. The banks in
curve.vectors, transform.vectors and velocity.vectors stay as they are; make_codec_banks.py makes new ones."""
from __future__ import annotations

from collections.abc import Iterable

import fixed
from published.dense_sample import dense_sample
from frozen_banks import frozen_samples
from reference import Decoder
from sample_banks import Sample, samples
from published.sparse_sample import sparse_sample
from vector_files import FOLDER
from version_sample import version_sample


def all_samples() -> list[Sample]:
    """The banks written by hand, then the frozen ones."""
    return [*samples(), sparse_sample(), dense_sample(), version_sample(), *frozen_samples()]


def words_of(bank: bytes) -> list[int]:
    """A bank as unsigned words."""
    return [int.from_bytes(bank[i:i + 4], "little") for i in range(0, len(bank), 4)]


def _block(words: Iterable[int]) -> list[str]:
    texts = [f"{fixed.uwrap(word):08x}" for word in words]
    return ["  " + " ".join(texts[i:i + 12]) for i in range(0, len(texts), 12)]


def vector_text(sample: Sample) -> str:
    """The vector file of a sample."""
    decoder = Decoder(sample.bank)
    lines = [f"# {sample.about}", "bank", *_block(words_of(sample.bank))]
    for query in sample.queries:
        clip, mode, position = query
        lines += [f"query {clip} {mode} {position}",
                  "pose", *_block(decoder.pose(clip, position, mode)),
                  "model", *_block(decoder.model(clip, position, mode))]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Writes all files."""
    for sample in all_samples():
        (FOLDER / f"{sample.name}.vectors").write_text(vector_text(sample))


if __name__ == "__main__":
    main()
