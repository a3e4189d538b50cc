"""Runs a driver of this folder with the C of a bank."""
from __future__ import annotations

from pathlib import Path
from typing import Any

from compiling import compile_strict, run

from ossicle.bank.file import parse_bank
from ossicle.generate.code import Code
from ossicle.generate.emit import code_files

HERE = Path(__file__).parent


def lines_of(bank: bytes, driver: str, folder: Path, *flags: str, compiler: str = "gcc",
             **code: Any) -> list[list[str]]:
    """Returns the words of each line that a driver prints. code: what is generated, as in Code."""
    folder.mkdir(exist_ok=True)
    files = code_files(parse_bank(bank), Code("hero", embed=True, **code))
    for name, content in files.items():
        (folder / name).write_bytes(content)
    sources = [folder / name for name in files if name.endswith(".c")]
    compile_strict(compiler, [*sources, HERE / driver], folder / "program", "-O1", *flags)
    return [line.split() for line in run([folder / "program"]).stdout.splitlines()]


def numbers_in(lines: list[list[str]]) -> dict[str, int]:
    """The number of each curve by its name, from the lines behind those with values."""
    names = [line[0] if line else "" for line in lines if len(line) < 2]
    return {name: number for number, name in enumerate(names) if name}
