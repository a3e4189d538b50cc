"""Numbers as the pages state them, for the tests that measure them."""
from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def stated(pattern: str, page: str = "README.md") -> list[float]:
    """The groups that match of a pattern in a page, in which all white space is one blank. AssertionError where
    it is not said, or twice."""
    text = " ".join((ROOT / page).read_text(encoding="utf-8").split())
    found = list(re.finditer(pattern, text))
    assert len(found) == 1, f"{page} says {pattern!r} {len(found)} times"
    return [float(group.replace(",", "")) for group in found[0].groups() if group]
