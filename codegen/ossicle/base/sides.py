"""Finds left and right in the names of joints and curves."""
from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress

from .problem import SettingProblem

# A side in a name: a separate word, a capitalised word before or after another one, or a single separate letter.
_SIDE = re.compile(r"(?<![A-Za-z])(?:left|right|Left|Right|LEFT|RIGHT)|(?<=[a-z])(?:Left|Right)(?![a-z])"
                   r"|(?<![A-Za-z0-9])[lLrR](?![A-Za-z0-9])")
_OTHER = {"left": "right", "Left": "Right", "LEFT": "RIGHT", "l": "r", "L": "R"}
_OTHER |= {other: side for side, other in _OTHER.items()}


def other_side(name: str, names: Sequence[str]) -> str | None:
    """Returns the name with the other side, if there is such a joint. In a name with several sides, one of them or all
    may change. Raises SettingProblem if several joints match."""
    sides = list(_SIDE.finditer(name))
    candidates = [name[:side.start()] + _OTHER[side.group()] + name[side.end():] for side in sides]
    candidates.append(with_other_sides(name))
    found = sorted({other for other in candidates if other != name and other in names})
    if len(found) > 1:
        raise SettingProblem(f"joint {name!r} could be paired with {' or '.join(map(repr, found))}; name the pair in "
                             f"[mirror], such as pairs = [[\"{name}\", \"{found[0]}\"]]")
    return found[0] if found else None


def with_other_sides(text: str) -> str:
    """Exchanges left and right in a text, such as the name of an event."""
    return _SIDE.sub(lambda side: _OTHER[side.group()], text)


def sided_pairs(names: Sequence[str]) -> dict[str, str]:
    """Maps each name to that with the other side, in both directions, without ambiguous names."""
    pairs = {}
    for name in names:
        with suppress(SettingProblem):
            other = other_side(name, names)
            if other is not None and other_side(other, names) == name:
                pairs[name] = other
    return pairs
