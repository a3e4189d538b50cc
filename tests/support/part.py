"""Chooses a part of a long list by a number, for runs that are too short for all of it."""
from __future__ import annotations

import re
from collections.abc import Iterable
from zlib import crc32


def part_of(names: Iterable[str], part: str) -> list[str]:
    """Returns the names in the part SEED/COUNT of a list; all of them for an empty part.

    The names are ordered by their checksums, so that neighbours in the list are in different parts. A part has every
    COUNT-th name of that order, from number SEED modulo COUNT on: COUNT successive seeds choose each name once. Raises
    ValueError for another form.
    """
    if not part:
        return list(names)
    found = re.fullmatch(r"(\d+)/([1-9]\d*)", part)
    if found is None:
        raise ValueError(f"part {part!r}: give SEED/COUNT, such as 7/20 for one name of twenty")
    seed, count = map(int, found.groups())
    mixed = sorted(names, key=lambda name: (crc32(name.encode()), name))
    return mixed[seed % count::count]
