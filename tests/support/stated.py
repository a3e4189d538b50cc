"""Numbers as the pages state them, for the tests that measure them."""
from __future__ import annotations

import re

from pages import pages, read_page


def stated(pattern: str, page: str | None = None) -> list[float]:
    """The groups that match of a pattern in a page, in which all white space is one blank; without a page in
    all of them but the changelog. AssertionError where it is not said, or twice."""
    found = [match for name in ([page] if page else pages())
             for match in re.finditer(pattern, " ".join(read_page(name).split()))]
    assert len(found) == 1, f"{page or 'the pages'}: {pattern!r} is said {len(found)} times"
    return [float(group.replace(",", "")) for group in found[0].groups() if group]
