"""`ossicle strip`: writes a bank without some of its streaming tiers."""
from __future__ import annotations

import argparse

from ...bank import strip as stripping


def strip(arguments: argparse.Namespace) -> None:
    for path in stripping.strip(arguments.bank, arguments.output, arguments.tiers, arguments.tier_files):
        print(f"wrote {path}")
