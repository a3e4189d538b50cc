"""Published schemes: what the codecs sparse and dense write, and how keys are chosen.

The names stand in the order of the enumerations in codegen/encoder/encoder.h.
"""
from __future__ import annotations

from dataclasses import dataclass

# enc_format: how a key is written; best: for each track the smallest that is good enough.
FORMATS = ("float128", "float96", "fixed48", "ranged48", "ranged32", "fixed32", "small_float",
           "smallest48", "half_angle48", "fixed20m", "none", "variable", "best")
# OSC_SPARSE_*: what lies between the keys of a track that has keys of its own.
BASES = ("every", "step", "linear", "uniform", "timed", "chordal", "centripetal", "hermite")
REDUCTIONS = ("none", "insert", "remove")  # enc_reduction: how keys are chosen
# enc_margin: how the tracks share the tolerance
MARGINS = ("even", "depth", "leaf_first", "root_first", "clip", "kind")


@dataclass(frozen=True)
class Scheme:
    """enc_scheme, by names. codec: one of SCHEME_CODECS; the other texts are of the lists above.

    period: of the codec dense, frames from key to key. time_bits: of a key's time; 0: 8 up to 256
    frames, else 16. tag_bits, component_tag_bits: what goes with a key, and with each of its
    components. mix: a track that is smaller so has a key on every frame. fixed: nothing is fitted
    to the tolerance, what comes of it is measured. tiers: of the codec dense, into so
    many the keys that matter least move, 0 .. 2.
    """

    codec: str
    rotations: str
    vectors: str
    basis: str = "linear"
    reduction: str = "none"
    margin: str = "even"
    period: int = 1
    time_bits: int = 0
    tag_bits: int = 0
    component_tag_bits: int = 0
    mix: bool = False
    fixed: bool = False
    tiers: int = 0
