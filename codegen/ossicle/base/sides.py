"""Names of left and right: of joints, and of curves."""
from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress

from .problem import SettingProblem

# A side in a name: a word of its own, or with a capital in front of another word or behind one; or a
# single letter that stands by itself.
_SIDE = re.compile(r"(?<![A-Za-z])(?:left|right|Left|Right|LEFT|RIGHT)|(?<=[a-z])(?:Left|Right)(?![a-z])"
                   r"|(?<![A-Za-z0-9])[lLrR](?![A-Za-z0-9])")
_OTHER = {"left": "right", "Left": "Right", "LEFT": "RIGHT", "l": "r", "L": "R"}
_OTHER |= {other: side for side, other in _OTHER.items()}


def other_side(name: str, names: Sequence[str]) -> str | None:
    """Returns the name with the other side, if there is such a joint. A name with several sides may mean
    each of them or all. Raises SettingProblem if several joints fit."""
    sides = list(_SIDE.finditer(name))
    meant = [name[:side.start()] + _OTHER[side.group()] + name[side.end():] for side in sides]
    meant.append(with_other_sides(name))
    found = sorted({other for other in meant if other != name and other in names})
    if len(found) > 1:
        raise SettingProblem(f"joint {name!r} may be a pair with {' or '.join(map(repr, found))}; say which in "
                             f"[mirror], such as pairs = [[\"{name}\", \"{found[0]}\"]]")
    return found[0] if found else None


def with_other_sides(text: str) -> str:
    """A text in which left and right are exchanged, such as the name of an event."""
    return _SIDE.sub(lambda side: _OTHER[side.group()], text)


def sided_pairs(names: Sequence[str]) -> dict[str, str]:
    """Returns the names that have another side, both ways, without those that may have several."""
    pairs = {}
    for name in names:
        with suppress(SettingProblem):
            other = other_side(name, names)
            if other is not None and other_side(other, names) == name:
                pairs[name] = other
    return pairs
