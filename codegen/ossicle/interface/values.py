"""Settings as Python programs give them, as values that a configuration file could have."""
from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from ..base.problem import SettingProblem


def plain(values: Mapping[str, Any], where: str = "") -> dict[str, Any]:
    """Returns settings with lists for tuples and arrays, texts for paths, and numbers for those of NumPy. where: the
    enclosing table, for messages. Raises SettingProblem for a key that is no text."""
    for key in values:
        if not isinstance(key, str):
            raise SettingProblem(f"{where + ': ' if where else ''}the key {key!r} is not a text; give a name")
    return {key: _plain(value, f"{where}.{key}" if where else key) for key, value in values.items()}


def _plain(value: Any, where: str) -> Any:
    if hasattr(value, "tolist"):  # of NumPy, which need not be loaded
        value = value.tolist()
    if isinstance(value, Mapping):
        return plain(value, where)
    if isinstance(value, list | tuple):
        return [_plain(item, where) for item in value]
    return os.fspath(value) if isinstance(value, os.PathLike) else value
