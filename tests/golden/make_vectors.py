"""Writes the committed golden vectors (*.vectors beside this file) and tests/support/sample_banks.h.

A vector file is text: `#` comments; `bank` and then its words; per query `query CLIP MODE POSITION`,
then `pose` and `model` with their words, all eight hexadecimal digits. The words come from the
reference, never from the runtime. Run it again only when the format changes. The banks in
curve.vectors, transform.vectors and velocity.vectors stay as they are; make_codec_banks.py makes new ones."""
from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import fixed
from published.dense_sample import dense_sample
from frozen_banks import frozen_samples
from reference import Decoder
from sample_banks import Sample, samples
from published.sparse_sample import sparse_sample
from version_sample import version_sample

FOLDER = Path(__file__).resolve().parent
HEADER = FOLDER.parent / "support" / "sample_banks.h"
IN_HEADER = ("walk", "scale", "turn", "curve", "transform", "velocity", "sparse", "dense",
             "versions")


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


def _header_of(sample: Sample) -> list[str]:
    decoder, words = Decoder(sample.bank), words_of(sample.bank)
    lines = [f"/* {sample.about} */", f"static const uint32_t sample_{sample.name}[{len(words)}] = {{"]
    lines += ["    " + " ".join(f"0x{word:08x}u," for word in words[i:i + 8])
              for i in range(0, len(words), 8)]
    lines += ["};", f"static const sample_query sample_{sample.name}_queries[{len(sample.queries)}] = {{"]
    for clip, mode, position in sample.queries:
        hashes = [fixed.fnv1a(map(fixed.uwrap, words)) for words in
                  (decoder.pose(clip, position, mode), decoder.model(clip, position, mode))]
        lines.append(f"    {{{clip}, {mode}, {position}, 0x{hashes[0]:08x}u, 0x{hashes[1]:08x}u}},")
    return [*lines, "};", ""]


def header_text() -> str:
    """tests/support/sample_banks.h."""
    lines = ["/* Sample banks with the hashes of what the reference makes of them. Written by",
             " * tests/golden/make_vectors.py. */", "#ifndef SAMPLE_BANKS_H",
             "#define SAMPLE_BANKS_H", "", "#include <stdint.h>", "",
             "/* The pose hash runs over rotations, translations and scales, each array whole. */",
             "typedef struct sample_query {", "    uint32_t clip;", "    int32_t mode, position_q11;",
             "    uint32_t pose_hash, model_hash;", "} sample_query;", ""]
    for sample in all_samples():
        if sample.name in IN_HEADER:
            lines += _header_of(sample)
    return "\n".join([*lines, "#endif", ""])


def main() -> None:
    """Writes all files."""
    for sample in all_samples():
        (FOLDER / f"{sample.name}.vectors").write_text(vector_text(sample))
    HEADER.write_text(header_text())


if __name__ == "__main__":
    main()
