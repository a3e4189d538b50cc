"""`ossicle mesh`: writes a mesh as C, for the joints of a bank."""
from __future__ import annotations

import argparse

from ...bank.file import read_bank
from ...base.files.output import check_outputs, write_all
from ...base.problem import SettingProblem, setting_problems_of
from ...encoding.settings import Settings
from ...export.played import skeleton_of
from ...generate.identifiers import check_c_name, name_of_stem
from ...generate.mesh_code import mesh_files
from ...importers.importer import files_of, read_mesh
from ...config.overlay import settings_of
from ...reporting.messages import warn


def mesh(arguments: argparse.Namespace) -> None:
    """Writes all files of a mesh, or none."""
    bank = read_bank(arguments.bank)
    if bank.inverse_bind is None:
        raise SettingProblem(f"{arguments.bank}: has no inverse bind matrices, which the mesh needs; encode it with "
                             "--skin-matrices")
    name = arguments.name or name_of_stem(arguments.bank.stem)
    check_c_name(name)
    read, warnings = read_mesh(arguments.source, skeleton_of(bank), settings_of(Settings(), arguments).importing)
    with setting_problems_of(arguments.source):
        files = {arguments.output / file: content
                 for file, content in mesh_files(read, name, arguments.source.name).items()}
    check_outputs(files_of([arguments.source], arguments.outside) | {arguments.bank: arguments.bank}, files)
    write_all(files)
    warn([f"{arguments.source}: {warning}" for warning in warnings])
    if not arguments.quiet:
        for path in files:
            print(f"wrote {path}")
