"""The codecs by the names that users and banks give them, and what each can do."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from .format import codec_entries

CODEC_NUMBERS = {entry.name: entry.number for entry in codec_entries()}
CODEC_NAMES = {number: name for name, number in CODEC_NUMBERS.items()}
CODECS = tuple(CODEC_NUMBERS)
SCHEME_CODECS = ("sparse", "dense")  # they write published schemes, which presets name
OWN_CODECS = tuple(codec for codec in CODECS if codec not in SCHEME_CODECS)
RANDOM_ACCESS_CODECS = tuple(entry.name for entry in codec_entries() if entry.direct)
AUTO_CODECS = ("delta", "curve", "transform")  # velocity is larger than the best of these


@dataclass(frozen=True)
class CodecCosts:
    """What codecs cost on a machine, by their names. flash_bytes: the code and constants that a
    program links for the codec; row: instructions for the next row of a clip, for each sub-track."""

    target: str
    flash_bytes: Mapping[str, int]
    row: Mapping[str, float]


def codec_bits(codecs: tuple[str, ...]) -> int:
    """The bit set 1 << OSC_CODEC_* of these codecs, as the encoder takes it."""
    return sum(1 << CODEC_NUMBERS[codec] for codec in set(codecs))
