"""`ossicle paths`: prints the folders that build rules need."""
from __future__ import annotations

import argparse

from ...base.places import FOLDERS


def paths(arguments: argparse.Namespace) -> None:
    if arguments.folder:
        print(FOLDERS[arguments.folder])
        return
    for name, folder in FOLDERS.items():
        print(f"{name:9} {folder}")
