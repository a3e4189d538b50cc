"""Reads source files, and encodes them."""
from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..base.option_names import toml_names
from ..building.encoding import compress, graph_problems_of
from ..building.options import EncodeOptions
from ..config.option_lookup import names_in_files
from ..config.project import settings_of_keys
from ..encoding.edits import edited
from ..encoding.results import BankResult, report_json
from ..encoding.settings import Settings
from ..encoding.sources import read_sources
from ..model.clip import Imported
from .banks import Bank
from .paths import PathName, paths
from .values import plain
from .options import options_of


@dataclass(frozen=True)
class Encoded:
    """An encoded bank. report: sizes, errors and settings of every clip, as `ossicle encode --json` writes them;
    warnings: a line each."""

    bank: Bank
    report: dict[str, Any]
    warnings: Sequence[str]


def read(*inputs: PathName, **keys: Any) -> Imported:
    """Reads source files that share a skeleton. keys: of configuration files, such as scale=0.01, clips=["Walk"] or
    retarget=[{"inputs": ["mocap.bvh"]}], with paths relative to the current folder. Raises Problem."""
    with toml_names(names_in_files()):
        return read_sources(paths(inputs), settings_of_keys(plain(keys)))


def encode(*inputs: PathName, jobs: int | None = None, cache: PathName | None = None, **keys: Any) -> Encoded:
    """Encodes source files into one bank. jobs: the number of threads, None for one per core; cache: the folder that
    stores encoded clips, "off", or None as for the command; keys: as for read, such as tolerance="0.5mm" or
    clips={"Walk": {"loop": True}}. Raises Problem."""
    work = options_of(jobs, cache)
    with toml_names(names_in_files()):
        result, _ = encode_files(paths(inputs), settings_of_keys(plain(keys)), work)
    return Encoded(Bank(result.parsed), json.loads(report_json(result)), result.warnings)


def encode_files(inputs: Sequence[Path], settings: Settings, work: EncodeOptions, config: Path | None = None
                 ) -> tuple[BankResult, Imported]:
    """Returns the bank of source files, and what was read. config: the file with the settings, for messages."""
    imported = read_sources(inputs, settings)
    with graph_problems_of(config):
        return compress(edited(imported, settings), settings, work), imported
