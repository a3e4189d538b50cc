"""Overrides the settings of a configuration file with those of a command line."""
from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ..base.problem import SettingProblem
from ..encoding.presets import NO_PRESET
from ..encoding.settings import Settings
from .option import IMPORT, RULES, SETTINGS
from .option_lookup import options_of


def check_one_scheme(settings: Mapping[str, Any], preset: str, codec: str) -> None:
    """Raises SettingProblem for settings with both a preset and a codec. preset, codec: their names in messages."""
    if settings.get("preset", NO_PRESET) != NO_PRESET and "codec" in settings:
        raise SettingProblem(f"{codec} contradicts {preset}, which determines the codec; leave out {codec}")


def settings_of(settings: Settings, arguments: argparse.Namespace) -> Settings:
    """Returns the settings of a configuration file, overridden by a command line."""
    given: dict[str, dict[str, Any]] = {SETTINGS: {}, RULES: {}, IMPORT: {}}
    for option in options_of(arguments.command):
        value = getattr(arguments, option.field)
        if option.table in given and value is not None and value is not False:
            if option.many:  # the command line extends the file
                holder = settings.importing if option.table == IMPORT else settings
                value = getattr(holder, option.field) + tuple(value)
            given[option.table][option.field] = value
    importing = replace(settings.importing, **given[IMPORT])
    importing.check()
    changes = given[SETTINGS] | given[RULES]
    check_one_scheme(changes, "--preset", "--codec")
    return replace(settings, importing=importing).changed(changes)
