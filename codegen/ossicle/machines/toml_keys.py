"""Checks the keys of a table in target.toml."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..base.problem import nearest
from .tools import TargetError


def check_keys(
    table: Mapping[str, Any], needed: Mapping[str, type], optional: Mapping[str, type], place: str
) -> None:
    """Raises TargetError for an unknown or missing key, and for a value of another type. place: the file and table, for
    messages."""
    known = {**needed, **optional}
    for key, value in table.items():
        if key not in known:
            raise TargetError(f"{place}: unknown key {key!r}{nearest(key, sorted(known))}")
        if not isinstance(value, known[key]):
            raise TargetError(
                f"{place}: {key} is {value!r}; a TOML {_toml_name(known[key])} is needed"
            )
    for key in needed:
        if key not in table:
            raise TargetError(f"{place}: {key} is missing")


def _toml_name(kind: type) -> str:
    return {str: "string", int: "integer", float: "float", list: "array", dict: "table"}[kind]
