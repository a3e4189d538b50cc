"""Writes tests/support/c/sample_banks.h: sample banks with hashes of the reference's poses, for tests in C and Python.

The hashes come from the reference, never from the runtime. Run it again only when the format changes. The banks of
curve, transform and velocity stay as they are; make_codec_banks.py makes new ones."""
from __future__ import annotations

from collections.abc import Iterable

import fixed
from published.dense_sample import dense_sample
from samples.frozen_banks import HEADER, frozen_samples
from reference import Decoder
from samples.sample_banks import Sample, samples
from published.sparse_sample import sparse_sample
from samples.version_sample import version_sample

BEGIN = """/* Sample banks with hashes of the reference's poses. Written by tests/golden/make_vectors.py. */
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


def all_samples(frozen: Iterable[Sample] = ()) -> list[Sample]:
    """The banks written by hand, then the frozen ones. frozen: samples that replace those of the same name."""
    new = {sample.name: sample for sample in frozen}
    return [*samples(), sparse_sample(), dense_sample(), version_sample(),
            *(new.get(sample.name, sample) for sample in frozen_samples())]


def _lines_of(sample: Sample) -> list[str]:
    decoder = Decoder(sample.bank)
    words = [int.from_bytes(sample.bank[i:i + 4], "little") for i in range(0, len(sample.bank), 4)]
    lines = [f"/* {sample.about} */", f"static const uint32_t sample_{sample.name}[{len(words)}] = {{"]
    lines += ["    " + " ".join(f"0x{word:08x}u," for word in words[i:i + 8])
              for i in range(0, len(words), 8)]
    lines += ["};", f"static const sample_query sample_{sample.name}_queries[{len(sample.queries)}] = {{"]
    for clip, mode, position in sample.queries:
        hashes = [fixed.fnv1a(map(fixed.uwrap, words)) for words in
                  (decoder.pose(clip, position, mode), decoder.model(clip, position, mode))]
        lines.append(f"    {{{clip}, {mode}, {position}, 0x{hashes[0]:08x}u, 0x{hashes[1]:08x}u}},")
    return [*lines, "};", ""]


def header_text(frozen: Iterable[Sample] = ()) -> str:
    """The text of sample_banks.h."""
    return "\n".join([BEGIN, *(line for sample in all_samples(frozen) for line in _lines_of(sample)), "#endif", ""])


if __name__ == "__main__":
    HEADER.write_text(header_text())
