"""The banks curve, transform and velocity of sample_banks.h: made by the encoder once (see make_codec_banks.py),
kept as words."""
from __future__ import annotations

import re
import struct
from pathlib import Path

from samples.sample_banks import Sample

FROZEN = ("curve", "transform", "velocity")
HEADER = Path(__file__).resolve().parents[2] / "support/c/sample_banks.h"


def frozen_sample(name: str) -> Sample:
    """The bank and the queries of a sample; its hashes are ignored."""
    found = re.search(rf"/\* (.*) \*/\nstatic const uint32_t sample_{name}\[.*\] = {{([^}}]*)}};\n"
                      rf".* sample_{name}_queries\[.*\] = {{\n((?:.*}},\n)*)", HEADER.read_text())
    assert found is not None, name
    words = [int(word, 16) for word in re.findall(r"0x(\w{8})u", found[2])]
    queries = [tuple(map(int, query)) for query in re.findall(r"{(\d+), (\d+), (-?\d+),", found[3])]
    return Sample(name, found[1], struct.pack(f"<{len(words)}I", *words), queries)


def frozen_samples() -> list[Sample]:
    """All of them."""
    return [frozen_sample(name) for name in FROZEN]
