"""Published schemes: what the codecs sparse and dense write, and how keys are chosen."""
from __future__ import annotations

from dataclasses import dataclass, fields

from ..base.format import number
from .library import choices

FORMATS = choices("FORMAT_")  # how a key is written; best: for each track the smallest that holds
REDUCTIONS = choices("REDUCE_")  # how keys are chosen
MARGINS = choices("MARGIN_")  # how the tracks share the tolerance
NO_RESTARTS_LOG2 = number("CLIP_RESTART_MASK")  # a restart point at the first frame alone
# What lies between the keys of a track that has keys of its own: OSC_SPARSE_*.
BASES = ("every", "step", "linear", "uniform", "timed", "chordal", "centripetal", "hermite")


@dataclass(frozen=True)
class Scheme:
    """enc_scheme, by names. codec: one of SCHEME_CODECS; the other texts are of the lists above.

    period: of the codec dense, frames from key to key. time_bits: of a key's time; 0: 8 up to 256
    frames, else 16. tag_bits, component_tag_bits: what goes with a key, and with each of its
    components. mix: a track that is smaller with a key on every frame gets that. fixed: nothing is
    fitted to the tolerance; the error is measured and reported. tiers: of the codec dense, how many
    tiers the keys that matter least move into, 0 .. 2.
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


def scheme_numbers(scheme: Scheme) -> dict[str, int]:
    """The fields of enc_scheme."""
    said = {field.name: getattr(scheme, field.name) for field in fields(scheme)[1:]}
    return said | {
        "rotations": FORMATS.index(scheme.rotations), "vectors": FORMATS.index(scheme.vectors),
        "basis": number(f"SPARSE_{scheme.basis.upper()}"),
        "reduction": REDUCTIONS.index(scheme.reduction), "margin": MARGINS.index(scheme.margin)}
