"""Makes names of joints, clips and files safe to display."""
from __future__ import annotations

import unicodedata

ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"
BOLD = 1.1  # the relative width of bold type
_NARROW_EM, _WIDE_EM = 0.6, 1.0  # the mean width of a letter in a sans-serif typeface


def printable(name: str) -> str:
    """Replaces characters of an untrusted name that control a terminal or the direction of text, or that XML
    forbids."""
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in name)


def shortened(name: str, most: int) -> str:
    """Returns a printable name of at most `most` characters: its beginning and its end."""
    name = printable(name)
    if len(name) <= most:
        return name
    end = (most - 1) // 3
    return name[:most - 1 - end] + ELLIPSIS + name[len(name) - end:]


def width_em(text: str) -> float:
    """Estimates the width of a text, in multiples of its type size."""
    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in text)
    return _WIDE_EM * wide + _NARROW_EM * (len(text) - wide)


def fitting(name: str, width: float, size: float) -> str:
    """Shortens a name to a width at this type size; empty if the result could not be distinguished from others."""
    room = int(width / size / max(width_em(printable(name)) / max(len(name), 1), _NARROW_EM))
    return shortened(name, room) if room >= min(len(name), 5) else ""
