"""Programs in C for this machine. Files of the checkout are compiled once for all tests and
workers, see codegen/ossicle/machines/object_store.py."""
from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from ossicle.machines.object_store import compile_file
from ossicle.machines.tools import checked_tool

from needed import ROOT, RUNTIME, with_runtime

COMPILER = os.environ.get("CC", "gcc")
SANITIZING = "clang"  # compiles with sanitizers twice as fast as gcc, and unrolled code ten times as fast
ENCODER = sorted((ROOT / "codegen/encoder").rglob("*.c"))
INCLUDES = [f"-I{ROOT / 'runtime'}", f"-I{ROOT / 'platforms/scalar'}"]
ENCODER_INCLUDES = [*INCLUDES, f"-I{ROOT / 'codegen/encoder'}"]
# The runtime is compiled once for all who use the same flags in the same order.
STRICT = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Wconversion", "-Werror"]
SANITIZERS = ["-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
# Of programs with the encoder in them. Numbers that do not fit count as well: they differ between
# machines. Not optimised, as compiling takes longer than most of what is run.
ENCODER_SANITIZERS = ["-std=c11", "-O0", "-g", "-ffp-contract=off", "-fno-sanitize-recover=all",
                      "-fsanitize=address,undefined,float-cast-overflow", *ENCODER_INCLUDES,
                      f"-I{ROOT / 'tests/support'}"]


def build_program(compiler: str, flags: Iterable[object], sources: Sequence[Path], program: Path,
                  libraries: Sequence[str] = ()) -> Path:
    """Compiles sources with these flags, links them with the same, and returns `program`. Of the runtime's
    sources a program gets those that it needs, a shared library all.

    sources: objects among them are only linked. libraries: what else the linker is told. TargetError with the first
    error of compiler or linker.
    """
    command = [compiler, *map(str, flags)]
    folder = program.with_name(f"{program.name}.objects")
    folder.mkdir(exist_ok=True)
    numbers = {source: number for number, source in enumerate(sources)}

    def compiled(source: Path) -> Path:
        if source.suffix == ".o":
            return source
        result = folder / f"{numbers[source]}-{source.stem}.o"
        compile_file(command, source, result, f"{source.name} does not compile")
        return result

    runtime = [] if "-shared" in libraries else [source for source in sources if source in RUNTIME]
    objects = [compiled(source) for source in sources if source not in runtime]
    if runtime:
        objects = with_runtime(_nm(compiler), objects, compiled, runtime)
    checked_tool([*command, *map(str, objects), *libraries, "-o", str(program)], f"{program.name} does not link")
    return program


def _nm(compiler: str) -> str:
    """The nm for a compiler's objects."""
    return f"{compiler.removesuffix('gcc')}nm" if compiler.endswith("-gcc") else "nm"
