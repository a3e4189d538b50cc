"""`ossicle cache`: shows, verifies or removes the cache of encoded clips."""
from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import TYPE_CHECKING

from ...base.files.cache_folder import clear_cache_folder, is_cache_folder
from ...base.problem import SettingProblem
from ...reporting import console as report
from ...reporting.tables import console
from ..json_output import print_json
from ...encoding.cache.place import VARIABLE, WORTH_IT, caching_of

if TYPE_CHECKING:
    from ...encoding.cache.check import CacheFacts


def cache(arguments: argparse.Namespace) -> None:
    """Shows, verifies or removes the cache."""
    folder = caching_of(arguments.cache, arguments.cache_size).folder
    if arguments.json and arguments.action != "stats":
        raise SettingProblem(f"--json applies only to stats; leave it out with {arguments.action}")
    if folder is None:
        raise SettingProblem(f"--cache: the cache is off; name its folder with --cache or {VARIABLE}")
    if arguments.action == "clear":
        clear_cache_folder(folder)
        print(f"cleared {folder}")
        return
    if not is_cache_folder(folder):
        raise SettingProblem(f"{folder}: the cache does not exist yet; encode clips with --cache or --effort "
                             f"{WORTH_IT}")
    from ...encoding.cache.check import cache_facts, verify_cache  # imported here: needed only for these actions
    if arguments.action == "verify":
        damaged = verify_cache(folder, arguments.cache_size)
        print(f"removed {damaged:,} damaged entries; {cache_facts(folder).entries:,} entries are intact")
        return
    _show(cache_facts(folder, arguments.cache_size), arguments.json)


def _show(facts: CacheFacts, as_json: bool) -> None:
    if as_json:
        print_json(asdict(facts) | {"folder": str(facts.folder)})
    else:
        console().print(report.cache_table(facts))
