"""`ossicle generate`: writes the C of a bank."""
from __future__ import annotations

import argparse

from ...bank.file import read_bank
from ...base.option_values import EMBED_BASE
from ...base.problem import SettingProblem
from ...generate import emit
from ...generate.code import Code
from ...model.joint_sets import parse_joint_sets
from ...generate.layouts import layout_for, wants_fast_rows
from ...model.masks import parse_masks
from ...generate.placement import cold_codecs, place
from ...machines import load_target
from ..printing import show_code


def generate(arguments: argparse.Namespace) -> None:
    if arguments.embed and arguments.embed_base:
        raise SettingProblem("--embed and --embed-base exclude each other, because only one array is written; choose "
                             "one")
    sets, masks = parse_joint_sets(arguments.sets, "--joints"), parse_masks(arguments.masks, "--mask")
    machine = None if arguments.target is None else load_target(arguments.target)
    layout = layout_for(machine, arguments.optimise, arguments.unroll)
    fast_rows = wants_fast_rows(machine, arguments.optimise)
    bank = read_bank(arguments.bank)
    parts = place(machine, bank.played_codecs, len(bank.joints), arguments.hot_bytes)
    embed = EMBED_BASE if arguments.embed_base else arguments.embed
    paths = emit.generate(arguments.bank, arguments.output, Code(
        arguments.name, embed, layout, sets, arguments.matrices, arguments.rigid, fast_rows, cold_codecs(parts),
        masks, arguments.mirror))
    if not arguments.quiet:
        show_code(bank, paths, machine, layout, sets, parts)
