"""`ossicle inspect`: prints the content of a bank, or the costs of its joints and tracks."""
from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar

from ...analysis.bits import BankBits, bits_of
from ...analysis.costs import beside_joints, beside_tracks, idle_joints, joint_costs, track_costs
from ...bank.file import Bank, read_bank
from ...base.problem import SettingProblem
from ...importers.importer import read_separately
from ...interface.banks import description_of
from ...importers.suffixes import MESH_SUFFIXES, listed
from ...model.import_options import ImportOptions
from ...reporting.tables import console
from ...reporting.contents import inspect_tables
from ...reporting.costs import idle_text, joint_table, track_table
from ..json_output import print_json

_BYTES = "bytes"
_Row = TypeVar("_Row")


def inspect(arguments: argparse.Namespace) -> None:
    """Prints the content of a bank or, with --joints and --tracks, their costs."""
    if arguments.source and not arguments.joints:
        raise SettingProblem("--source applies only with --joints; add --joints")
    bank = read_bank(arguments.bank)
    if arguments.joints or arguments.tracks:
        _show_costs(arguments, bank, bits_of(bank))
    else:
        _show_content(arguments, bank)


def _show_content(arguments: argparse.Namespace, bank: Bank) -> None:
    description = description_of(bank)
    description["clips"] = in_order(description["clips"], arguments.sort, lambda clip: clip["bytes"],
                                    lambda clip: clip["name"])
    if arguments.json:
        print_json(description)
        return
    screen = console()
    for part in inspect_tables(description):
        screen.print(part)
        screen.print()


def _show_costs(arguments: argparse.Namespace, bank: Bank, bits: BankBits) -> None:
    content: dict[str, Any] = {"bytes": bank.size_bytes}
    tables, lines = [], []
    if arguments.joints:
        carrying = _carrying(arguments.source, bank) if arguments.source else {}
        costs, beside = joint_costs(bank, bits, carrying), beside_joints(bits)
        lines.append(idle_text(idle_joints(bank, costs), bank.size_bytes) if carrying else
                     "the bank does not state which joints carry vertices or meshes; add --source FILE.glb")
        costs = in_order(costs, arguments.sort, lambda cost: cost.bits, lambda cost: cost.name)
        content |= {"joints": [asdict(cost) for cost in costs], "beside_joints": beside}
        tables.append(joint_table(costs, beside))
    if arguments.tracks:
        tracks = in_order(track_costs(bank, bits), arguments.sort, lambda cost: cost.bits,
                          lambda cost: (cost.clip, cost.joint))
        content |= {"tracks": [asdict(cost) for cost in tracks], "beside_tracks": beside_tracks(bits)}
        tables.append(track_table(tracks, beside_tracks(bits)))
    if arguments.json:
        print_json(content)
        return
    for table in tables:
        console().print(table)
    for line in filter(None, lines):
        print(line)


def _carrying(sources: Sequence[Path], bank: Bank) -> dict[str, bool]:
    """Returns for the joints of source files whether they carry something, as far as meshes can be read. Raises
    SettingProblem if no joint of the bank is among them."""
    known: dict[str, bool] = {}
    for file in read_separately(sources, ImportOptions()):
        if file.carrying is not None:
            for name in file.skeleton.names:
                known[name] = known.get(name, False) or name in file.carrying
    if not any(joint.name in known for joint in bank.joints):
        raise SettingProblem(f"--source {', '.join(map(str, sources))}: no mesh with readable weights has joints of "
                             f"the bank; give the {listed(MESH_SUFFIXES)} file with its mesh")
    return known


def in_order(rows: Sequence[_Row], sort: str | None, size: Callable[[_Row], int],
             name: Callable[[_Row], Any]) -> list[_Row]:
    """Sorts rows by size, the largest first, or by name. Without `sort`, keeps their order."""
    if sort is None:
        return list(rows)
    return sorted(rows, key=(lambda row: -size(row)) if sort == _BYTES else name)
