"""The names and properties of codecs."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from .format import codec_entries

CODEC_NUMBERS = {entry.name: entry.number for entry in codec_entries()}
CODEC_NAMES = {number: name for name, number in CODEC_NUMBERS.items()}
CODECS = tuple(CODEC_NUMBERS)
SCHEME_CODECS = ("sparse", "dense")  # for published schemes, which presets name
OWN_CODECS = tuple(codec for codec in CODECS if codec not in SCHEME_CODECS)
CODEC_CHOICES = ("auto", *OWN_CODECS)
RANDOM_ACCESS_CODECS = tuple(entry.name for entry in codec_entries() if entry.direct)
AUTO_CODECS = ("delta", "curve", "transform")  # velocity is never smaller than the best of these


@dataclass(frozen=True)
class CodecCosts:
    """The costs of codecs on a machine, by name. flash_bytes: code and constants that a program links for the
    codec; row: instructions per sub-track to decode the next row of a clip; base_row_bytes: code for banks of curve
    clips with a base row, 0 if that is not known."""

    target: str
    flash_bytes: Mapping[str, int]
    row: Mapping[str, float]
    base_row_bytes: int = 0


# The parts of a step of a graph whose costs are measured, and what each counts: first those of a joint.
STEP_PARTS_OF_JOINTS = {
    "evaluate": "a joint is evaluated",
    "blend": "a joint is blended with another pose",
    "add": "a difference is added to a joint",
    "mirror": "a joint is mirrored",
    "begin": "the offset of a joint begins",
    "apply": "the offset of a joint fades",
    "compose": "the matrix of a joint is composed",
}
STEP_PARTS = STEP_PARTS_OF_JOINTS | {
    "machine": "a machine advances",
    "look": "a transition with one atom is examined",
    "part": "a member of a blend passes a part of the step",
    "event": "an event is reported",
    "switch": "a machine enters another state",
    "slew": "a number with a slew moves",
    "turn": "a joint of a look turns",
    "reach": "a limb reaches",
}


@dataclass(frozen=True)
class StepCosts:
    """The costs of a step of a graph on a machine. unit: of all, instructions or cycles; row: the most of a sub-track
    to decode a row, by codec; parts: of each of STEP_PARTS, of STEP_PARTS_OF_JOINTS for a joint."""

    target: str
    unit: str
    row: Mapping[str, float]
    parts: Mapping[str, float]


def codec_bits(codecs: tuple[str, ...]) -> int:
    """Returns the bit set of these codecs, 1 << OSC_CODEC_* each, for the encoder."""
    return sum(1 << CODEC_NUMBERS[codec] for codec in set(codecs))
