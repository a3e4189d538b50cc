"""Lays settings over settings: those of the command line over those of a configuration file."""
from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ..base.problem import SettingProblem
from ..encode.presets import NO_PRESET
from ..encode.settings import Settings
from .option import IMPORT, RULES, SETTINGS
from .option_table import options_of


def lay_over(settings: Any, said: Mapping[str, Any], preset: str, codec: str) -> Any:
    """Returns settings, or a rule for clips, after replacing these fields. A preset replaces the
    codec, and a codec the preset. preset, codec: their names in messages. Raises SettingProblem."""
    if said.get("preset", NO_PRESET) != NO_PRESET and "codec" in said:
        raise SettingProblem(f"{preset} chooses the codec; leave out {codec}")
    if isinstance(settings, Settings):
        if "preset" in said:
            settings = settings.with_preset(said["preset"], preset)
        elif "codec" in said:
            settings = replace(settings, preset=NO_PRESET)
    return replace(settings, **said)


def settings_of(settings: Settings, arguments: argparse.Namespace) -> Settings:
    """Returns the settings of the configuration file, overridden by the command line."""
    said: dict[str, dict[str, Any]] = {SETTINGS: {}, RULES: {}, IMPORT: {}}
    for option in options_of(arguments.command):
        value = getattr(arguments, option.field)
        if option.table in said and value is not None and value is not False:
            if option.many:  # the command line adds to the file
                holder = settings.importing if option.table == IMPORT else settings
                value = getattr(holder, option.field) + tuple(value)
            said[option.table][option.field] = value
    importing = replace(settings.importing, **said[IMPORT])
    importing.check()
    return lay_over(replace(settings, importing=importing),
                    said[SETTINGS] | said[RULES], "--preset", "--codec")
