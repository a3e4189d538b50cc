"""The codecs as users and banks call them, and what each can do."""
from __future__ import annotations

CODEC_NUMBERS = {"delta": 1, "curve": 2, "transform": 3, "velocity": 4, "sparse": 5,
                 "dense": 6}  # OSC_CODEC_*
CODEC_NAMES = {number: name for name, number in CODEC_NUMBERS.items()}
CODECS = tuple(CODEC_NUMBERS)
SCHEME_CODECS = ("sparse", "dense")  # they write published schemes, which presets name
OWN_CODECS = tuple(codec for codec in CODECS if codec not in SCHEME_CODECS)
RANDOM_ACCESS_CODECS = ("transform", "dense")
AUTO_CODECS = ("delta", "curve", "transform")  # velocity is larger than the best of these


def codec_bits(codecs: tuple[str, ...]) -> int:
    """The bit set 1 << OSC_CODEC_* of these codecs, as OSC_CODECS and the encoder take it."""
    return sum(1 << CODEC_NUMBERS[codec] for codec in set(codecs))
