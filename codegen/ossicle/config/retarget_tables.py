"""Reads the tables [[retarget]] of a configuration file: files of other skeletons."""
from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..base.files.output import shown
from ..base.problem import SettingProblem, setting_problems_of
from ..retargeting.rules import RetargetRule
from .input_names import expanded
from .option import RETARGET
from .option_kinds import typed
from .option_lookup import check_keys, keys_of, read_keys


def retarget_rules(table: Mapping[str, Any], folder: Path) -> tuple[RetargetRule, ...]:
    """Returns the rules of a parsed file. folder: that of the file. Raises SettingProblem."""
    rules = []
    for where, values in checked_tables(table):
        with setting_problems_of(where):
            inputs, patterns = expanded(folder, map(str, values.pop("inputs")))
        if rest := values.get("rest"):
            values["rest"] = replace(rest, path=shown(folder / rest.path))
        rules.append(RetargetRule(inputs, **values, patterns=patterns))
    return tuple(rules)


def checked_tables(table: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yields the name and the settings, by field, of each table. Raises SettingProblem."""
    tables = typed(table.get(RETARGET, []), list, RETARGET, f"tables [[{RETARGET}]]")
    for number, own in enumerate(tables, 1):
        where = f"[[{RETARGET}]]" + (f" number {number}" if len(tables) > 1 else "")
        check_keys(typed(own, dict, where, "a table"), list(keys_of(RETARGET)), f"{where}: ")
        values = read_keys(own, f"{where} ", RETARGET)
        if not values.get("inputs"):
            raise SettingProblem(f"{where}: has no inputs; add inputs = [\"mocap/*.bvh\"], for example")
        yield where, values
