"""Costs of the parts of a step of a graph on a target: the [graph] of target.toml."""
from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from ossicle.bank.file import read_bank
from ossicle.base.codec import AUTO_CODECS, STEP_PARTS, STEP_PARTS_OF_JOINTS
from ossicle.config.project import read_project
from ossicle.encoding.encoder import encode
from ossicle.generate.code import Code
from ossicle.generate.emit import generate
from ossicle.machines import build, run
from ossicle.model.sides import Mirror
from target_support import PROGRAMS, run_program
from tools.demo import NAME

PROGRAM = "graph_costs"
TARGETS = ("gba", "microbit", "mps2_an386", "pico")  # whose costs other targets share


def graph_banks(folder: Path) -> dict[str, Path]:
    """The character of the program with each codec."""
    project = read_project(PROGRAMS / f"{PROGRAM}.toml")
    banks = {codec: folder / f"{codec}.ossb" for codec in AUTO_CODECS}
    for codec, path in banks.items():
        path.write_bytes(encode(list(project.inputs), replace(project.settings, codec=codec)).bank)
    return banks


def graph_table_of(target: str, banks: dict[str, Path], folder: Path) -> str:
    """The table of a target. The parts are measured with the first codec. Files go to `folder`."""
    bank = read_bank(banks[AUTO_CODECS[0]])
    rows = [f"{codec} = {_worst_row(target, path, folder / target / codec) / len(bank.subtracks):.1f}"
            for codec, path in banks.items()]
    place = folder / target / "parts"
    generate(banks[AUTO_CODECS[0]], place, Code("hero", embed=True, unroll=["loop"], mirror=Mirror()))
    code, output = run_program(target, PROGRAM, place, runtime=True, generated=place)
    if code:
        raise ValueError(f"{target}: {PROGRAM} ended with {code}")
    unit, *lines = output.splitlines()
    parts = {name: int(count) for name, count in map(str.split, lines)}
    counts = [f"{part} = {parts[part] / (len(bank.joints) if part in STEP_PARTS_OF_JOINTS else 1):.1f}"
              for part in STEP_PARTS]
    return "\n".join(["", "[graph]", f'unit = "{unit}"', f"row = {{{', '.join(rows)}}}", *counts, ""])


def _worst_row(target: str, bank: Path, folder: Path) -> int:
    """The largest cost of a row of the bank."""
    generate(bank, folder, Code(NAME, embed=True, unroll=["loop"]))
    result = run(build(target, folder, folder / "built"))
    return (result.cycles or result.instructions)["row_worst"]
