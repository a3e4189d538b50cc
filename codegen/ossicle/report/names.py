"""Names of joints, clips and files as they can be shown."""
from __future__ import annotations

import unicodedata

ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"
BOLD = 1.1  # how much wider bold type is
_NARROW_EM, _WIDE_EM = 0.6, 1.0  # the mean width of a letter in a sans-serif typeface


def printable(name: str) -> str:
    """Returns a name from a bank of unknown origin without characters that control a terminal or the direction of
    text, or that XML forbids."""
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in name)


def shortened(name: str, most: int) -> str:
    """Returns a printable name of at most so many characters: its beginning and its end."""
    name = printable(name)
    if len(name) <= most:
        return name
    end = (most - 1) // 3
    return name[:most - 1 - end] + ELLIPSIS + name[len(name) - end:]


def width_em(text: str) -> float:
    """About how wide a text is, in multiples of its size."""
    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in text)
    return _WIDE_EM * wide + _NARROW_EM * (len(text) - wide)


def fitting(name: str, width: float, size: float) -> str:
    """Returns as much of a name as fits a width at this size of type; empty if that is too little to tell names
    apart."""
    room = int(width / size / max(width_em(printable(name)) / max(len(name), 1), _NARROW_EM))
    return shortened(name, room) if room >= min(len(name), 5) else ""
