"""Compares with an earlier poses.csv."""
from __future__ import annotations

import csv
from collections.abc import Mapping
from pathlib import Path

from ossicle.base.problem import SettingProblem

KEYS = ("skeleton", "codec", "target")
Key = tuple[str, ...]


def read_rows(path: Path) -> dict[Key, dict[str, str]]:
    """The rows of a poses.csv by skeleton, codec and target. SettingProblem names a file that
    cannot be read or has other columns."""
    try:
        with path.open(newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
    except (OSError, UnicodeDecodeError) as error:
        raise SettingProblem(f"{path}: cannot be read ({error}); give a poses.csv of scons bench") from error
    if not rows or not set(KEYS) <= set(rows[0]):
        raise SettingProblem(f"{path}: has no rows with {', '.join(KEYS)}; give a poses.csv of "
                             "scons bench")
    return {tuple(row[key] for key in KEYS): row for row in rows}


def changed_text(column: str, value: int | float | None,
                 before: Mapping[Key, Mapping[str, str]] | None, key: Key) -> str:
    """A value for the table, and in brackets by how much it differs from the one in `before`, or
    that there was none. None is a dash."""
    if value is None:
        return "-"
    form = ",.1f" if isinstance(value, float) else ",d"
    text = format(value, form)
    if before is None:
        return text
    old = before.get(key, {}).get(column)
    if not old:
        return f"{text} (new)"
    try:
        change = value - type(value)(old)
    except ValueError as error:
        raise SettingProblem(f"{' '.join(key)}: {column} was {old!r}, which is no number") from error
    return text if change == 0 else f"{text} ({format(change, '+' + form)})"
