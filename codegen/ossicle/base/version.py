"""The versions of the library and of the bank format, read from the header of the C runtime."""
from __future__ import annotations

import functools
import re
from typing import NamedTuple

from .places import RUNTIME

HEADER = RUNTIME / "ossicle_version.h"


class Versions(NamedTuple):
    """The version major.minor.patch of the library, and the bank format that it reads and writes."""

    major: int
    minor: int
    patch: int
    bank_format: int

    @property
    def library(self) -> str:
        """The library's version as text: "0.1.0"."""
        return f"{self.major}.{self.minor}.{self.patch}"


def parse_versions(text: str) -> Versions:
    """Reads the versions from the text of ossicle_version.h. Raises ValueError if a number is missing."""
    numbers = dict(re.findall(r"^#define[ \t]+(OSC_\w+)[ \t]+(\d+)[ \t]*$", text, re.MULTILINE))
    required = ("OSC_VERSION_MAJOR", "OSC_VERSION_MINOR", "OSC_VERSION_PATCH", "OSC_BANK_FORMAT")
    missing = [name for name in required if name not in numbers]
    if missing:
        raise ValueError(f"ossicle_version.h does not define {', '.join(missing)} as plain numbers")
    return Versions(*(int(numbers[name]) for name in required))


@functools.lru_cache(maxsize=1)
def versions() -> Versions:
    """Returns the versions of this Ossicle. Raises OSError or ValueError if the header is missing or damaged."""
    return parse_versions(HEADER.read_text(encoding="utf-8"))
