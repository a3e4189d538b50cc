"""Files of the runtime that a program needs. The others are not compiled for it: compiling the whole runtime
takes longer than most programs run."""
from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

from ossicle.machines.tools import checked_tool

ROOT = Path(__file__).resolve().parents[2]
RUNTIME = sorted((ROOT / "runtime").rglob("*.c"))
# A function, which is not only declared, an array, or another constant.
_DEFINED = re.compile(r"^(?!static\b)[A-Za-z][^;\n]*?\b(osc_\w+)(?:[(\[][^;\n]*$| = )", re.MULTILINE)

_known: dict[bytes, list[tuple[str, str]]] = {}  # the symbols of objects, by their content


def with_runtime(nm: str, objects: Sequence[Path], compile_source: Callable[[Path], Path],
                 runtime: Sequence[Path] = RUNTIME) -> list[Path]:
    """Returns the objects of a program and those of the runtime's files that they need, one through the other.

    compile_source: returns the object of a file. TargetError if a file does not compile."""
    linked, wanted, defined, new = list(objects), set(), set(), list(objects)
    sources = {path.stem: path for path in runtime}
    while new:
        for name, kind in _symbols(nm, new):
            (wanted if kind in "Uw" else defined).add(name)
        files = sorted({definers()[name] for name in wanted - defined if name in definers()} & sources.keys())
        new = [compile_source(sources.pop(stem)) for stem in files]
        linked += new
    return linked


@cache
def definers() -> dict[str, str]:
    """The stem of the file that defines each symbol, on any platform."""
    return {name: path.stem for path in RUNTIME for name in _DEFINED.findall(path.read_text(encoding="utf-8"))}


def _symbols(nm: str, objects: Sequence[Path]) -> list[tuple[str, str]]:
    """The name and kind of every symbol."""
    contents = {path: path.read_bytes() for path in objects}
    new = [path for path in objects if contents[path] not in _known]
    if new:
        path = new[0]
        _known.update((contents[item], []) for item in new)
        for line in checked_tool([nm, *map(str, new)], "nm").splitlines():
            words = line.split()
            if line.endswith(":"):  # before the symbols of each of several objects
                path = Path(line[:-1])
            elif len(words) > 1:
                _known[contents[path]].append((words[-1], words[-2]))
    return [symbol for path in objects for symbol in _known[contents[path]]]
