"""The structures and functions of encoder.h, as cffi needs them.

cffi takes as long to parse the header as NumPy takes to load. The build therefore writes what it finds to a module.
"""
from __future__ import annotations

import runpy
from pathlib import Path
from typing import TYPE_CHECKING

from . import signals
from .places import ENCODER_DECLARATIONS, ENCODER_HEADER

if TYPE_CHECKING:
    from cffi import FFI


def write_declarations(module: Path) -> None:
    """Writes a module that contains the parsed header."""
    ffi = parse_header()
    ffi.set_source(module.stem, None)
    module.parent.mkdir(parents=True, exist_ok=True)
    ffi.emit_python_code(str(module))


def load_declarations() -> FFI:
    """Returns the declarations that the build has written, or parses the header of a checkout that is not built."""
    if ENCODER_DECLARATIONS.is_file():
        return runpy.run_path(str(ENCODER_DECLARATIONS))["ffi"]
    return parse_header()


def parse_header() -> FFI:
    """Parses encoder.h without its directives, which are for the compiler."""
    from cffi import FFI  # imported here: slow, and needed only without the module
    ffi = FFI()
    text = ENCODER_HEADER.read_text(encoding="utf-8")
    with signals.deferred():  # the parser runs code from text: a signal that interrupts it kills Python
        ffi.cdef("".join(line for line in text.splitlines(True) if not line.startswith("#")))
    return ffi
