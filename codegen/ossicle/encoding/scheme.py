"""Published schemes: the content of the codecs sparse and dense, and the choice of keys."""
from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from ..base.encoder_library import choices
from ..base.format import number

FORMATS = choices("FORMAT_")  # formats of a key; best: for each track, the smallest that holds the tolerance
REDUCTIONS = choices("REDUCE_")  # methods to choose keys
MARGINS = choices("MARGIN_")  # methods to share the tolerance among tracks
NO_RESTARTS_LOG2 = number("CLIP_RESTART_MASK")  # a restart point only at the first frame
# The interpolation between the keys of a sparse track: OSC_SPARSE_*.
BASES = ("every", "step", "linear", "uniform", "timed", "chordal", "centripetal", "hermite")


@dataclass(frozen=True)
class Scheme:
    """An enc_scheme with names for its numbers. codec: one of SCHEME_CODECS; the other texts come
    from the lists above.

    period: the frames from key to key, for the codec dense. time_bits: the size of a key's time; 0
    means 8 up to 256 frames, otherwise 16. tag_bits, component_tag_bits: the size of the tag of a
    key, and of each of its components. mix: whether a track that is smaller with a key on every
    frame gets that. fixed: nothing is fitted to the tolerance; the error is measured and reported.
    tiers: the number of tiers, 0 .. 4, that receive the least important keys, for the codec dense.
    tier_m: the errors permitted with the first 0, 1, .. tiers alone, in metres; empty for 32
    tolerances, and 8 without the last tier alone.
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
    tier_m: tuple[float, ...] = ()


def scheme_numbers(scheme: Scheme) -> dict[str, Any]:
    """Returns the fields of enc_scheme as numbers."""
    values = {field.name: getattr(scheme, field.name) for field in fields(scheme)[1:]}
    return values | {
        "rotations": FORMATS.index(scheme.rotations), "vectors": FORMATS.index(scheme.vectors),
        "basis": number(f"SPARSE_{scheme.basis.upper()}"),
        "reduction": REDUCTIONS.index(scheme.reduction), "margin": MARGINS.index(scheme.margin)}
