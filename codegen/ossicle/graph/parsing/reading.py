"""Reads values of the table [graph]. Each function raises SettingProblem with the key, the value and the remedy."""
from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from ...bank.names import MAX_NAME_BYTES
from ...base.problem import SettingProblem, nearest
from ...base.times import parse_seconds

AXES = ("x", "y", "z", "-x", "-y", "-z")
_SHOWN = 40  # letters, in messages, of a name that is too long
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def read_table(value: Any, what: str, words: str) -> Mapping[str, Any]:
    """Returns a table. what: its key, for messages; words: what it is."""
    if not isinstance(value, dict):
        raise SettingProblem(f"{what} = {value!r}: give {words}")
    return value


def read_named(value: Any, what: str, kind: str, most: int, words: str) -> Mapping[str, Mapping[str, Any]]:
    """Returns tables by name. what: the key of all; kind: what they are, in the plural; most: how many are possible;
    words: what one of them is."""
    table = read_table(value, what, f"a table of {kind}")
    check_count(table, what, kind, most)
    for name in table:
        check_name(name, what)
    return {name: read_table(own, f"{what}.{name}", words) for name, own in table.items()}


def check_count(items: Collection[Any], what: str, kind: str, most: int) -> None:
    """Raises SettingProblem for more than `most` items. kind: what they are, in the plural."""
    if len(items) > most:
        raise SettingProblem(f"{what}: has {len(items)} {kind}, but {most} are possible; remove some")


def check_keys(table: Iterable[str], known: Sequence[str], what: str) -> None:
    """Raises SettingProblem for a key that is not among `known`."""
    for key in table:
        if key not in known:
            raise SettingProblem(f"{what}: unknown key {key!r}{nearest(key, known)}")


def check_name(name: str, what: str, above: str = "") -> None:
    """Raises SettingProblem for a name that cannot be part of a name in C. above: the layer and the group around it,
    each with a dot."""
    if (length := len(above) + len(name)) > MAX_NAME_BYTES:
        raise SettingProblem(f"{what}: a name that begins with {(above + name)[:_SHOWN]!r} has {length} letters, but "
                             f"{MAX_NAME_BYTES} are possible; shorten it")
    if not _NAME.fullmatch(name):
        raise SettingProblem(f"{what}: {name!r} cannot be part of a name in C; use letters, digits and _")


def read_text(value: Any, what: str, words: str) -> str:
    """Returns a text that is not empty."""
    if not isinstance(value, str) or not value:
        raise SettingProblem(f"{what} = {value!r}: give {words}")
    return value


def read_time_us(value: Any, what: str, most_us: int) -> int:
    """Returns a time in microseconds."""
    seconds = parse_seconds(value, what)
    if seconds * 1e6 > most_us:
        raise SettingProblem(f"{what} = {value!r}: is too long; give at most {most_us / 1e6:g} s")
    return round(seconds * 1e6)


def read_axis(value: Any, what: str) -> str:
    """Returns the name of an axis of a joint."""
    if value not in AXES:
        raise SettingProblem(f"{what} = {value!r}: is no axis{nearest(str(value), AXES)}; give one such as \"-z\"")
    return str(value)


def read_weight(value: Any, what: str) -> float | str:
    """Returns a weight from 0 to 1, or the name of a parameter."""
    if isinstance(value, str) and value:
        return value
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0.0 <= value <= 1.0:
        raise SettingProblem(f"{what} = {value!r}: give a number from 0 to 1, or the name of a parameter")
    return float(value)
