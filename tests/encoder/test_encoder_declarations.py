"""The declarations that the build writes are those of encoder.h, and loading them does not parse it."""
from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from c_programs import ROOT
from ossicle.base import encoder_declarations
from ossicle.base.encoder_declarations import load_declarations, parse_header, write_declarations
from ossicle.base.encoder_library import library_path
from ossicle.base.places import ENCODER_DECLARATIONS


def name_of(kind: Any) -> str:
    """The name of a type. cffi puts `struct` before those of some structures only in one of the two."""
    return str(kind.cname).replace("struct ", "")


def test_written_declarations_are_those_of_the_header() -> None:
    """Compares every function, and every structure with the types and offsets of its fields."""
    parsed, loaded = parse_header(), load_declarations()
    of_parsed, of_loaded = (ffi.dlopen(str(library_path())) for ffi in (parsed, loaded))
    assert dir(of_parsed) == dir(of_loaded) != []
    for name in dir(of_parsed):
        one, other = getattr(of_parsed, name), getattr(of_loaded, name)
        if isinstance(one, int):
            assert one == other
        else:
            assert name_of(parsed.typeof(one)) == name_of(loaded.typeof(other))
    names = parsed.list_types()
    assert names == loaded.list_types()
    for kinds in ([ffi.typeof(name) for ffi in (parsed, loaded)] for name in names[0]):
        assert name_of(kinds[0]) == name_of(kinds[1])
        if kinds[0].kind == "struct":
            fields = [[(key, name_of(field.type), field.offset) for key, field in kind.fields or ()] for kind in kinds]
            assert fields[0] == fields[1]


def test_the_same_header_writes_the_same_module(tmp_path: Path) -> None:
    module = tmp_path / "new" / ENCODER_DECLARATIONS.name
    write_declarations(module)
    assert module.read_bytes() == ENCODER_DECLARATIONS.read_bytes()


def test_a_checkout_that_is_not_built_parses_the_header(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(encoder_declarations, "ENCODER_DECLARATIONS", tmp_path / "missing.py")
    assert load_declarations().list_types() == parse_header().list_types()


def test_loading_the_encoder_parses_nothing() -> None:
    script = ("import sys; from ossicle.base.encoder_library import library; library(); "
              "sys.exit(any(name in sys.modules for name in ('cffi', 'pycparser')))")
    subprocess.run([sys.executable, "-c", script], check=True, env={"PYTHONPATH": str(ROOT / "codegen")})
