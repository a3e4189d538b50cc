"""Pairs of left and right joints, from their names or the user's settings."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..base.problem import SettingProblem, nearest
from ..base.sides import other_side

AXES = ("x", "y", "z")


@dataclass(frozen=True)
class Mirror:
    """The user's settings of a mirror. axis: from one side of the character to the other; pairs: of joints, in addition
    to those by name."""

    axis: str = "x"
    pairs: tuple[tuple[str, str], ...] = ()


def partners_of(mirror: Mirror, names: Sequence[str], parents: Sequence[int | None]) -> list[int | None]:
    """Returns the partner of each joint: itself for a joint in the middle, None for a joint that hangs from one side
    only. Raises SettingProblem for invalid pairs."""
    stated = _stated(mirror.pairs, names)
    numbers = {name: joint for joint, name in enumerate(names)}
    partners: list[int | None] = []
    for joint, (name, parent) in enumerate(zip(names, parents, strict=True)):
        other = stated.get(name) or (None if name in stated else other_side(name, names)) or name
        partner = numbers[other]
        if other != name and name not in stated and other in stated:
            partner = joint  # its own partner by name has another one
        above = None if parent is None else partners[parent]
        if parent is not None and above is None or partner == joint and parent is not None and above != parent:
            partners.append(None)
            continue
        if parents[partner] != above:
            _refuse(name, other, names, parent, parents[partner])
        partners.append(partner)
    for joint, pair in enumerate(partners):
        if pair is not None and partners[pair] != joint:
            raise SettingProblem(f"joint {names[joint]!r} is paired with {names[pair]!r}, but not the other way round; "
                                 "name both in [mirror] pairs")
    return partners


def _stated(pairs: Sequence[tuple[str, str]], names: Sequence[str]) -> Mapping[str, str]:
    stated: dict[str, str] = {}
    for pair in pairs:
        for name, other in (pair, pair[::-1]):
            if name not in names:
                raise SettingProblem(f"[mirror] pairs: there is no joint {name!r}{nearest(name, names)}")
            if stated.get(name, other) != other:
                raise SettingProblem(f"[mirror] pairs: joint {name!r} is in two pairs, with {stated[name]!r} and "
                                     f"{other!r}; remove one")
            stated[name] = other
    return stated


def _refuse(name: str, other: str, names: Sequence[str], parent: int | None, others: int | None) -> None:
    above, beside = ("no joint" if joint is None else repr(names[joint]) for joint in (parent, others))
    raise SettingProblem(f"joints {name!r} and {other!r} are a pair, but {above} and {beside} above them are not; "
                         f"name these in [mirror] pairs, or take [\"{name}\", \"{name}\"] if it has no partner")
