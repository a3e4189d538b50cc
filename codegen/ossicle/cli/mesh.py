"""`ossicle mesh`: a mesh to C, for the joints of a bank."""
from __future__ import annotations

import argparse

import numpy as np

from ..bank.file import Bank, read_bank
from ..base.output import check_outputs, write_all
from ..base.problem import SettingProblem, said_in
from ..generate.identifiers import check_c_name, name_of_stem
from ..generate.mesh_code import mesh_files
from ..importers.importer import files_of, read_mesh
from .printing import warn

_ONE = 1 << 20


def inverse_bind_of(bank: Bank) -> np.ndarray:
    """The inverse bind matrices of a bank that has them: float64 [J, 4, 4]."""
    matrices = np.zeros((len(bank.joints), 4, 4))
    matrices[:, :3] = np.array(bank.inverse_bind).reshape(-1, 3, 4) / _ONE
    matrices[:, 3, 3] = 1.0
    return matrices


def mesh(arguments: argparse.Namespace) -> None:
    """Writes the C of a mesh, all of it or nothing."""
    bank = read_bank(arguments.bank)
    if bank.inverse_bind is None:
        raise SettingProblem(f"{arguments.bank}: has no inverse bind matrices, which a mesh needs; encode it with "
                             "--skin-matrices")
    name = arguments.name or name_of_stem(arguments.bank.stem)
    check_c_name(name)
    read, warnings = read_mesh(arguments.source, [joint.name for joint in bank.joints], inverse_bind_of(bank),
                               1.0 if arguments.scale is None else arguments.scale, arguments.outside)
    with said_in(arguments.source):
        files = {arguments.output / file: content
                 for file, content in mesh_files(read, name, arguments.source.name).items()}
    check_outputs(files_of([arguments.source], arguments.outside) | {arguments.bank: arguments.bank}, files)
    write_all(files)
    warn([f"{arguments.source}: {warning}" for warning in warnings])
    if not arguments.quiet:
        for path in files:
            print(f"wrote {path}")
